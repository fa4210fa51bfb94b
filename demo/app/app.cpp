#include "app/app.h"

#include <cstdio>
#include <new>

#include "app/benchmark.h"
#include "app/create.h"
#include "app/headless.h"
#include "app/settings.h"
#include "base/failure.h"
#include "frame/context.h"
#include "frame/frame_loop.h"
#include "inspect/inspection.h"
#include "options/live_choices.h"
#include "render/picture.h"
#include "report/report.h"
#include "viewer/viewer.h"

namespace demo {
namespace {

std::string refusedRoutes(SluContext context) {
  SluRouteInfo info = SLU_INIT(ROUTE_INFO, SluRouteInfo);
  return sluGetRouteInfo(context, SLU_ROUTE_AUTO, &info) == SLU_SUCCESS ? info.reason : "";
}

// Holds what every run needs.
struct Session {
  const Device& device;
  SluContext context;
  SluRoute route = SLU_ROUTE_AUTO;
  Options options;
  RunReport report;

  // Resolves the route of the options. Comes before scene and compaction are created.
  void chooseRoute() {
    route = resolveRoute(context, options.route);
    report.route = route;
    report.routeReason = options.route == SLU_ROUTE_AUTO ? refusedRoutes(context) : "";
  }

  void describe(const Scene& scene, const Compaction& compaction) {
    report.scene = scene.description();
    report.bucketCount = compaction.bucketCount();
    report.capacity = compaction.capacity();
    report.tests = compaction.request().plan.cullFlags;
    report.scratchBytes = compaction.scratchBytes();
    if (!options.quiet) printHeader(report, options);
  }
};

ExitCode runHeadless(Session& session) {
  const Options& options = session.options;
  RunReport& report = session.report;
  session.chooseRoute();
  const Renderer renderer(session.device, {options.width, options.height});
  const std::unique_ptr<Scene> scene = createScene(session.device, renderer, session.route, options);
  const std::unique_ptr<Compaction> compaction =
      createCompaction(session.device, session.context, session.route, *scene, options);
  session.describe(*scene, *compaction);

  if (options.pick && !scene->canPick())
    failInput("--pick: scene ", sceneName(options.scene), " keeps no index of its records");
  if (options.frozenPlace && !compaction->request().viewDependent)
    failInput("--frozen-at: scene ", sceneName(options.scene), " is not culled, so there is nothing to freeze");
  // The file is opened before the frames, so that a wrong name fails at once.
  if (!options.out.empty()) preparePictureFolder(options.out);
  std::ofstream stats;
  if (!options.stats.empty()) stats = openResults("--stats", options.stats);
  {
    HeadlessPresenter presenter(*scene, options);
    Inspection inspection(session.device, renderer, *scene, *compaction, options.verify);
    FrameLoop({session.device, renderer, *scene, *compaction, inspection}).run(presenter);
    report.frames = presenter.reports();
  }
  if (!options.stats.empty()) writeStats(stats, options, report);
  if (printDifferences(report)) return ExitCode::Mismatch;
  if (!options.quiet) printSummary(report, options);
  return ExitCode::Good;
}

void keepSettings(const Window& window, Options& options) {
  if (!options.keepsSettings) return;
  const VkExtent2D extent = window.windowedExtent();
  if (extent.width && extent.height) {
    options.width = extent.width;
    options.height = extent.height;
  }
  const std::string problem = writeSettings(settingsFile(), options);
  if (!problem.empty()) std::fprintf(stderr, "sluice-demo: %s\n", problem.c_str());
}

// Holds what the window shows.
struct Shown {
  std::optional<Renderer> renderer;
  std::unique_ptr<Scene> scene;
  std::unique_ptr<Compaction> compaction;
  std::optional<LiveChoices> choices;      // that scene and compaction were made by
  std::optional<LiveChoices> lastChoices;  // that something could be made by

  // The scene and the renderer must outlive what uses their memory.
  void drop() {
    choices.reset();
    compaction.reset();
    scene.reset();
    renderer.reset();
  }
};

// Creates again what no longer fits the options or the window.
void make(Session& session, VkExtent2D extent, Shown& shown) {
  if (!shown.renderer || shown.renderer->extent().width != extent.width ||
      shown.renderer->extent().height != extent.height)
    shown.renderer.emplace(session.device, extent);
  const LiveChoices choices = liveChoices(session.options);
  if (shown.choices == choices) return;
  const bool keepsScene = shown.choices && shown.choices->scene == choices.scene;
  shown.choices.reset();
  shown.compaction.reset();
  if (!keepsScene) {
    shown.scene.reset();
    session.chooseRoute();
    shown.scene = createScene(session.device, *shown.renderer, session.route, session.options);
  }
  shown.compaction = createCompaction(session.device, session.context, session.route, *shown.scene, session.options);
  shown.choices = choices;
  session.describe(*shown.scene, *shown.compaction);
}

// Does the same. If that fails, shows why, sets the options back to the last ones that worked, and returns false.
bool makeOrGoBack(Session& session, VkExtent2D extent, Shown& shown, Viewer& viewer) {
  const bool canGoBack = shown.lastChoices && *shown.lastChoices != liveChoices(session.options);
  const auto goBack = [&](const char* problem) {
    viewer.showProblem(problem);
    restore(session.options, *shown.lastChoices);
    return false;
  };
  try {
    make(session, extent, shown);
    shown.lastChoices = shown.choices;
    return true;
  } catch (const Failure& failure) {
    if (!canGoBack) throw;
    return goBack(failure.what());
  } catch (const std::bad_alloc&) {
    if (!canGoBack) throw;
    return goBack("out of host memory");
  }
}

// A run ends when a change of the window or a switch needs new objects. The next run has them.
ExitCode runWindow(Session& session, Window& window, const Surface& surface) {
  Options& options = session.options;
  if (options.finalPicture) preparePictureFolder(options.out);
  Swapchain swapchain(session.device, surface.get());
  Viewer viewer(session.device, window, swapchain, options, session.report,
                listRoutes(session.device, session.context));
  Shown shown;
  uint64_t frames = 0;
  while (viewer.prepare()) {
    if (viewer.takeShaderChange()) shown.drop();
    if (!makeOrGoBack(session, swapchain.extent(), shown, viewer)) continue;
    viewer.enter(*shown.scene, *shown.renderer, *shown.compaction);
    Inspection inspection(session.device, *shown.renderer, *shown.scene, *shown.compaction, options.verify);
    FrameLoop loop({session.device, *shown.renderer, *shown.scene, *shown.compaction, inspection, frames});
    frames = loop.run(viewer);
  }
  keepSettings(window, options);
  if (!options.quiet) printWindowSummary(frames, viewer.reports());
  return ExitCode::Good;
}

ExitCode runOnDevice(const Instance& instance, Options options, Window* window) {
  std::optional<Surface> surface;
  if (window) surface.emplace(instance, *window);
  const Device device(instance, choosePhysicalDevice(instance, "--device", options.device), options.route,
                      surface ? surface->get() : VK_NULL_HANDLE, options.deviceFlags);
  const slu::Context context = createContext(device);
  if (!options.instanceCount) options.instanceCount = defaultInstanceCount(options.scene, device.isCpu());

  Session session = {.device = device, .context = context, .options = options, .report = {}};
  session.report.device = device.properties().deviceName;
  return window ? runWindow(session, *window, *surface) : runHeadless(session);
}

}  // namespace

ExitCode run(Options options) {
  std::optional<Window> window;
  if (options.window && !options.listDevices)
    window.emplace(options.width, options.height, std::string("Sluice: ") + sceneName(options.scene));
  const Instance instance({.applicationName = "sluice-demo",
                           .newestVersion = VK_API_VERSION_1_3,
                           .debugUtils = true,
                           .validation = options.validation,
                           .extensions = window ? window->instanceExtensions() : std::vector<const char*>{}});
  if (options.listDevices) {
    const std::string list = describePhysicalDevices(instance);
    if (list.empty()) failDevice("no Vulkan device (package mesa-vulkan-drivers has one for any processor)");
    std::printf("%s", list.c_str());
    return ExitCode::Good;
  }
  const ExitCode code = options.benchmark.empty()
                            ? runOnDevice(instance, std::move(options), window ? &*window : nullptr)
                            : runBenchmark(instance, options);
  // The messages are counted after the device is destroyed, so that objects which were left on it count.
  if (const uint32_t messages = instance.validationMessageCount()) {
    std::fprintf(stderr, "sluice-demo: %u validation messages\n", messages);
    return ExitCode::Mismatch;
  }
  return code;
}

}  // namespace demo

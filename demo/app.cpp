#include "app.h"

#include <cstdio>

#include "benchmark.h"
#include "failure.h"
#include "frame_loop.h"
#include "headless.h"
#include "picture.h"
#include "report.h"
#include "scenes.h"
#include "viewer.h"

namespace demo {
namespace {

std::string refusedRoutes(SluContext context) {
  SluRouteInfo info = SLU_INIT(ROUTE_INFO, SluRouteInfo);
  return sluGetRouteInfo(context, SLU_ROUTE_AUTO, &info) == SLU_SUCCESS ? info.reason : "";
}

// What a run needs, whatever it shows.
struct Session {
  const Device& device;
  SluContext context;
  SluRoute route;
  Options options;
  RunReport report;

  void describe(const Scene& scene, const Compaction& compaction) {
    report.scene = scene.description();
    report.bucketCount = compaction.bucketCount();
    report.scratchBytes = compaction.scratchBytes();
    if (!options.quiet) printHeader(report, options);
  }
};

ExitCode runHeadless(Session& session) {
  const Options& options = session.options;
  RunReport& report = session.report;
  const Renderer renderer(session.device, {options.width, options.height});
  const std::unique_ptr<Scene> scene = createScene({session.device, renderer, options, session.route});
  Compaction compaction(session.device, session.context, session.route, options.order, scene->compaction());
  session.describe(*scene, compaction);

  if (options.pick && !scene->canPick())
    failInput("--pick: scene ", sceneName(options.scene), " keeps no index of its records");
  if (options.frozenPlace && !scene->compaction().viewDependent)
    failInput("--frozen-at: scene ", sceneName(options.scene), " is not culled, so there is nothing to freeze");
  // Opened before the frames, so that a wrong name costs nothing.
  if (!options.out.empty()) preparePictureFolder(options.out);
  std::ofstream stats;
  if (!options.stats.empty()) stats = openResults("--stats", options.stats);
  {
    HeadlessPresenter presenter(*scene, options);
    FrameLoop(session.device, renderer, *scene, compaction, options, 0).run(presenter);
    report.frames = presenter.reports();
  }
  if (!options.stats.empty()) writeStats(stats, options, report);
  if (printDifferences(report)) return ExitCode::Mismatch;
  if (!options.quiet) printSummary(report, options);
  return ExitCode::Good;
}

// What a scene was made of, to go back to when another cannot be had.
struct SceneChoice {
  SceneKind scene;
  std::filesystem::path model;
  uint32_t instanceCount;
  bool operator==(const SceneChoice&) const = default;
};

SceneChoice sceneChoice(const Options& options) { return {options.scene, options.model, options.instanceCount}; }

// A run ends when the window or a switch needs something made anew; the next one shows it.
ExitCode runWindow(Session& session, Window& window, const Surface& surface) {
  Options& options = session.options;
  if (options.finalPicture) preparePictureFolder(options.out);
  Swapchain swapchain(session.device, surface.get());
  Viewer viewer(session.device, window, swapchain, options, session.report);
  std::optional<Renderer> renderer;
  std::unique_ptr<Scene> scene;
  std::unique_ptr<Compaction> compaction;
  std::optional<SceneChoice> shown;
  SluOrder order = options.order;
  uint64_t frames = 0;
  while (viewer.prepare()) {
    if (viewer.takeShaderChange()) {
      compaction.reset();
      scene.reset();
      renderer.reset();
    }
    const VkExtent2D extent = swapchain.extent();
    if (!renderer || renderer->extent().width != extent.width || renderer->extent().height != extent.height)
      renderer.emplace(session.device, extent);
    if (!scene || shown != sceneChoice(options)) {
      compaction.reset();
      scene.reset();
      try {
        scene = createScene({session.device, *renderer, options, session.route});
        shown = sceneChoice(options);
      } catch (const Failure& failure) {
        if (!shown || shown == sceneChoice(options)) throw;
        viewer.showProblem(failure.what());
        options.scene = shown->scene;
        options.model = shown->model;
        options.instanceCount = shown->instanceCount;
        continue;
      }
    }
    if (!compaction || order != options.order) {
      compaction = std::make_unique<Compaction>(session.device, session.context, session.route, options.order,
                                                scene->compaction());
      order = options.order;
      session.describe(*scene, *compaction);
    }
    viewer.enter(*scene, *renderer);
    frames = FrameLoop(session.device, *renderer, *scene, *compaction, options, frames).run(viewer);
  }
  if (!options.quiet) printWindowSummary(frames, viewer.reports());
  return ExitCode::Good;
}

ExitCode runOnDevice(const Instance& instance, Options options, Window* window) {
  std::optional<Surface> surface;
  if (window) surface.emplace(instance, *window);
  const Device device(instance, choosePhysicalDevice(instance, options.device), options.route,
                      surface ? surface->get() : VK_NULL_HANDLE);
  const slu::Context context = createContext(device);
  if (!options.instanceCount) options.instanceCount = defaultInstanceCount(options.scene, device.isCpu());

  Session session = {device, context, resolveRoute(context, options.route), options, {}};
  session.report.device = device.properties().deviceName;
  session.report.route = session.route;
  if (options.route == SLU_ROUTE_AUTO) session.report.routeReason = refusedRoutes(context);
  return window ? runWindow(session, *window, *surface) : runHeadless(session);
}

}  // namespace

ExitCode run(Options options) {
  std::optional<Window> window;
  if (options.window && !options.listDevices)
    window.emplace(options.width, options.height, std::string("Sluice: ") + sceneName(options.scene));
  const Instance instance(options.validation, window ? window->instanceExtensions() : std::vector<const char*>{});
  if (options.listDevices) {
    const std::string list = describePhysicalDevices(instance);
    if (list.empty()) failRuntime("no Vulkan device found (package mesa-vulkan-drivers has one for any CPU)");
    std::printf("%s", list.c_str());
    return ExitCode::Good;
  }
  const ExitCode code = options.benchmark.empty()
                            ? runOnDevice(instance, std::move(options), window ? &*window : nullptr)
                            : runBenchmark(instance, options);
  // Counted after the device is gone, so that what was left behind on it counts too.
  if (const uint32_t messages = instance.validationMessageCount()) {
    std::fprintf(stderr, "sluice-demo: %u validation messages\n", messages);
    return ExitCode::Mismatch;
  }
  return code;
}

}  // namespace demo

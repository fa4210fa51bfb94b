#include "app/app.h"

#include <cstdio>
#include <fstream>
#include <optional>

#include "app/benchmark.h"
#include "app/create.h"
#include "app/headless.h"
#include "app/window_run.h"
#include "base/failure.h"
#include "frame/context.h"
#include "frame/frame_loop.h"
#include "inspect/inspection.h"
#include "render/picture.h"

namespace demo {
namespace {

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
    failInput("--pick: scene ", sceneName(options.scene), " keeps no index of its records",
              options.hasClusters ? " in clusters" : "");
  if (options.frozenPlace && !compaction->request().viewDependent)
    failInput("--frozen-at: scene ", sceneName(options.scene), " is not culled, so there is nothing to freeze");
  // The file is opened before the frames, so that a wrong name fails at once.
  if (!options.out.empty()) preparePictureFolder(options.out);
  std::ofstream stats;
  if (!options.stats.empty()) stats = openResults("--stats", options.stats);
  {
    HeadlessPresenter presenter(*scene, options);
    const std::unique_ptr<Occlusion> occlusion =
        createOcclusion(session.device, session.context, *compaction, renderer);
    Inspection inspection(session.device, renderer, *scene, *compaction, occlusion.get(), options.verify);
    FrameLoop({session.device, renderer, *scene, *compaction, inspection, occlusion.get()}).run(presenter);
    report.frames = presenter.reports();
    for (const Repetition repetition : repetitionsOf(options)) report.comparisons.push_back(repetitionName(repetition));
  }
  if (!options.stats.empty()) writeStats(stats, options, report);
  if (printDifferences(report)) return ExitCode::Mismatch;
  if (!options.quiet) printSummary(report, options);
  return ExitCode::Good;
}

ExitCode runOnDevice(const Instance& instance, Options options, WindowRun* window) {
  std::optional<Surface> surface;
  if (window) surface.emplace(instance, window->createSurface(instance));
  const Device device(instance, choosePhysicalDevice(instance, "--device", options.device), options.route,
                      surface ? surface->get() : VK_NULL_HANDLE, options.deviceFlags);
  const slu::Context context = createContext(device);
  if (!options.instanceCount) options.instanceCount = defaultInstanceCount(options, device.isCpu());

  Session session = {.device = device, .context = context, .options = options, .report = {}};
  session.report.device = device.properties().deviceName;
  return window ? window->run(session, surface->get()) : runHeadless(session);
}

}  // namespace

ExitCode run(Options options) {
  std::unique_ptr<WindowRun> window;
  if (options.window && !options.listDevices) window = openWindow(options);
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
  const ExitCode code = options.benchmark.empty() ? runOnDevice(instance, std::move(options), window.get())
                                                  : runBenchmark(instance, options);
  // The messages are counted after the device is destroyed, so that objects which were left on it count.
  if (const uint32_t messages = instance.validationMessageCount()) {
    std::fprintf(stderr, "sluice-demo: %u validation messages\n", messages);
    return ExitCode::Mismatch;
  }
  return code;
}

}  // namespace demo

#include "app.h"

#include <cstdio>

#include "frame_loop.h"
#include "headless.h"
#include "picture.h"
#include "report.h"

namespace demo {
namespace {

// What a CPU draws in about a second per frame, and what shows a GPU off.
uint32_t defaultInstanceCount(SceneKind scene, bool isCpu) {
  if (scene == SceneKind::Points) return isCpu ? 200000 : 4000000;
  return isCpu ? 20000 : 1000000;
}

std::string refusedRoutes(SluContext context) {
  SluRouteInfo info = SLU_INIT(ROUTE_INFO, SluRouteInfo);
  return sluGetRouteInfo(context, SLU_ROUTE_AUTO, &info) == SLU_SUCCESS ? info.reason : "";
}

ExitCode runOnDevice(const Instance& instance, Options options) {
  const Device device(instance, choosePhysicalDevice(instance, options.device), options.route);
  const slu::Context context = createContext(device);
  if (!options.instanceCount) options.instanceCount = defaultInstanceCount(options.scene, device.isCpu());

  RunReport report;
  report.device = device.properties().deviceName;
  report.route = resolveRoute(context, options.route);
  if (options.route == SLU_ROUTE_AUTO) report.routeReason = refusedRoutes(context);

  const Renderer renderer(device, {options.width, options.height});
  const SceneInfo sceneInfo = {device, renderer, options, report.route};
  const std::unique_ptr<Scene> scene =
      options.scene == SceneKind::Points ? createPoints(sceneInfo) : createAsteroids(sceneInfo);
  Compaction compaction(device, context, report.route, options.order, scene->compaction());
  report.scene = scene->description();
  report.bucketCount = compaction.bucketCount();
  report.scratchBytes = compaction.scratchBytes();
  if (!options.quiet) printHeader(report, options);

  // Opened before the frames, so that a wrong name costs nothing.
  if (!options.out.empty()) preparePictureFolder(options.out);
  std::ofstream stats;
  if (!options.stats.empty()) stats = openStats(options.stats);
  {
    HeadlessPresenter presenter(*scene, options);
    FrameLoop(device, renderer, *scene, compaction, options, 0).run(presenter);
    report.frames = presenter.reports();
  }
  if (!options.stats.empty()) writeStats(stats, options, report);
  if (printDifferences(report)) return ExitCode::Mismatch;
  if (!options.quiet) printSummary(report, options);
  return ExitCode::Good;
}

}  // namespace

ExitCode run(Options options) {
  const Instance instance(options.validation);
  if (options.listDevices) {
    const std::string list = describePhysicalDevices(instance);
    if (list.empty()) failRuntime("no Vulkan device found (package mesa-vulkan-drivers has one for any CPU)");
    std::printf("%s", list.c_str());
    return ExitCode::Good;
  }
  const ExitCode code = runOnDevice(instance, std::move(options));
  // Counted after the device is gone, so that what was left behind on it counts too.
  if (const uint32_t messages = instance.validationMessageCount()) {
    std::fprintf(stderr, "sluice-demo: %u validation messages\n", messages);
    return ExitCode::Mismatch;
  }
  return code;
}

}  // namespace demo

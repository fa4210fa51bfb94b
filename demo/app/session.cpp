#include "app/session.h"

#include "frame/context.h"

namespace demo {
namespace {

std::string refusedRoutes(SluContext context) {
  SluRouteInfo info = SLU_INIT(ROUTE_INFO, SluRouteInfo);
  return sluGetRouteInfo(context, SLU_ROUTE_AUTO, &info) == SLU_SUCCESS ? info.reason : "";
}

}  // namespace

void Session::chooseRoute() {
  route = resolveRoute(context, options.route);
  report.route = route;
  report.routeReason = options.route == SLU_ROUTE_AUTO ? refusedRoutes(context) : "";
}

void Session::describe(const Scene& scene, const Compaction& compaction) {
  report.scene = scene.description();
  report.bucketCount = compaction.bucketCount();
  report.capacity = compaction.capacity();
  report.drawsMeshTasks = compaction.drawsMeshTasks();
  report.clusterCount = isMerged(compaction.request()) ? compaction.request().plan.maxRecordCount : 0;
  report.isPacked = isPacked(compaction.request());
  report.groups = compaction.hasGroups() ? compaction.request().groups.names : std::vector<const char*>();
  report.tests = compaction.request().plan.cullFlags;
  report.occlusion = report.tests & SLU_CULL_OCCLUSION_BIT ? options.plan.occlusion : OcclusionMode::Off;
  report.scratchBytes = compaction.scratchBytes();
  if (!options.quiet) printHeader(report, options);
}

}  // namespace demo

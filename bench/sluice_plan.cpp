#include "sluice_plan.h"

#include <numeric>

#include "failure.h"

namespace bench {

void require(SluContext context, SluResult result, const char* call) {
  if (result != SLU_SUCCESS) failRuntime(call, ": ", sluGetErrorMessage(context));
}

slu::Context makeSluiceContext(const void* chained, SluRoute route) {
  auto info = SLU_INIT(CONTEXT_CREATE_INFO, SluContextCreateInfo);
  info.pNext = chained;
  slu::Context context;
  SluMessage message{};
  if (sluCreateContext(&info, context.put(), &message) != SLU_SUCCESS) failRuntime("sluCreateContext: ", message.text);
  auto found = SLU_INIT(ROUTE_INFO, SluRouteInfo);
  require(context, sluGetRouteInfo(context, route, &found), "sluGetRouteInfo");
  if (found.available == 0) failRuntime("Sluice's route ", sluGetRouteName(route), " is not available: ", found.reason);
  return context;
}

slu::Plan makeSluicePlan(SluContext context, SluRoute route, const Workload& workload, uint32_t bucketCapacity,
                         bool statistics) {
  SluBucket bucket{};
  bucket.capacity = bucketCapacity;
  bucket.draw.elementCount = kDrawVertexCount;
  const std::vector<SluBucket> buckets(workload.bucketCount, bucket);

  auto info = SLU_INIT(PLAN_CREATE_INFO, SluPlanCreateInfo);
  info.route = route;
  info.order = workload.order == Order::Stable ? SLU_ORDER_STABLE : SLU_ORDER_UNORDERED;
  info.recordStride = workload.recordBytes;
  info.maxRecordCount = workload.recordCount;
  info.live = {SLU_LIVE_NON_EMPTY, 0, 4};
  info.key.keyCount = workload.bucketCount;
  info.key.offset = workload.bucketCount > 1 ? 4 : 0;
  info.bucketCount = workload.bucketCount;
  info.buckets = buckets.data();
  info.outputs = SLU_OUTPUT_DRAWS_BIT | SLU_OUTPUT_DRAW_COUNTS_BIT;
  info.outputs |= workload.outputs == Outputs::Indices ? SLU_OUTPUT_INDICES_BIT : SLU_OUTPUT_RECORDS_BIT;
  if (statistics) info.outputs |= SLU_OUTPUT_STATISTICS_BIT;
  info.draws.type = SLU_DRAW_INSTANCES;
  info.draws.stride = sizeof(DrawCommand);
  slu::Plan plan;
  require(context, sluCreatePlan(context, &info, plan.put()), "sluCreatePlan");
  return plan;
}

std::optional<std::string> sluiceDifference(const Workload& workload, const std::vector<uint32_t>& keptCounts,
                                            uint32_t drawCount, const SluStatistics* statistics) {
  if (drawCount != workload.bucketCount)
    return sentence("the draw count is ", drawCount, ", expected ", workload.bucketCount);
  if (statistics == nullptr) return std::nullopt;
  const uint32_t kept = std::accumulate(keptCounts.begin(), keptCounts.end(), 0u);
  const SluStatistics& found = *statistics;
  if (found.inputCount == workload.recordCount && found.demandedCount == kept && found.keptCount == kept &&
      found.drawCount == workload.bucketCount && found.overflow == 0 &&
      found.rejectedCount[SLU_REJECT_NOT_LIVE] == workload.recordCount - kept)
    return std::nullopt;
  return sentence("the statistics are input ", found.inputCount, ", demanded ", found.demandedCount, ", kept ",
                  found.keptCount, ", draws ", found.drawCount, ", overflow ", found.overflow, ", not live ",
                  found.rejectedCount[SLU_REJECT_NOT_LIVE], "; expected ", kept, " kept of ", workload.recordCount);
}

}  // namespace bench

#include "arena/sluice_plan.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <numeric>

#include "arena/nonzero.h"
#include "base/failure.h"
#include "workload/frustum.h"
#include "workload/input_recipe.h"

namespace bench {
namespace {

// Says where bounds are. Matrices and boxes share the elements of one stream.
SluBounds sluiceBounds(const Workload& workload) {
  SluBounds bounds{};
  bounds.source = workload.hasBoundsBeside() ? SLU_BOUNDS_PER_RECORD : SLU_BOUNDS_IN_RECORD;
  bounds.stride = workload.hasBoundsBeside() ? workload.boundsStride() : 0;
  if (!workload.hasBoundsBeside()) bounds.offset = static_cast<uint32_t>(workload.boundsOffset());
  if (workload.predicate == Predicate::BoxBeside) {
    bounds.shape = SLU_SHAPE_BOX;
    bounds.offset = offsetof(MovedBox, center);
    bounds.transformFlags = SLU_TRANSFORM_MATRIX_BIT;
    bounds.transformStride = bounds.stride;
    bounds.matrixOffset = offsetof(MovedBox, matrix);
    bounds.matrixForm = SLU_MATRIX_ROWS;
  }
  return bounds;
}

// kept, drawCount: of the view.
std::optional<std::string> statisticsDifference(const Workload& workload, uint32_t kept, uint32_t drawCount,
                                                const SluStatistics& found) {
  const SluReject reject = workload.predicate == Predicate::Word ? SLU_REJECT_NOT_LIVE : SLU_REJECT_FRUSTUM;
  if (found.inputCount == workload.recordCount && found.demandedCount == kept && found.keptCount == kept &&
      found.drawCount == drawCount && found.overflow == 0 && found.rejectedCount[reject] == workload.recordCount - kept)
    return std::nullopt;
  return sentence("the statistics are input ", found.inputCount, ", demanded ", found.demandedCount, ", kept ",
                  found.keptCount, ", draws ", found.drawCount, ", overflow ", found.overflow, ", rejected ",
                  found.rejectedCount[reject], "; expected ", kept, " kept of ", workload.recordCount, " and ",
                  drawCount, " draws");
}

SluPlacement placementOf(const Workload& workload) {
  switch (workload.placement) {
    case Placement::Reserved:
      return SLU_PLACEMENT_RESERVED;
    case Placement::Packed:
      return SLU_PLACEMENT_PACKED;
    case Placement::Merged:
      return SLU_PLACEMENT_MERGED;
  }
  return SLU_PLACEMENT_MAX_ENUM;
}

SluDraws sluiceDraws(const Workload& workload) {
  if (workload.isMerged()) return {SLU_DRAW_INSTANCES, sizeof(RecordDraw), SLU_DRAWS_RECORD_IN_FRONT_BIT};
  const SluFlags flags = workload.groupCount != 0 ? SluFlags{SLU_DRAWS_SKIP_EMPTY_BIT} : 0;
  return {SLU_DRAW_INSTANCES, sizeof(DrawCommand), flags};
}

// Returns the output that has an element per kept record, or 0 if only draws have one.
SluFlags elementOutput(const Workload& workload) {
  if (workload.isMerged()) return 0;
  return workload.outputs == Outputs::Indices ? SLU_OUTPUT_INDICES_BIT : SLU_OUTPUT_RECORDS_BIT;
}

// Where the vertices of a bucket begin.
uint32_t firstVertexOf(const Workload& workload, uint32_t bucket) {
  return workload.isMerged() ? recordCommand(bucket).firstVertex : 0;
}

}  // namespace

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

std::string planRefusal(const PlanChoices& choices, const Workload& workload) {
  if (!choices.meshes && workload.bucketCount > SLU_MAX_BUCKETS)
    return sentence("it has no mesh table, which draws of more than ", SLU_MAX_BUCKETS, " buckets need");
  if (choices.test == WordTest::NonEmpty || workload.predicate == Predicate::Word) return {};
  const bool boxes = workload.predicate == Predicate::BoxBeside;
  return sentence("it tests a word, and ", boxes ? "boxes" : "spheres", " decide here");
}

std::string suffixOf(const PlanChoices& choices) {
  if (choices.meshes) return "-meshes";
  switch (choices.test) {
    case WordTest::Mask:
      return "-mask";
    case WordTest::Custom:
      return "-custom";
    default:
      return "";
  }
}

std::vector<uint32_t> meshWords(const PlanChoices& choices, const Workload& workload) {
  if (!choices.meshes) return {0};
  std::vector<TableMesh> meshes(workload.bucketCount);
  for (uint32_t bucket = 0; bucket < meshes.size(); ++bucket) {
    meshes[bucket].firstVertex = firstVertexOf(workload, bucket);
    meshes[bucket].group = bucket / workload.groupBuckets();
  }
  std::vector<uint32_t> words(meshes.size() * sizeof(TableMesh) / sizeof(uint32_t));
  std::memcpy(words.data(), meshes.data(), words.size() * sizeof(uint32_t));
  return words;
}

slu::Plan makeSluicePlan(SluContext context, SluRoute route, const Workload& workload, uint32_t bucketCapacity,
                         const PlanChoices& choices) {
  std::vector<SluBucket> buckets(workload.bucketCount);
  std::vector<uint32_t> groups(workload.bucketCount);
  for (uint32_t bucket = 0; bucket < buckets.size(); ++bucket) {
    if (workload.placement == Placement::Reserved) buckets[bucket].capacity = bucketCapacity;
    groups[bucket] = bucket / workload.groupBuckets();
    if (choices.meshes) continue;
    buckets[bucket].draw.elementCount = kDrawVertexCount;
    buckets[bucket].draw.firstElement = firstVertexOf(workload, bucket);
  }

  auto info = SLU_INIT(PLAN_CREATE_INFO, SluPlanCreateInfo);
  info.route = route;
  info.framesInFlight = SLU_MAX_FRAMES_IN_FLIGHT;  // a command buffer holds hundreds
  info.order = workload.order == Order::Stable ? SLU_ORDER_STABLE : SLU_ORDER_UNORDERED;
  info.recordStride = workload.recordBytes;
  info.maxRecordCount = workload.recordCount;
  info.maxViewCount = workload.viewCount;
  const NonzeroPredicate predicate;
  if (choices.test == WordTest::Custom) {
    info.live.test = SLU_LIVE_CUSTOM;
    info.pNext = predicate.chain();
  } else if (choices.test == WordTest::Mask) {
    info.live = {SLU_LIVE_MASK_EQUAL, 0, 0};
    info.liveMask = info.liveValue = kLiveBit;
  } else if (workload.predicate == Predicate::Word) {
    info.live = {SLU_LIVE_NON_EMPTY, 0, 4};
  } else {
    info.cullFlags = SLU_CULL_FRUSTUM_BIT;
    info.bounds = sluiceBounds(workload);
  }
  info.key.keyCount = workload.bucketCount;
  info.key.offset = workload.bucketCount > 1 ? 4 : 0;
  const bool hasBuckets = workload.placement == Placement::Reserved || !choices.meshes;
  info.bucketCount = hasBuckets ? workload.bucketCount : 0;
  info.buckets = hasBuckets ? buckets.data() : nullptr;
  info.placement = placementOf(workload);
  if (workload.groupCount != 0) {
    info.groups.count = workload.groupCount;
    info.groups.drawCapacity = workload.groupBuckets();
    if (choices.meshes)
      info.groups.meshOffset = offsetof(TableMesh, group);
    else
      info.groups.ofBuckets = groups.data();
  }
  info.outputs = SLU_OUTPUT_DRAWS_BIT | SLU_OUTPUT_DRAW_COUNTS_BIT | elementOutput(workload);
  if (choices.statistics) info.outputs |= SLU_OUTPUT_STATISTICS_BIT;
  if (choices.meshes) {
    info.meshes.stride = sizeof(TableMesh);
    info.meshes.parts = SLU_MESH_LOD_COUNT_BIT | SLU_MESH_LOD_MASK_BIT | SLU_MESH_FIRST_ELEMENT_BIT;
    info.meshes.lodCountOffset = offsetof(TableMesh, lodCount);
    info.meshes.lodMaskOffset = offsetof(TableMesh, lodMask);
    info.meshes.elementCountOffset = offsetof(TableMesh, vertexCount);
    info.meshes.firstElementOffset = offsetof(TableMesh, firstVertex);
  }
  info.draws = sluiceDraws(workload);
  slu::Plan plan;
  require(context, sluCreatePlan(context, &info, plan.put()), "sluCreatePlan");
  return plan;
}

std::vector<SluView> sluiceViews(const Workload& workload) {
  std::vector<SluView> views(workload.predicate == Predicate::Word ? 0 : workload.viewCount);
  for (uint32_t view = 0; view < views.size(); ++view) {
    const Frustum frustum = viewFrustum(workload, view);
    std::memcpy(views[view].planes, frustum.planes, sizeof(frustum.planes));
  }
  return views;
}

SluFrameInfo makeSluiceFrame(const PlanChoices& choices, const Workload& workload, const std::vector<SluView>& views,
                             SluBinding input, SluBinding output, SluBinding meshes) {
  auto frame = SLU_INIT(FRAME_INFO, SluFrameInfo);
  frame.recordCount = workload.recordCount;
  frame.viewCount = workload.viewCount;
  if (!views.empty()) frame.views = views.data();
  if (workload.readsRecords()) frame.records = input;
  const SluBinding beside = {input.buffer, input.offset + workload.boundsOffset()};
  if (workload.hasBoundsBeside()) frame.bounds = beside;
  if (workload.predicate == Predicate::BoxBeside) frame.transforms = beside;
  if (choices.meshes) {
    frame.meshes = meshes;
    frame.meshCount = workload.bucketCount;
  }
  SluBinding& elements = workload.isMerged()                    ? frame.draws
                         : workload.outputs == Outputs::Indices ? frame.indices
                                                                : frame.keptRecords;
  elements = output;
  return frame;
}

std::optional<std::string> sluiceDifference(const Workload& workload, const std::vector<uint32_t>& keptCounts,
                                            const std::vector<SluStatistics>& statistics) {
  for (uint32_t view = 0; view < statistics.size(); ++view) {
    const auto counts = keptCounts.begin() + static_cast<ptrdiff_t>(size_t{view} * workload.bucketCount);
    const uint32_t kept = std::accumulate(counts, counts + workload.bucketCount, 0u);
    const auto emptyCount = static_cast<uint32_t>(std::count(counts, counts + workload.bucketCount, 0u));
    const uint32_t drawCount =
        workload.isMerged() ? kept : workload.bucketCount - (workload.groupCount != 0 ? emptyCount : 0);
    if (auto difference = statisticsDifference(workload, kept, drawCount, statistics[view]))
      return (workload.viewCount > 1 ? sentence("view ", view, ": ") : "") + *difference;
  }
  return std::nullopt;
}

}  // namespace bench

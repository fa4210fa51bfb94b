#include "arena/sluice_plan.h"

#include <cstddef>
#include <cstring>
#include <numeric>

#include "arena/nonzero.h"
#include "base/failure.h"
#include "workload/frustum.h"
#include "workload/input_recipe.h"

namespace bench {
namespace {

const SluView& cullingView() {
  static const SluView view = [] {
    SluView made{};
    std::memcpy(made.planes, kFrustum.planes, sizeof(made.planes));
    return made;
  }();
  return view;
}

// Says where bounds are. Matrices and boxes share the elements of one stream.
SluBounds sluiceBounds(const Workload& workload) {
  SluBounds bounds{};
  bounds.source = workload.hasBoundsBeside() ? SLU_BOUNDS_PER_RECORD : SLU_BOUNDS_IN_RECORD;
  bounds.stride = workload.hasBoundsBeside() ? workload.boundsBytes() : 0;
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
  const std::vector<TableMesh> meshes(workload.bucketCount);
  std::vector<uint32_t> words(meshes.size() * sizeof(TableMesh) / sizeof(uint32_t));
  std::memcpy(words.data(), meshes.data(), words.size() * sizeof(uint32_t));
  return words;
}

slu::Plan makeSluicePlan(SluContext context, SluRoute route, const Workload& workload, uint32_t bucketCapacity,
                         const PlanChoices& choices) {
  SluBucket bucket{};
  bucket.capacity = bucketCapacity;
  if (!choices.meshes) bucket.draw.elementCount = kDrawVertexCount;
  const std::vector<SluBucket> buckets(workload.bucketCount, bucket);

  auto info = SLU_INIT(PLAN_CREATE_INFO, SluPlanCreateInfo);
  info.route = route;
  info.framesInFlight = SLU_MAX_FRAMES_IN_FLIGHT;  // a command buffer holds hundreds
  info.order = workload.order == Order::Stable ? SLU_ORDER_STABLE : SLU_ORDER_UNORDERED;
  info.recordStride = workload.recordBytes;
  info.maxRecordCount = workload.recordCount;
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
  info.bucketCount = workload.bucketCount;
  info.buckets = buckets.data();
  info.outputs = SLU_OUTPUT_DRAWS_BIT | SLU_OUTPUT_DRAW_COUNTS_BIT;
  info.outputs |= workload.outputs == Outputs::Indices ? SLU_OUTPUT_INDICES_BIT : SLU_OUTPUT_RECORDS_BIT;
  if (choices.statistics) info.outputs |= SLU_OUTPUT_STATISTICS_BIT;
  if (choices.meshes) {
    info.meshes.stride = sizeof(TableMesh);
    info.meshes.parts = SLU_MESH_LOD_COUNT_BIT | SLU_MESH_LOD_MASK_BIT | SLU_MESH_FIRST_ELEMENT_BIT;
    info.meshes.lodCountOffset = offsetof(TableMesh, lodCount);
    info.meshes.lodMaskOffset = offsetof(TableMesh, lodMask);
    info.meshes.elementCountOffset = offsetof(TableMesh, vertexCount);
    info.meshes.firstElementOffset = offsetof(TableMesh, firstVertex);
  }
  info.draws.type = SLU_DRAW_INSTANCES;
  info.draws.stride = sizeof(DrawCommand);
  slu::Plan plan;
  require(context, sluCreatePlan(context, &info, plan.put()), "sluCreatePlan");
  return plan;
}

SluFrameInfo makeSluiceFrame(const PlanChoices& choices, const Workload& workload, SluBinding input, SluBinding output,
                             SluBinding meshes) {
  auto frame = SLU_INIT(FRAME_INFO, SluFrameInfo);
  frame.recordCount = workload.recordCount;
  frame.viewCount = 1;
  if (workload.predicate != Predicate::Word) frame.views = &cullingView();
  if (workload.readsRecords()) frame.records = input;
  const SluBinding beside = {input.buffer, input.offset + workload.boundsOffset()};
  if (workload.hasBoundsBeside()) frame.bounds = beside;
  if (workload.predicate == Predicate::BoxBeside) frame.transforms = beside;
  if (choices.meshes) {
    frame.meshes = meshes;
    frame.meshCount = workload.bucketCount;
  }
  (workload.outputs == Outputs::Indices ? frame.indices : frame.keptRecords) = output;
  return frame;
}

std::optional<std::string> sluiceDifference(const Workload& workload, const std::vector<uint32_t>& keptCounts,
                                            uint32_t drawCount, const SluStatistics* statistics) {
  if (drawCount != workload.bucketCount)
    return sentence("the draw count is ", drawCount, ", expected ", workload.bucketCount);
  if (statistics == nullptr) return std::nullopt;
  const uint32_t kept = std::accumulate(keptCounts.begin(), keptCounts.end(), 0u);
  const SluStatistics& found = *statistics;
  const SluReject reject = workload.predicate == Predicate::Word ? SLU_REJECT_NOT_LIVE : SLU_REJECT_FRUSTUM;
  if (found.inputCount == workload.recordCount && found.demandedCount == kept && found.keptCount == kept &&
      found.drawCount == workload.bucketCount && found.overflow == 0 &&
      found.rejectedCount[reject] == workload.recordCount - kept)
    return std::nullopt;
  return sentence("the statistics are input ", found.inputCount, ", demanded ", found.demandedCount, ", kept ",
                  found.keptCount, ", draws ", found.drawCount, ", overflow ", found.overflow, ", rejected ",
                  found.rejectedCount[reject], "; expected ", kept, " kept of ", workload.recordCount);
}

}  // namespace bench

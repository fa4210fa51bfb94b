#include "plan_space.h"

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>

#include "plans.h"

namespace slu::test {
namespace {

enum Axis {
  kOrder,
  kStride,
  kRecords,
  kLive,
  kCull,
  kSource,
  kShape,
  kTransform,
  kForm,
  kTransformStream,
  kSharedOrSplit,
  kKeys,
  kLods,
  kScene,
  kEmitted,
  kDraws,
  kStatistics,
  kCounts,
  kAxisCount
};

// LODs by the near side make volumes even of spheres. All: both, layers, states of LODs (not with occlusion), and records
// that are never culled or occluded.
enum SceneValue : std::uint32_t { kPlain, kNearSide, kWithMeshes, kWithAll };

// Streams are shared, records that mirror have buckets of their own, there is a command per record, or there are more
// packed buckets than are described.
enum SharedOrSplitValue : std::uint32_t { kShared = 1, kSplit, kMerged, kSparse };

// Numbers of records on both sides of those at which the Vulkan route takes other tiles or kernels.
const std::vector<std::uint32_t> kRecordCounts = {1000, 1u << 18, 1u << 19, 1u << 24};

const std::array<std::vector<std::uint32_t>, kAxisCount> kValues = {{
    {SLU_ORDER_UNORDERED, SLU_ORDER_STABLE},
    {4, 8, 12, 16, 20, 24, 32, 36, 48, 64, 96, 128, 256},
    kRecordCounts,
    {0, 1, 2, 3, 4, 5, 6, SLU_LIVE_MASK_EQUAL},
    {0, 1, 2, 3, 4, 5, 6, 7, 7 | SLU_CULL_MORE_PLANES_BIT, SLU_CULL_OCCLUSION_BIT,
     7 | SLU_CULL_OCCLUSION_BIT},  // SluCullFlagBits
    {SLU_BOUNDS_IN_RECORD, SLU_BOUNDS_PER_RECORD, SLU_BOUNDS_PER_KEY},
    {std::begin(kShapes), std::end(kShapes)},
    // SluTransformFlagBits
    {0, 1, 2, 3, 4, 5, 6, 7, SLU_TRANSFORM_AXIS_SCALE_BIT,
     SLU_TRANSFORM_POSITION_BIT | SLU_TRANSFORM_AXIS_SCALE_BIT | SLU_TRANSFORM_ROTATION_BIT, SLU_TRANSFORM_MATRIX_BIT},
    {SLU_MATRIX_ROWS, SLU_MATRIX_COLUMNS_4X4, SLU_MATRIX_COLUMNS_3X4},
    {0, 1},
    {0, kShared, kSplit, kMerged, kSparse},
    {1, 2, 7, 64, 1000, SLU_MAX_BUCKETS},
    {1, 2, 3, 4, 5, 6, 7, 8},
    {kPlain, kNearSide, kWithMeshes, kWithAll},
    {0, 1, 2, 3},  // indices, records
    {0, SLU_OUTPUT_DRAWS_BIT, SLU_OUTPUT_DRAW_COUNTS_BIT, SLU_OUTPUT_DRAWS_BIT | SLU_OUTPUT_DRAW_COUNTS_BIT},
    {0, SLU_OUTPUT_STATISTICS_BIT},
    {0, SLU_OUTPUT_BUCKET_COUNTS_BIT, SLU_OUTPUT_REJECTS_BIT | SLU_OUTPUT_REJECT_COUNTS_BIT},
}};

constexpr SluFlags kAllStreams = SLU_INDEXED_BOUNDS_BIT | SLU_INDEXED_TRANSFORMS_BIT | SLU_INDEXED_LAYERS_BIT;

using Choice = std::array<std::uint32_t, kAxisCount>;  // indices into kValues

// All at offset 0, and the transform in a stream or in the record. What does not fit into a record is left out.
struct Bounds {
  SluFlags cullFlags;
  SluBoundsSource source;
  SluBoundsShape shape;
  SluFlags transformFlags;
  SluMatrixForm form;
  bool isStreamed;
};

void addBounds(PlanSpec& plan, Bounds asked) {
  const std::uint32_t stride = plan.info.recordStride;
  if (stride < boundsBytes(asked.shape) && asked.source == SLU_BOUNDS_IN_RECORD) asked.source = SLU_BOUNDS_PER_RECORD;
  const auto dropIf = [&](bool condition, SluFlags parts) {
    if (condition) asked.transformFlags &= ~parts;
  };
  if (!asked.isStreamed) {
    dropIf(stride < matrixBytes(asked.form), SLU_TRANSFORM_MATRIX_BIT);
    dropIf(stride < 16, SLU_TRANSFORM_ROTATION_BIT);
    dropIf(stride < 12, SLU_TRANSFORM_POSITION_BIT | SLU_TRANSFORM_AXIS_SCALE_BIT);
  }
  addCulling(plan, asked.cullFlags, asked.source, 0, asked.shape);
  SluBounds& bounds = plan.info.bounds;
  bounds.transformFlags = asked.transformFlags;
  if ((bounds.transformFlags & SLU_TRANSFORM_MATRIX_BIT) != 0) bounds.matrixForm = asked.form;
  if (asked.isStreamed && bounds.transformFlags != 0) bounds.transformStride = kMostTransformBytes;
}

PlanSpec makePlan(const Choice& choice, Random& random) {
  const auto value = [&](Axis axis) { return kValues[axis][choice[axis]]; };
  PlanSpec plan = simplePlan(static_cast<SluOrder>(value(kOrder)), value(kStride), value(kRecords));
  // Each stride meets every other value, and so do several views with these.
  if (value(kStride) == 16 || value(kStride) == 64) plan.info.maxViewCount = 5;
  plan.info.live = {};
  plan.info.live.test = static_cast<SluLiveTest>(value(kLive));
  if (plan.info.live.test == SLU_LIVE_NON_EMPTY) plan.info.live.size = 4;
  if (plan.info.live.test == SLU_LIVE_MASK_EQUAL) plan.info.liveMask = plan.info.liveValue = 1;
  const std::uint32_t lods = value(kLods);
  if (value(kCull) != 0 || lods > 1) {
    addBounds(plan,
              {value(kCull), static_cast<SluBoundsSource>(value(kSource)), static_cast<SluBoundsShape>(value(kShape)),
               value(kTransform), static_cast<SluMatrixForm>(value(kForm)), value(kTransformStream) != 0});
  }
  addBuckets(plan, std::min(value(kKeys), SLU_MAX_BUCKETS / lods), lods, 100);
  constexpr SluFlags kMirroring = SLU_TRANSFORM_SCALE_BIT | SLU_TRANSFORM_AXIS_SCALE_BIT | SLU_TRANSFORM_MATRIX_BIT;
  const bool mayMirror = plan.testsBounds() && (plan.info.bounds.transformFlags & kMirroring) != 0;
  if (value(kSharedOrSplit) == kSplit && mayMirror && 2 * plan.buckets.size() <= SLU_MAX_BUCKETS) splitMirrored(plan);
  plan.info.outputs = value(kEmitted) | value(kDraws) | value(kStatistics) | value(kCounts);
  if (plan.info.outputs == 0) plan.info.outputs = SLU_OUTPUT_INDICES_BIT;
  if (plan.listsRejects()) plan.info.rejects.capacity = 100;
  if (value(kDraws) != 0) {
    const SluFlags outputs = plan.info.outputs;
    addDraws(plan, SLU_DRAW_INDEXED_INSTANCES, 20, SLU_DRAWS_AS_DATA_BIT, random);
    plan.info.outputs = outputs;
  }
  const bool hasAll = value(kScene) == kWithAll;
  if ((value(kScene) == kNearSide || hasAll) && lods > 1) plan.info.lod.flags = SLU_LOD_NEAR_SIDE_BIT;
  const bool testsOcclusion = (value(kCull) & SLU_CULL_OCCLUSION_BIT) != 0;
  if (hasAll && lods > 1 && !testsOcclusion) plan.info.lod.flags |= SLU_LOD_STATES_BIT;
  if (value(kScene) == kWithMeshes || hasAll) {
    addMeshes(plan, SLU_MESH_LOD_COUNT_BIT | SLU_MESH_LOD_MASK_BIT, SLU_LOD_VIEW_DISTANCES, plan.info.lod.flags);
  }
  if (hasAll) {
    addLayers(plan, 0, false);
    if (plan.testsBounds()) plan.info.layers.neverCullMask = 1;
    if (testsOcclusion) plan.info.layers.neverOccludeMask = 2;
  }
  if (value(kSharedOrSplit) == kShared) addIndices(plan, kAllStreams, 0);
  if (value(kSharedOrSplit) == kMerged && plan.info.outputs != SLU_OUTPUT_BUCKET_COUNTS_BIT) mergePlan(plan, 0, 0);
  if (value(kSharedOrSplit) == kSparse) {
    if (plan.hasDraws() && !plan.hasMeshes()) addMeshes(plan, 0, SLU_LOD_VIEW_DISTANCES, plan.info.lod.flags);
    makeSparse(plan, SLU_MAX_BUCKETS + 1, 0);
  }
  return plan;
}

// The combinations of values of one set of axes, and which of them have been chosen.
struct Combinations {
  std::vector<std::uint32_t> axes;
  std::vector<bool> isCovered;

  explicit Combinations(std::uint32_t axisBits) {
    std::size_t count = 1;
    for (std::uint32_t axis = 0; axis < kAxisCount; ++axis) {
      if ((axisBits >> axis & 1u) == 0) continue;
      axes.push_back(axis);
      count *= kValues[axis].size();
    }
    isCovered.resize(count);
  }
  std::size_t indexOf(const Choice& choice) const {
    std::size_t index = 0;
    for (const std::uint32_t axis : axes) index = index * kValues[axis].size() + choice[axis];
    return index;
  }
  void take(std::size_t index, Choice& choice) const {
    for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
      choice[*axis] = static_cast<std::uint32_t>(index % kValues[*axis].size());
      index /= kValues[*axis].size();
    }
  }
};

std::size_t countNew(const std::vector<Combinations>& all, const Choice& choice) {
  return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [&](const Combinations& combinations) {
    return !combinations.isCovered[combinations.indexOf(choice)];
  }));
}

// The best of some random choices that have the combination.
Choice chooseWith(const std::vector<Combinations>& all, const Combinations& combinations, std::size_t index,
                  Random& random) {
  constexpr int kCandidates = 30;
  Choice best{};
  std::size_t most = 0;
  for (int candidate = 0; candidate < kCandidates; ++candidate) {
    Choice choice;
    for (std::uint32_t axis = 0; axis < kAxisCount; ++axis) {
      choice[axis] = random.below(static_cast<std::uint32_t>(kValues[axis].size()));
    }
    combinations.take(index, choice);
    const std::size_t found = countNew(all, choice);
    if (found <= most) continue;
    most = found;
    best = choice;
  }
  return best;
}

}  // namespace

std::vector<PlanSpec> coveringPlans(std::uint32_t strength, Random& random) {
  std::vector<Combinations> all;
  for (std::uint32_t bits = 0; bits < 1u << kAxisCount; ++bits) {
    if (std::popcount(bits) == static_cast<int>(strength)) all.emplace_back(bits);
  }
  std::vector<PlanSpec> plans;
  for (const Combinations& combinations : all) {
    for (std::size_t index = 0; index < combinations.isCovered.size(); ++index) {
      if (combinations.isCovered[index]) continue;
      const Choice choice = chooseWith(all, combinations, index, random);
      for (Combinations& each : all) each.isCovered[each.indexOf(choice)] = true;
      plans.push_back(makePlan(choice, random));
    }
  }
  return plans;
}

std::vector<PlanSpec> plansOfStrides(const std::vector<std::uint32_t>& strides) {
  std::vector<PlanSpec> plans;
  for (const SluOrder order : kOrders) {
    for (const std::uint32_t records : kRecordCounts) {
      for (const std::uint32_t stride : strides) {
        for (const std::uint32_t keyCount : {1u, 16u}) {
          PlanSpec plan = simplePlan(order, stride, records);
          plan.info.outputs = SLU_OUTPUT_RECORDS_BIT;
          addBuckets(plan, keyCount, 1, 100);
          plans.push_back(plan);
          plan.info.live = {SLU_LIVE_FLAG_BITS, 0, 0};
          plans.push_back(plan);
        }
      }
    }
  }
  return plans;
}

std::vector<PlanSpec> plansOfSeveralViews() {
  std::vector<PlanSpec> plans;
  for (const SluOrder order : kOrders) {
    for (const SluBoundsShape shape : {SLU_SHAPE_SPHERE, SLU_SHAPE_BOX}) {
      PlanSpec& plan = plans.emplace_back(simplePlan(order, 64, kRecordCounts.back()));
      plan.info.maxViewCount = 5;
      addCulling(plan, SLU_CULL_FRUSTUM_BIT, SLU_BOUNDS_IN_RECORD, 0, shape);
      addBuckets(plan, 16, 1, 100);
    }
  }
  return plans;
}

std::vector<PlanSpec> plansOfStreams() {
  std::vector<PlanSpec> plans;
  for (std::uint32_t size = 4; size <= SLU_MAX_RECORD_STRIDE; size += 4) {
    if (plans.empty() || plans.back().streams.size() == SLU_MAX_STREAMS) {
      plans.push_back(simplePlan(SLU_ORDER_UNORDERED, 16, kRecordCounts.front()));
    }
    addStream(plans.back(), size);
  }
  return plans;
}

}  // namespace slu::test

// bevyengine/bevy: mesh_preprocess.wesl and build_indirect_params.wesl of crates/bevy_pbr, with the structs of
// crates/bevy_render's mesh_preprocess_types.wesl, as they were in the summer of 2026.
#include <cstddef>
#include <iterator>
#include <numeric>

#include "floats.h"
#include "layouts.h"

namespace slu::test::bevy {
namespace {

struct alignas(16) MeshInput {
  float worldFromLocal[3][4];  // the rows of an affine matrix
  std::uint32_t lightmapUvRect[2];
  std::uint32_t flags;
  std::uint32_t previousInputIndex;
  std::uint32_t firstVertexIndex;
  std::uint32_t firstIndexIndex;
  std::uint32_t indexCount;
  std::uint32_t currentSkinIndex;
  std::uint32_t materialAndLightmapBindGroupSlot;
  std::uint32_t timestamp;
  std::uint32_t tag;
  std::uint32_t morphDescriptorIndex;
  std::uint32_t metadataIndex;
};
static_assert(sizeof(MeshInput) == 112 && offsetof(MeshInput, lightmapUvRect) == 48 &&
              offsetof(MeshInput, flags) == 56 && offsetof(MeshInput, firstVertexIndex) == 64 &&
              offsetof(MeshInput, indexCount) == 72 && offsetof(MeshInput, metadataIndex) == 96);

struct MeshCullingData {
  float aabbCenter[4];       // the last one is padding
  float aabbHalfExtents[4];  // likewise
};
static_assert(sizeof(MeshCullingData) == 32 && offsetof(MeshCullingData, aabbHalfExtents) == 16);

struct PreprocessWorkItem {
  std::uint32_t inputIndex;
  std::uint32_t outputOrIndirectParametersIndex;
  auto operator<=>(const PreprocessWorkItem&) const = default;
};
static_assert(sizeof(PreprocessWorkItem) == 8);

// Where the draws of a batch set begin, and how many there are: build_indirect_params counts the latter.
struct IndirectBatchSet {
  std::uint32_t indirectParametersCount;
  std::uint32_t indirectParametersBase;
};
static_assert(sizeof(IndirectBatchSet) == 8);

// What the late phase is dispatched with. The early phase counts what last frame's depth hides.
struct LatePreprocessWorkItemIndirectParameters {
  Workgroups dispatch;
  std::uint32_t workItemCount;
  std::uint32_t pad[4];
};
static_assert(sizeof(LatePreprocessWorkItemIndirectParameters) == 32 &&
              offsetof(LatePreprocessWorkItemIndirectParameters, workItemCount) == 12);
constexpr std::uint32_t kWorkgroupItems = 64;

constexpr std::uint32_t kVisibilityRangeBits = 0xffff;
constexpr std::uint32_t kAabbBasedVisibilityRange = 1u << 27;
constexpr std::uint32_t kNoFrustumCulling = 1u << 28;

using Ranges = std::vector<std::array<float, 4>>;  // where a mesh fades in and out; the first and the last count

// What the pass reads of the view.
struct View {
  float frustum[6][4];  // left, right, bottom, top, near, far; the last one is not tested
  float lodViewWorldPosition[3];
};

// How far a box reaches across a plane: bevy turns the box, the library makes one along the world's axes around that.
enum class Reach { ofTurnedBox, ofBoxInTheWorld };

double reachOf(const float plane[4], const MeshInput& input, const float halfExtents[3], Reach reach) {
  double sum = 0.0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    double along = 0.0;
    for (std::size_t row = 0; row < 3; ++row) {
      const double product = double{plane[row]} * input.worldFromLocal[row][axis];
      along += reach == Reach::ofTurnedBox ? product : std::fabs(product);
    }
    sum += std::fabs(along) * halfExtents[axis];
  }
  return sum;
}

// The pass without occlusion culling.
bool passes(const View& view, const MeshInput& input, const MeshCullingData& culling, const Ranges& ranges, Reach reach,
            Judge& judge) {
  Vector center;
  for (std::size_t row = 0; row < 3; ++row) {
    center[row] = input.worldFromLocal[row][3];
    for (std::size_t axis = 0; axis < 3; ++axis) {
      center[row] += double{input.worldFromLocal[row][axis]} * culling.aabbCenter[axis];
    }
  }
  if ((input.flags & kNoFrustumCulling) == 0) {
    for (std::size_t plane = 0; plane < 5; ++plane) {
      const float* p = view.frustum[plane];
      const double distance = dot(vectorOf(p), center) + p[3];
      if (!judge.isInside(distance + reachOf(p, input, culling.aabbHalfExtents, reach))) return false;
    }
  }
  const std::uint32_t range = input.flags & kVisibilityRangeBits;
  if (range >= ranges.size()) return true;
  Vector position = center;
  if ((input.flags & kAabbBasedVisibilityRange) == 0) {
    for (std::size_t row = 0; row < 3; ++row) position[row] = input.worldFromLocal[row][3];
  }
  const double distance = length(subtract(position, vectorOf(view.lodViewWorldPosition)));
  return judge.isInside(distance - ranges[range][0]) && judge.isInside(ranges[range][3] - distance);
}

constexpr std::uint32_t kInstanceCount = 3000;
constexpr std::uint32_t kBinCount = 23;
constexpr std::uint32_t kNoBin = ~0u;  // of instances that are not in the phase
constexpr float kEverywhere = 1e9f;    // extents of what only its range culls

// What the host writes beside bevy's buffers: a bin's mesh.
struct BinMesh {
  std::uint32_t indexCount, firstIndex;
  std::int32_t firstVertex;
  std::uint32_t batchSet;
};

// The page's plan. binCounts are the instances of each bin.
PlanSpec makePlan(SluOrder order, SluFlags cullFlags, const std::vector<std::uint32_t>& binCounts) {
  PlanSpec plan;
  SluPlanCreateInfo& info = plan.info;
  info.order = order;
  info.recordStride = sizeof(PreprocessWorkItem);
  info.maxRecordCount = kInstanceCount;
  info.maxViewCount = 1;
  info.cullFlags = cullFlags;
  info.bounds.source = SLU_BOUNDS_PER_RECORD;
  info.bounds.shape = SLU_SHAPE_BOX_VEC4;
  info.bounds.stride = sizeof(MeshCullingData);
  info.bounds.transformFlags = SLU_TRANSFORM_MATRIX_BIT;
  info.bounds.transformStride = sizeof(MeshInput);
  info.bounds.matrixOffset = offsetof(MeshInput, worldFromLocal);
  info.bounds.matrixForm = SLU_MATRIX_ROWS;
  if (cullFlags == SLU_CULL_FRUSTUM_BIT)
    info.layers = {sizeof(MeshInput), offsetof(MeshInput, flags), kNoFrustumCulling, 0};
  constexpr std::uint32_t kInstance = offsetof(PreprocessWorkItem, inputIndex);
  info.indices = {SLU_INDEXED_BOUNDS_BIT | SLU_INDEXED_TRANSFORMS_BIT, kInstance, kInstance, 0};
  if (info.layers.stride != 0) {
    info.indices.streams |= SLU_INDEXED_LAYERS_BIT;
    info.indices.layersOffset = kInstance;
  }
  info.key.keyCount = kBinCount;
  info.key.offset = offsetof(PreprocessWorkItem, outputOrIndirectParametersIndex);
  info.meshes.stride = sizeof(BinMesh);
  info.meshes.parts = SLU_MESH_FIRST_ELEMENT_BIT | SLU_MESH_VERTEX_OFFSET_BIT;
  info.meshes.elementCountOffset = offsetof(BinMesh, indexCount);
  info.meshes.firstElementOffset = offsetof(BinMesh, firstIndex);
  info.meshes.vertexOffsetOffset = offsetof(BinMesh, firstVertex);
  info.outputs = SLU_OUTPUT_INDICES_BIT | SLU_OUTPUT_DRAWS_BIT | SLU_OUTPUT_DRAW_COUNTS_BIT | SLU_OUTPUT_STATISTICS_BIT;
  info.draws = {SLU_DRAW_INDEXED_INSTANCES, sizeof(IndexedDraw), SLU_DRAWS_SKIP_EMPTY_BIT};
  for (const std::uint32_t count : binCounts) plan.buckets.push_back({count, {}});
  return plan;
}

// The page's plan with a draw count for each batch set, whose draws begin at a fixed place. setSizes: the bins of each.
// Packed buckets do without the instances of each bin.
PlanSpec makeBatchSetPlan(SluOrder order, SluPlacement placement, const std::vector<std::uint32_t>& binCounts,
                          const std::vector<std::uint32_t>& setSizes) {
  PlanSpec plan = makePlan(order, SLU_CULL_FRUSTUM_BIT, binCounts);
  plan.info.placement = placement;
  if (placement == SLU_PLACEMENT_PACKED) plan.buckets.clear();
  plan.info.groups.count = static_cast<std::uint32_t>(setSizes.size());
  plan.info.groups.drawCapacity = *std::max_element(setSizes.begin(), setSizes.end());
  plan.info.groups.meshOffset = offsetof(BinMesh, batchSet);
  return plan;
}

// The page's plan for the work items of the late phase, which have a flag. One bucket holds them, whatever their bins.
PlanSpec makeLatePlan(SluOrder order) {
  PlanSpec plan = makePlan(order, SLU_CULL_FRUSTUM_BIT, {});
  SluPlanCreateInfo& info = plan.info;
  info.live.test = SLU_LIVE_FLAG_WORDS;
  info.key = {};
  info.meshes = {};
  info.outputs =
      SLU_OUTPUT_RECORDS_BIT | SLU_OUTPUT_DRAWS_BIT | SLU_OUTPUT_BUCKET_COUNTS_BIT | SLU_OUTPUT_STATISTICS_BIT;
  info.draws = {SLU_DRAW_WORKGROUPS, sizeof(LatePreprocessWorkItemIndirectParameters), SLU_DRAWS_AS_DATA_BIT};
  plan.buckets = {{kInstanceCount, {kWorkgroupItems, 0, 0, 0, 0}}};
  return plan;
}

View makeBevyView(const Camera& camera) {
  const Matrix4 clip = reversedClipMatrix(camera);
  View view;
  for (std::size_t plane = 0; plane < 5; ++plane) {
    const double sign = plane == 4 || plane % 2 == 1 ? -1.0 : 1.0;
    std::array<double, 4> row;
    for (std::size_t i = 0; i < 4; ++i) row[i] = clip[3][i] + sign * clip[plane / 2][i];
    const double size = length({row[0], row[1], row[2]});
    for (std::size_t i = 0; i < 4; ++i) view.frustum[plane][i] = static_cast<float>(row[i] / size);
  }
  // A far plane that nothing passes, since none may be tested.
  const float far[4] = {0.0f, 0.0f, 0.0f, -1.0f};
  std::copy_n(far, 4, view.frustum[5]);
  for (std::size_t i = 0; i < 3; ++i) view.lodViewWorldPosition[i] = static_cast<float>(camera.eye[i]);
  return view;
}

SluView makeView(const View& from, const Ranges& ranges) {
  SluView view{};
  std::copy_n(from.frustum[0], 5 * 4, view.planes[0]);
  view.planes[5][3] = 1.0f;
  std::copy_n(from.lodViewWorldPosition, 3, view.eye);
  if (ranges.empty()) return view;
  view.minDistance = ranges[0][0];
  view.maxDistance = ranges[0][3];
  return view;
}

// Scales along the axes of the world, in any order and of any sign.
Linear makeAligned(Random& random) {
  Linear linear = {};
  const std::uint32_t first = random.below(3), step = random.between(1, 2);
  for (std::uint32_t column = 0; column < 3; ++column) {
    linear.rows[(first + step * column) % 3][column] = random.uniform(0.25f, 3.0f) * random.pick({1.0f, -1.0f});
  }
  return linear;
}

MeshInput makeInstance(bool isAligned, bool hasRange, Random& random) {
  MeshInput instance = makeAny<MeshInput>(random);
  float translation[3];
  setPoint(translation, kWorld, random);
  const Linear linear = isAligned ? makeAligned(random) : makeLinear(random);
  std::uint8_t bytes[sizeof(instance.worldFromLocal)];
  storeMatrix(bytes, SLU_MATRIX_ROWS, linear, translation);
  std::memcpy(instance.worldFromLocal, bytes, sizeof(bytes));
  instance.flags &= ~(kVisibilityRangeBits | kNoFrustumCulling | kAabbBasedVisibilityRange);
  instance.flags |= hasRange ? kAabbBasedVisibilityRange : kVisibilityRangeBits;
  if (random.chance(0.05)) instance.flags |= kNoFrustumCulling;
  return instance;
}

MeshCullingData makeCullingData(Random& random) {
  MeshCullingData culling = makeAny<MeshCullingData>(random);
  setPoint(culling.aabbCenter, 2.0f, random);
  for (int i = 0; i < 3; ++i) culling.aabbHalfExtents[i] = random.uniform(0.05f, 4.0f);
  return culling;
}

// The bins of the work items, as bevy's CPU keeps them.
struct Bins {
  std::vector<std::uint32_t> ofItems, counts;
  std::vector<BinMesh> meshes;
};

Bins makeBins(Random& random) {
  Bins bins;
  bins.ofItems.resize(kInstanceCount);
  // The last bins have few instances or none, so that some keep nothing.
  const auto anyBin = [&] { return random.below(kBinCount); };
  for (std::uint32_t& bin : bins.ofItems) bin = random.chance(0.1) ? kNoBin : std::min({anyBin(), anyBin(), anyBin()});
  for (std::uint32_t bin = 0; bin < kBinCount; ++bin) {
    const auto count = std::count(bins.ofItems.begin(), bins.ofItems.end(), bin);
    bins.counts.push_back(static_cast<std::uint32_t>(count));
    bins.meshes.push_back(makeAny<BinMesh>(random));
  }
  return bins;
}

std::vector<std::uint32_t> makePermutation(std::uint32_t count, Random& random) {
  std::vector<std::uint32_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0u);
  for (std::uint32_t i = count; i > 1; --i) std::swap(numbers[i - 1], numbers[random.below(i)]);
  return numbers;
}

// A phase of a view: bevy's buffers, the host's beside them, and what is drawn.
struct Phase {
  std::vector<MeshInput> instances;  // each has a work item, in any order
  std::vector<PreprocessWorkItem> records;
  std::vector<MeshCullingData> boxes;
  std::vector<std::vector<std::uint32_t>> visible;  // by bin, as bevy's pass has it
  std::vector<Drawn> drawn;                         // by the rule that the plan follows
};

// A bin's instances share a mesh.
Phase makePhase(const View& view, const Bins& bins, const Ranges& ranges, bool isAligned, Random& random) {
  Phase phase;
  phase.visible.resize(kBinCount);
  phase.instances.resize(kInstanceCount);
  phase.boxes.resize(kInstanceCount);
  const std::vector<std::uint32_t> places = makePermutation(kInstanceCount, random);
  while (phase.records.size() < kInstanceCount) {
    const auto item = static_cast<std::uint32_t>(phase.records.size());
    const std::uint32_t bin = bins.ofItems[item];
    MeshInput instance = makeInstance(isAligned, !ranges.empty(), random);
    MeshCullingData culling = makeCullingData(random);
    Judge judge;
    const bool isVisible = passes(view, instance, culling, ranges, Reach::ofTurnedBox, judge) && bin != kNoBin;
    const bool isKept = passes(view, instance, culling, ranges, Reach::ofBoxInTheWorld, judge) && bin != kNoBin;
    if (!judge.isClear()) continue;
    if (bin != kNoBin) {
      instance.indexCount = bins.meshes[bin].indexCount;
      instance.firstIndexIndex = bins.meshes[bin].firstIndex;
      instance.firstVertexIndex = static_cast<std::uint32_t>(bins.meshes[bin].firstVertex);
    }
    if (isVisible) phase.visible[bin].push_back(item);
    if (isKept) {
      phase.drawn.push_back({item, instance.indexCount, instance.firstIndexIndex, bins.meshes[bin].firstVertex});
    }
    const float extent = ranges.empty() ? random.pick({kInfinity, kNan, -1.0f, 0.5f}) : kEverywhere;
    if ((instance.flags & kNoFrustumCulling) != 0) std::fill_n(culling.aabbHalfExtents, 3, extent);
    phase.boxes[places[item]] = culling;
    phase.records.push_back({places[item], bin});
    phase.instances[places[item]] = instance;
  }
  return phase;
}

// The commands that bevy builds for one batch set that begins at base 0, without those of empty bins, which its draw
// count leaves out. It orders them by atomics, the library by bins.
std::vector<IndexedDraw> commandsOf(const Phase& phase, const Bins& bins) {
  std::vector<IndexedDraw> commands;
  std::uint32_t baseOutputIndex = 0;
  for (std::uint32_t bin = 0; bin < kBinCount; ++bin) {
    const auto firstWorkItem = std::find(bins.ofItems.begin(), bins.ofItems.end(), bin);
    if (!phase.visible[bin].empty()) {
      const PreprocessWorkItem& item = phase.records[static_cast<std::size_t>(firstWorkItem - bins.ofItems.begin())];
      const MeshInput& mesh = phase.instances[item.inputIndex];
      commands.push_back({mesh.indexCount, static_cast<std::uint32_t>(phase.visible[bin].size()), mesh.firstIndexIndex,
                          static_cast<std::int32_t>(mesh.firstVertexIndex), baseOutputIndex});
    }
    baseOutputIndex += bins.counts[bin];
  }
  return commands;
}

// Gives bins to batch sets as bevy has them: the bins of a set follow one another. The last ones have none. bevy draws
// each of those alone, so each is a set of its own. Returns the number of bins of each set.
std::vector<std::uint32_t> makeBatchSets(Bins& bins, Random& random) {
  std::vector<std::uint32_t> sizes;
  std::uint32_t bin = 0;
  const std::uint32_t aloneCount = random.between(1, 4);
  while (bin < kBinCount) {
    const std::uint32_t left = kBinCount - bin;
    const std::uint32_t size = left <= aloneCount ? 1 : random.between(1, std::min(left - aloneCount, 9u));
    for (std::uint32_t i = 0; i < size; ++i) bins.meshes[bin++].batchSet = static_cast<std::uint32_t>(sizes.size());
    sizes.push_back(size);
  }
  return sizes;
}

// What bevy's passes leave of the batch sets: each with its draws, which begin at the set's base.
struct BatchSets {
  std::vector<IndirectBatchSet> sets;
  std::vector<IndexedDraw> draws;  // those from a set's count on are not drawn
};

// The draws of a set come by bins here. bevy orders them by an atomic counter. binRooms: how far the instances of a bin
// reach, of which the next one's begin behind. stride: draws from a set's base to the next one's.
BatchSets buildBatchSets(const Phase& phase, const Bins& bins, const std::vector<std::uint32_t>& binRooms,
                         std::uint32_t setCount, std::uint32_t stride) {
  BatchSets built;
  for (std::uint32_t set = 0; set < setCount; ++set) built.sets.push_back({0, set * stride});
  built.draws.resize(std::size_t{setCount} * stride);
  std::uint32_t baseOutputIndex = 0;
  for (std::uint32_t bin = 0; bin < kBinCount; ++bin) {
    const BinMesh& mesh = bins.meshes[bin];
    const auto instanceCount = static_cast<std::uint32_t>(phase.visible[bin].size());
    if (instanceCount != 0) {
      IndirectBatchSet& set = built.sets[mesh.batchSet];
      built.draws[set.indirectParametersBase + set.indirectParametersCount++] = {
          mesh.indexCount, instanceCount, mesh.firstIndex, mesh.firstVertex, baseOutputIndex};
    }
    baseOutputIndex += binRooms[bin];
  }
  return built;
}

std::vector<std::uint32_t> visibleCounts(const Phase& phase) {
  std::vector<std::uint32_t> counts;
  for (const auto& visible : phase.visible) counts.push_back(static_cast<std::uint32_t>(visible.size()));
  return counts;
}

Input makeInput(const PlanSpec& plan, const Phase& phase, const Bins& bins) {
  Input input;
  input.count = kInstanceCount;
  input.elements = {kInstanceCount, kInstanceCount, plan.readsLayers() ? kInstanceCount : 0};
  input.records = bytesOf(phase.records);
  input.bounds = bytesOf(phase.boxes);
  input.transforms = bytesOf(phase.instances);
  input.layers = bytesOf(phase.instances);
  input.meshes = bytesOf(bins.meshes);
  return input;
}

// With boxes along the axes of the world the plan draws what bevy draws.
TEST_P(Layouts, BevyBoxesAlongTheAxes) {
  const Bins bins = makeBins(random);
  for (const SluOrder order : kOrders) {
    const PlanSpec plan = makePlan(order, SLU_CULL_FRUSTUM_BIT, bins.counts);
    for (int round = 0; round < 3; ++round) {
      const View from = makeBevyView(makeCamera(random));
      const Phase phase = makePhase(from, bins, {}, true, random);
      const Outcome outcome = run(plan, makeInput(plan, phase, bins), makeView(from, {}));
      ASSERT_EQ(outcome.commands(), commandsOf(phase, bins));
      ASSERT_EQ(outcome.drawn(), phase.drawn);
      EXPECT_GT(outcome.statistics().rejectedCount[SLU_REJECT_FRUSTUM], 0u);
      EXPECT_GT(outcome.statistics().rejectedCount[SLU_REJECT_KEY], 0u);
    }
  }
}

// Of boxes that are turned or sheared the plan keeps those that bevy keeps, and those whose box in the world is inside.
TEST_P(Layouts, BevyBoxesOfAnyMatrix) {
  const Bins bins = makeBins(random);
  for (const SluOrder order : kOrders) {
    const PlanSpec plan = makePlan(order, SLU_CULL_FRUSTUM_BIT, bins.counts);
    for (int round = 0; round < 3; ++round) {
      const View from = makeBevyView(makeCamera(random));
      const Phase phase = makePhase(from, bins, {}, false, random);
      const Outcome outcome = run(plan, makeInput(plan, phase, bins), makeView(from, {}));
      const std::vector<Drawn> drawn = outcome.drawn();
      ASSERT_EQ(drawn, phase.drawn);
      std::size_t visibleCount = 0;
      for (const std::vector<std::uint32_t>& visible : phase.visible) {
        visibleCount += visible.size();
        for (const std::uint32_t index : visible) {
          const auto isIndex = [index](const Drawn& one) { return one.record == index; };
          ASSERT_TRUE(std::any_of(drawn.begin(), drawn.end(), isIndex)) << "bevy draws instance " << index;
        }
      }
      EXPECT_GT(visibleCount, 0u);
    }
  }
}

// A visibility range that all meshes share, from the center of the box.
TEST_P(Layouts, BevyASharedVisibilityRange) {
  const Bins bins = makeBins(random);
  for (const SluOrder order : kOrders) {
    const PlanSpec plan = makePlan(order, SLU_CULL_FRUSTUM_BIT | SLU_CULL_DISTANCE_BIT, bins.counts);
    const float first = random.uniform(5.0f, 20.0f), last = random.uniform(30.0f, 60.0f);
    const Ranges ranges = {{first, first, last, last}};
    const View from = makeBevyView(makeCamera(random));
    const Phase phase = makePhase(from, bins, ranges, true, random);
    const Outcome outcome = run(plan, makeInput(plan, phase, bins), makeView(from, ranges));
    ASSERT_EQ(outcome.commands(), commandsOf(phase, bins));
    ASSERT_EQ(outcome.drawn(), phase.drawn);
    EXPECT_GT(outcome.statistics().rejectedCount[SLU_REJECT_DISTANCE], 0u);
  }
}

// A draw count for each batch set, and draws where bevy's multi-draws look for them.
TEST_P(Layouts, BevyBatchSets) {
  Bins bins = makeBins(random);
  const std::vector<std::uint32_t> setSizes = makeBatchSets(bins, random);
  std::uint32_t emptyCount = 0;
  for (const SluOrder order : kOrders) {
    for (const SluPlacement placement : {SLU_PLACEMENT_RESERVED, SLU_PLACEMENT_PACKED}) {
      const PlanSpec plan = makeBatchSetPlan(order, placement, bins.counts, setSizes);
      const SluGroups& groups = plan.info.groups;
      for (int round = 0; round < 2; ++round) {
        const View from = makeBevyView(makeCamera(random));
        const Phase phase = makePhase(from, bins, {}, true, random);
        const std::vector<std::uint32_t> kept = visibleCounts(phase);
        emptyCount += static_cast<std::uint32_t>(std::count(kept.begin(), kept.end(), 0u));
        const BatchSets built = buildBatchSets(phase, bins, placement == SLU_PLACEMENT_PACKED ? kept : bins.counts,
                                               groups.count, groups.drawCapacity);
        const Outcome outcome = run(plan, makeInput(plan, phase, bins), makeView(from, {}));
        std::vector<IndexedDraw> all;
        for (std::uint32_t set = 0; set < groups.count; ++set) {
          const std::vector<IndexedDraw> found = outcome.commandsOfGroup(set);
          const auto first = built.draws.begin() + built.sets[set].indirectParametersBase;
          const std::vector<IndexedDraw> expected(first, first + built.sets[set].indirectParametersCount);
          ASSERT_EQ(found, expected) << "batch set " << set;
          all.insert(all.end(), found.begin(), found.end());
        }
        ASSERT_EQ(outcome.drawnBy(all), phase.drawn);
        ASSERT_EQ(outcome.statistics().drawCount, all.size());
      }
    }
  }
  EXPECT_GT(emptyCount, 0u);
}

// The work items that last frame's depth hides, and what the late phase is dispatched with for them.
TEST_P(Layouts, BevyLateWorkItems) {
  using Parameters = LatePreprocessWorkItemIndirectParameters;
  const Bins bins = makeBins(random);
  for (const SluOrder order : kOrders) {
    const PlanSpec plan = makeLatePlan(order);
    for (const double hiddenPart : {0.0, 0.5, 1.0}) {
      const View from = makeBevyView(makeCamera(random));
      const Phase phase = makePhase(from, bins, {}, true, random);
      // A flag may be any word that is not 0. Items outside the phase have none.
      std::vector<std::uint32_t> hidden;
      for (const PreprocessWorkItem& item : phase.records) {
        const bool isHidden = item.outputOrIndirectParametersIndex != kNoBin && random.chance(hiddenPart);
        hidden.push_back(isHidden ? random.word() | 1u << random.below(32) : 0u);
      }
      std::vector<std::uint32_t> late;
      for (const std::vector<std::uint32_t>& visible : phase.visible) {
        std::copy_if(visible.begin(), visible.end(), std::back_inserter(late),
                     [&](std::uint32_t item) { return hidden[item] != 0; });
      }
      std::sort(late.begin(), late.end());
      std::vector<PreprocessWorkItem> items;
      for (const std::uint32_t item : late) items.push_back(phase.records[item]);

      Input input = makeInput(plan, phase, bins);
      input.flags = bytesOf(hidden);
      Place place;
      const Outcome outcome = run(plan, input, makeView(from, {}), [&](SceneBuilder& builder, FrameSpec& frame) {
        place = frame.draws = builder.addOutput(sizeof(Parameters));
        frame.bucketCounts = {place.memory, place.offset + offsetof(Parameters, workItemCount)};
      });
      std::vector<PreprocessWorkItem> found = outcome.keptRecords<PreprocessWorkItem>();
      if (order == SLU_ORDER_UNORDERED) {
        std::sort(found.begin(), found.end());
        std::sort(items.begin(), items.end());
      }
      ASSERT_EQ(found, items);
      const Parameters parameters = outcome.read<Parameters>(place, 1)[0];
      const auto itemCount = static_cast<std::uint32_t>(items.size());
      EXPECT_EQ(parameters.dispatch.x, (itemCount + kWorkgroupItems - 1) / kWorkgroupItems);
      EXPECT_EQ(parameters.dispatch.y, 1u);
      EXPECT_EQ(parameters.dispatch.z, 1u);
      EXPECT_EQ(parameters.workItemCount, itemCount);
      EXPECT_EQ(items.empty(), hiddenPart == 0.0);
    }
  }
}

}  // namespace
}  // namespace slu::test::bevy

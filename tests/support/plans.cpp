#include "plans.h"

#include <algorithm>
#include <sstream>
#include <tuple>
#include <utility>

namespace slu::test {
namespace {

constexpr std::initializer_list<SluFlags> kAnyFront = {0, SLU_DRAWS_FIRST_IN_FRONT_BIT, SLU_DRAWS_BUCKET_IN_FRONT_BIT,
                                                       SLU_DRAWS_NUMBER_IN_FRONT_BIT};

std::uint32_t makeOffset(std::uint32_t recordStride, std::uint32_t bytes, Random& random) {
  return random.between(0, (recordStride - bytes) / 4) * 4;
}

SluLive makeRecordTest(PlanSpec& plan, Random& random) {
  SluLive live{};
  live.test = random.pick({SLU_LIVE_NON_EMPTY, SLU_LIVE_POSITIVE_INT, SLU_LIVE_POSITIVE_FLOAT, SLU_LIVE_MASK_EQUAL});
  live.offset = makeOffset(plan.info.recordStride, 4, random);
  if (live.test == SLU_LIVE_NON_EMPTY) live.size = random.between(1, (plan.info.recordStride - live.offset) / 4) * 4;
  if (live.test == SLU_LIVE_MASK_EQUAL) setMask(plan, random);
  return live;
}

// One test, two in either order, or none.
void addRandomLive(PlanSpec& plan, Random& random) {
  plan.info.live = plan.info.secondLive = {};
  const bool testsRecord = random.chance(0.6), testsFlags = random.chance(0.5);
  if (testsRecord) plan.info.live = makeRecordTest(plan, random);
  if (!testsFlags) return;
  SluLive& flags = testsRecord ? plan.info.secondLive : plan.info.live;
  flags.test = random.pick({SLU_LIVE_FLAG_BITS, SLU_LIVE_FLAG_BYTES, SLU_LIVE_FLAG_WORDS});
  if (testsRecord && random.chance(0.5)) std::swap(plan.info.live, plan.info.secondLive);
}

// Offsets for the parts of the transform, anywhere within `stride` bytes; parts that do not fit are left out.
void addRandomTransform(SluBounds& bounds, std::uint32_t stride, Random& random) {
  const auto add = [&](SluFlags part, std::uint32_t SluBounds::*offset, std::uint32_t bytes) {
    if (stride < bytes) return;
    bounds.transformFlags |= part;
    bounds.*offset = makeOffset(stride, bytes, random);
  };
  if (random.chance(0.25)) {
    const SluMatrixForm form = random.pick({SLU_MATRIX_ROWS, SLU_MATRIX_COLUMNS_4X4, SLU_MATRIX_COLUMNS_3X4});
    add(SLU_TRANSFORM_MATRIX_BIT, &SluBounds::matrixOffset, matrixBytes(form));
    if (bounds.transformFlags != 0) bounds.matrixForm = form;
    return;
  }
  if (random.chance(0.5)) add(SLU_TRANSFORM_POSITION_BIT, &SluBounds::positionOffset, 12);
  if (random.chance(0.3)) add(SLU_TRANSFORM_ROTATION_BIT, &SluBounds::rotationOffset, 16);
  const std::uint32_t scale = random.below(6);
  if (scale == 0) add(SLU_TRANSFORM_AXIS_SCALE_BIT, &SluBounds::scaleOffset, 12);
  if (scale == 1 || scale == 2) add(SLU_TRANSFORM_SCALE_BIT, &SluBounds::scaleOffset, 4);
}

void addRandomCulling(PlanSpec& plan, Random& random) {
  const std::uint32_t stride = plan.info.recordStride;
  const SluBoundsShape shape = random.chance(0.25) ? SLU_SHAPE_SPHERE : someShapes(random)[random.below(3)];
  const std::uint32_t bytes = boundsBytes(shape);
  SluBoundsSource source = stride >= bytes
                               ? random.pick({SLU_BOUNDS_IN_RECORD, SLU_BOUNDS_PER_RECORD, SLU_BOUNDS_PER_KEY})
                               : random.pick({SLU_BOUNDS_PER_RECORD, SLU_BOUNDS_PER_KEY});
  if (random.chance(0.05)) source = SLU_BOUNDS_CONSTANT;
  addCulling(plan, random.below(8), source,
             source == SLU_BOUNDS_IN_RECORD ? makeOffset(stride, bytes, random) : random.below(4) * 4, shape);
  if (plan.info.bounds.stride != 0) plan.info.bounds.stride += random.below(4) * 4;
  if ((plan.info.cullFlags & SLU_CULL_FRUSTUM_BIT) != 0 && random.chance(0.3)) {
    plan.info.cullFlags |= SLU_CULL_MORE_PLANES_BIT;
  }
  SluBounds& bounds = plan.info.bounds;
  const std::uint32_t transformStride = random.chance(0.3) ? random.between(1, 25) * 4 : 0;
  addRandomTransform(bounds, transformStride == 0 ? stride : transformStride, random);
  if (bounds.transformFlags != 0) bounds.transformStride = transformStride;
}

// Adds buckets to a plan that has its views, stride and most records. The kept records of all views take at most 32 MiB:
// every Vulkan device binds 128.
void addRandomBuckets(PlanSpec& plan, bool mayHaveLods, Random& random) {
  constexpr std::uint32_t kMostKeptBytes = 32 << 20;
  const std::uint32_t keyCount = random.pick({1u, 1u, 2u, 3u, 16u, 100u});
  const std::uint32_t lodCount = mayHaveLods ? random.pick({1u, 2u, 5u, SLU_MAX_LODS}) : 1;
  const std::uint32_t bucketCount = keyCount * lodCount;
  addBuckets(plan, keyCount, lodCount, 0, makeOffset(plan.info.recordStride, 4, random));
  if (keyCount > 1) {
    plan.info.key.shift = random.between(0, 24);
    plan.info.key.bits = random.between(7, std::min(32 - plan.info.key.shift, 8u));
  }
  const std::uint32_t recordBytes = bucketCount * plan.info.maxViewCount * plan.info.recordStride;
  const std::uint32_t capacity = std::min(plan.info.maxRecordCount, kMostKeptBytes / recordBytes);
  for (SluBucket& bucket : plan.buckets) {
    bucket.capacity = random.pick({0u, 1u, capacity / bucketCount, capacity, random.below(capacity + 1)});
  }
}

// As addRandomBuckets bounds what is kept.
void packRandomly(PlanSpec& plan, Random& random) {
  constexpr std::uint32_t kMostKeptBytes = 32 << 20;
  const std::uint32_t most = kMostKeptBytes / (plan.info.maxViewCount * plan.info.recordStride);
  const std::uint32_t count = plan.info.maxRecordCount;
  const std::uint32_t capacity = random.pick({0u, 1u, count, count / 3 + 1, random.between(1, count)});
  packBuckets(plan, capacity == 0 && count <= most ? 0 : std::clamp(capacity, 1u, most));
}

// A table whose numbers lie anywhere and may overlap each other. Before: whether the bounds are in the mesh.
void addRandomMeshes(PlanSpec& plan, Random& random) {
  constexpr SluFlags kVertexOffsets = SLU_MESH_VERTEX_OFFSET_BIT | SLU_MESH_LOD_VERTEX_OFFSET_BIT;
  const std::vector<SluFlags> parts = everyMeshPart(plan.info.draws.type);
  const bool hasLods = plan.lodCount() > 1;
  const SluLodRule rule = random.pick({SLU_LOD_VIEW_DISTANCES, SLU_LOD_MESH_DISTANCES, SLU_LOD_MESH_ERRORS});
  addMeshes(plan, parts[random.below(static_cast<std::uint32_t>(parts.size()))],
            hasLods ? rule : SLU_LOD_VIEW_DISTANCES, hasLods && random.chance(0.5) ? SLU_LOD_NEAR_SIDE_BIT : 0);
  SluMeshes& meshes = plan.info.meshes;
  meshes.lodStride = random.pick({0u, 4u, 8u, random.below(13) * 4});
  const std::uint32_t lodBytes = (plan.lodCount() - 1) * meshes.lodStride + 4;
  const bool hasBounds = plan.info.bounds.source == SLU_BOUNDS_IN_MESH;
  const std::uint32_t bounds = hasBounds ? boundsBytes(plan.info.bounds.shape) : 0;
  meshes.stride = std::max(lodBytes, bounds) + random.below(12) * 4;
  const auto move = [&](bool isRead, std::uint32_t& offset, std::uint32_t bytes) {
    if (isRead) offset = makeOffset(meshes.stride, bytes, random);
  };
  move(plan.hasMeshPart(SLU_MESH_LOD_COUNT_BIT), meshes.lodCountOffset, 4);
  move(plan.hasMeshPart(SLU_MESH_LOD_MASK_BIT), meshes.lodMaskOffset, 4);
  move(plan.hasDraws(), meshes.elementCountOffset, lodBytes);
  move(plan.hasMeshPart(SLU_MESH_FIRST_ELEMENT_BIT), meshes.firstElementOffset, lodBytes);
  const bool isShared = plan.hasMeshPart(SLU_MESH_VERTEX_OFFSET_BIT);
  move(plan.hasMeshPart(kVertexOffsets), meshes.vertexOffsetOffset, isShared ? 4 : lodBytes);
  move(plan.readsThresholds(), meshes.thresholdOffset, lodBytes);
  move(hasBounds, plan.info.bounds.offset, bounds);
}

}  // namespace

std::string describe(const PlanSpec& plan) {
  const SluPlanCreateInfo& info = plan.info;
  std::ostringstream text;
  text << (plan.stable() ? "stable" : "unordered") << ", flags " << info.flags << ", stride " << info.recordStride
       << ", at most " << info.maxRecordCount << " records and " << info.maxViewCount << " views, live test "
       << info.live.test << " at " << info.live.offset << " of " << info.live.size << " bytes, cull flags "
       << info.cullFlags << ", bounds " << info.bounds.source << " of shape " << info.bounds.shape << " at "
       << info.bounds.offset << " stride " << info.bounds.stride << ", transform " << info.bounds.transformFlags
       << " stride " << info.bounds.transformStride << " form " << info.bounds.matrixForm << ", " << plan.keyCount()
       << " keys at " << info.key.offset << " shift " << info.key.shift << " bits " << info.key.bits << ", "
       << plan.lodCount() << " LODs, outputs " << info.outputs << ", draws " << info.draws.type << " stride "
       << info.draws.stride << " flags " << info.draws.flags << ", LOD rule " << info.lod.rule << " flags "
       << info.lod.flags << ", meshes of " << info.meshes.stride << " bytes, parts " << info.meshes.parts << ", LODs "
       << info.meshes.lodStride << " apart, layers at " << info.layers.offset << " stride " << info.layers.stride
       << ", never culled by " << info.layers.neverCullMask << ", never occluded by " << info.layers.neverOccludeMask
       << ", cones at " << info.cones.offset << " flags " << info.cones.flags << ", indexed streams "
       << info.indices.streams << " at " << info.indices.boundsOffset << ' ' << info.indices.transformOffset << ' '
       << info.indices.layersOffset << ", placement " << info.placement << " of " << info.capacity << ", zero commands "
       << info.zeroCommandCount << ", groups " << info.groups.count << " of " << info.groups.drawCapacity << " at "
       << info.groups.meshOffset << " mirrored " << info.groups.mirroredOffset << ", rejects of "
       << info.rejects.reasons << " up to " << info.rejects.capacity;
  for (const SluStream& stream : plan.streams) {
    text << ", a stream of " << stream.elementSize << " bytes, strides " << inputStride(stream) << " and "
         << outputStride(stream);
  }
  return text.str();
}

PlanSpec simplePlan(SluOrder order, std::uint32_t recordStride, std::uint32_t maxRecordCount) {
  PlanSpec plan;
  plan.info.order = order;
  plan.info.recordStride = recordStride;
  plan.info.maxRecordCount = maxRecordCount;
  plan.info.maxViewCount = 1;
  plan.info.live = {SLU_LIVE_NON_EMPTY, 0, 4};
  plan.info.outputs = kAllOutputs & ~SluFlags{SLU_OUTPUT_DRAWS_BIT | SLU_OUTPUT_DRAW_COUNTS_BIT};
  return plan;
}

void setMask(PlanSpec& plan, Random& random) {
  plan.info.liveMask = random.pick({1u, 0x80000000u, 0xffu << random.below(25), 0xffffffffu, random.word() | 1u});
  plan.info.liveValue = plan.info.liveMask & random.pick({0u, plan.info.liveMask, random.word()});
}

void addGroups(PlanSpec& plan, std::uint32_t count, std::uint32_t drawCapacity, Random& random) {
  plan.info.groups = {};
  plan.info.groups.count = count;
  plan.info.groups.drawCapacity = drawCapacity;
  plan.groups.clear();
  if (plan.hasMeshes()) {
    plan.info.groups.meshOffset = plan.info.meshes.stride;
    plan.info.meshes.stride += 4;
    if (plan.splitsMirrored()) plan.info.groups.mirroredOffset = random.below(count);
    return;
  }
  for (std::uint32_t i = 0; i < plan.bucketCount(); ++i) plan.groups.push_back(random.below(count));
}

void packBuckets(PlanSpec& plan, std::uint32_t capacity) {
  plan.info.placement = SLU_PLACEMENT_PACKED;
  plan.info.capacity = capacity;
  for (SluBucket& bucket : plan.buckets) bucket.capacity = 0;
  if (!plan.hasDraws() || plan.hasMeshes()) plan.buckets.clear();
}

void addBuckets(PlanSpec& plan, std::uint32_t keyCount, std::uint32_t lodCount, std::uint32_t capacity,
                std::uint32_t keyOffset) {
  plan.info.key = {};
  plan.info.key.keyCount = keyCount;
  plan.info.key.offset = keyCount > 1 ? keyOffset : 0;
  plan.info.key.lodCount = lodCount;
  plan.buckets.assign(std::size_t{keyCount} * lodCount, SluBucket{capacity, {}});
}

void addDraws(PlanSpec& plan, SluDrawType type, std::uint32_t strideBytes, SluFlags flags, Random& random) {
  plan.info.outputs |= SLU_OUTPUT_DRAWS_BIT | SLU_OUTPUT_DRAW_COUNTS_BIT;
  plan.info.draws = {type, strideBytes, flags};
  if (plan.buckets.empty()) plan.buckets.assign(1, SluBucket{plan.info.maxRecordCount, {}});
  for (SluBucket& bucket : plan.buckets) {
    SluDrawTemplate& draw = bucket.draw;
    draw = {};
    if (plan.hasMeshes()) continue;
    if (type == SLU_DRAW_WORKGROUPS) {
      draw.elementCount = random.pick({1u, 2u, 64u, random.between(1, 0xffffffff)});
      continue;
    }
    draw.elementCount = random.between(1, type == SLU_DRAW_VERTICES ? 12 : 0xffffffff);
    if (type == SLU_DRAW_VERTICES) draw.instanceCount = random.word();
    draw.firstElement = random.below(type == SLU_DRAW_VERTICES ? 0x1000000 : 0xffffffff);
    if (type == SLU_DRAW_INDEXED_INSTANCES) draw.vertexOffset = static_cast<std::int32_t>(random.word());
    draw.firstInstance = random.below(type == SLU_DRAW_VERTICES ? 0xffffffff : 0x80000000);
  }
}

void mergePlan(PlanSpec& plan, std::uint32_t capacity, std::uint32_t zeroCommandCount) {
  plan.info.placement = SLU_PLACEMENT_MERGED;
  plan.info.capacity = capacity;
  if (plan.drawsRecords()) plan.info.zeroCommandCount = zeroCommandCount;
  plan.info.outputs &= ~SluFlags{SLU_OUTPUT_BUCKET_COUNTS_BIT};
  plan.info.draws.flags &= ~SluFlags{SLU_DRAWS_SKIP_EMPTY_BIT};
  for (SluBucket& bucket : plan.buckets) bucket.capacity = 0;
}

void addRejects(PlanSpec& plan, SluFlags reasons, std::uint32_t capacity, SluFlags outputs) {
  plan.info.outputs |= outputs;
  plan.info.rejects = {reasons, capacity};
}

void makeSparse(PlanSpec& plan, std::uint32_t keyCount, std::uint32_t capacity) {
  plan.info.order = SLU_ORDER_UNORDERED;
  plan.info.key.keyCount = keyCount;
  plan.info.key.bits = 0;
  plan.buckets.clear();
  plan.groups.clear();
  plan.info.groups = {};
  plan.info.placement = SLU_PLACEMENT_PACKED;
  plan.info.capacity = capacity;
  plan.info.outputs &= ~SluFlags{SLU_OUTPUT_BUCKET_COUNTS_BIT};
  if (plan.info.outputs == 0 && plan.streams.empty()) plan.info.outputs = SLU_OUTPUT_INDICES_BIT;
  if (plan.hasDraws()) plan.info.draws.flags |= SLU_DRAWS_SKIP_EMPTY_BIT;
}

std::uint32_t transformBytes(SluFlags transformFlags, SluMatrixForm form) {
  if ((transformFlags & SLU_TRANSFORM_MATRIX_BIT) != 0) return matrixBytes(form);
  return (transformFlags & SLU_TRANSFORM_AXIS_SCALE_BIT) != 0 ? kTransformBytes + 8 : kTransformBytes;
}

std::vector<SluFlags> everyTransform() {
  std::vector<SluFlags> all;
  for (SluFlags flags = 0; flags < SLU_TRANSFORM_MATRIX_BIT; ++flags) {
    constexpr SluFlags kScales = SLU_TRANSFORM_SCALE_BIT | SLU_TRANSFORM_AXIS_SCALE_BIT;
    if ((flags & kScales) != kScales) all.push_back(flags);
  }
  all.push_back(SLU_TRANSFORM_MATRIX_BIT);
  return all;
}

void addMeshes(PlanSpec& plan, SluFlags parts, SluLodRule rule, SluFlags lodFlags) {
  plan.info.lod = {rule, lodFlags};
  SluMeshes& meshes = plan.info.meshes;
  meshes = {};
  meshes.parts = parts;
  std::uint32_t end = 0;
  const auto add = [&](bool isRead, std::uint32_t SluMeshes::*offset) {
    if (!isRead) return;
    meshes.*offset = end;
    end += 4;
  };
  add((parts & SLU_MESH_LOD_COUNT_BIT) != 0, &SluMeshes::lodCountOffset);
  add((parts & SLU_MESH_LOD_MASK_BIT) != 0, &SluMeshes::lodMaskOffset);
  add((parts & SLU_MESH_VERTEX_OFFSET_BIT) != 0, &SluMeshes::vertexOffsetOffset);
  const std::uint32_t firstOfLods = end;
  add(plan.hasDraws(), &SluMeshes::elementCountOffset);
  add((parts & SLU_MESH_FIRST_ELEMENT_BIT) != 0, &SluMeshes::firstElementOffset);
  add((parts & SLU_MESH_LOD_VERTEX_OFFSET_BIT) != 0, &SluMeshes::vertexOffsetOffset);
  add(plan.readsThresholds(), &SluMeshes::thresholdOffset);
  meshes.lodStride = end - firstOfLods;
  end = firstOfLods + plan.lodCount() * meshes.lodStride;
  if (plan.info.bounds.source == SLU_BOUNDS_IN_MESH) {
    plan.info.bounds.offset = end;
    end += boundsBytes(plan.info.bounds.shape);
  }
  meshes.stride = std::max(end, 4u);
  for (SluBucket& bucket : plan.buckets) bucket.draw = {};
}

std::vector<SluFlags> everyMeshPart(SluDrawType type) {
  std::vector<SluFlags> all;
  for (SluFlags parts = 0; parts < 2 * SLU_MESH_LOD_VERTEX_OFFSET_BIT; ++parts) {
    constexpr SluFlags kVertexOffsets = SLU_MESH_VERTEX_OFFSET_BIT | SLU_MESH_LOD_VERTEX_OFFSET_BIT;
    if ((parts & kVertexOffsets) == kVertexOffsets) continue;
    if ((parts & kVertexOffsets) != 0 && type != SLU_DRAW_INDEXED_INSTANCES) continue;
    if ((parts & SLU_MESH_FIRST_ELEMENT_BIT) != 0 && type == SLU_DRAW_NONE) continue;
    all.push_back(parts);
  }
  return all;
}

std::vector<SluBoundsShape> someShapes(Random& random) {
  return {SLU_SHAPE_SPHERE, random.pick({SLU_SHAPE_BOX, SLU_SHAPE_BOX_VEC4}),
          random.pick({SLU_SHAPE_CORNERS, SLU_SHAPE_CORNERS_VEC4})};
}

void addCulling(PlanSpec& plan, SluFlags cullFlags, SluBoundsSource source, std::uint32_t offset,
                SluBoundsShape shape) {
  plan.info.cullFlags = cullFlags;
  plan.info.bounds = {};
  plan.info.bounds.source = source;
  plan.info.bounds.shape = shape;
  plan.info.bounds.offset = offset;
  const bool hasElements = source == SLU_BOUNDS_PER_RECORD || source == SLU_BOUNDS_PER_KEY;
  if (hasElements) plan.info.bounds.stride = offset + boundsBytes(shape);
}

void addLayers(PlanSpec& plan, std::uint32_t offset, bool isStream) {
  plan.info.cullFlags |= SLU_CULL_LAYERS_BIT;
  plan.info.layers.stride = isStream ? offset + 4 : 0;
  plan.info.layers.offset = offset;
}

void addMarks(PlanSpec& plan, std::uint32_t offset, bool isStream, Random& random) {
  plan.info.layers = {isStream ? offset + 4 : 0, offset, 1u << random.below(32), 0};
}

void addOcclusion(PlanSpec& plan, std::uint32_t neverOccludeMask) {
  plan.info.cullFlags |= SLU_CULL_OCCLUSION_BIT;
  plan.info.layers.neverOccludeMask = neverOccludeMask;
}

void addCones(PlanSpec& plan, std::uint32_t offset, SluFlags flags) {
  plan.info.cullFlags |= SLU_CULL_CONE_BIT;
  plan.info.cones = {offset, flags};
  const SluBoundsSource source = plan.info.bounds.source;
  const auto grow = [&](std::uint32_t& stride) { stride = std::max(stride, offset + kConeBytes); };
  if (source == SLU_BOUNDS_PER_RECORD || source == SLU_BOUNDS_PER_KEY) grow(plan.info.bounds.stride);
  if (source == SLU_BOUNDS_IN_MESH) grow(plan.info.meshes.stride);
}

void splitMirrored(PlanSpec& plan) {
  plan.info.flags |= SLU_PLAN_SPLIT_MIRRORED_BIT;
  const std::vector<SluBucket> mirrored = plan.buckets;
  plan.buckets.insert(plan.buckets.end(), mirrored.begin(), mirrored.end());
}

void addStream(PlanSpec& plan, std::uint32_t elementSize, std::uint32_t inputStride, std::uint32_t outputStride) {
  plan.streams.push_back({elementSize, inputStride, outputStride});
}

void addRandomStreams(PlanSpec& plan, std::uint32_t most, Random& random) {
  const auto stride = [&](std::uint32_t elementSize) {
    return random.pick({0u, elementSize, elementSize + 4 * random.below(8), (elementSize + 15) / 16 * 16});
  };
  for (std::uint32_t i = random.between(1, most); i > 0; --i) {
    const std::uint32_t elementSize = random.pick({4u, 8u, 12u, 16u, 20u, 64u, 4 * random.between(1, 64)});
    addStream(plan, elementSize, stride(elementSize), stride(elementSize));
  }
}

void addIndices(PlanSpec& plan, SluFlags streams, std::uint32_t offset) {
  const auto add = [&](SluFlags bit, bool isStream, std::uint32_t SluIndices::*field) {
    if (!isStream || (streams & bit) == 0) return;
    plan.info.indices.streams |= bit;
    plan.info.indices.*field = offset;
  };
  add(SLU_INDEXED_BOUNDS_BIT, plan.info.bounds.source == SLU_BOUNDS_PER_RECORD, &SluIndices::boundsOffset);
  add(SLU_INDEXED_TRANSFORMS_BIT, plan.info.bounds.transformStride != 0, &SluIndices::transformOffset);
  add(SLU_INDEXED_LAYERS_BIT, plan.info.layers.stride != 0, &SluIndices::layersOffset);
}

void addTransform(PlanSpec& plan, SluFlags transformFlags, std::uint32_t offset, SluMatrixForm form) {
  SluBounds& bounds = plan.info.bounds;
  const auto has = [&](SluFlags part) { return (transformFlags & part) != 0; };
  bounds.transformFlags = transformFlags;
  if (has(SLU_TRANSFORM_POSITION_BIT)) bounds.positionOffset = offset;
  if (has(SLU_TRANSFORM_SCALE_BIT | SLU_TRANSFORM_AXIS_SCALE_BIT)) bounds.scaleOffset = offset + 12;
  if (has(SLU_TRANSFORM_ROTATION_BIT)) bounds.rotationOffset = offset + transformBytes(transformFlags) - 16;
  if (has(SLU_TRANSFORM_MATRIX_BIT)) {
    bounds.matrixOffset = offset;
    bounds.matrixForm = form;
  }
}

void addTransformStream(PlanSpec& plan, SluFlags transformFlags, std::uint32_t offset, SluMatrixForm form) {
  addTransform(plan, transformFlags, offset, form);
  if (transformFlags != 0) plan.info.bounds.transformStride = offset + transformBytes(transformFlags, form);
}

namespace {

// A plan that tests occlusion where it does not matter why a record is dropped, in each placement.
void addCandidatePlans(std::vector<PlanSpec>& plans, PlanSpec plan, std::uint32_t capacity, Random& random) {
  plan.info.outputs &= ~SluFlags{SLU_OUTPUT_STATISTICS_BIT};
  PlanSpec single = plan, packed = plan, merged = plan;
  addBuckets(single, 1, 1, capacity, 0);
  packBuckets(packed, capacity);
  addBuckets(merged, 5, 1, 0, 4);
  addDraws(merged, SLU_DRAW_INDEXED_INSTANCES, 20, 0, random);
  mergePlan(merged, capacity, 0);
  plans.insert(plans.end(), {plan, single, packed, merged});
}

}  // namespace

std::vector<PlanSpec> plansOfEveryKernel(SluOrder order, Random& random) {
  constexpr std::uint32_t kMost = 20'000, kMany = 300'000, kCapacity = 4000;
  std::vector<PlanSpec> plans;
  // Records alone: of words by how many they may be, of wider ones by their size.
  const auto addAlone = [&](std::uint32_t stride, std::uint32_t maxRecordCount) -> PlanSpec& {
    PlanSpec& plan = plans.emplace_back(simplePlan(order, stride, maxRecordCount));
    plan.info.outputs = SLU_OUTPUT_RECORDS_BIT | SLU_OUTPUT_STATISTICS_BIT | SLU_OUTPUT_BUCKET_COUNTS_BIT;
    plan.buckets.assign(1, SluBucket{3 * kCapacity, {}});
    return plan;
  };
  for (const std::uint32_t maxRecordCount : {200'000u, 1'000'000u, 4'000'000u}) addAlone(4, maxRecordCount);
  for (const std::uint32_t stride : {8u, 12u, 16u, 20u, 28u, 32u, 36u, 48u, 64u}) addAlone(stride, kMost);
  for (const std::uint32_t stride : {96u, 128u}) addAlone(stride, kMany);
  for (const std::uint32_t stride : {16u, 32u, 48u, 64u}) addBuckets(addAlone(stride, kMany), 5, 1, kCapacity, 4);
  // What is more than records alone; where spheres decide alone, nobody asks why a record was dropped.
  struct Kind {
    bool isCulled;
    std::uint32_t maxRecordCount;
  };
  for (const auto& [isCulled, maxRecordCount] : {Kind{false, kMost}, Kind{true, kMost}, Kind{true, kMany}}) {
    for (const std::uint32_t keyCount : {1u, 5u}) {
      PlanSpec& plan = plans.emplace_back(simplePlan(order, 32, maxRecordCount));
      plan.info.maxViewCount = 2;
      if (isCulled) {
        plan.info.live = {};
        plan.info.outputs &= ~SluFlags{SLU_OUTPUT_STATISTICS_BIT};
        addCulling(plan, SLU_CULL_FRUSTUM_BIT | SLU_CULL_DISTANCE_BIT, SLU_BOUNDS_IN_RECORD, 16);
      }
      addBuckets(plan, keyCount, 1, kCapacity, 4);
      addDraws(plan, SLU_DRAW_INSTANCES, 16, SLU_DRAWS_SKIP_EMPTY_BIT, random);
    }
  }
  // Further streams, of which one is long and one is not aligned.
  for (const std::uint32_t keyCount : {1u, 5u}) {
    PlanSpec& plan = plans.emplace_back(simplePlan(order, 32, kMost));
    plan.info.outputs = SLU_OUTPUT_STATISTICS_BIT;
    addBuckets(plan, keyCount, 1, kCapacity, 4);
    addStream(plan, 12, 16, 12);
    addStream(plan, 64);
  }
  // Volumes: a box by a matrix in a stream, a sphere by a scale per axis and with layers.
  for (const bool isBox : {true, false}) {
    for (const std::uint32_t keyCount : {1u, 5u}) {
      PlanSpec& plan = plans.emplace_back(simplePlan(order, 64, kMost));
      plan.info.maxViewCount = 2;
      plan.info.live = {};
      plan.info.outputs &= ~SluFlags{SLU_OUTPUT_STATISTICS_BIT};
      addCulling(plan, SLU_CULL_FRUSTUM_BIT | SLU_CULL_DISTANCE_BIT | SLU_CULL_SIZE_BIT, SLU_BOUNDS_IN_RECORD, 8,
                 isBox ? SLU_SHAPE_BOX : SLU_SHAPE_SPHERE);
      if (isBox) {
        addTransformStream(plan, SLU_TRANSFORM_MATRIX_BIT, 0, SLU_MATRIX_COLUMNS_3X4);
        if (keyCount > 1) addIndices(plan, SLU_INDEXED_TRANSFORMS_BIT, 60);
        plan.info.cullFlags |= keyCount > 1 ? 0 : SLU_CULL_MORE_PLANES_BIT;
      } else {
        addTransform(plan, SLU_TRANSFORM_POSITION_BIT | SLU_TRANSFORM_AXIS_SCALE_BIT | SLU_TRANSFORM_ROTATION_BIT, 24);
        addLayers(plan, 0, keyCount > 1);
      }
      addBuckets(plan, keyCount, 1, kCapacity, 4);
      addDraws(plan, SLU_DRAW_INSTANCES, 16, SLU_DRAWS_SKIP_EMPTY_BIT, random);
    }
  }
  // Mesh tables: of several meshes, and of one. Without culling they decide nothing but which LODs are resident.
  for (const bool isCulled : {true, false}) {
    for (const std::uint32_t keyCount : {5u, 1u}) {
      PlanSpec& plan = plans.emplace_back(simplePlan(order, 64, kMost));
      plan.info.maxViewCount = 2;
      if (isCulled) {
        addCulling(plan, SLU_CULL_FRUSTUM_BIT | SLU_CULL_DISTANCE_BIT, SLU_BOUNDS_IN_MESH, 0);
        addTransform(plan, SLU_TRANSFORM_MATRIX_BIT, 8);
      }
      addBuckets(plan, keyCount, isCulled ? 3 : 1, kCapacity, 4);
      plan.info.key.bits = keyCount > 1 ? 3 : 0;
      addDraws(plan, SLU_DRAW_INDEXED_INSTANCES, 20, SLU_DRAWS_SKIP_EMPTY_BIT, random);
      addMeshes(plan, SLU_MESH_LOD_MASK_BIT | SLU_MESH_FIRST_ELEMENT_BIT,
                isCulled ? SLU_LOD_MESH_ERRORS : SLU_LOD_VIEW_DISTANCES, isCulled ? SLU_LOD_NEAR_SIDE_BIT : 0);
    }
  }
  // A command per record, of any test and of scenes.
  for (const bool isScene : {false, true}) {
    PlanSpec& plan = plans.emplace_back(simplePlan(order, 64, kMost));
    plan.info.maxViewCount = 2;
    if (isScene) {
      addCulling(plan, SLU_CULL_FRUSTUM_BIT | SLU_CULL_DISTANCE_BIT, SLU_BOUNDS_IN_MESH, 0);
      addTransform(plan, SLU_TRANSFORM_MATRIX_BIT, 8);
    }
    addBuckets(plan, 5, isScene ? 3 : 1, 0, 4);
    plan.info.key.bits = 3;
    addDraws(plan, SLU_DRAW_INDEXED_INSTANCES, 24, isScene ? 0 : SLU_DRAWS_RECORD_IN_FRONT_BIT, random);
    if (isScene) addMeshes(plan, SLU_MESH_LOD_MASK_BIT | SLU_MESH_FIRST_ELEMENT_BIT, SLU_LOD_MESH_ERRORS);
    mergePlan(plan, kCapacity, 3);
  }
  // The same where only spheres decide beside them. One mesh has no keys, and records whose indices alone are written are
  // not bound then.
  for (const std::uint32_t keyCount : {5u, 1u}) {
    for (const std::uint32_t lodCount : {3u, 1u}) {
      PlanSpec& plan = plans.emplace_back(simplePlan(order, 32, kMost));
      plan.info.maxViewCount = 2;
      plan.info.live = {};
      plan.info.outputs = SLU_OUTPUT_INDICES_BIT | SLU_OUTPUT_BUCKET_COUNTS_BIT;
      addCulling(plan, SLU_CULL_FRUSTUM_BIT | SLU_CULL_DISTANCE_BIT | SLU_CULL_SIZE_BIT, SLU_BOUNDS_PER_RECORD, 0);
      addBuckets(plan, keyCount, lodCount, kCapacity, 4);
      addDraws(plan, SLU_DRAW_INDEXED_INSTANCES, 20, SLU_DRAWS_SKIP_EMPTY_BIT, random);
      addMeshes(plan, SLU_MESH_LOD_COUNT_BIT | SLU_MESH_LOD_MASK_BIT,
                lodCount > 1 ? SLU_LOD_MESH_ERRORS : SLU_LOD_VIEW_DISTANCES, lodCount > 1 ? SLU_LOD_NEAR_SIDE_BIT : 0);
    }
  }
  // What a pyramid hides of boxes that a matrix moves.
  PlanSpec& occluded = plans.emplace_back(simplePlan(order, 64, kMost));
  occluded.info.maxViewCount = 2;
  addCulling(occluded, SLU_CULL_FRUSTUM_BIT, SLU_BOUNDS_IN_RECORD, 8, SLU_SHAPE_BOX);
  addTransformStream(occluded, SLU_TRANSFORM_MATRIX_BIT, 0);
  addOcclusion(occluded);
  addBuckets(occluded, 5, 1, kCapacity, 4);
  addCandidatePlans(plans, occluded, kCapacity, random);
  // Clusters.
  PlanSpec& clusters = plans.emplace_back(simplePlan(order, 48, kMost));
  clusters.info.maxViewCount = 2;
  addCulling(clusters, SLU_CULL_FRUSTUM_BIT, SLU_BOUNDS_IN_RECORD, 16);
  addTransformStream(clusters, SLU_TRANSFORM_MATRIX_BIT, 0);
  addCones(clusters, 32);
  addBuckets(clusters, 5, 1, kCapacity, 4);
  // Lists of rejects, by any test and in scenes.
  for (const bool isScene : {false, true}) {
    PlanSpec& plan = plans.emplace_back(simplePlan(order, 32, kMost));
    plan.info.maxViewCount = 2;
    addCulling(plan, SLU_CULL_FRUSTUM_BIT | SLU_CULL_DISTANCE_BIT, SLU_BOUNDS_IN_RECORD, 8,
               isScene ? SLU_SHAPE_BOX : SLU_SHAPE_SPHERE);
    addBuckets(plan, 5, 1, kCapacity, 4);
    plan.info.key.bits = 3;
    addRejects(plan, 0, kCapacity);
  }
  // Packed buckets, the last of which may be cut.
  PlanSpec& packed = plans.emplace_back(simplePlan(order, 32, kMost));
  packed.info.maxViewCount = 2;
  addCulling(packed, SLU_CULL_FRUSTUM_BIT | SLU_CULL_DISTANCE_BIT, SLU_BOUNDS_IN_RECORD, 16);
  addBuckets(packed, 5, 1, 0, 4);
  addDraws(packed, SLU_DRAW_INSTANCES, 16, SLU_DRAWS_SKIP_EMPTY_BIT, random);
  packBuckets(packed, kCapacity);
  // The same of each kind of test that decides alone, and of many buckets.
  for (const auto& [shape, maxRecordCount, keyCount] :
       {std::tuple(SLU_SHAPE_SPHERE, kMost, 5u), {SLU_SHAPE_SPHERE, kMany, 900u}, {SLU_SHAPE_BOX, kMost, 5u}}) {
    PlanSpec& plan = plans.emplace_back(simplePlan(order, 48, maxRecordCount));
    plan.info.live = {};
    plan.info.outputs &= ~SluFlags{SLU_OUTPUT_STATISTICS_BIT};
    addCulling(plan, SLU_CULL_FRUSTUM_BIT | SLU_CULL_DISTANCE_BIT, SLU_BOUNDS_IN_RECORD, 16, shape);
    addBuckets(plan, keyCount, 1, 0, 4);
    addDraws(plan, SLU_DRAW_INSTANCES, 16, SLU_DRAWS_SKIP_EMPTY_BIT, random);
    packBuckets(plan, kCapacity);
  }
  PlanSpec& packedMeshes = plans.emplace_back(simplePlan(order, 32, kMost));
  packedMeshes.info.live = {};
  packedMeshes.info.outputs = SLU_OUTPUT_INDICES_BIT | SLU_OUTPUT_BUCKET_COUNTS_BIT;
  addCulling(packedMeshes, SLU_CULL_FRUSTUM_BIT | SLU_CULL_DISTANCE_BIT, SLU_BOUNDS_PER_RECORD, 0);
  addBuckets(packedMeshes, 5, 1, 0, 4);
  addDraws(packedMeshes, SLU_DRAW_INDEXED_INSTANCES, 20, SLU_DRAWS_SKIP_EMPTY_BIT, random);
  addMeshes(packedMeshes, SLU_MESH_LOD_COUNT_BIT | SLU_MESH_LOD_MASK_BIT);
  packBuckets(packedMeshes, kCapacity);
  if (order == SLU_ORDER_STABLE) return plans;
  PlanSpec& sparse = plans.emplace_back(simplePlan(order, 32, kMost));
  sparse.info.maxViewCount = 2;
  sparse.info.outputs &= ~SluFlags{SLU_OUTPUT_BUCKET_COUNTS_BIT};
  addBuckets(sparse, 2 * SLU_MAX_BUCKETS, 1, 0, 4);
  sparse.info.key.bits = 13;
  addDraws(sparse, SLU_DRAW_INDEXED_INSTANCES, 20, SLU_DRAWS_SKIP_EMPTY_BIT, random);
  addMeshes(sparse, SLU_MESH_FIRST_ELEMENT_BIT);
  packBuckets(sparse, kCapacity);
  return plans;
}

void addRandomLayers(PlanSpec& plan, Random& random) {
  const bool isStream = random.chance(0.5);
  const std::uint32_t offset = 4 * random.below(isStream ? 3 : plan.info.recordStride / 4);
  const bool hasMarks = plan.testsBounds() && random.chance(0.5);
  if (hasMarks) addMarks(plan, offset, isStream, random);
  if (!hasMarks || random.chance(0.5)) addLayers(plan, offset, isStream);
}

// Streams by one word or by words of their own.
void addRandomIndices(PlanSpec& plan, Random& random) {
  const auto offset = [&] { return makeOffset(plan.info.recordStride, 4, random); };
  addIndices(plan, random.below(8), offset());
  for (const SluFlags bit : {SLU_INDEXED_BOUNDS_BIT, SLU_INDEXED_TRANSFORMS_BIT, SLU_INDEXED_LAYERS_BIT}) {
    if (random.chance(0.3)) addIndices(plan, bit, offset());
  }
}

// The kept records and the commands of all views take at most 32 MiB, too.
void mergeRandomly(PlanSpec& plan, Random& random) {
  constexpr std::uint32_t kMostBytes = 32 << 20;
  const std::uint32_t elementBytes = std::max(plan.info.recordStride, plan.info.draws.stride) * plan.info.maxViewCount;
  const std::uint32_t most = std::min(plan.info.maxRecordCount, kMostBytes / elementBytes);
  if (plan.info.outputs == SLU_OUTPUT_BUCKET_COUNTS_BIT) plan.info.outputs = SLU_OUTPUT_INDICES_BIT;
  mergePlan(plan, random.pick({1u, most / 2 + 1, most, random.between(1, most)}),
            random.pick({0u, 1u, 3u, random.below(most + 1), 0xffffffffu}));
  if (plan.hasDraws() && random.chance(0.3)) {
    plan.info.draws.flags &= ~kFronts;
    plan.info.draws.flags |= SLU_DRAWS_RECORD_IN_FRONT_BIT;
  }
  if ((plan.hasMeshes() || !plan.hasDraws()) && random.chance(0.5)) plan.buckets.clear();
}

// Now and then the list is all that the plan writes.
void addRandomRejects(PlanSpec& plan, Random& random) {
  constexpr SluFlags kList = SLU_OUTPUT_REJECTS_BIT, kCounts = SLU_OUTPUT_REJECT_COUNTS_BIT;
  const std::uint32_t most = plan.info.maxRecordCount;
  const bool isInPlace = (plan.info.flags & SLU_PLAN_IN_PLACE_BIT) != 0;
  if (!plan.hasDraws() && !isInPlace && random.chance(0.2)) plan.info.outputs = 0;
  addRejects(plan,
             random.pick({0u, 1u << random.below(SLU_REJECT_COUNT), random.between(1, (1u << SLU_REJECT_COUNT) - 1)}),
             random.pick({0u, 1u, most, most / 4 + 1, random.between(1, most)}),
             random.pick({kList, kCounts, kList | kCounts, kList | kCounts}));
}

// Where layers or marks are read, some of their bits may name records that are never occluded; now and then they do so
// alone.
void addRandomOcclusion(PlanSpec& plan, Random& random) {
  const bool isAlone = !plan.hasLayers() && random.chance(0.2);
  if (isAlone) plan.info.layers.offset = 4 * random.below(plan.info.recordStride / 4);
  addOcclusion(plan, isAlone || (plan.hasLayers() && random.chance(0.5)) ? 1u << random.below(32) : 0);
}

// Of bounds that are spheres, where a record has room for both.
void addRandomCones(PlanSpec& plan, Random& random) {
  const SluBounds& bounds = plan.info.bounds;
  const bool isInRecord = bounds.source == SLU_BOUNDS_IN_RECORD;
  if (bounds.shape != SLU_SHAPE_SPHERE || (isInRecord && plan.info.recordStride < kConeBytes)) return;
  addCones(plan, isInRecord ? makeOffset(plan.info.recordStride, kConeBytes, random) : random.below(9) * 4,
           random.below(2));
}

PlanSpec makeRandomPlan(std::uint32_t maxRecordCount, Random& random, bool mayTestOcclusion) {
  PlanSpec plan;
  plan.info.order = random.pick({SLU_ORDER_UNORDERED, SLU_ORDER_STABLE});
  plan.info.recordStride = random.between(1, random.pick({4u, 16u, 64u})) * 4;
  plan.info.maxRecordCount = maxRecordCount;
  plan.info.maxViewCount = random.pick({1u, 1u, 2u, 5u});
  plan.info.outputs = random.between(1, kAllOutputs);
  addRandomLive(plan, random);
  const bool culls = random.chance(0.6);
  if (culls) addRandomCulling(plan, random);
  const bool draws = plan.writes(SLU_OUTPUT_DRAWS_BIT | SLU_OUTPUT_DRAW_COUNTS_BIT);
  if (draws || random.chance(0.6)) addRandomBuckets(plan, culls, random);
  constexpr SluFlags kMirroring = SLU_TRANSFORM_SCALE_BIT | SLU_TRANSFORM_AXIS_SCALE_BIT | SLU_TRANSFORM_MATRIX_BIT;
  const bool mayMirror = plan.testsBounds() && (plan.info.bounds.transformFlags & kMirroring) != 0;
  if (mayMirror && !plan.buckets.empty() && random.chance(0.4)) splitMirrored(plan);
  if (random.chance(0.2)) addRandomLayers(plan, random);
  const bool testsOcclusion = mayTestOcclusion && culls && random.chance(0.3);
  if (testsOcclusion) addRandomOcclusion(plan, random);
  const bool hasTable = !plan.buckets.empty() && random.chance(0.25);
  if (culls && !hasTable && random.chance(0.3)) addRandomCones(plan, random);
  if (draws) {
    const SluFlags outputs = plan.info.outputs;
    addDraws(plan,
             hasTable ? random.pick({SLU_DRAW_INSTANCES, SLU_DRAW_INDEXED_INSTANCES})
                      : random.pick(
                            {SLU_DRAW_INSTANCES, SLU_DRAW_VERTICES, SLU_DRAW_INDEXED_INSTANCES, SLU_DRAW_WORKGROUPS}),
             24 + random.below(5) * 4, random.below(2) | random.pick(kAnyFront), random);
    plan.info.outputs = outputs;
  }
  if (hasTable) {
    if (culls && random.chance(0.5)) {
      plan.info.bounds.source = SLU_BOUNDS_IN_MESH;
      plan.info.bounds.stride = 0;
    }
    addRandomMeshes(plan, random);
  } else if (plan.lodCount() > 1 && random.chance(0.3)) {
    plan.info.lod.flags = SLU_LOD_NEAR_SIDE_BIT;
  }
  if (random.chance(0.3)) addRandomIndices(plan, random);
  constexpr std::uint32_t kMostStates = 1u << 20;
  const bool mayHaveStates =
      plan.lodCount() > 1 && !testsOcclusion && maxRecordCount <= kMostStates / plan.info.maxViewCount;
  if (mayHaveStates && random.chance(0.4)) plan.info.lod.flags |= SLU_LOD_STATES_BIT;
  if (plan.writes(SLU_OUTPUT_RECORDS_BIT) && random.chance(0.2)) plan.info.flags |= SLU_PLAN_IN_PLACE_BIT;
  const bool mayMerge = plan.info.draws.type != SLU_DRAW_VERTICES && plan.info.draws.type != SLU_DRAW_WORKGROUPS;
  if (mayMerge && random.chance(0.2)) {
    mergeRandomly(plan, random);
  } else if (!plan.buckets.empty() && random.chance(0.3)) {
    const std::vector<SluBucket> buckets = plan.buckets;
    packRandomly(plan, random);
    if (plan.buckets.empty() && random.chance(0.5)) plan.buckets.assign(buckets.size(), SluBucket{});
  }
  if (plan.hasDraws() && plan.bucketCount() > 1 && random.chance(0.3)) {  // no merged plan has several buckets
    addGroups(plan, random.pick({1u, 2u, 7u, 256u}), random.pick({0u, 0u, 1u, 3u, 20u}), random);
  }
  if (!plan.buckets.empty() && random.chance(0.2)) plan.info.bucketStride = sizeof(SluBucket) + 8;
  if (random.chance(0.25)) addRandomRejects(plan, random);
  // The outputs of streams take at most 32 MiB, as kept records do.
  const std::uint64_t outputs = plan.outputsPerView() * plan.info.maxViewCount;
  if (outputs * SLU_MAX_RECORD_STRIDE <= 32u << 20 && random.chance(0.2)) {
    addRandomStreams(plan, random.pick({1u, 2u, SLU_MAX_STREAMS}), random);
    const bool needsRecords = (plan.info.flags & SLU_PLAN_IN_PLACE_BIT) != 0;
    if (!needsRecords && random.chance(0.3)) {
      plan.info.outputs &= ~SluFlags{SLU_OUTPUT_INDICES_BIT | SLU_OUTPUT_RECORDS_BIT};
    }
  }
  return plan;
}

}  // namespace slu::test

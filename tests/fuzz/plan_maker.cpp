#include "plan_maker.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace slu::fuzz {
namespace {

constexpr std::uint64_t kLargestStaging = 1u << 20;

// A multiple of 4 at which `bytes` fit into the record.
std::uint32_t offsetIn(Choices& choices, std::uint32_t recordStride, std::uint32_t bytes) {
  return choices.below((recordStride - bytes) / 4 + 1) * 4;
}

bool testsFlags(SluLiveTest test) { return test >= SLU_LIVE_FLAG_BITS && test <= SLU_LIVE_FLAG_WORDS; }

void chooseField(Choices& choices, SluPlanCreateInfo& info, SluLive& live) {
  live.offset = offsetIn(choices, info.recordStride, 4);
  if (live.test == SLU_LIVE_NON_EMPTY) {
    live.size = 4 + choices.below((info.recordStride - live.offset) / 4) * 4;
  }
  if (live.test == SLU_LIVE_MASK_EQUAL) {
    info.liveMask = 1u << choices.below(32) | choices.byte();
    info.liveValue = choices.byte() & info.liveMask;
  }
}

void chooseLive(Choices& choices, SluPlanCreateInfo& info) {
  info.live.test = choices.pick({SLU_LIVE_ALWAYS, SLU_LIVE_NON_EMPTY, SLU_LIVE_POSITIVE_INT, SLU_LIVE_POSITIVE_FLOAT,
                                 SLU_LIVE_FLAG_BITS, SLU_LIVE_FLAG_BYTES, SLU_LIVE_FLAG_WORDS, SLU_LIVE_MASK_EQUAL});
  if (info.live.test == SLU_LIVE_ALWAYS) return;
  const bool isOfFlags = testsFlags(info.live.test);
  if (!isOfFlags) chooseField(choices, info, info.live);
  if (!choices.chance(4)) return;
  info.secondLive.test = isOfFlags ? choices.pick({SLU_LIVE_MASK_EQUAL, SLU_LIVE_NON_EMPTY, SLU_LIVE_POSITIVE_INT})
                                   : choices.pick({SLU_LIVE_FLAG_BITS, SLU_LIVE_FLAG_BYTES, SLU_LIVE_FLAG_WORDS});
  if (isOfFlags) chooseField(choices, info, info.secondLive);
}

// Parts of a transform that fit into `stride` bytes.
void chooseTransform(Choices& choices, SluBounds& bounds, std::uint32_t stride) {
  const auto choose = [&](SluFlags part, std::uint32_t SluBounds::*offset, std::uint32_t bytes) {
    if (stride < bytes) return;
    bounds.transformFlags |= part;
    bounds.*offset = offsetIn(choices, stride, bytes);
  };
  const std::uint32_t parts = choices.below(16);
  if (parts == 15) {
    const SluMatrixForm form = choices.pick({SLU_MATRIX_ROWS, SLU_MATRIX_COLUMNS_4X4, SLU_MATRIX_COLUMNS_3X4});
    choose(SLU_TRANSFORM_MATRIX_BIT, &SluBounds::matrixOffset, matrixBytes(form));
    if (bounds.transformFlags != 0) bounds.matrixForm = form;
    return;
  }
  if ((parts & 1) != 0) choose(SLU_TRANSFORM_POSITION_BIT, &SluBounds::positionOffset, 12);
  if ((parts & 8) != 0) {
    choose(SLU_TRANSFORM_AXIS_SCALE_BIT, &SluBounds::scaleOffset, 12);
  } else if ((parts & 2) != 0) {
    choose(SLU_TRANSFORM_SCALE_BIT, &SluBounds::scaleOffset, 4);
  }
  if ((parts & 4) != 0) choose(SLU_TRANSFORM_ROTATION_BIT, &SluBounds::rotationOffset, 16);
}

void chooseBounds(Choices& choices, SluPlanCreateInfo& info) {
  SluBounds& bounds = info.bounds;
  const std::uint32_t stride = info.recordStride;
  bounds.source = choices.pick({SLU_BOUNDS_IN_RECORD, SLU_BOUNDS_PER_RECORD, SLU_BOUNDS_PER_KEY, SLU_BOUNDS_CONSTANT});
  bounds.shape = choices.pick({SLU_SHAPE_SPHERE, SLU_SHAPE_BOX, SLU_SHAPE_CORNERS});
  if (bounds.shape != SLU_SHAPE_SPHERE && stride % 32 == 0) {  // so that old inputs mean what they meant
    bounds.shape = bounds.shape == SLU_SHAPE_BOX ? SLU_SHAPE_BOX_VEC4 : SLU_SHAPE_CORNERS_VEC4;
  }
  const std::uint32_t bytes = boundsBytes(bounds.shape);
  if (bounds.source == SLU_BOUNDS_IN_RECORD && stride < bytes) bounds.source = SLU_BOUNDS_PER_RECORD;
  if (bounds.source == SLU_BOUNDS_IN_RECORD) {
    bounds.offset = offsetIn(choices, stride, bytes);
  } else {
    bounds.offset = choices.below(4) * 4;
    if (bounds.source != SLU_BOUNDS_CONSTANT) bounds.stride = bounds.offset + bytes + choices.below(4) * 4;
  }
  const std::uint32_t transformStride = choices.chance(4) ? 4 + choices.below(24) * 4 : 0;
  chooseTransform(choices, bounds, transformStride == 0 ? stride : transformStride);
  if (bounds.transformFlags != 0) bounds.transformStride = transformStride;
}

// Records name the elements of all streams that the plan has.
void shareStreams(SluPlanCreateInfo& info) {
  SluIndices& indices = info.indices;
  const auto share = [&](SluFlags bit, bool isStream, std::uint32_t& offset, std::uint32_t at) {
    if (!isStream) return;
    indices.streams |= bit;
    offset = at;
  };
  const std::uint32_t last = info.recordStride - 4;
  share(SLU_INDEXED_BOUNDS_BIT, info.bounds.source == SLU_BOUNDS_PER_RECORD, indices.boundsOffset, last);
  share(SLU_INDEXED_TRANSFORMS_BIT, info.bounds.transformStride != 0, indices.transformOffset, last / 8 * 4);
  share(SLU_INDEXED_LAYERS_BIT, info.layers.stride != 0, indices.layersOffset, 0);
}

void chooseDraws(Choices& choices, SluPlanCreateInfo& info) {
  info.draws.type =
      choices.pick({SLU_DRAW_INSTANCES, SLU_DRAW_VERTICES, SLU_DRAW_INDEXED_INSTANCES, SLU_DRAW_WORKGROUPS});
  info.draws.stride = 24 + choices.below(4) * 4;
  info.draws.flags = choices.below(4) |
                     choices.pick({0u, 0u, SluFlags{SLU_DRAWS_FIRST_IN_FRONT_BIT},
                                   SluFlags{SLU_DRAWS_BUCKET_IN_FRONT_BIT}, SluFlags{SLU_DRAWS_NUMBER_IN_FRONT_BIT}});
}

// A table whose numbers lie anywhere in the meshes, and may overlap each other.
void chooseMeshes(Choices& choices, SluPlanCreateInfo& info) {
  SluMeshes& meshes = info.meshes;
  const std::uint32_t lodCount = std::max(info.key.lodCount, 1u);
  if (info.draws.type == SLU_DRAW_VERTICES || info.draws.type == SLU_DRAW_WORKGROUPS) {
    info.draws.type = SLU_DRAW_INSTANCES;
  }
  meshes.stride = 4 + choices.below(40) * 4;
  meshes.lodStride = choices.below(8) * 4;
  if ((lodCount - 1) * meshes.lodStride + 4 > meshes.stride) meshes.lodStride = 0;
  if (lodCount > 1) info.lod = {static_cast<SluLodRule>(choices.below(3)), choices.below(2)};
  meshes.parts = choices.below(32);
  if (info.draws.type == SLU_DRAW_NONE) meshes.parts &= ~SluFlags{SLU_MESH_FIRST_ELEMENT_BIT};
  if (info.draws.type != SLU_DRAW_INDEXED_INSTANCES) meshes.parts &= ~SluFlags{SLU_MESH_VERTEX_OFFSET_BIT};
  if (info.draws.type != SLU_DRAW_INDEXED_INSTANCES || (meshes.parts & SLU_MESH_VERTEX_OFFSET_BIT) != 0) {
    meshes.parts &= ~SluFlags{SLU_MESH_LOD_VERTEX_OFFSET_BIT};
  }
  for (const MeshNumber& number : meshNumbers(info)) {
    if (number.isRead) {
      meshes.*number.offset = offsetIn(choices, meshes.stride, (number.lods - 1) * meshes.lodStride + 4);
    }
  }
  const std::uint32_t bytes = boundsBytes(info.bounds.shape);
  if (info.bounds.source == SLU_BOUNDS_NONE || bytes > meshes.stride || !choices.chance(8)) return;
  info.bounds.source = SLU_BOUNDS_IN_MESH;
  info.bounds.stride = 0;
  info.bounds.offset = offsetIn(choices, meshes.stride, bytes);
}

// Of meshes, which may name any.
void chooseGroups(Choices& choices, SluPlanCreateInfo& info) {
  SluGroups& groups = info.groups;
  groups.count = choices.pick({1u, 2u, 7u, 256u});
  groups.drawCapacity = choices.pick({0u, 1u, 3u, 40u});
  groups.meshOffset = offsetIn(choices, info.meshes.stride, 4);
  if ((info.flags & SLU_PLAN_SPLIT_MIRRORED_BIT) != 0) groups.mirroredOffset = choices.below(groups.count);
}

// Of buckets that no table describes. Only draws of one stride are grouped, and by what else was chosen, so that most old
// inputs mean the same.
void groupBuckets(PlanInput& plan) {
  SluPlanCreateInfo& info = plan.info;
  const bool hasDraws = info.draws.type != SLU_DRAW_NONE && info.meshes.stride == 0;
  if (!hasDraws || info.draws.stride != 32 || info.bucketCount < 2 || info.placement == SLU_PLACEMENT_MERGED) return;
  constexpr std::uint32_t kCounts[] = {3, 1, 256, 16}, kRooms[] = {0, 1, 0, 5};
  info.groups.count = kCounts[info.recordStride / 4 % 4];
  info.groups.drawCapacity = kRooms[info.draws.flags % 4];
  for (std::uint32_t i = 0; i < info.bucketCount; ++i) plan.groups.push_back((i * 7 + i / 5) % info.groups.count);
}

SluBucket chooseBucket(Choices& choices, const SluPlanCreateInfo& info) {
  SluBucket bucket{};
  bucket.capacity = choices.pick({8u, 0u, 1u, 300u, 33u, 4000u, 64u});
  if (info.draws.type == SLU_DRAW_NONE || info.meshes.stride != 0) return bucket;
  bucket.draw.elementCount = 1 + choices.below(12);
  if (info.draws.type == SLU_DRAW_WORKGROUPS) return bucket;
  if (info.draws.type == SLU_DRAW_VERTICES) bucket.draw.instanceCount = choices.byte();
  if (info.draws.type == SLU_DRAW_INDEXED_INSTANCES) bucket.draw.vertexOffset = -choices.byte();
  bucket.draw.firstElement = choices.byte();
  bucket.draw.firstInstance = choices.byte();
  return bucket;
}

// Packs the buckets, whose number says how much room they have together.
void pack(PlanInput& plan) {
  SluPlanCreateInfo& info = plan.info;
  constexpr std::uint32_t kCapacities[] = {1, 33, 300, 4000};
  info.placement = SLU_PLACEMENT_PACKED;
  info.capacity = info.bucketCount % 5 == 0 && info.maxRecordCount <= 5000 ? 0 : kCapacities[info.bucketCount % 4];
  for (SluBucket& bucket : plan.buckets) bucket.capacity = 0;
  const bool needsTemplates = info.draws.type != SLU_DRAW_NONE && info.meshes.stride == 0;
  if (needsTemplates || info.bucketCount % 2 == 0) return;
  info.bucketCount = 0;
  plan.buckets.clear();
}

// More packed buckets than others have, which are not chosen, so that most old inputs mean the same.
void mayMultiplyKeys(PlanInput& plan) {
  SluPlanCreateInfo& info = plan.info;
  if (info.key.keyCount < 100 || info.placement != SLU_PLACEMENT_PACKED || info.order == SLU_ORDER_STABLE) return;
  const bool hasDraws = info.draws.type != SLU_DRAW_NONE;
  if ((hasDraws && info.meshes.stride == 0) || info.groups.count != 0) return;
  if (info.bounds.source == SLU_BOUNDS_PER_KEY) return;  // would be longer than a block
  constexpr SluFlags kOutputs = ~SluFlags{SLU_OUTPUT_BUCKET_COUNTS_BIT};
  if ((info.outputs & kOutputs) == 0) return;
  const std::uint32_t perKey = std::max(info.bucketCount, info.key.keyCount) / info.key.keyCount;
  info.key.keyCount = info.key.keyCount == 100 ? SLU_MAX_BUCKETS + 1 : 40000;
  info.key.bits = 0;
  info.outputs &= kOutputs;
  if (hasDraws) info.draws.flags |= SLU_DRAWS_SKIP_EMPTY_BIT;
  if (plan.writes(SLU_OUTPUT_DRAWS_BIT)) info.zeroCommandCount = info.key.shift % 3;
  const std::uint32_t count = info.key.keyCount * perKey;
  info.bucketCount = info.recordStride % 8 == 0 || count > 3 * SLU_MAX_BUCKETS ? 0 : count;
  plan.buckets.assign(info.bucketCount, SluBucket{});
}

void chooseBuckets(Choices& choices, PlanInput& plan) {
  SluPlanCreateInfo& info = plan.info;
  const std::uint32_t keyCount = choices.pick({1u, 0u, 2u, 3u, 16u, 100u, 512u});
  if (keyCount > 1) {
    info.key.keyCount = keyCount;
    info.key.offset = offsetIn(choices, info.recordStride, 4);
    info.key.shift = choices.below(24);
    info.key.bits = choices.below(9);
  }
  if (info.bounds.source != SLU_BOUNDS_NONE) info.key.lodCount = choices.below(SLU_MAX_LODS + 1u);
  std::uint32_t count = std::max(info.key.keyCount, 1u) * std::max(info.key.lodCount, 1u);
  constexpr SluFlags kMirroring = SLU_TRANSFORM_SCALE_BIT | SLU_TRANSFORM_AXIS_SCALE_BIT | SLU_TRANSFORM_MATRIX_BIT;
  const bool mayMirror =
      (info.bounds.transformFlags & kMirroring) != 0 && (info.cullFlags % 8 != 0 || info.key.lodCount > 1);
  if (mayMirror && info.bounds.offset % 8 == 4 &&
      2 * count <= SLU_MAX_BUCKETS) {  // so that most old inputs mean the same
    info.flags |= SLU_PLAN_SPLIT_MIRRORED_BIT;
    count *= 2;
  }
  const bool isPlain = count == 1 && info.draws.type == SLU_DRAW_NONE && info.maxRecordCount <= 300;
  if (isPlain && choices.chance(6)) return;
  info.bucketCount = count;
  if (choices.chance(4)) {
    chooseMeshes(choices, info);
    // So that most old inputs mean the same.
    if (info.draws.type != SLU_DRAW_NONE && count > 1 && info.meshes.stride % 16 == 12) chooseGroups(choices, info);
  } else if (info.key.lodCount > 1 && choices.chance(4)) {
    info.lod.flags = SLU_LOD_NEAR_SIDE_BIT;
  }
  const bool mayKeepStates = info.key.lodCount > 1 && info.maxRecordCount <= 5000;
  const bool isNew = info.bounds.offset % 8 == 4;  // so that most old inputs mean the same
  if (mayKeepStates && isNew) info.lod.flags |= SLU_LOD_STATES_BIT;
  const SluBucket first = chooseBucket(choices, info);
  for (std::uint32_t i = 0; i < count; ++i) plan.buckets.push_back(i < 16 ? chooseBucket(choices, info) : first);
  if (choices.chance(2)) info.bucketStride = sizeof(SluBucket) + choices.below(3) * 4;
  if (plan.buckets.back().capacity == 33) pack(plan);  // so that most old inputs mean the same
}

// Makes one list of the buckets. Only plans of one stride are merged, so that most old inputs mean the same.
void mayMerge(Choices& choices, PlanInput& plan) {
  SluPlanCreateInfo& info = plan.info;
  if (info.recordStride != 48 || info.draws.type == SLU_DRAW_VERTICES || info.draws.type == SLU_DRAW_WORKGROUPS) return;
  if ((info.outputs & ~SluFlags{SLU_OUTPUT_BUCKET_COUNTS_BIT}) == 0) return;
  info.placement = SLU_PLACEMENT_MERGED;
  info.groups = {};
  info.outputs &= ~SluFlags{SLU_OUTPUT_BUCKET_COUNTS_BIT};
  info.capacity = choices.pick({300u, 1u, 33u, 4000u});
  info.draws.flags &= ~SluFlags{SLU_DRAWS_SKIP_EMPTY_BIT};
  if (plan.writes(SLU_OUTPUT_DRAWS_BIT)) info.zeroCommandCount = choices.pick({0u, 3u, 0xffffffffu});
  if (info.draws.type != SLU_DRAW_NONE && info.draws.flags < SLU_DRAWS_FIRST_IN_FRONT_BIT && choices.chance(4)) {
    info.draws.flags |= SLU_DRAWS_RECORD_IN_FRONT_BIT;
  }
  for (SluBucket& bucket : plan.buckets) bucket.capacity = 0;
  if (info.meshes.stride == 0 && info.draws.type != SLU_DRAW_NONE) return;
  info.bucketCount = 0;
  plan.buckets.clear();
}

// Where numbers that the library must judge were mutated: what they promise, or what it must not look at.
void placeBuckets(Choices& choices, PlanInput& plan, SluPlanCreateInfo& given, HostStructs& structs) {
  if (given.bucketCount == 0 || choices.below(64) == 63) return;  // null
  const bool isLegal = given.bucketCount <= SLU_MAX_PACKED_BUCKETS;
  if (isLegal) given.bucketCount = std::min(given.bucketCount, std::uint32_t{kLargestArray / sizeof(SluBucket)});
  std::uint32_t stride = given.bucketStride == 0 ? std::uint32_t{sizeof(SluBucket)} : given.bucketStride;
  const std::uint32_t count = isLegal ? given.bucketCount : 1;
  if (std::uint64_t{stride} * count > kLargestArray) stride = given.bucketStride = sizeof(SluBucket) + stride % 64;
  plan.buckets.resize(count, plan.buckets.empty() ? SluBucket{8, {}} : plan.buckets.back());
  for (SluBucket& bucket : plan.buckets) {
    if (choices.isEmpty() || count > SLU_MAX_BUCKETS) break;
    if (choices.byte() >= 0xf8) mutate(choices, &bucket, sizeof(bucket), {});
  }
  given.buckets = structs.array<SluBucket>(plan.buckets, std::max<std::size_t>(stride, sizeof(SluBucket)));
}

// Further streams, which are not chosen, so that most old inputs mean what they meant.
void addStreams(PlanInput& plan) {
  SluPlanCreateInfo& info = plan.info;
  if (info.maxRecordCount != 300) return;
  plan.streams = {{info.recordStride, 0, info.recordStride + 8}, {12, 16, 0}};
  info.streamCount = kMostStreams;
}

// A list of rejects, which is not chosen, so that most old inputs mean what they meant.
void addRejects(SluPlanCreateInfo& info) {
  if (info.recordStride != 20) return;
  info.outputs |= SLU_OUTPUT_REJECTS_BIT | SLU_OUTPUT_REJECT_COUNTS_BIT;
  info.rejects.reasons = info.maxViewCount == 2 ? 0x5a : 0;
  if (info.maxRecordCount > 300 || info.order == SLU_ORDER_STABLE) info.rejects.capacity = 33;
}

// A test of occlusion, which is not chosen, so that most old inputs mean what they meant.
void addOcclusion(SluPlanCreateInfo& info) {
  if (info.recordStride != 64 || info.bounds.source == SLU_BOUNDS_NONE) return;
  info.cullFlags |= SLU_CULL_OCCLUSION_BIT;
  info.lod.flags &= ~SluFlags{SLU_LOD_STATES_BIT};
  if (info.maxViewCount > 1) info.layers.neverOccludeMask = 0x00040000u;  // of some floats
}

// Places groups as placeBuckets places buckets, for as many of these as there are now.
void placeGroups(Choices& choices, PlanInput& plan, SluPlanCreateInfo& given, HostStructs& structs) {
  if (plan.groups.empty() || plan.buckets.empty() || choices.below(64) == 63) return;  // null
  plan.groups.resize(plan.buckets.size(), 0);
  if (choices.chance(1)) plan.groups[choices.below(static_cast<std::uint32_t>(plan.groups.size()))] = choices.number();
  given.groups.ofBuckets = structs.array<std::uint32_t>(plan.groups, sizeof(std::uint32_t));
}

// A test of cones over the words of the bounds, which is not chosen, so that most old inputs mean what they meant.
void addCones(SluPlanCreateInfo& info) {
  if (info.recordStride != 32 || info.bounds.source == SLU_BOUNDS_NONE || info.bounds.shape != SLU_SHAPE_SPHERE) return;
  info.cullFlags |= SLU_CULL_CONE_BIT;
  info.cones.offset = info.bounds.offset;
  info.cones.flags = info.maxRecordCount > 300 ? SLU_CONE_FIXED_FRONT_FACE_BIT : 0;
}

// Places streams as placeBuckets places buckets.
void placeStreams(Choices& choices, PlanInput& plan, SluPlanCreateInfo& given, HostStructs& structs) {
  if (plan.streams.empty() || choices.below(64) == 63) return;  // null
  plan.streams.resize(given.streamCount <= SLU_MAX_STREAMS ? given.streamCount : 1, plan.streams.back());
  for (SluStream& stream : plan.streams) {
    if (choices.chance(1)) mutate(choices, &stream, sizeof(stream), {});
  }
  given.streams = structs.array<SluStream>(plan.streams, sizeof(SluStream));
}

}  // namespace

std::array<MeshNumber, 6> meshNumbers(const SluPlanCreateInfo& info) {
  const std::uint32_t lodCount = std::max(info.key.lodCount, 1u);
  const auto has = [&](SluFlags parts) { return (info.meshes.parts & parts) != 0; };
  const bool isShared = has(SLU_MESH_VERTEX_OFFSET_BIT);
  return {MeshNumber{has(SLU_MESH_LOD_COUNT_BIT), &SluMeshes::lodCountOffset, 1},
          MeshNumber{has(SLU_MESH_LOD_MASK_BIT), &SluMeshes::lodMaskOffset, 1},
          MeshNumber{info.draws.type != SLU_DRAW_NONE, &SluMeshes::elementCountOffset, lodCount},
          MeshNumber{has(SLU_MESH_FIRST_ELEMENT_BIT), &SluMeshes::firstElementOffset, lodCount},
          MeshNumber{isShared || has(SLU_MESH_LOD_VERTEX_OFFSET_BIT), &SluMeshes::vertexOffsetOffset,
                     isShared ? 1 : lodCount},
          MeshNumber{info.lod.rule != SLU_LOD_VIEW_DISTANCES, &SluMeshes::thresholdOffset, lodCount}};
}

PlanInput makePlanInput(Choices& choices, SluRoute route, HostStructs& structs) {
  PlanInput plan{SLU_INIT(PLAN_CREATE_INFO, SluPlanCreateInfo), {}, {}, {}, nullptr};
  SluPlanCreateInfo& info = plan.info;
  info.route = route;
  info.order = choices.pick({SLU_ORDER_UNORDERED, SLU_ORDER_STABLE});
  info.recordStride = choices.pick({16u, 4u, 8u, 12u, 20u, 32u, 48u, 64u, 100u, 256u});
  info.maxRecordCount = choices.pick({100u, 1u, 33u, 300u, 5000u, 1u << 20, 0x7fffffffu, 0x80000000u});
  info.maxViewCount = choices.pick({1u, 0u, 2u, 3u, 16u});
  info.outputs = choices.chance(8) ? 1 + choices.below(63) : 63 & ~(SLU_OUTPUT_DRAWS_BIT | SLU_OUTPUT_DRAW_COUNTS_BIT);
  if (plan.writes(SLU_OUTPUT_RECORDS_BIT) && choices.chance(3)) info.flags = SLU_PLAN_IN_PLACE_BIT;
  chooseLive(choices, info);
  if (choices.chance(8)) {
    info.cullFlags = choices.below(8);
    chooseBounds(choices, info);
    const bool hasMorePlanes = info.maxViewCount == 3 && (info.cullFlags & SLU_CULL_FRUSTUM_BIT) != 0;
    if (info.cullFlags >= 5) {  // so that old inputs mean what they meant
      info.cullFlags |= SLU_CULL_LAYERS_BIT;
      info.layers.offset = info.bounds.offset % info.recordStride;
      if (info.recordStride > 16) info.layers.neverCullMask = 0x40000000u;  // of floats of 2 and more
      if (info.cullFlags % 2 != 0) info.layers.stride = info.layers.offset + 4 + info.bounds.offset;
    }
    if (hasMorePlanes) info.cullFlags |= SLU_CULL_MORE_PLANES_BIT;
  }
  if (plan.writes(SLU_OUTPUT_DRAWS_BIT | SLU_OUTPUT_DRAW_COUNTS_BIT)) chooseDraws(choices, info);
  chooseBuckets(choices, plan);
  mayMerge(choices, plan);
  groupBuckets(plan);
  mayMultiplyKeys(plan);
  if (info.recordStride % 8 == 4) shareStreams(info);  // so that most old inputs mean what they meant
  addStreams(plan);
  addRejects(info);
  addOcclusion(info);
  addCones(info);
  mayMutate(choices, info,
            {offsetof(SluPlanCreateInfo, buckets), offsetof(SluPlanCreateInfo, streams),
             offsetof(SluPlanCreateInfo, groups) + offsetof(SluGroups, ofBuckets)});
  // The library takes the fields that a host of an older version does not have for 0.
  const std::size_t had = std::max<std::size_t>(info.structSize, offsetof(SluPlanCreateInfo, route));
  if (had < sizeof(info)) std::memset(reinterpret_cast<std::byte*>(&info) + had, 0, sizeof(info) - had);
  if ((info.flags & SLU_PLAN_IN_PLACE_BIT) != 0) {  // memory that the test machine would have to have
    info.maxRecordCount =
        std::min(info.maxRecordCount, static_cast<std::uint32_t>(kLargestStaging / std::max(info.recordStride, 4u)));
  }

  placeBuckets(choices, plan, info, structs);
  placeStreams(choices, plan, info, structs);
  placeGroups(choices, plan, info, structs);
  info.pNext = structs.chain(choices);
  plan.given = structs.place(choices, info);
  return plan;
}

PlanFacts::PlanFacts(const PlanInput& input)
    : info(input.info),
      testsBounds((info.cullFlags & ~SluFlags{SLU_CULL_LAYERS_BIT}) != 0 || info.key.lodCount > 1),
      testsLayers((info.cullFlags & SLU_CULL_LAYERS_BIT) != 0) {
  info.maxViewCount = std::max(info.maxViewCount, 1u);
  info.key.keyCount = std::max(info.key.keyCount, 1u);
  info.key.lodCount = std::max(info.key.lodCount, 1u);
  if (info.bucketCount != 0) buckets = input.buckets;
  if (info.groups.count != 0) groups = input.groups;
  const bool splitsMirrored = (info.flags & SLU_PLAN_SPLIT_MIRRORED_BIT) != 0;
  ownBucketCount = info.key.keyCount * info.key.lodCount * (splitsMirrored ? 2 : 1);
  if (info.streamCount != 0) streams = input.streams;
  for (SluStream& stream : streams) {
    if (stream.inputStride == 0) stream.inputStride = stream.elementSize;
    if (stream.outputStride == 0) stream.outputStride = stream.elementSize;
  }
  if (isMerged() || isPacked()) {
    outputsPerView = info.capacity == 0 ? info.maxRecordCount : info.capacity;
    capacities.assign(isMerged() ? 1 : ownBucketCount, static_cast<std::uint32_t>(outputsPerView));
    return;
  }
  for (const SluBucket& bucket : buckets) capacities.push_back(bucket.capacity);
  if (buckets.empty()) capacities.push_back(info.maxRecordCount);
  for (const std::uint32_t capacity : capacities) outputsPerView += capacity;
}

SluLiveTest PlanFacts::flagTest() const {
  if (testsFlags(info.live.test)) return info.live.test;
  return testsFlags(info.secondLive.test) ? info.secondLive.test : SLU_LIVE_ALWAYS;
}

std::uint32_t PlanFacts::transformEnd() const {
  const SluBounds& bounds = info.bounds;
  std::uint32_t end = 0;
  const auto reach = [&](SluFlags part, std::uint32_t offset, std::uint32_t bytes) {
    if ((bounds.transformFlags & part) != 0) end = std::max(end, offset + bytes);
  };
  reach(SLU_TRANSFORM_POSITION_BIT, bounds.positionOffset, 12);
  reach(SLU_TRANSFORM_SCALE_BIT, bounds.scaleOffset, 4);
  reach(SLU_TRANSFORM_AXIS_SCALE_BIT, bounds.scaleOffset, 12);
  reach(SLU_TRANSFORM_ROTATION_BIT, bounds.rotationOffset, 16);
  reach(SLU_TRANSFORM_MATRIX_BIT, bounds.matrixOffset, matrixBytes(bounds.matrixForm));
  return end;
}

std::uint64_t PlanFacts::meshEnd() const {
  std::uint64_t end = 0;
  for (const MeshNumber& number : meshNumbers(info)) {
    const std::uint64_t last = info.meshes.*number.offset + std::uint64_t{number.lods - 1} * info.meshes.lodStride;
    if (number.isRead) end = std::max(end, last + 4);
  }
  if (info.groups.count != 0) end = std::max(end, std::uint64_t{info.groups.meshOffset} + 4);
  const bool hasBounds = testsBounds && info.bounds.source == SLU_BOUNDS_IN_MESH;
  return hasBounds ? std::max(end, std::uint64_t{info.bounds.offset} + boundsBytes(info.bounds.shape)) : end;
}

bool PlanFacts::readsRecords() const {
  const bool isMoved = info.bounds.transformFlags != 0 && info.bounds.transformStride == 0;
  const bool byBounds = testsBounds && (info.bounds.source == SLU_BOUNDS_IN_RECORD || isMoved);
  const bool byLiveTest =
      info.live.test != SLU_LIVE_ALWAYS && (!testsFlags(info.live.test) || info.secondLive.test != SLU_LIVE_ALWAYS);
  const bool byLayers = hasLayers() && info.layers.stride == 0;
  const bool byNumbers = info.key.keyCount > 1 || indexedStreams() != 0;
  return byLiveTest || byBounds || byLayers || byNumbers || writes(SLU_OUTPUT_RECORDS_BIT);
}

}  // namespace slu::fuzz

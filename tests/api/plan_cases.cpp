#include "plan_cases.h"

#include <cstddef>
#include <limits>

namespace slu::test {
namespace {

constexpr std::uint32_t kMostWords = std::numeric_limits<std::uint32_t>::max();

using Info = SluPlanCreateInfo;
using Buckets = std::vector<SluBucket>;

constexpr std::uint32_t kGroups[6] = {0, 1, 2, 3, 3, 0};

void setDraws(Info& info, Buckets& buckets, SluDrawType type) {
  info.draws.type = type;
  for (SluBucket& bucket : buckets) bucket.draw = {3, 0, 0, 0, 0};
}

// One bucket without draws.
void simplify(Info& info, Buckets& buckets) {
  info.key = {};
  info.bucketCount = 0;
  info.outputs = SLU_OUTPUT_INDICES_BIT;
  info.draws = {};
  buckets.clear();
}

void dropBounds(Info& info) {
  info.cullFlags = 0;
  info.bounds = {};
}

void setLayers(Info& info, std::uint32_t stride, std::uint32_t offset) {
  info.cullFlags |= SLU_CULL_LAYERS_BIT;
  info.layers = {stride, offset, 0, 0};
}

// A matrix at the record's start, and nothing else.
void setMatrix(Info& info, SluMatrixForm form) {
  SluBounds& bounds = info.bounds;
  bounds.transformFlags = SLU_TRANSFORM_MATRIX_BIT;
  bounds.positionOffset = bounds.scaleOffset = bounds.rotationOffset = 0;
  bounds.matrixForm = form;
}

// A mesh table of all parts but a vertex offset that LODs share: 64 bytes of 3 LODs, 16 bytes apart.
void setMeshes(Info& info, Buckets& buckets) {
  info.lod = {SLU_LOD_MESH_ERRORS, SLU_LOD_NEAR_SIDE_BIT};
  info.meshes = {64, 31u & ~SluFlags{SLU_MESH_VERTEX_OFFSET_BIT}, 0, 4, 16, 16, 20, 24, 28};
  for (SluBucket& bucket : buckets) bucket.draw = {};
}

// A mesh table for a plan without LODs and draws. The meshes have no parts.
void setPlainMeshes(Info& info, Buckets& buckets) {
  info.key.lodCount = 1;
  info.draws = {};
  info.outputs = SLU_OUTPUT_INDICES_BIT;
  info.bucketCount = 2;
  info.meshes = {4, 0, 0, 0, 0, 0, 0, 0, 0};
  buckets.resize(2);
}

void setBoundsInMesh(Info& info, std::uint32_t offset) {
  info.bounds.source = SLU_BOUNDS_IN_MESH;
  info.bounds.stride = 0;
  info.bounds.offset = offset;
}

// Buckets without a capacity of their own, which share `capacity`.
void pack(Info& info, Buckets& buckets, std::uint32_t capacity) {
  info.placement = SLU_PLACEMENT_PACKED;
  info.capacity = capacity;
  for (SluBucket& bucket : buckets) bucket.capacity = 0;
}

// A command per record.
void merge(Info& info, Buckets& buckets) {
  info.placement = SLU_PLACEMENT_MERGED;
  info.outputs &= ~SluFlags{SLU_OUTPUT_BUCKET_COUNTS_BIT};
  info.draws.flags &= ~SluFlags{SLU_DRAWS_SKIP_EMPTY_BIT};
  for (SluBucket& bucket : buckets) bucket.capacity = 0;
}

// More packed buckets than are described one by one, of meshes with 3 LODs each.
void packMany(Info& info, Buckets& buckets) {
  setMeshes(info, buckets);
  pack(info, buckets, 24);
  info.bucketCount = 0;
  info.key.keyCount = SLU_MAX_BUCKETS / 3 + 1;
  info.order = SLU_ORDER_UNORDERED;
  info.outputs &= ~SluFlags{SLU_OUTPUT_BUCKET_COUNTS_BIT};
  info.draws.flags = SLU_DRAWS_SKIP_EMPTY_BIT;
}

const PlanCase kBadPlans[] = {
    {"sType", "plan.sType", [](Info& i, Buckets&) { i.sType = SLU_STRUCTURE_TYPE_FRAME_INFO; }},
    {"structSizeTooSmall", "plan.structSize", [](Info& i, Buckets&) { i.structSize = offsetof(Info, framesInFlight) - 1; }},
    {"structSizeZero", "plan.structSize", [](Info& i, Buckets&) { i.structSize = 0; }},
    {"structSizeInAPointer", "plan.structSize", [](Info& i, Buckets&) { i.structSize = offsetof(Info, streams) + 4; }},
    {"pNext", "plan.pNext",
     [](Info& i, Buckets&) {
       static const SluBufferCreateInfo chained = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
       i.pNext = &chained;
     }},
    {"routeUnknown", "plan.route", [](Info& i, Buckets&) { i.route = static_cast<SluRoute>(6); }},
    {"routeCuda", "plan.route", [](Info& i, Buckets&) { i.route = SLU_ROUTE_CUDA; }, SLU_ERROR_ROUTE_UNAVAILABLE},
    {"routeInline", "plan.route", [](Info& i, Buckets&) { i.route = SLU_ROUTE_INLINE; }, SLU_ERROR_ROUTE_UNAVAILABLE},
    {"routeVulkan", "plan.route", [](Info& i, Buckets&) { i.route = SLU_ROUTE_VULKAN; }, SLU_ERROR_ROUTE_UNAVAILABLE},
    {"routeD3D12", "plan.route", [](Info& i, Buckets&) { i.route = SLU_ROUTE_D3D12; }, SLU_ERROR_ROUTE_UNAVAILABLE},
    {"orderUnknown", "plan.order", [](Info& i, Buckets&) { i.order = static_cast<SluOrder>(2); }},
    {"flagsUnknown", "plan.flags", [](Info& i, Buckets&) { i.flags = 2; }},
    {"inPlaceWithoutRecords", "plan.flags",
     [](Info& i, Buckets&) {
       i.flags = SLU_PLAN_IN_PLACE_BIT;
       i.outputs &= ~SluFlags{SLU_OUTPUT_RECORDS_BIT};
     }},
    {"recordStrideZero", "plan.recordStride", [](Info& i, Buckets&) { i.recordStride = 0; }},
    {"recordStrideOdd", "plan.recordStride", [](Info& i, Buckets&) { i.recordStride = 66; }},
    {"recordStrideLarge", "plan.recordStride", [](Info& i, Buckets&) { i.recordStride = 260; }},
    {"maxRecordCountZero", "plan.maxRecordCount", [](Info& i, Buckets&) { i.maxRecordCount = 0; }},
    {"maxRecordCountLarge", "plan.maxRecordCount", [](Info& i, Buckets&) { i.maxRecordCount = SLU_MAX_RECORDS + 1; }},
    {"framesInFlightLarge", "plan.framesInFlight",
     [](Info& i, Buckets&) { i.framesInFlight = SLU_MAX_FRAMES_IN_FLIGHT + 1; }},
    {"tooManyBufferSets", "plan.bufferSetCount",
     [](Info& i, Buckets&) { i.bufferSetCount = SLU_MAX_BUFFER_SETS + 1; }},
    {"maxViewCountLarge", "plan.maxViewCount", [](Info& i, Buckets&) { i.maxViewCount = SLU_MAX_VIEWS + 1; }},

    {"liveTestUnknown", "plan.live.test", [](Info& i, Buckets&) { i.live.test = static_cast<SluLiveTest>(9); }},
    {"liveOffsetOfAlways", "plan.live.offset", [](Info& i, Buckets&) { i.live = {SLU_LIVE_ALWAYS, 4, 0}; }},
    {"liveOffsetOfFlags", "plan.live.offset", [](Info& i, Buckets&) { i.live = {SLU_LIVE_FLAG_BITS, 4, 0}; }},
    {"liveOffsetOdd", "plan.live.offset", [](Info& i, Buckets&) { i.live = {SLU_LIVE_POSITIVE_INT, 2, 0}; }},
    {"liveOffsetAtEnd", "plan.live.offset", [](Info& i, Buckets&) { i.live = {SLU_LIVE_POSITIVE_FLOAT, 64, 0}; }},
    {"liveOffsetWraps", "plan.live.offset",
     [](Info& i, Buckets&) { i.live = {SLU_LIVE_NON_EMPTY, kMostWords - 3, 4}; }},
    {"liveSizeOfAlways", "plan.live.size", [](Info& i, Buckets&) { i.live = {SLU_LIVE_ALWAYS, 0, 4}; }},
    {"liveSizeOfInt", "plan.live.size", [](Info& i, Buckets&) { i.live = {SLU_LIVE_POSITIVE_INT, 0, 4}; }},
    {"liveSizeOfFlags", "plan.live.size", [](Info& i, Buckets&) { i.live = {SLU_LIVE_FLAG_WORDS, 0, 4}; }},
    {"liveSizeZero", "plan.live.size", [](Info& i, Buckets&) { i.live = {SLU_LIVE_NON_EMPTY, 0, 0}; }},
    {"liveSizeOdd", "plan.live.size", [](Info& i, Buckets&) { i.live = {SLU_LIVE_NON_EMPTY, 0, 6}; }},
    {"liveSizeBeyond", "plan.live.size", [](Info& i, Buckets&) { i.live = {SLU_LIVE_NON_EMPTY, 8, 60}; }},
    {"liveSizeWraps", "plan.live.size", [](Info& i, Buckets&) { i.live = {SLU_LIVE_NON_EMPTY, 8, kMostWords - 3}; }},

    {"secondLiveTestUnknown", "plan.secondLive.test",
     [](Info& i, Buckets&) { i.secondLive.test = static_cast<SluLiveTest>(9); }},
    {"secondLiveAlone", "plan.secondLive.test",
     [](Info& i, Buckets&) {
       i.live = {};
       i.secondLive = {SLU_LIVE_POSITIVE_INT, 0, 0};
     }},
    {"secondLiveOfFlagsToo", "plan.secondLive.test",
     [](Info& i, Buckets&) { i.secondLive = {SLU_LIVE_FLAG_BITS, 0, 0}; }},
    {"secondLiveOfRecordToo", "plan.secondLive.test",
     [](Info& i, Buckets&) {
       i.live = {SLU_LIVE_POSITIVE_INT, 0, 0};
       i.secondLive = {SLU_LIVE_NON_EMPTY, 4, 4};
     }},
    {"secondLiveCustom", "plan.secondLive.test", [](Info& i, Buckets&) { i.secondLive = {SLU_LIVE_CUSTOM, 0, 0}; }},
    {"secondLiveOffsetOdd", "plan.secondLive.offset",
     [](Info& i, Buckets&) { i.secondLive = {SLU_LIVE_POSITIVE_INT, 2, 0}; }},
    {"secondLiveOffsetAtEnd", "plan.secondLive.offset",
     [](Info& i, Buckets&) { i.secondLive = {SLU_LIVE_POSITIVE_INT, 64, 0}; }},
    {"secondLiveOffsetOfNone", "plan.secondLive.offset", [](Info& i, Buckets&) { i.secondLive.offset = 4; }},
    {"secondLiveSizeZero", "plan.secondLive.size",
     [](Info& i, Buckets&) { i.secondLive = {SLU_LIVE_NON_EMPTY, 0, 0}; }},
    {"secondLiveSizeOfInt", "plan.secondLive.size",
     [](Info& i, Buckets&) { i.secondLive = {SLU_LIVE_POSITIVE_INT, 0, 4}; }},
    {"maskOffsetAtEnd", "plan.live.offset",
     [](Info& i, Buckets&) {
       i.live = {SLU_LIVE_MASK_EQUAL, 64, 0};
       i.liveMask = 1;
     }},
    {"maskZero", "plan.liveMask", [](Info& i, Buckets&) { i.live = {SLU_LIVE_MASK_EQUAL, 0, 0}; }},
    {"maskZeroOfSecond", "plan.liveMask", [](Info& i, Buckets&) { i.secondLive = {SLU_LIVE_MASK_EQUAL, 0, 0}; }},
    {"maskOfOtherTest", "plan.liveMask", [](Info& i, Buckets&) { i.liveMask = 1; }},
    {"valueOfOtherTest", "plan.liveValue", [](Info& i, Buckets&) { i.liveValue = 1; }},
    {"valueOutsideMask", "plan.liveValue",
     [](Info& i, Buckets&) {
       i.live = {SLU_LIVE_MASK_EQUAL, 0, 0};
       i.liveMask = 0xff;
       i.liveValue = 0x101;
     }},

    {"mirroredWithoutTests", "plan.flags",
     [](Info& i, Buckets& b) {
       simplify(i, b);
       dropBounds(i);
       i.flags = SLU_PLAN_SPLIT_MIRRORED_BIT;
     }},
    {"mirroredWithoutScale", "plan.flags",
     [](Info& i, Buckets&) {
       i.flags = SLU_PLAN_SPLIT_MIRRORED_BIT;
       i.bounds.transformFlags ^= SLU_TRANSFORM_SCALE_BIT;
       i.bounds.scaleOffset = 0;
     }},
    {"mirroredWithoutBuckets", "plan.bucketCount", [](Info& i, Buckets&) { i.flags = SLU_PLAN_SPLIT_MIRRORED_BIT; }},
    {"mirroredKeysMany", "plan.key.keyCount",
     [](Info& i, Buckets&) {
       i.flags = SLU_PLAN_SPLIT_MIRRORED_BIT;
       i.key.keyCount = SLU_MAX_BUCKETS / i.key.lodCount / 2 + 1;
     }},
    {"cullFlagsUnknown", "plan.cullFlags", [](Info& i, Buckets&) { i.cullFlags = 128; }},
    {"conesOffsetOfNone", "plan.cones.offset", [](Info& i, Buckets&) { i.cones.offset = 4; }},
    {"conesFlagsOfNone", "plan.cones.flags", [](Info& i, Buckets&) { i.cones.flags = SLU_CONE_FIXED_FRONT_FACE_BIT; }},
    {"conesFlagsUnknown", "plan.cones.flags",
     [](Info& i, Buckets&) {
       i.cullFlags |= SLU_CULL_CONE_BIT;
       i.cones.flags = 2;
     }},
    {"conesOffsetOdd", "plan.cones.offset",
     [](Info& i, Buckets&) {
       i.cullFlags |= SLU_CULL_CONE_BIT;
       i.cones.offset = 2;
     }},
    {"conesBehindTheRecord", "plan.cones.offset",
     [](Info& i, Buckets&) {
       i.cullFlags |= SLU_CULL_CONE_BIT;
       i.bounds.source = SLU_BOUNDS_IN_RECORD;
       i.bounds.offset = 0;
       i.bounds.stride = 0;
       i.cones.offset = i.recordStride - 12;
     }},
    {"conesOfBoxes", "plan.bounds.shape",
     [](Info& i, Buckets&) {
       i.cullFlags |= SLU_CULL_CONE_BIT;
       i.bounds.source = SLU_BOUNDS_IN_RECORD;
       i.bounds.shape = SLU_SHAPE_BOX;
       i.bounds.offset = 0;
       i.bounds.stride = 0;
     }},
    {"morePlanesWithoutFrustum", "plan.cullFlags",
     [](Info& i, Buckets&) { i.cullFlags = SLU_CULL_DISTANCE_BIT | SLU_CULL_MORE_PLANES_BIT; }},
    {"neverOccludeWithoutOcclusion", "plan.layers.neverOccludeMask",
     [](Info& i, Buckets&) { i.layers.neverOccludeMask = 1; }},
    {"neverOccludeOffsetAtEnd", "plan.layers.offset",
     [](Info& i, Buckets&) {
       i.cullFlags |= SLU_CULL_OCCLUSION_BIT;
       i.layers.neverOccludeMask = 1;
       i.layers.offset = 64;
     }},
    {"occlusionWithoutMasks", "plan.layers.offset",
     [](Info& i, Buckets&) {
       i.cullFlags |= SLU_CULL_OCCLUSION_BIT;
       i.layers.offset = 4;
     }},
    {"lodStatesOfOcclusion", "plan.lod.flags",
     [](Info& i, Buckets&) {
       i.cullFlags |= SLU_CULL_OCCLUSION_BIT;
       i.lod.flags = SLU_LOD_STATES_BIT;
     }},
    {"layersOffsetOfNone", "plan.layers.offset", [](Info& i, Buckets&) { i.layers.offset = 4; }},
    {"layersStrideOfNone", "plan.layers.stride", [](Info& i, Buckets&) { i.layers.stride = 4; }},
    {"layersOffsetOdd", "plan.layers.offset", [](Info& i, Buckets&) { setLayers(i, 0, 6); }},
    {"layersOffsetAtEnd", "plan.layers.offset", [](Info& i, Buckets&) { setLayers(i, 0, 64); }},
    {"layersOffsetLarge", "plan.layers.offset", [](Info& i, Buckets&) { setLayers(i, 0, 0xfffffffcu); }},
    {"layersOffsetOddInStream", "plan.layers.offset", [](Info& i, Buckets&) { setLayers(i, 8, 2); }},
    {"layersOffsetBeyondStride", "plan.layers.offset", [](Info& i, Buckets&) { setLayers(i, 8, 8); }},
    {"layersOffsetWraps", "plan.layers.offset", [](Info& i, Buckets&) { setLayers(i, 8, 0xfffffffcu); }},
    {"marksWithoutBounds", "plan.layers.neverCullMask",
     [](Info& i, Buckets& b) {
       simplify(i, b);
       dropBounds(i);
       i.layers.neverCullMask = 1;
     }},
    {"marksWithLayersAlone", "plan.layers.neverCullMask",
     [](Info& i, Buckets& b) {
       simplify(i, b);
       dropBounds(i);
       setLayers(i, 0, 4);
       i.layers.neverCullMask = 1;
     }},
    {"marksBeyondTheRecord", "plan.layers.offset", [](Info& i, Buckets&) { i.layers = {0, 64, 1, 0}; }},
    {"layersStrideOdd", "plan.layers.stride", [](Info& i, Buckets&) { setLayers(i, 10, 0); }},
    {"indicesUnknown", "plan.indices.streams", [](Info& i, Buckets&) { i.indices.streams = 8; }},
    {"indicesOfNone", "plan.indices.boundsOffset", [](Info& i, Buckets&) { i.indices.boundsOffset = 4; }},
    {"indicesOfOtherStream", "plan.indices.transformOffset",
     [](Info& i, Buckets&) {
       i.indices = {SLU_INDEXED_BOUNDS_BIT, 0, 4, 0};
     }},
    {"indicesOfNoLayers", "plan.indices.layersOffset", [](Info& i, Buckets&) { i.indices.layersOffset = 4; }},
    {"indexedBoundsInRecord", "plan.indices.streams",
     [](Info& i, Buckets&) {
       i.bounds.source = SLU_BOUNDS_IN_RECORD;
       i.bounds.stride = 0;
       i.indices.streams = SLU_INDEXED_BOUNDS_BIT;
     }},
    {"indexedBoundsPerKey", "plan.indices.streams",
     [](Info& i, Buckets&) {
       i.bounds.source = SLU_BOUNDS_PER_KEY;
       i.indices.streams = SLU_INDEXED_BOUNDS_BIT;
     }},
    {"indexedConstantBounds", "plan.indices.streams",
     [](Info& i, Buckets&) {
       i.bounds.source = SLU_BOUNDS_CONSTANT;
       i.bounds.stride = 0;
       i.indices.streams = SLU_INDEXED_BOUNDS_BIT;
     }},
    {"indexedTransformsInRecord", "plan.indices.streams",
     [](Info& i, Buckets&) { i.indices.streams = SLU_INDEXED_TRANSFORMS_BIT; }},
    {"indexedLayersInRecord", "plan.indices.streams",
     [](Info& i, Buckets&) {
       setLayers(i, 0, 4);
       i.indices.streams = SLU_INDEXED_LAYERS_BIT;
     }},
    {"boundsIndexOdd", "plan.indices.boundsOffset",
     [](Info& i, Buckets&) {
       i.indices = {SLU_INDEXED_BOUNDS_BIT, 6, 0, 0};
     }},
    {"boundsIndexAtEnd", "plan.indices.boundsOffset",
     [](Info& i, Buckets&) {
       i.indices = {SLU_INDEXED_BOUNDS_BIT, 64, 0, 0};
     }},
    {"transformIndexWraps", "plan.indices.transformOffset",
     [](Info& i, Buckets&) {
       i.bounds.transformStride = 36;
       i.indices = {SLU_INDEXED_TRANSFORMS_BIT, 0, 0xfffffffcu, 0};
     }},
    {"layersIndexAtEnd", "plan.indices.layersOffset",
     [](Info& i, Buckets&) {
       setLayers(i, 8, 4);
       i.indices = {SLU_INDEXED_LAYERS_BIT, 0, 0, 64};
     }},
    {"boundsSourceUnknown", "plan.bounds.source",
     [](Info& i, Buckets&) { i.bounds.source = static_cast<SluBoundsSource>(6); }},
    {"cullWithoutBounds", "plan.bounds.source",
     [](Info& i, Buckets&) {
       i.bounds = {};
       i.key.lodCount = 0;
     }},
    {"lodWithoutBounds", "plan.bounds.source", [](Info& i, Buckets&) { dropBounds(i); }},
    {"boundsOffsetOdd", "plan.bounds.offset", [](Info& i, Buckets&) { i.bounds.offset = 6; }},
    {"boundsOffsetInRecord", "plan.bounds.offset",
     [](Info& i, Buckets&) {
       i.bounds.source = SLU_BOUNDS_IN_RECORD;
       i.bounds.stride = 0;
       i.bounds.offset = 52;
     }},
    {"boundsOffsetOfNone", "plan.bounds.offset",
     [](Info& i, Buckets& b) {
       simplify(i, b);
       dropBounds(i);
       i.bounds.offset = 4;
     }},
    {"boundsStrideOfNone", "plan.bounds.stride",
     [](Info& i, Buckets& b) {
       simplify(i, b);
       dropBounds(i);
       i.bounds.stride = 16;
     }},
    {"boundsStrideInRecord", "plan.bounds.stride",
     [](Info& i, Buckets&) { i.bounds.source = SLU_BOUNDS_IN_RECORD; }},
    {"boundsStrideConstant", "plan.bounds.stride", [](Info& i, Buckets&) { i.bounds.source = SLU_BOUNDS_CONSTANT; }},
    {"boundsOffsetConstant", "plan.bounds.offset",
     [](Info& i, Buckets&) {
       i.bounds.source = SLU_BOUNDS_CONSTANT;
       i.bounds.stride = 0;
       i.bounds.offset = 6;
     }},
    {"boundsStrideOdd", "plan.bounds.stride", [](Info& i, Buckets&) { i.bounds.stride = 26; }},
    {"boundsStrideSmall", "plan.bounds.stride", [](Info& i, Buckets&) { i.bounds.stride = 16; }},
    {"boundsStridePerKey", "plan.bounds.stride",
     [](Info& i, Buckets&) {
       i.bounds.source = SLU_BOUNDS_PER_KEY;
       i.bounds.stride = 0;
     }},
    {"boundsStrideWraps", "plan.bounds.stride", [](Info& i, Buckets&) { i.bounds.offset = kMostWords - 7; }},
    {"transformFlagsUnknown", "plan.bounds.transformFlags", [](Info& i, Buckets&) { i.bounds.transformFlags |= 32; }},
    {"transformFlagsOfNone", "plan.bounds.transformFlags",
     [](Info& i, Buckets& b) {
       simplify(i, b);
       dropBounds(i);
       i.bounds.transformFlags = SLU_TRANSFORM_SCALE_BIT;
     }},
    {"positionOffsetOdd", "plan.bounds.positionOffset", [](Info& i, Buckets&) { i.bounds.positionOffset = 5; }},
    {"positionOffsetBeyond", "plan.bounds.positionOffset", [](Info& i, Buckets&) { i.bounds.positionOffset = 56; }},
    {"positionOffsetUnused", "plan.bounds.positionOffset",
     [](Info& i, Buckets&) { i.bounds.transformFlags &= ~SluFlags{SLU_TRANSFORM_POSITION_BIT}; }},
    {"scaleOffsetOdd", "plan.bounds.scaleOffset", [](Info& i, Buckets&) { i.bounds.scaleOffset = 17; }},
    {"scaleOffsetBeyond", "plan.bounds.scaleOffset", [](Info& i, Buckets&) { i.bounds.scaleOffset = 64; }},
    {"scaleOffsetUnused", "plan.bounds.scaleOffset",
     [](Info& i, Buckets&) { i.bounds.transformFlags &= ~SluFlags{SLU_TRANSFORM_SCALE_BIT}; }},
    {"rotationOffsetOdd", "plan.bounds.rotationOffset", [](Info& i, Buckets&) { i.bounds.rotationOffset = 21; }},
    {"rotationOffsetBeyond", "plan.bounds.rotationOffset", [](Info& i, Buckets&) { i.bounds.rotationOffset = 52; }},
    {"rotationOffsetUnused", "plan.bounds.rotationOffset",
     [](Info& i, Buckets&) { i.bounds.transformFlags &= ~SluFlags{SLU_TRANSFORM_ROTATION_BIT}; }},

    {"shapeUnknown", "plan.bounds.shape",
     [](Info& i, Buckets&) { i.bounds.shape = static_cast<SluBoundsShape>(5); }},
    {"shapeOfNone", "plan.bounds.shape",
     [](Info& i, Buckets& b) {
       simplify(i, b);
       dropBounds(i);
       i.bounds.shape = SLU_SHAPE_BOX;
     }},
    {"boxOffsetInRecord", "plan.bounds.offset",
     [](Info& i, Buckets&) {
       i.bounds.source = SLU_BOUNDS_IN_RECORD;
       i.bounds.shape = SLU_SHAPE_BOX;
       i.bounds.stride = 0;
       i.bounds.offset = 44;
     }},
    {"boxStrideSmall", "plan.bounds.stride", [](Info& i, Buckets&) { i.bounds.shape = SLU_SHAPE_BOX; }},
    {"cornersStrideSmall", "plan.bounds.stride", [](Info& i, Buckets&) { i.bounds.shape = SLU_SHAPE_CORNERS; }},
    {"boxVec4StrideSmall", "plan.bounds.stride",
     [](Info& i, Buckets&) { i.bounds.shape = SLU_SHAPE_BOX_VEC4, i.bounds.offset = 0, i.bounds.stride = 28; }},
    {"bothScales", "plan.bounds.transformFlags",
     [](Info& i, Buckets&) { i.bounds.transformFlags |= SLU_TRANSFORM_AXIS_SCALE_BIT; }},
    {"matrixAndOthers", "plan.bounds.transformFlags",
     [](Info& i, Buckets&) { i.bounds.transformFlags |= SLU_TRANSFORM_MATRIX_BIT; }},
    {"matrixAndOneOther", "plan.bounds.transformFlags",
     [](Info& i, Buckets&) {
       setMatrix(i, SLU_MATRIX_ROWS);
       i.bounds.transformFlags |= SLU_TRANSFORM_AXIS_SCALE_BIT;
     }},
    {"axisScaleOffsetBeyond", "plan.bounds.scaleOffset",
     [](Info& i, Buckets&) {
       i.bounds.transformFlags ^= SLU_TRANSFORM_SCALE_BIT | SLU_TRANSFORM_AXIS_SCALE_BIT;
       i.bounds.scaleOffset = 56;
     }},
    {"matrixFormUnknown", "plan.bounds.matrixForm",
     [](Info& i, Buckets&) { setMatrix(i, static_cast<SluMatrixForm>(3)); }},
    {"matrixFormUnused", "plan.bounds.matrixForm",
     [](Info& i, Buckets&) { i.bounds.matrixForm = SLU_MATRIX_COLUMNS_3X4; }},
    {"matrixOffsetOdd", "plan.bounds.matrixOffset",
     [](Info& i, Buckets&) {
       setMatrix(i, SLU_MATRIX_ROWS);
       i.bounds.matrixOffset = 2;
     }},
    {"matrixOffsetBeyond", "plan.bounds.matrixOffset",
     [](Info& i, Buckets&) {
       setMatrix(i, SLU_MATRIX_COLUMNS_3X4);
       i.bounds.matrixOffset = 20;
     }},
    {"matrix4x4OffsetBeyond", "plan.bounds.matrixOffset",
     [](Info& i, Buckets&) {
       setMatrix(i, SLU_MATRIX_COLUMNS_4X4);
       i.bounds.matrixOffset = 4;
     }},
    {"matrixOffsetUnused", "plan.bounds.matrixOffset", [](Info& i, Buckets&) { i.bounds.matrixOffset = 4; }},
    {"transformStrideOfNothing", "plan.bounds.transformStride",
     [](Info& i, Buckets&) {
       setMatrix(i, SLU_MATRIX_ROWS);
       i.bounds.transformFlags = 0;
       i.bounds.transformStride = 48;
     }},
    {"transformStrideOdd", "plan.bounds.transformStride", [](Info& i, Buckets&) { i.bounds.transformStride = 38; }},
    {"transformStrideSmall", "plan.bounds.rotationOffset", [](Info& i, Buckets&) { i.bounds.transformStride = 32; }},
    {"transformStrideSmallForMatrix", "plan.bounds.matrixOffset",
     [](Info& i, Buckets&) {
       setMatrix(i, SLU_MATRIX_COLUMNS_4X4);
       i.bounds.transformStride = 60;
     }},
    {"positionOffsetOddInStream", "plan.bounds.positionOffset",
     [](Info& i, Buckets&) {
       i.bounds.transformStride = 256;
       i.bounds.positionOffset = 66;
     }},
    {"positionOffsetWrapsInStream", "plan.bounds.positionOffset",
     [](Info& i, Buckets&) {
       i.bounds.transformStride = 256;
       i.bounds.positionOffset = kMostWords - 3;
     }},
    {"scaleOffsetUnusedInStream", "plan.bounds.scaleOffset",
     [](Info& i, Buckets&) {
       i.bounds.transformStride = 256;
       i.bounds.transformFlags &= ~SluFlags{SLU_TRANSFORM_SCALE_BIT};
     }},

    {"keyOffsetOdd", "plan.key.offset", [](Info& i, Buckets&) { i.key.offset = 1; }},
    {"keyOffsetBeyond", "plan.key.offset", [](Info& i, Buckets&) { i.key.offset = 64; }},
    {"keyShift", "plan.key.shift", [](Info& i, Buckets&) { i.key.shift = 32; }},
    {"keyBits", "plan.key.bits", [](Info& i, Buckets&) { i.key.bits = 30; }},
    {"keyBitsWrap", "plan.key.bits", [](Info& i, Buckets&) { i.key.bits = kMostWords; }},
    {"lodCount", "plan.key.lodCount", [](Info& i, Buckets&) { i.key.lodCount = SLU_MAX_LODS + 1; }},
    {"keyCount", "plan.key.keyCount", [](Info& i, Buckets&) { i.key.keyCount = SLU_MAX_BUCKETS / 3 + 1; }},
    {"keyCountWraps", "plan.key.keyCount", [](Info& i, Buckets&) { i.key.keyCount = 0x55555556u; }},

    {"boundsInMeshWithoutTable", "plan.bounds.source", [](Info& i, Buckets&) { setBoundsInMesh(i, 0); }},
    {"boundsInMeshOffsetOdd", "plan.bounds.offset",
     [](Info& i, Buckets& b) {
       setMeshes(i, b);
       setBoundsInMesh(i, 2);
     }},
    {"boundsInMeshOffsetBeyond", "plan.bounds.offset",
     [](Info& i, Buckets& b) {
       setMeshes(i, b);
       setBoundsInMesh(i, 52);
     }},
    {"boundsInMeshOffsetWraps", "plan.bounds.offset",
     [](Info& i, Buckets& b) {
       setMeshes(i, b);
       setBoundsInMesh(i, kMostWords - 3);
     }},
    {"boxInMeshOffsetBeyond", "plan.bounds.offset",
     [](Info& i, Buckets& b) {
       setMeshes(i, b);
       setBoundsInMesh(i, 44);
       i.bounds.shape = SLU_SHAPE_BOX;
     }},
    {"boundsInMeshStride", "plan.bounds.stride",
     [](Info& i, Buckets& b) {
       setMeshes(i, b);
       setBoundsInMesh(i, 0);
       i.bounds.stride = 64;
     }},

    {"lodRuleUnknown", "plan.lod.rule", [](Info& i, Buckets&) { i.lod.rule = static_cast<SluLodRule>(3); }},
    {"lodRuleWithoutTable", "plan.lod.rule", [](Info& i, Buckets&) { i.lod.rule = SLU_LOD_MESH_DISTANCES; }},
    {"lodRuleWithoutLods", "plan.lod.rule",
     [](Info& i, Buckets& b) {
       setPlainMeshes(i, b);
       i.lod.rule = SLU_LOD_MESH_ERRORS;
     }},
    {"lodFlagsUnknown", "plan.lod.flags", [](Info& i, Buckets&) { i.lod.flags = 4; }},
    {"lodFlagsWithoutLods", "plan.lod.flags",
     [](Info& i, Buckets& b) {
       simplify(i, b);
       i.lod.flags = SLU_LOD_NEAR_SIDE_BIT;
     }},
    {"lodStatesWithoutLods", "plan.lod.flags",
     [](Info& i, Buckets& b) {
       setPlainMeshes(i, b);
       i.lod.flags = SLU_LOD_STATES_BIT;
     }},

    {"meshStrideOdd", "plan.meshes.stride",
     [](Info& i, Buckets& b) {
       setMeshes(i, b);
       i.meshes.stride = 66;
     }},
    {"meshLodStrideOdd", "plan.meshes.lodStride",
     [](Info& i, Buckets& b) {
       setMeshes(i, b);
       i.meshes.lodStride = 6;
     }},
    {"meshPartsOfNone", "plan.meshes.parts", [](Info& i, Buckets&) { i.meshes.parts = SLU_MESH_LOD_COUNT_BIT; }},
    {"meshLodStrideOfNone", "plan.meshes.lodStride", [](Info& i, Buckets&) { i.meshes.lodStride = 4; }},
    {"meshLodCountOffsetOfNone", "plan.meshes.lodCountOffset", [](Info& i, Buckets&) { i.meshes.lodCountOffset = 4; }},
    {"meshLodMaskOffsetOfNone", "plan.meshes.lodMaskOffset", [](Info& i, Buckets&) { i.meshes.lodMaskOffset = 4; }},
    {"meshElementCountOffsetOfNone", "plan.meshes.elementCountOffset",
     [](Info& i, Buckets&) { i.meshes.elementCountOffset = 4; }},
    {"meshFirstElementOffsetOfNone", "plan.meshes.firstElementOffset",
     [](Info& i, Buckets&) { i.meshes.firstElementOffset = 4; }},
    {"meshVertexOffsetOffsetOfNone", "plan.meshes.vertexOffsetOffset",
     [](Info& i, Buckets&) { i.meshes.vertexOffsetOffset = 4; }},
    {"meshThresholdOffsetOfNone", "plan.meshes.thresholdOffset",
     [](Info& i, Buckets&) { i.meshes.thresholdOffset = 4; }},
    {"meshPartsUnknown", "plan.meshes.parts",
     [](Info& i, Buckets& b) {
       setMeshes(i, b);
       i.meshes.parts |= 32;
     }},
    {"meshBothVertexOffsets", "plan.meshes.parts",
     [](Info& i, Buckets& b) {
       setMeshes(i, b);
       i.meshes.parts |= SLU_MESH_VERTEX_OFFSET_BIT;
     }},
    {"meshVertexOffsetsOfInstances", "plan.meshes.parts",
     [](Info& i, Buckets& b) {
       setMeshes(i, b);
       i.draws.type = SLU_DRAW_INSTANCES;
     }},
    {"meshVertexOffsetWithoutDraws", "plan.meshes.parts",
     [](Info& i, Buckets& b) {
       setPlainMeshes(i, b);
       i.meshes.parts = SLU_MESH_VERTEX_OFFSET_BIT;
     }},
    {"meshFirstElementWithoutDraws", "plan.meshes.parts",
     [](Info& i, Buckets& b) {
       setPlainMeshes(i, b);
       i.meshes.parts = SLU_MESH_FIRST_ELEMENT_BIT;
     }},
    {"meshesWithoutBuckets", "plan.bucketCount",
     [](Info& i, Buckets& b) {
       simplify(i, b);
       i.meshes.stride = 4;
     }},
    {"meshesOfVertices", "plan.draws.type",
     [](Info& i, Buckets& b) {
       setMeshes(i, b);
       i.meshes.parts = 0;
       i.draws.type = SLU_DRAW_VERTICES;
     }},
    {"groupsOfMeshesAndBuckets", "plan.groups.ofBuckets",
     [](Info& i, Buckets& b) {
       setMeshes(i, b);
       i.groups.count = 4;
       i.groups.ofBuckets = kGroups;
     }},
    {"groupOffsetBeyondMesh", "plan.groups.meshOffset",
     [](Info& i, Buckets& b) {
       setMeshes(i, b);
       i.groups.count = 4;
       i.groups.meshOffset = i.meshes.stride;
     }},
    {"groupMirroredWithout", "plan.groups.mirroredOffset",
     [](Info& i, Buckets& b) {
       setMeshes(i, b);
       i.groups.count = 4;
       i.groups.mirroredOffset = 1;
     }},
    {"meshesOfWorkgroups", "plan.draws.type",
     [](Info& i, Buckets& b) {
       setMeshes(i, b);
       i.meshes.parts = 0;
       i.draws.type = SLU_DRAW_WORKGROUPS;
     }},
    {"meshLodCountOffsetUnused", "plan.meshes.lodCountOffset",
     [](Info& i, Buckets& b) {
       setMeshes(i, b);
       i.meshes.parts &= ~SluFlags{SLU_MESH_LOD_COUNT_BIT};
       i.meshes.lodCountOffset = 8;
     }},
    {"meshLodMaskOffsetUnused", "plan.meshes.lodMaskOffset",
     [](Info& i, Buckets& b) {
       setMeshes(i, b);
       i.meshes.parts &= ~SluFlags{SLU_MESH_LOD_MASK_BIT};
     }},
    {"meshElementCountOffsetUnused", "plan.meshes.elementCountOffset",
     [](Info& i, Buckets& b) {
       setPlainMeshes(i, b);
       i.meshes.stride = 64;
       i.meshes.elementCountOffset = 4;
     }},
    {"meshFirstElementOffsetUnused", "plan.meshes.firstElementOffset",
     [](Info& i, Buckets& b) {
       setMeshes(i, b);
       i.meshes.parts &= ~SluFlags{SLU_MESH_FIRST_ELEMENT_BIT};
     }},
    {"meshVertexOffsetOffsetUnused", "plan.meshes.vertexOffsetOffset",
     [](Info& i, Buckets& b) {
       setMeshes(i, b);
       i.meshes.parts &= ~SluFlags{SLU_MESH_LOD_VERTEX_OFFSET_BIT};
     }},
    {"meshThresholdOffsetUnused", "plan.meshes.thresholdOffset",
     [](Info& i, Buckets& b) {
       setMeshes(i, b);
       i.lod.rule = SLU_LOD_VIEW_DISTANCES;
     }},
    {"meshLodMaskOffsetOdd", "plan.meshes.lodMaskOffset",
     [](Info& i, Buckets& b) {
       setMeshes(i, b);
       i.meshes.lodMaskOffset = 5;
     }},
    {"meshLodCountOffsetBeyond", "plan.meshes.lodCountOffset",
     [](Info& i, Buckets& b) {
       setMeshes(i, b);
       i.meshes.lodCountOffset = 64;
     }},
    {"meshThresholdOffsetOdd", "plan.meshes.thresholdOffset",
     [](Info& i, Buckets& b) {
       setMeshes(i, b);
       i.meshes.thresholdOffset = 30;
     }},
    {"meshThresholdOffsetBeyond", "plan.meshes.thresholdOffset",
     [](Info& i, Buckets& b) {
       setMeshes(i, b);
       i.meshes.thresholdOffset = 32;  // LOD 2's ends at 68
     }},
    {"meshElementCountOffsetWraps", "plan.meshes.elementCountOffset",
     [](Info& i, Buckets& b) {
       setMeshes(i, b);
       i.meshes.elementCountOffset = kMostWords - 3;
     }},
    {"meshLodStrideWraps", "plan.meshes.elementCountOffset",
     [](Info& i, Buckets& b) {
       setMeshes(i, b);
       i.meshes.lodStride = 0x80000000u;
     }},
    {"templateOfATable", "plan.buckets[2].draw",
     [](Info& i, Buckets& b) {
       setMeshes(i, b);
       b[2].draw.elementCount = 36;
     }},
    {"firstInstanceOfATable", "plan.buckets[5].draw",
     [](Info& i, Buckets& b) {
       setMeshes(i, b);
       b[5].draw.firstInstance = 1;
     }},
    {"vertexOffsetOfATable", "plan.buckets[0].draw",
     [](Info& i, Buckets& b) {
       setMeshes(i, b);
       b[0].draw.vertexOffset = -1;
     }},

    {"placementUnknown", "plan.placement", [](Info& i, Buckets&) { i.placement = static_cast<SluPlacement>(3); }},
    {"capacityOfReserved", "plan.capacity", [](Info& i, Buckets&) { i.capacity = 1; }},
    {"capacityOfAPackedBucket", "plan.buckets[4].capacity",
     [](Info& i, Buckets& b) {
       pack(i, b, 24);
       b[4].capacity = 1;
     }},
    {"packedBucketsFew", "plan.bucketCount",
     [](Info& i, Buckets& b) {
       pack(i, b, 24);
       i.bucketCount = 5;
     }},
    {"packedDrawsWithoutTemplates", "plan.bucketCount",
     [](Info& i, Buckets& b) {
       pack(i, b, 24);
       i.bucketCount = 0;
     }},
    {"packedCapacityTimesViews", "plan.capacity", [](Info& i, Buckets& b) { pack(i, b, 0x80000000u); }},
    {"maxRecordCountOfPacked", "plan.maxRecordCount",
     [](Info& i, Buckets& b) {
       pack(i, b, 0);
       i.maxRecordCount = 0x80000000u;
     }},
    {"elementCountTimesPackedCapacity", "plan.buckets[0].draw.elementCount",
     [](Info& i, Buckets& b) {
       setDraws(i, b, SLU_DRAW_VERTICES);
       pack(i, b, 0x10000u);
       i.maxViewCount = 1;
       b[0].draw.elementCount = 0x10000u;
     }},
    {"packedFirstElementWraps", "plan.buckets[1].draw.firstElement",
     [](Info& i, Buckets& b) {
       setDraws(i, b, SLU_DRAW_VERTICES);
       pack(i, b, 24);
       b[1].draw.firstElement = kMostWords - 48 * 3 + 1;  // the last view's bucket 1 begins at output 48 at most
     }},
    {"packedFirstInstanceWraps", "plan.buckets[5].draw.firstInstance",
     [](Info& i, Buckets& b) {
       pack(i, b, 24);
       b[5].draw.firstInstance = kMostWords - 48 + 1;
     }},
    {"firstInstanceOfTheFirstPackedBucketWraps", "plan.buckets[0].draw.firstInstance",
     [](Info& i, Buckets& b) {
       pack(i, b, 24);
       b[0].draw.firstInstance = kMostWords - 24 + 1;
     }},

    {"bucketCountFew", "plan.bucketCount", [](Info& i, Buckets&) { i.bucketCount = 5; }},
    {"bucketCountMany", "plan.bucketCount",
     [](Info& i, Buckets& b) {
       b.resize(7);
       i.bucketCount = 7;
     }},
    {"bucketCountZeroOfSix", "plan.bucketCount", [](Info& i, Buckets&) { i.bucketCount = 0; }},
    {"bucketCountZeroWithDraws", "plan.bucketCount",
     [](Info& i, Buckets&) {
       i.key = {};
       i.bucketCount = 0;
     }},
    {"bucketStrideOdd", "plan.bucketStride", [](Info& i, Buckets&) { i.bucketStride = 26; }},
    {"bucketStrideSmall", "plan.bucketStride", [](Info& i, Buckets&) { i.bucketStride = 20; }},
    {"bucketsNull", "plan.buckets", [](Info&, Buckets& b) { b = {}; }},
    {"capacitiesLarge", "plan.buckets",
     [](Info& i, Buckets& b) {
       i.maxViewCount = 1;
       b[0].capacity = b[5].capacity = 0x80000000u;
     }},
    {"capacitiesTimesViews", "plan.buckets", [](Info&, Buckets& b) { b[0].capacity = 0x80000000u - 20; }},
    {"capacityOfMaxRecordCount", "plan.maxRecordCount",
     [](Info& i, Buckets& b) {
       simplify(i, b);
       i.maxRecordCount = 0x80000000u;
     }},

    {"outputsNone", "plan.outputs",
     [](Info& i, Buckets&) {
       i.outputs = 0;
       i.draws = {};
     }},
    {"outputsUnknown", "plan.outputs", [](Info& i, Buckets&) { i.outputs |= 256; }},
    {"rejectReasonsWithoutList", "plan.rejects.reasons", [](Info& i, Buckets&) { i.rejects.reasons = 1; }},
    {"rejectCapacityWithoutList", "plan.rejects.capacity", [](Info& i, Buckets&) { i.rejects.capacity = 1; }},
    {"rejectReasonUnknown", "plan.rejects.reasons",
     [](Info& i, Buckets&) {
       i.outputs |= SLU_OUTPUT_REJECTS_BIT;
       i.rejects.reasons = 1u << SLU_REJECT_COUNT;
     }},
    {"rejectCapacityLarge", "plan.rejects.capacity",
     [](Info& i, Buckets&) {
       i.outputs |= SLU_OUTPUT_REJECT_COUNTS_BIT;
       i.rejects.capacity = 0x80000000u;
     }},
    {"rejectsOfTooManyRecords", "plan.maxRecordCount",
     [](Info& i, Buckets&) {
       i.outputs |= SLU_OUTPUT_REJECTS_BIT;
       i.maxRecordCount = SLU_MAX_RECORDS;
     }},
    {"drawTypeUnknown", "plan.draws.type", [](Info& i, Buckets&) { i.draws.type = static_cast<SluDrawType>(5); }},
    {"drawTypeMissing", "plan.draws.type", [](Info& i, Buckets&) { i.draws = {}; }},
    {"drawTypeMissingForCounts", "plan.draws.type",
     [](Info& i, Buckets&) {
       i.outputs = SLU_OUTPUT_DRAW_COUNTS_BIT;
       i.draws = {};
     }},
    {"drawTypeWithoutOutput", "plan.draws.type", [](Info& i, Buckets&) { i.outputs = SLU_OUTPUT_INDICES_BIT; }},
    {"drawStrideWithoutType", "plan.draws.stride",
     [](Info& i, Buckets& b) {
       simplify(i, b);
       i.draws.stride = 20;
     }},
    {"drawFlagsWithoutType", "plan.draws.flags",
     [](Info& i, Buckets& b) {
       simplify(i, b);
       i.draws.flags = SLU_DRAWS_SKIP_EMPTY_BIT;
     }},
    {"drawFrontTwice", "plan.draws.flags",
     [](Info& i, Buckets&) {
       i.draws.flags = SLU_DRAWS_FIRST_IN_FRONT_BIT | SLU_DRAWS_BUCKET_IN_FRONT_BIT;
     }},
    {"drawFlagsUnknown", "plan.draws.flags", [](Info& i, Buckets&) { i.draws.flags = 64; }},
    {"drawStrideWithoutFront", "plan.draws.stride",
     [](Info& i, Buckets&) {
       i.draws.stride = 20;
       i.draws.flags = SLU_DRAWS_NUMBER_IN_FRONT_BIT;
     }},
    {"drawStrideSmallIndexed", "plan.draws.stride", [](Info& i, Buckets&) { i.draws.stride = 16; }},
    {"drawStrideSmall", "plan.draws.stride",
     [](Info& i, Buckets& b) {
       setDraws(i, b, SLU_DRAW_INSTANCES);
       i.draws.stride = 12;
     }},
    {"drawStrideOdd", "plan.draws.stride", [](Info& i, Buckets&) { i.draws.stride = 22; }},
    {"elementCountOfVertices", "plan.buckets[2].draw.elementCount",
     [](Info& i, Buckets& b) {
       setDraws(i, b, SLU_DRAW_VERTICES);
       b[2].draw.elementCount = 0;
     }},
    {"elementCountTimesCapacity", "plan.buckets[1].draw.elementCount",
     [](Info& i, Buckets& b) {
       setDraws(i, b, SLU_DRAW_VERTICES);
       b[0].capacity = b[2].capacity = b[3].capacity = b[4].capacity = b[5].capacity = 0;
       i.maxViewCount = 1;
       b[1] = {0x10000u, {0x10000u, 1, 0, 0, 0}};
     }},
    {"instanceCountOfInstances", "plan.buckets[3].draw.instanceCount",
     [](Info& i, Buckets& b) {
       setDraws(i, b, SLU_DRAW_INSTANCES);
       b[3].draw.instanceCount = 1;
     }},
    {"instanceCountOfIndexed", "plan.buckets[0].draw.instanceCount",
     [](Info&, Buckets& b) { b[0].draw.instanceCount = 1; }},
    {"vertexOffsetOfInstances", "plan.buckets[4].draw.vertexOffset",
     [](Info& i, Buckets& b) {
       setDraws(i, b, SLU_DRAW_INSTANCES);
       b[4].draw.vertexOffset = -1;
     }},
    {"vertexOffsetOfVertices", "plan.buckets[4].draw.vertexOffset",
     [](Info& i, Buckets& b) {
       setDraws(i, b, SLU_DRAW_VERTICES);
       b[4].draw.vertexOffset = 1;
     }},
    {"elementCountOfWorkgroups", "plan.buckets[2].draw.elementCount",
     [](Info& i, Buckets& b) {
       setDraws(i, b, SLU_DRAW_WORKGROUPS);
       b[2].draw.elementCount = 0;
     }},
    {"firstElementOfWorkgroups", "plan.buckets[1].draw.firstElement",
     [](Info& i, Buckets& b) {
       setDraws(i, b, SLU_DRAW_WORKGROUPS);
       b[1].draw.firstElement = 1;
     }},
    {"firstInstanceOfWorkgroups", "plan.buckets[1].draw.firstInstance",
     [](Info& i, Buckets& b) {
       setDraws(i, b, SLU_DRAW_WORKGROUPS);
       b[1].draw.firstInstance = 1;
     }},
    {"groupsTooMany", "plan.groups.count",
     [](Info& i, Buckets&) {
       i.groups.count = SLU_MAX_GROUPS + 1;
       i.groups.ofBuckets = kGroups;
     }},
    {"groupsWithoutDraws", "plan.groups.count",
     [](Info& i, Buckets& b) {
       i.outputs = SLU_OUTPUT_INDICES_BIT;
       i.draws = {};
       for (SluBucket& bucket : b) bucket.draw = {};
       i.groups.count = 2;
       i.groups.ofBuckets = kGroups;
     }},
    {"groupsOfOneBucket", "plan.groups.count",
     [](Info& i, Buckets& b) {
       const SluDraws draws = i.draws;
       simplify(i, b);
       i.outputs = SLU_OUTPUT_DRAWS_BIT;
       i.draws = draws;
       b.assign(1, {8, {3, 0, 0, 0, 0}});
       i.bucketCount = 1;
       i.groups.count = 2;
       i.groups.ofBuckets = kGroups;
     }},
    {"groupsMissing", "plan.groups.ofBuckets", [](Info& i, Buckets&) { i.groups.count = 2; }},
    {"groupsUnused", "plan.groups.ofBuckets", [](Info& i, Buckets&) { i.groups.ofBuckets = kGroups; }},
    {"groupCapacityUnused", "plan.groups.drawCapacity", [](Info& i, Buckets&) { i.groups.drawCapacity = 1; }},
    {"groupOffsetUnused", "plan.groups.meshOffset", [](Info& i, Buckets&) { i.groups.meshOffset = 4; }},
    {"groupMirroredUnused", "plan.groups.mirroredOffset", [](Info& i, Buckets&) { i.groups.mirroredOffset = 1; }},
    {"groupOutOfRange", "plan.groups.ofBuckets[3]",
     [](Info& i, Buckets&) {
       i.groups.count = 3;
       i.groups.ofBuckets = kGroups;
     }},
    {"groupCapacityWraps", "plan.groups.drawCapacity",
     [](Info& i, Buckets&) {
       i.groups.count = 4;
       i.groups.drawCapacity = 0x40000000u;
       i.groups.ofBuckets = kGroups;
     }},
    {"groupOffsetWithoutTable", "plan.groups.meshOffset",
     [](Info& i, Buckets&) {
       i.groups.count = 4;
       i.groups.ofBuckets = kGroups;
       i.groups.meshOffset = 4;
     }},
    {"firstElementWraps", "plan.buckets[5].draw.firstElement",
     [](Info& i, Buckets& b) {
       setDraws(i, b, SLU_DRAW_VERTICES);
       b[5].draw.firstElement = kMostWords - 44 * 3 + 1;  // the last view's bucket 5 begins at output 44
     }},
    {"firstInstanceWraps", "plan.buckets[5].draw.firstInstance",
     [](Info&, Buckets& b) { b[5].draw.firstInstance = kMostWords - 44 + 1; }},

    {"mergedGroups", "plan.groups.count",
     [](Info& i, Buckets& b) {
       merge(i, b);
       i.groups.count = 4;
       i.groups.ofBuckets = kGroups;
     }},
    {"mergedWorkgroups", "plan.draws.type",
     [](Info& i, Buckets& b) {
       merge(i, b);
       setDraws(i, b, SLU_DRAW_WORKGROUPS);
     }},
    {"mergedTooManyRecords", "plan.maxRecordCount",
     [](Info& i, Buckets& b) {
       merge(i, b);
       i.maxRecordCount = SLU_MAX_RECORDS;
     }},
    {"recordInFrontOfPacked", "plan.draws.flags",
     [](Info& i, Buckets& b) {
       pack(i, b, 24);
       i.draws.flags = SLU_DRAWS_RECORD_IN_FRONT_BIT;
     }},
    {"zeroCommandsOfPacked", "plan.zeroCommandCount",
     [](Info& i, Buckets& b) {
       pack(i, b, 24);
       i.zeroCommandCount = 1;
     }},
    {"groupMirroredWithoutTable", "plan.groups.mirroredOffset",
     [](Info& i, Buckets&) {
       i.groups.count = 4;
       i.groups.ofBuckets = kGroups;
       i.groups.mirroredOffset = 1;
     }},
    {"groupOffsetOdd", "plan.groups.meshOffset",
     [](Info& i, Buckets& b) {
       setMeshes(i, b);
       i.groups.count = 4;
       i.groups.meshOffset = 2;
     }},
    {"instanceCountOfWorkgroups", "plan.buckets[1].draw.instanceCount",
     [](Info& i, Buckets& b) {
       setDraws(i, b, SLU_DRAW_WORKGROUPS);
       b[1].draw.instanceCount = 1;
     }},
    {"vertexOffsetOfWorkgroups", "plan.buckets[1].draw.vertexOffset",
     [](Info& i, Buckets& b) {
       setDraws(i, b, SLU_DRAW_WORKGROUPS);
       b[1].draw.vertexOffset = 1;
     }},
    {"drawStrideOfWorkgroups", "plan.draws.stride",
     [](Info& i, Buckets& b) {
       setDraws(i, b, SLU_DRAW_WORKGROUPS);
       i.draws = {SLU_DRAW_WORKGROUPS, 12, SLU_DRAWS_FIRST_IN_FRONT_BIT};
     }},
    {"zeroCommandsOfReserved", "plan.zeroCommandCount", [](Info& i, Buckets&) { i.zeroCommandCount = 1; }},
    {"recordInFrontOfReserved", "plan.draws.flags",
     [](Info& i, Buckets&) { i.draws.flags = SLU_DRAWS_RECORD_IN_FRONT_BIT; }},
    {"mergedBucketCounts", "plan.outputs",
     [](Info& i, Buckets& b) {
       merge(i, b);
       i.outputs |= SLU_OUTPUT_BUCKET_COUNTS_BIT;
     }},
    {"mergedVertices", "plan.draws.type",
     [](Info& i, Buckets& b) {
       merge(i, b);
       setDraws(i, b, SLU_DRAW_VERTICES);
     }},
    {"mergedSkipsEmpty", "plan.draws.flags",
     [](Info& i, Buckets& b) {
       merge(i, b);
       i.draws.flags = SLU_DRAWS_SKIP_EMPTY_BIT;
     }},
    {"mergedFrontTwice", "plan.draws.flags",
     [](Info& i, Buckets& b) {
       merge(i, b);
       i.draws.flags = SLU_DRAWS_RECORD_IN_FRONT_BIT | SLU_DRAWS_NUMBER_IN_FRONT_BIT;
     }},
    {"mergedStrideWithoutFront", "plan.draws.stride",
     [](Info& i, Buckets& b) {
       merge(i, b);
       i.draws = {SLU_DRAW_INDEXED_INSTANCES, 20, SLU_DRAWS_RECORD_IN_FRONT_BIT};
     }},
    {"mergedCapacityTimesViews", "plan.capacity",
     [](Info& i, Buckets& b) {
       merge(i, b);
       i.capacity = 0x80000000u;
     }},
    {"mergedZeroCommandsWithoutDraws", "plan.zeroCommandCount",
     [](Info& i, Buckets& b) {
       merge(i, b);
       i.outputs &= ~SluFlags{SLU_OUTPUT_DRAWS_BIT};
       i.zeroCommandCount = 1;
     }},
    {"mergedBucketWithCapacity", "plan.buckets[3].capacity",
     [](Info& i, Buckets& b) {
       merge(i, b);
       b[3].capacity = 1;
     }},
    {"mergedBucketCountFew", "plan.bucketCount",
     [](Info& i, Buckets& b) {
       merge(i, b);
       i.bucketCount = 5;
     }},
    {"mergedWithoutTemplates", "plan.bucketCount",
     [](Info& i, Buckets& b) {
       merge(i, b);
       i.bucketCount = 0;
     }},
    {"mergedTooManyTemplates", "plan.key.keyCount",
     [](Info& i, Buckets& b) {
       merge(i, b);
       i.key.keyCount = SLU_MAX_BUCKETS / 3 + 1;
     }},
    {"mergedTooManyMeshes", "plan.key.keyCount",
     [](Info& i, Buckets& b) {
       merge(i, b);
       setMeshes(i, b);
       i.bucketCount = 0;
       i.key.keyCount = SLU_MAX_MERGED_BUCKETS / 3 + 1;
     }},
    {"sparseStable", "plan.order",
     [](Info& i, Buckets& b) {
       packMany(i, b);
       i.order = SLU_ORDER_STABLE;
     }},
    {"sparseStableWithoutAnOutputThatShowsIt", "plan.order",
     [](Info& i, Buckets& b) {
       packMany(i, b);
       i.order = SLU_ORDER_STABLE;
       i.outputs = SLU_OUTPUT_DRAWS_BIT;
     }},
    {"sparseWithEmptyDraws", "plan.draws.flags",
     [](Info& i, Buckets& b) {
       packMany(i, b);
       i.draws.flags = 0;
     }},
    {"sparseGroups", "plan.groups.count",
     [](Info& i, Buckets& b) {
       packMany(i, b);
       i.groups.count = 2;
     }},
    {"sparseBucketCounts", "plan.outputs",
     [](Info& i, Buckets& b) {
       packMany(i, b);
       i.outputs |= SLU_OUTPUT_BUCKET_COUNTS_BIT;
     }},
    {"sparseZeroCommandsWithoutDraws", "plan.zeroCommandCount",
     [](Info& i, Buckets& b) {
       packMany(i, b);
       i.outputs &= ~SluFlags{SLU_OUTPUT_DRAWS_BIT};
       i.zeroCommandCount = 1;
     }},
    {"sparseTooManyMeshes", "plan.key.keyCount",
     [](Info& i, Buckets& b) {
       packMany(i, b);
       i.key.keyCount = SLU_MAX_PACKED_BUCKETS / 3 + 1;
     }},
    {"sparseTemplates", "plan.key.keyCount",
     [](Info& i, Buckets& b) {
       pack(i, b, 24);
       i.key.keyCount = SLU_MAX_BUCKETS / 3 + 1;
     }},
    {"sparseCapacityTimesViews", "plan.capacity",
     [](Info& i, Buckets& b) {
       packMany(i, b);
       i.capacity = 0x80000000u;
     }},
    {"mergedFirstInstanceWraps", "plan.buckets[5].draw.firstInstance",
     [](Info& i, Buckets& b) {
       merge(i, b);
       b[5].draw.firstInstance = kMostWords - 7 + 1;  // of 8 records
     }},
};

const GoodPlan kGoodPlans[] = {
    {"asIs", [](Info&, Buckets&) {}},
    {"groups",
     [](Info& i, Buckets&) {
       i.groups.count = 4;
       i.groups.ofBuckets = kGroups;
     }},
    {"groupsOfMeshes",
     [](Info& i, Buckets& b) {
       setMeshes(i, b);
       i.groups = {SLU_MAX_GROUPS, 3, i.meshes.stride - 4, 0, nullptr};
     }},
    {"packedGroups",
     [](Info& i, Buckets& b) {
       pack(i, b, 24);
       i.groups = {4, 5, 0, 0, kGroups};
     }},
    {"workgroups",
     [](Info& i, Buckets& b) {
       setDraws(i, b, SLU_DRAW_WORKGROUPS);
       i.draws.stride = 12;
     }},
    {"rejectsAlone",
     [](Info& i, Buckets&) {
       i.outputs = SLU_OUTPUT_REJECTS_BIT;
       i.draws = {};
     }},
    {"rejectsLargest",
     [](Info& i, Buckets&) {
       i.outputs |= SLU_OUTPUT_REJECTS_BIT | SLU_OUTPUT_REJECT_COUNTS_BIT;
       i.rejects = {(1u << SLU_REJECT_COUNT) - 1, 0x7fffffffu};
     }},
    {"merged", merge},
    {"mergedLargest",
     [](Info& i, Buckets& b) {
       merge(i, b);
       i.capacity = 0x7fffffffu;
       i.zeroCommandCount = kMostWords;
       b[5].draw.firstInstance = kMostWords - 7;
     }},
    {"mergedWithRecordInFront",
     [](Info& i, Buckets& b) {
       merge(i, b);
       i.draws.flags = SLU_DRAWS_RECORD_IN_FRONT_BIT;
       b[5].draw.firstInstance = kMostWords;
     }},
    {"sparse", packMany},
    {"sparseMostMeshes",
     [](Info& i, Buckets& b) {
       packMany(i, b);
       i.key.keyCount = SLU_MAX_PACKED_BUCKETS / 3;
       i.capacity = 0x7fffffffu;
       i.zeroCommandCount = kMostWords;
     }},
    {"sparseWithoutDraws",
     [](Info& i, Buckets& b) {
       packMany(i, b);
       i.meshes = {};
       i.lod = {};
       i.outputs = SLU_OUTPUT_INDICES_BIT;
       i.draws = {};
     }},
    {"mergedMostMeshes",
     [](Info& i, Buckets& b) {
       merge(i, b);
       setMeshes(i, b);
       i.bucketCount = 0;
       i.key.keyCount = SLU_MAX_MERGED_BUCKETS / 3;
     }},
    {"mergedWithoutDraws",
     [](Info& i, Buckets& b) {
       merge(i, b);
       i.outputs = SLU_OUTPUT_INDICES_BIT;
       i.draws = {};
       i.bucketCount = 0;
     }},
    {"routeAuto", [](Info& i, Buckets&) { i.route = SLU_ROUTE_AUTO; }},
    {"smallestStride",
     [](Info& i, Buckets& b) {
       simplify(i, b);
       dropBounds(i);
       i.recordStride = 4;
       i.live = {SLU_LIVE_NON_EMPTY, 0, 4};
     }},
    {"largestStride", [](Info& i, Buckets&) { i.recordStride = 256; }},
    {"mostRecords",
     [](Info& i, Buckets& b) {
       simplify(i, b);
       i.maxRecordCount = SLU_MAX_RECORDS;
       i.maxViewCount = 1;
     }},
    {"defaults",
     [](Info& i, Buckets&) {
       i.maxViewCount = 0;
       i.bucketStride = 0;
     }},
    {"wholeRecordNonEmpty",
     [](Info& i, Buckets&) {
       i.live = {SLU_LIVE_NON_EMPTY, 0, 64};
     }},
    {"lastWord",
     [](Info& i, Buckets&) {
       i.live = {SLU_LIVE_POSITIVE_INT, 60, 0};
     }},
    {"largestShift", [](Info& i, Buckets&) { i.key.shift = 31, i.key.bits = 1; }},
    {"wholeWordKey", [](Info& i, Buckets&) { i.key.shift = 0, i.key.bits = 32; }},
    {"mostBuckets",
     [](Info& i, Buckets& b) {
       i.key.keyCount = SLU_MAX_BUCKETS / 8;
       i.key.lodCount = 8;
       i.bucketCount = SLU_MAX_BUCKETS;
       b.resize(SLU_MAX_BUCKETS, b[0]);
     }},
    {"mostOutputs",
     [](Info& i, Buckets& b) {
       setDraws(i, b, SLU_DRAW_INSTANCES);
       b[0].capacity = 0x80000000u - 21;
     }},
    {"packed", [](Info& i, Buckets& b) { pack(i, b, 24); }},
    {"packedForAllRecords", [](Info& i, Buckets& b) { pack(i, b, 0); }},
    {"packedWithoutDraws",
     [](Info& i, Buckets& b) {
       pack(i, b, 24);
       i.draws = {};
       i.outputs = SLU_OUTPUT_INDICES_BIT;
       i.bucketCount = 0;
     }},
    {"packedMeshes",
     [](Info& i, Buckets& b) {
       setMeshes(i, b);
       pack(i, b, 24);
       i.bucketCount = 0;
     }},
    {"packedMeshesWithBuckets",
     [](Info& i, Buckets& b) {
       setMeshes(i, b);
       pack(i, b, 24);
     }},
    {"onePackedBucket",
     [](Info& i, Buckets& b) {
       simplify(i, b);
       pack(i, b, 3);
     }},
    {"mostPackedOutputs",
     [](Info& i, Buckets& b) {
       setDraws(i, b, SLU_DRAW_INSTANCES);
       pack(i, b, 0x7fffffffu);
     }},
    {"lastPackedFirstInstance",
     [](Info& i, Buckets& b) {
       pack(i, b, 24);
       b[5].draw.firstInstance = kMostWords - 48;
       b[0].draw.firstInstance = kMostWords - 24;
     }},
    {"noCapacity",
     [](Info&, Buckets& b) {
       for (SluBucket& bucket : b) bucket.capacity = 0;
     }},
    {"lastFirstInstance", [](Info&, Buckets& b) { b[5].draw.firstInstance = kMostWords - 44; }},
    {"lastFirstVertex",
     [](Info& i, Buckets& b) {
       setDraws(i, b, SLU_DRAW_VERTICES);
       b[5].draw.firstElement = kMostWords - 44 * 3;
     }},
    {"drawCountsAlone", [](Info& i, Buckets&) { i.outputs = SLU_OUTPUT_DRAW_COUNTS_BIT; }},
    {"boundsUnused",
     [](Info& i, Buckets& b) {
       simplify(i, b);
       i.cullFlags = 0;
     }},
    {"boxes", [](Info& i, Buckets&) { i.bounds.shape = SLU_SHAPE_BOX, i.bounds.offset = 0; }},
    {"cornersInRecord",
     [](Info& i, Buckets&) {
       i.bounds.source = SLU_BOUNDS_IN_RECORD;
       i.bounds.shape = SLU_SHAPE_CORNERS;
       i.bounds.stride = 0;
       i.bounds.offset = 40;
     }},
    {"lastAxisScale",
     [](Info& i, Buckets&) {
       i.bounds.transformFlags ^= SLU_TRANSFORM_SCALE_BIT | SLU_TRANSFORM_AXIS_SCALE_BIT;
       i.bounds.scaleOffset = 52;
     }},
    {"lastMatrix",
     [](Info& i, Buckets&) {
       setMatrix(i, SLU_MATRIX_ROWS);
       i.bounds.matrixOffset = 16;
     }},
    {"matrix4x4", [](Info& i, Buckets&) { setMatrix(i, SLU_MATRIX_COLUMNS_4X4); }},
    {"smallestTransformStride", [](Info& i, Buckets&) { i.bounds.transformStride = 36; }},
    {"transformsBeyondTheRecord",
     [](Info& i, Buckets&) {
       i.bounds.transformStride = 1024;
       i.bounds.positionOffset = 1012;
     }},
    {"matrixInStream",
     [](Info& i, Buckets&) {
       setMatrix(i, SLU_MATRIX_COLUMNS_3X4);
       i.bounds.matrixOffset = 64;
       i.bounds.transformStride = 112;
     }},
    {"indexedStreams",
     [](Info& i, Buckets&) {
       setLayers(i, 8, 4);
       i.bounds.transformStride = 36;
       i.indices = {SLU_INDEXED_BOUNDS_BIT | SLU_INDEXED_TRANSFORMS_BIT | SLU_INDEXED_LAYERS_BIT, 0, 60, 60};
     }},
    {"indexedBoundsThatNothingReads",
     [](Info& i, Buckets& b) {
       simplify(i, b);
       i.cullFlags = 0;
       i.key.lodCount = 0;
       i.indices.streams = SLU_INDEXED_BOUNDS_BIT;
     }},
    {"lastLayers", [](Info& i, Buckets&) { setLayers(i, 0, 60); }},
    {"layersBeyondTheRecord", [](Info& i, Buckets&) { setLayers(i, 4096, 4092); }},
    {"marksAlone",
     [](Info& i, Buckets&) {
       i.layers = {0, 60, 0x80000000u, 0};
     }},
    {"layersAlone",
     [](Info& i, Buckets& b) {
       simplify(i, b);
       dropBounds(i);
       setLayers(i, 0, 4);
     }},
    {"nearSide", [](Info& i, Buckets&) { i.lod.flags = SLU_LOD_NEAR_SIDE_BIT; }},
    {"lodStates", [](Info& i, Buckets&) { i.lod.flags = SLU_LOD_STATES_BIT; }},
    {"lodStatesByMeshes",
     [](Info& i, Buckets& b) {
       setMeshes(i, b);
       i.lod.flags |= SLU_LOD_STATES_BIT;
     }},
    {"meshes", [](Info& i, Buckets& b) { setMeshes(i, b); }},
    {"lastMeshNumbers",
     [](Info& i, Buckets& b) {
       setMeshes(i, b);
       i.meshes.lodCountOffset = i.meshes.lodMaskOffset = 60;
       i.meshes.elementCountOffset = i.meshes.thresholdOffset = 28;
     }},
    {"meshLodsThatShareTheirNumbers",
     [](Info& i, Buckets& b) {
       setMeshes(i, b);
       i.meshes = {4, i.meshes.parts, 0, 0, 0, 0, 0, 0, 0};
     }},
    {"meshesWithASharedVertexOffset",
     [](Info& i, Buckets& b) {
       setMeshes(i, b);
       i.meshes.parts ^= SLU_MESH_VERTEX_OFFSET_BIT | SLU_MESH_LOD_VERTEX_OFFSET_BIT;
       i.meshes.vertexOffsetOffset = 60;
     }},
    {"lastBoundsInTheMesh",
     [](Info& i, Buckets& b) {
       setMeshes(i, b);
       setBoundsInMesh(i, 48);
     }},
    {"meshesAlone",
     [](Info& i, Buckets& b) {
       setPlainMeshes(i, b);
       i.cullFlags = 0;
       i.bounds = {};
     }},
    {"templatesWithoutDraws",
     [](Info& i, Buckets& b) {
       setPlainMeshes(i, b);
       b[0].draw.elementCount = 3;
     }},
    {"largeMeshes",
     [](Info& i, Buckets& b) {
       setMeshes(i, b);
       i.meshes.stride = 0x40000000u;
       i.meshes.lodStride = 0x10000000u;
     }},
    {"sparseBuckets",
     [](Info& i, Buckets& b) {
       i.bucketStride = 2 * sizeof(SluBucket);
       b.resize(2 * b.size());
     }},
};

}  // namespace

std::span<const PlanCase> badPlans() { return kBadPlans; }

std::span<const GoodPlan> goodPlans() { return kGoodPlans; }

}  // namespace slu::test

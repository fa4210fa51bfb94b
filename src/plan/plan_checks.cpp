#include "plan/plan_checks.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "base/error.h"
#include "base/structs.h"
#include "plan/extents.h"
#include "plan/rejects.h"

namespace slu {
namespace {

constexpr const char* kWithoutTable = "without a mesh table";

constexpr std::uint64_t kLargestWord = 0xffffffffu;

void checkZero(std::uint64_t value, const char* field, const char* why) {
  require(value == 0, field, ": is ", value, ", must be 0 ", why);
}

void checkMultipleOf4(std::uint32_t value, const char* field) {
  require(value % 4 == 0, field, ": is ", value, ", must be a multiple of 4");
}

void checkOffset(std::uint32_t offset, std::uint32_t bytes, std::uint32_t recordStride, const char* field) {
  checkMultipleOf4(offset, field);
  require(std::uint64_t{offset} + bytes <= recordStride, field, ": is ", offset, ", and the ", bytes,
          " bytes there reach beyond the record of ", recordStride);
}

void checkGeneral(const SluPlanCreateInfo& info) {
  checkEnum(info.order, SLU_ORDER_STABLE, "plan.order");
  checkEnum(info.draws.type, SLU_DRAW_WORKGROUPS, "plan.draws.type");
  checkFlags(info.flags, SLU_PLAN_IN_PLACE_BIT | SLU_PLAN_CUSTOM_KEY_BIT | SLU_PLAN_SPLIT_MIRRORED_BIT, "plan.flags");
  checkMultipleOf4(info.recordStride, "plan.recordStride");
  require(info.recordStride >= SLU_MIN_RECORD_STRIDE && info.recordStride <= SLU_MAX_RECORD_STRIDE,
          "plan.recordStride: is ", info.recordStride, ", must be from ", SLU_MIN_RECORD_STRIDE, " to ",
          SLU_MAX_RECORD_STRIDE);
  require(info.maxRecordCount >= 1 && info.maxRecordCount <= SLU_MAX_RECORDS, "plan.maxRecordCount: is ",
          info.maxRecordCount, ", must be from 1 to ", SLU_MAX_RECORDS);
  require(info.maxViewCount <= SLU_MAX_VIEWS, "plan.maxViewCount: is ", info.maxViewCount, ", must be at most ",
          SLU_MAX_VIEWS);
  require(info.framesInFlight <= SLU_MAX_FRAMES_IN_FLIGHT, "plan.framesInFlight: is ", info.framesInFlight,
          ", must be at most ", SLU_MAX_FRAMES_IN_FLIGHT,
          "; frames in greater number bring memory of their own as frame.transient");
  require(info.bufferSetCount <= SLU_MAX_BUFFER_SETS, "plan.bufferSetCount: is ", info.bufferSetCount,
          ", must be at most ", SLU_MAX_BUFFER_SETS);
  checkFlags(info.outputs,
             SLU_OUTPUT_INDICES_BIT | SLU_OUTPUT_RECORDS_BIT | SLU_OUTPUT_DRAWS_BIT | SLU_OUTPUT_DRAW_COUNTS_BIT |
                 SLU_OUTPUT_STATISTICS_BIT | SLU_OUTPUT_BUCKET_COUNTS_BIT | kRejectOutputs,
             "plan.outputs");
  require(info.outputs != 0 || info.streamCount != 0,
          "plan.outputs: is 0, must have at least one bit of SluOutputFlagBits, or the plan further streams");
  require((info.flags & SLU_PLAN_IN_PLACE_BIT) == 0 || (info.outputs & SLU_OUTPUT_RECORDS_BIT) != 0,
          "plan.flags: SLU_PLAN_IN_PLACE_BIT needs SLU_OUTPUT_RECORDS_BIT in plan.outputs");
}

bool isReserved(const SluPlanCreateInfo& info) { return info.placement == SLU_PLACEMENT_RESERVED; }
bool isMerged(const SluPlanCreateInfo& info) { return info.placement == SLU_PLACEMENT_MERGED; }

void checkMerged(const SluPlanCreateInfo& info) {
  require(
      (info.outputs & SLU_OUTPUT_BUCKET_COUNTS_BIT) == 0,
      "plan.outputs: has SLU_OUTPUT_BUCKET_COUNTS_BIT, and with SLU_PLACEMENT_MERGED nothing counts the records of a "
      "bucket; leave it out");
  require(info.draws.type != SLU_DRAW_VERTICES && info.draws.type != SLU_DRAW_WORKGROUPS, "plan.draws.type: is ",
          info.draws.type == SLU_DRAW_VERTICES ? "SLU_DRAW_VERTICES" : "SLU_DRAW_WORKGROUPS",
          ", and with SLU_PLACEMENT_MERGED each record has a draw of instances");
  require((info.draws.flags & SLU_DRAWS_SKIP_EMPTY_BIT) == 0, "plan.draws.flags: is ", info.draws.flags,
          ", and has SLU_DRAWS_SKIP_EMPTY_BIT; with SLU_PLACEMENT_MERGED no draw is empty");
  require(info.groups.count == 0, "plan.groups.count: is ", info.groups.count,
          ", must be 0 with SLU_PLACEMENT_MERGED, where the draws of all buckets are mixed");
}

void checkPlacement(const SluPlanCreateInfo& info) {
  checkEnum(info.placement, SLU_PLACEMENT_MERGED, "plan.placement");
  if (isReserved(info)) {
    checkZero(info.capacity, "plan.capacity", "with SLU_PLACEMENT_RESERVED, where each bucket has its own");
  } else {
    const bool isGiven = info.capacity != 0;
    const std::uint64_t capacity = isGiven ? info.capacity : info.maxRecordCount;
    require(capacity * std::max(info.maxViewCount, 1u) <= kLargestWord,
            isGiven ? "plan.capacity" : "plan.maxRecordCount", ": is ", capacity, ", which times ", info.maxViewCount,
            " views must be at most ", kLargestWord, isGiven ? "" : " unless plan.capacity is less");
  }
  if (isMerged(info)) {
    checkMerged(info);
  } else {
    require((info.draws.flags & SLU_DRAWS_RECORD_IN_FRONT_BIT) == 0, "plan.draws.flags: is ", info.draws.flags,
            ", and has SLU_DRAWS_RECORD_IN_FRONT_BIT, which needs a draw per record: SLU_PLACEMENT_MERGED");
  }
}

void checkRejects(const SluPlanCreateInfo& info) {
  const SluRejects& rejects = info.rejects;
  if ((info.outputs & kRejectOutputs) == 0) {
    constexpr const char* kWithout = "unless plan.outputs has rejects or reject counts";
    checkZero(rejects.reasons, "plan.rejects.reasons", kWithout);
    checkZero(rejects.capacity, "plan.rejects.capacity", kWithout);
    return;
  }
  checkFlags(rejects.reasons, kAllReasons, "plan.rejects.reasons");
  const bool isGiven = rejects.capacity != 0;
  const std::uint64_t capacity = isGiven ? rejects.capacity : info.maxRecordCount;
  require(capacity * std::max(info.maxViewCount, 1u) <= kLargestWord,
          isGiven ? "plan.rejects.capacity" : "plan.maxRecordCount", ": is ", capacity, ", which times ",
          info.maxViewCount, " views must be at most ", kLargestWord,
          isGiven ? "" : " unless plan.rejects.capacity is less");
}

void readRejects(PlanLayout& layout, const SluPlanCreateInfo& info) {
  if ((info.outputs & kRejectOutputs) == 0) return;
  layout.rejects.reasons = info.rejects.reasons == 0 ? kAllReasons : info.rejects.reasons;
  layout.rejects.capacity = info.rejects.capacity == 0 ? info.maxRecordCount : info.rejects.capacity;
  layout.rejectOrder = info.order;
}

// Returns the most buckets that the plan may have.
std::uint32_t mostBuckets(const SluPlanCreateInfo& info) {
  const bool hasTemplates = info.draws.type != SLU_DRAW_NONE && info.meshes.stride == 0;
  if (isReserved(info) || hasTemplates) return SLU_MAX_BUCKETS;
  return isMerged(info) ? SLU_MAX_MERGED_BUCKETS : SLU_MAX_PACKED_BUCKETS;
}

// Checks what packed buckets need if they are too many to be described one by one.
void checkSparse(const SluPlanCreateInfo& info, std::uint32_t bucketCount) {
  require(info.order == SLU_ORDER_UNORDERED, "plan.order: is SLU_ORDER_STABLE, and the plan packs ", bucketCount,
          " buckets; more than ", SLU_MAX_BUCKETS, " are unordered");
  require(info.draws.type == SLU_DRAW_NONE || (info.draws.flags & SLU_DRAWS_SKIP_EMPTY_BIT) != 0,
          "plan.draws.flags: is ", info.draws.flags, ", and the plan packs ", bucketCount, " buckets; more than ",
          SLU_MAX_BUCKETS, " need SLU_DRAWS_SKIP_EMPTY_BIT");
  require(info.groups.count == 0, "plan.groups.count: is ", info.groups.count, ", and the plan packs ", bucketCount,
          " buckets; more than ", SLU_MAX_BUCKETS, " have no groups");
  require((info.outputs & SLU_OUTPUT_BUCKET_COUNTS_BIT) == 0,
          "plan.outputs: has SLU_OUTPUT_BUCKET_COUNTS_BIT, and the plan packs ", bucketCount, " buckets; more than ",
          SLU_MAX_BUCKETS, " have no counts of their own");
}

void checkZeroCommands(const SluPlanCreateInfo& info, bool isSparse) {
  if ((isMerged(info) || isSparse) && (info.outputs & SLU_OUTPUT_DRAWS_BIT) != 0) return;
  checkZero(
      info.zeroCommandCount, "plan.zeroCommandCount",
      "unless plan.outputs has draws, and plan.placement is SLU_PLACEMENT_MERGED, or packs more than SLU_MAX_BUCKETS");
}

// Returns a stride of a further stream.
std::uint32_t readStride(std::uint32_t stride, const SluStream& stream, std::uint32_t index, const char* field) {
  require(stride % 4 == 0, "plan.streams[", index, "].", field, ": is ", stride, ", must be a multiple of 4");
  require(stride == 0 || stride >= stream.elementSize, "plan.streams[", index, "].", field, ": is ", stride,
          ", must be 0 or at least ", stream.elementSize, ", the elementSize");
  return stride == 0 ? stream.elementSize : stride;
}

std::vector<SluStream> readStreams(const SluPlanCreateInfo& info) {
  const std::uint32_t count = info.streamCount;
  require(count <= SLU_MAX_STREAMS, "plan.streamCount: is ", count, ", must be at most ", SLU_MAX_STREAMS);
  require((info.streams != nullptr) == (count != 0), "plan.streams: is ",
          count != 0 ? "null, and plan.streamCount is not 0" : "set, and plan.streamCount is 0");
  std::vector<SluStream> streams(info.streams, info.streams + count);
  for (std::uint32_t i = 0; i < count; ++i) {
    SluStream& stream = streams[i];
    require(stream.elementSize % 4 == 0, "plan.streams[", i, "].elementSize: is ", stream.elementSize,
            ", must be a multiple of 4");
    require(stream.elementSize >= SLU_MIN_RECORD_STRIDE && stream.elementSize <= SLU_MAX_RECORD_STRIDE, "plan.streams[",
            i, "].elementSize: is ", stream.elementSize, ", must be from ", SLU_MIN_RECORD_STRIDE, " to ",
            SLU_MAX_RECORD_STRIDE);
    stream.inputStride = readStride(stream.inputStride, stream, i, "inputStride");
    stream.outputStride = readStride(stream.outputStride, stream, i, "outputStride");
  }
  return streams;
}

// How the sentences call a live test's fields.
struct LiveFields {
  const char* test;
  const char* offset;
  const char* size;
};
constexpr LiveFields kLiveFields{"plan.live.test", "plan.live.offset", "plan.live.size"};
constexpr LiveFields kSecondLiveFields{"plan.secondLive.test", "plan.secondLive.offset", "plan.secondLive.size"};

void checkLive(const SluLive& live, std::uint32_t recordStride, const LiveFields& fields) {
  checkEnum(live.test, SLU_LIVE_MASK_EQUAL, fields.test);
  if (sluTestsRecord(live.test)) {
    checkOffset(live.offset, 4, recordStride, fields.offset);
  } else {
    checkZero(live.offset, fields.offset, "unless the test reads the record");
  }
  if (live.test != SLU_LIVE_NON_EMPTY) {
    checkZero(live.size, fields.size, "unless the test is SLU_LIVE_NON_EMPTY");
    return;
  }
  checkMultipleOf4(live.size, fields.size);
  require(live.size >= 4 && live.size <= recordStride - live.offset, fields.size, ": is ", live.size,
          ", must be from 4 to ", recordStride - live.offset, ", the bytes from ", fields.offset,
          " to the record's end");
}

// A frame has one flag stream, and kernels read one field of a record.
void checkSecondLive(SluLiveTest first, SluLiveTest second) {
  if (second == SLU_LIVE_ALWAYS) return;
  require(first != SLU_LIVE_ALWAYS, "plan.secondLive.test: is ", second,
          ", and plan.live.test is SLU_LIVE_ALWAYS; make the only test the first");
  require(second != SLU_LIVE_CUSTOM,
          "plan.secondLive.test: is SLU_LIVE_CUSTOM, which only plan.live.test may be; exchange the two");
  require(!sluReadsFlags(first) || !sluReadsFlags(second), "plan.secondLive.test: is ", second,
          ", which tests flags, as plan.live.test does; test the record, or join the flags in one stream");
  require(sluReadsFlags(first) || sluReadsFlags(second), "plan.secondLive.test: is ", second,
          ", which tests the record, as plan.live.test does; test flags, or both fields by SLU_LIVE_CUSTOM");
}

void checkMask(const SluPlanCreateInfo& info) {
  if (info.live.test != SLU_LIVE_MASK_EQUAL && info.secondLive.test != SLU_LIVE_MASK_EQUAL) {
    checkZero(info.liveMask, "plan.liveMask", "unless a live test is SLU_LIVE_MASK_EQUAL");
    checkZero(info.liveValue, "plan.liveValue", "unless a live test is SLU_LIVE_MASK_EQUAL");
    return;
  }
  require(info.liveMask != 0,
          "plan.liveMask: is 0, and every record passes; set the bits to compare, or test SLU_LIVE_ALWAYS");
  require((info.liveValue & ~info.liveMask) == 0, "plan.liveValue: is ", info.liveValue,
          ", and no record passes, since plan.liveMask is ", info.liveMask, "; clear the bits outside the mask");
}

void readLive(PlanLayout& layout, const SluPlanCreateInfo& info) {
  for (const SluLive* live : {&info.live, &info.secondLive}) {
    if (sluReadsFlags(live->test)) {
      layout.flagTest = live->test;
    } else if (live->test != SLU_LIVE_ALWAYS) {
      layout.live = *live;
    }
  }
  layout.liveMask = info.liveMask;
  layout.liveValue = info.liveValue;
}

bool splitsMirrored(const SluPlanCreateInfo& info) { return (info.flags & SLU_PLAN_SPLIT_MIRRORED_BIT) != 0; }

void checkKey(const SluKey& key, std::uint32_t recordStride, bool splitsMirrored, std::uint32_t mostBuckets) {
  checkOffset(key.offset, 4, recordStride, "plan.key.offset");
  require(key.shift <= 31, "plan.key.shift: is ", key.shift, ", must be at most 31");
  require(key.bits <= 32 - key.shift, "plan.key.bits: is ", key.bits, ", must be at most ", 32 - key.shift,
          ", 32 less the shift");
  require(key.lodCount <= SLU_MAX_LODS, "plan.key.lodCount: is ", key.lodCount, ", must be at most ", SLU_MAX_LODS);
  const std::uint32_t most = mostBuckets / std::max(key.lodCount, 1u) / (splitsMirrored ? 2 : 1);
  require(key.keyCount <= most, "plan.key.keyCount: is ", key.keyCount, ", must be at most ", most, ", which makes ",
          mostBuckets, " buckets");
}

void checkCustomKey(const SluPlanCreateInfo& info) {
  if ((info.flags & SLU_PLAN_CUSTOM_KEY_BIT) == 0) return;
  require(info.live.test == SLU_LIVE_CUSTOM,
          "plan.flags: SLU_PLAN_CUSTOM_KEY_BIT needs SLU_LIVE_CUSTOM in plan.live.test");
  require(info.key.keyCount > 1, "plan.flags: SLU_PLAN_CUSTOM_KEY_BIT needs several keys, and plan.key.keyCount is ",
          info.key.keyCount);
  checkZero(info.key.offset, "plan.key.offset", "when the predicate computes the key");
}

void checkTransformFlags(SluFlags flags) {
  constexpr SluFlags kScales = SLU_TRANSFORM_SCALE_BIT | SLU_TRANSFORM_AXIS_SCALE_BIT;
  checkFlags(flags, kScales | SLU_TRANSFORM_POSITION_BIT | SLU_TRANSFORM_ROTATION_BIT | SLU_TRANSFORM_MATRIX_BIT,
             "plan.bounds.transformFlags");
  require((flags & kScales) != kScales, "plan.bounds.transformFlags: is ", flags,
          ", and has SLU_TRANSFORM_SCALE_BIT and SLU_TRANSFORM_AXIS_SCALE_BIT; name one scale");
  require((flags & SLU_TRANSFORM_MATRIX_BIT) == 0 || flags == SLU_TRANSFORM_MATRIX_BIT,
          "plan.bounds.transformFlags: is ", flags,
          ", and has SLU_TRANSFORM_MATRIX_BIT beside others; the matrix is the whole transform");
}

void checkTransform(const SluBounds& bounds, std::uint32_t recordStride) {
  checkTransformFlags(bounds.transformFlags);
  checkEnum(bounds.matrixForm, SLU_MATRIX_COLUMNS_3X4, "plan.bounds.matrixForm");
  if ((bounds.transformFlags & SLU_TRANSFORM_MATRIX_BIT) == 0) {
    checkZero(bounds.matrixForm, "plan.bounds.matrixForm", "without a matrix in plan.bounds.transformFlags");
  }
  if (bounds.transformFlags == 0) {
    checkZero(bounds.transformStride, "plan.bounds.transformStride", "without plan.bounds.transformFlags");
  }
  checkMultipleOf4(bounds.transformStride, "plan.bounds.transformStride");
  for (const TransformPart& part : transformParts(bounds)) {
    const std::uint32_t offset = bounds.*part.offset;
    if ((bounds.transformFlags & part.bits) == 0) {
      checkZero(offset, part.field, "unless its bit is set in plan.bounds.transformFlags");
    } else if (bounds.transformStride == 0) {
      checkOffset(offset, part.bytes, recordStride, part.field);
    } else {
      checkMultipleOf4(offset, part.field);
      require(std::uint64_t{offset} + part.bytes <= bounds.transformStride, part.field, ": is ", offset, ", and the ",
              part.bytes, " bytes there reach beyond plan.bounds.transformStride of ", bounds.transformStride);
    }
  }
}

void checkBounds(const SluPlanCreateInfo& info) {
  const SluBounds& bounds = info.bounds;
  checkEnum(bounds.source, SLU_BOUNDS_IN_MESH, "plan.bounds.source");
  checkEnum(bounds.shape, SLU_SHAPE_CORNERS_VEC4, "plan.bounds.shape");
  checkTransform(bounds, info.recordStride);
  const std::uint32_t bytes = bytesOf(bounds.shape);
  switch (bounds.source) {
    case SLU_BOUNDS_IN_RECORD:
      checkOffset(bounds.offset, bytes, info.recordStride, "plan.bounds.offset");
      checkZero(bounds.stride, "plan.bounds.stride", "when the bounds are in the record");
      break;
    case SLU_BOUNDS_PER_RECORD:
    case SLU_BOUNDS_PER_KEY:
      checkMultipleOf4(bounds.offset, "plan.bounds.offset");
      checkMultipleOf4(bounds.stride, "plan.bounds.stride");
      require(bounds.stride >= std::uint64_t{bounds.offset} + bytes, "plan.bounds.stride: is ", bounds.stride,
              ", must be at least ", std::uint64_t{bounds.offset} + bytes, ", plan.bounds.offset and the ", bytes,
              " bytes of its bounds");
      break;
    case SLU_BOUNDS_CONSTANT:
      checkMultipleOf4(bounds.offset, "plan.bounds.offset");
      checkZero(bounds.stride, "plan.bounds.stride", "when the bounds are constant");
      break;
    case SLU_BOUNDS_IN_MESH:
      checkMultipleOf4(bounds.offset, "plan.bounds.offset");
      checkZero(bounds.stride, "plan.bounds.stride", "when the bounds are in the mesh");
      require(info.meshes.stride != 0,
              "plan.bounds.source: is SLU_BOUNDS_IN_MESH, and plan.meshes.stride is 0; describe the mesh table");
      require(std::uint64_t{bounds.offset} + bytes <= info.meshes.stride, "plan.bounds.offset: is ", bounds.offset,
              ", and the ", bytes, " bytes there reach beyond plan.meshes.stride of ", info.meshes.stride);
      break;
    default:
      require((info.cullFlags & ~SluFlags{SLU_CULL_LAYERS_BIT}) == 0,
              "plan.bounds.source: is SLU_BOUNDS_NONE, and plan.cullFlags need bounds; say where they are");
      require(info.key.lodCount <= 1,
              "plan.bounds.source: is SLU_BOUNDS_NONE, and plan.key.lodCount needs bounds; say where they are");
      checkZero(bounds.shape, "plan.bounds.shape", "without a plan.bounds.source");
      checkZero(bounds.offset, "plan.bounds.offset", "without a plan.bounds.source");
      checkZero(bounds.stride, "plan.bounds.stride", "without a plan.bounds.source");
      checkZero(bounds.transformFlags, "plan.bounds.transformFlags", "without a plan.bounds.source");
  }
}

void checkCullFlags(SluFlags flags) {
  constexpr SluFlags kFrustum = SLU_CULL_FRUSTUM_BIT | SLU_CULL_MORE_PLANES_BIT;
  constexpr SluFlags kAll = kFrustum | SLU_CULL_DISTANCE_BIT | SLU_CULL_SIZE_BIT | SLU_CULL_LAYERS_BIT |
                            SLU_CULL_OCCLUSION_BIT | SLU_CULL_CONE_BIT;
  checkFlags(flags, kAll, "plan.cullFlags");
  require((flags & kFrustum) != SLU_CULL_MORE_PLANES_BIT, "plan.cullFlags: is ", flags,
          ", and SLU_CULL_MORE_PLANES_BIT needs SLU_CULL_FRUSTUM_BIT");
}

void checkCones(const SluPlanCreateInfo& info) {
  const SluCones& cones = info.cones;
  const SluBounds& bounds = info.bounds;
  constexpr std::uint32_t kBytes = sizeof(SluCone);
  if ((info.cullFlags & SLU_CULL_CONE_BIT) == 0) {
    checkZero(cones.offset, "plan.cones.offset", "without SLU_CULL_CONE_BIT in plan.cullFlags");
    checkZero(cones.flags, "plan.cones.flags", "without SLU_CULL_CONE_BIT in plan.cullFlags");
    return;
  }
  checkFlags(cones.flags, SLU_CONE_FIXED_FRONT_FACE_BIT, "plan.cones.flags");
  require(bounds.shape == SLU_SHAPE_SPHERE, "plan.bounds.shape: is ", bounds.shape,
          ", and SLU_CULL_CONE_BIT in plan.cullFlags needs SLU_SHAPE_SPHERE");
  checkMultipleOf4(cones.offset, "plan.cones.offset");
  if (bounds.source == SLU_BOUNDS_CONSTANT) return;
  const bool isInRecord = bounds.source == SLU_BOUNDS_IN_RECORD, isInMesh = bounds.source == SLU_BOUNDS_IN_MESH;
  const std::uint32_t stride = isInRecord ? info.recordStride : isInMesh ? info.meshes.stride : bounds.stride;
  require(std::uint64_t{cones.offset} + kBytes <= stride, "plan.cones.offset: is ", cones.offset, ", and the ", kBytes,
          " bytes there reach beyond the ", stride, " of the ",
          isInRecord ? "record"
          : isInMesh ? "mesh"
                     : "element of the stream of bounds");
}

void checkMirrored(const SluPlanCreateInfo& info) {
  if (!splitsMirrored(info)) return;
  constexpr SluFlags kMirroring = SLU_TRANSFORM_SCALE_BIT | SLU_TRANSFORM_AXIS_SCALE_BIT | SLU_TRANSFORM_MATRIX_BIT;
  require(
      SLU_NEEDS_BOUNDS(info.cullFlags & ~SluFlags{SLU_CULL_LAYERS_BIT}, std::max(info.key.lodCount, 1u)),
      "plan.flags: SLU_PLAN_SPLIT_MIRRORED_BIT needs tests of bounds in plan.cullFlags, or LODs in plan.key.lodCount");
  require((info.bounds.transformFlags & kMirroring) != 0,
          "plan.flags: SLU_PLAN_SPLIT_MIRRORED_BIT needs a scale or a matrix, and plan.bounds.transformFlags is ",
          info.bounds.transformFlags, ", with which nothing mirrors");
}

void checkLayers(const SluPlanCreateInfo& info) {
  const SluLayers& layers = info.layers;
  const bool hasMarks = (layers.neverCullMask | layers.neverOccludeMask) != 0;
  require(layers.neverOccludeMask == 0 || (info.cullFlags & SLU_CULL_OCCLUSION_BIT) != 0,
          "plan.layers.neverOccludeMask: is ", layers.neverOccludeMask,
          ", must be 0 without SLU_CULL_OCCLUSION_BIT in plan.cullFlags");
  require(
      !hasMarks || SLU_NEEDS_BOUNDS(info.cullFlags & ~SluFlags{SLU_CULL_LAYERS_BIT}, std::max(info.key.lodCount, 1u)),
      "plan.layers.neverCullMask: is ", layers.neverCullMask,
      ", and the plan tests no bounds; name tests in plan.cullFlags, or zero the mask");
  if ((info.cullFlags & SLU_CULL_LAYERS_BIT) == 0 && !hasMarks) {
    constexpr const char* kWithout = "without SLU_CULL_LAYERS_BIT in plan.cullFlags and a mask in plan.layers";
    checkZero(layers.stride, "plan.layers.stride", kWithout);
    checkZero(layers.offset, "plan.layers.offset", kWithout);
  } else if (layers.stride == 0) {
    checkOffset(layers.offset, 4, info.recordStride, "plan.layers.offset");
  } else {
    checkMultipleOf4(layers.stride, "plan.layers.stride");
    checkMultipleOf4(layers.offset, "plan.layers.offset");
    require(std::uint64_t{layers.offset} + 4 <= layers.stride, "plan.layers.offset: is ", layers.offset,
            ", and the 4 bytes there reach beyond plan.layers.stride of ", layers.stride);
  }
}

// One of the streams that records may share: how sentences call the offset, and what the plan must have for it.
struct IndexedStream {
  SluFlags bit;
  std::uint32_t SluIndices::*offset;
  const char* field;
  bool isStream;
  const char* needs;
};

void checkIndices(const SluPlanCreateInfo& info) {
  const SluIndices& indices = info.indices;
  const std::array<IndexedStream, 3> streams = {
      IndexedStream{SLU_INDEXED_BOUNDS_BIT, &SluIndices::boundsOffset, "plan.indices.boundsOffset",
                    info.bounds.source == SLU_BOUNDS_PER_RECORD,
                    "SLU_INDEXED_BOUNDS_BIT, and plan.bounds.source is not SLU_BOUNDS_PER_RECORD"},
      IndexedStream{SLU_INDEXED_TRANSFORMS_BIT, &SluIndices::transformOffset, "plan.indices.transformOffset",
                    info.bounds.transformStride != 0,
                    "SLU_INDEXED_TRANSFORMS_BIT, and plan.bounds.transformStride is 0"},
      IndexedStream{SLU_INDEXED_LAYERS_BIT, &SluIndices::layersOffset, "plan.indices.layersOffset",
                    info.layers.stride != 0, "SLU_INDEXED_LAYERS_BIT, and plan.layers.stride is 0"}};
  checkFlags(indices.streams, SLU_INDEXED_BOUNDS_BIT | SLU_INDEXED_TRANSFORMS_BIT | SLU_INDEXED_LAYERS_BIT,
             "plan.indices.streams");
  for (const IndexedStream& stream : streams) {
    const std::uint32_t offset = indices.*stream.offset;
    if ((indices.streams & stream.bit) == 0) {
      checkZero(offset, stream.field, "unless its bit is set in plan.indices.streams");
      continue;
    }
    require(stream.isStream, "plan.indices.streams: is ", indices.streams, ", and has ", stream.needs,
            "; describe the stream");
    checkOffset(offset, 4, info.recordStride, stream.field);
  }
}

void checkLod(const SluPlanCreateInfo& info) {
  checkEnum(info.lod.rule, SLU_LOD_MESH_ERRORS, "plan.lod.rule");
  checkFlags(info.lod.flags, SLU_LOD_NEAR_SIDE_BIT | SLU_LOD_STATES_BIT, "plan.lod.flags");
  require(
      (info.lod.flags & SLU_LOD_STATES_BIT) == 0 || (info.cullFlags & SLU_CULL_OCCLUSION_BIT) == 0,
      "plan.lod.flags: has SLU_LOD_STATES_BIT, which plans with SLU_CULL_OCCLUSION_BIT in plan.cullFlags cannot have: "
      "the states of two phases would be those of one; leave out one of the two");
  if (info.key.lodCount <= 1) {
    checkZero(info.lod.rule, "plan.lod.rule", "without LODs in plan.key.lodCount");
    checkZero(info.lod.flags, "plan.lod.flags", "without LODs in plan.key.lodCount");
  }
  require(info.lod.rule == SLU_LOD_VIEW_DISTANCES || info.meshes.stride != 0, "plan.lod.rule: is ", info.lod.rule,
          ", which reads the meshes' thresholds, and plan.meshes.stride is 0; describe the mesh table");
}

void checkMeshFlags(SluFlags parts, SluDrawType type) {
  constexpr SluFlags kVertexOffsets = SLU_MESH_VERTEX_OFFSET_BIT | SLU_MESH_LOD_VERTEX_OFFSET_BIT;
  checkFlags(parts, kVertexOffsets | SLU_MESH_LOD_COUNT_BIT | SLU_MESH_LOD_MASK_BIT | SLU_MESH_FIRST_ELEMENT_BIT,
             "plan.meshes.parts");
  require((parts & kVertexOffsets) != kVertexOffsets, "plan.meshes.parts: is ", parts,
          ", and has SLU_MESH_VERTEX_OFFSET_BIT and SLU_MESH_LOD_VERTEX_OFFSET_BIT; name one of them");
  require((parts & kVertexOffsets) == 0 || type == SLU_DRAW_INDEXED_INSTANCES, "plan.meshes.parts: is ", parts,
          ", and has a vertex offset, which only SLU_DRAW_INDEXED_INSTANCES draws with");
  require((parts & SLU_MESH_FIRST_ELEMENT_BIT) == 0 || type != SLU_DRAW_NONE, "plan.meshes.parts: is ", parts,
          ", and has SLU_MESH_FIRST_ELEMENT_BIT; plan.draws.type is SLU_DRAW_NONE");
}

void checkMeshes(const SluPlanCreateInfo& info) {
  const SluMeshes& meshes = info.meshes;
  checkMultipleOf4(meshes.stride, "plan.meshes.stride");
  checkMultipleOf4(meshes.lodStride, "plan.meshes.lodStride");
  if (meshes.stride == 0) {
    checkZero(meshes.parts, "plan.meshes.parts", kWithoutTable);
    checkZero(meshes.lodStride, "plan.meshes.lodStride", kWithoutTable);
  } else {
    checkMeshFlags(meshes.parts, info.draws.type);
    require(info.bucketCount != 0 || !isReserved(info),
            "plan.bucketCount: is 0, and plan.meshes needs the capacity of each bucket in plan.buckets");
    require(info.draws.type != SLU_DRAW_VERTICES && info.draws.type != SLU_DRAW_WORKGROUPS, "plan.draws.type: is ",
            info.draws.type == SLU_DRAW_VERTICES ? "SLU_DRAW_VERTICES" : "SLU_DRAW_WORKGROUPS",
            ", and the draws of plan.meshes count instances");
  }
  const std::uint32_t lodCount = std::max(info.key.lodCount, 1u);
  for (const MeshPart& part : meshParts(meshes, info.lod.rule, lodCount, info.draws.type != SLU_DRAW_NONE)) {
    const std::uint32_t offset = meshes.*part.offset;
    if (meshes.stride == 0 || !part.isRead) {
      checkZero(offset, part.field, meshes.stride == 0 ? kWithoutTable : "unless the plan reads the number");
      continue;
    }
    checkMultipleOf4(offset, part.field);
    require(endOf(part, meshes) <= meshes.stride, part.field, ": is ", offset, ", and the numbers of ", part.lods,
            " LODs there, ", meshes.lodStride, " bytes apart, reach beyond plan.meshes.stride of ", meshes.stride);
  }
}

// Says which words of a command each frame fills. The index is an SluDrawType. checkDraws adds the strides.
constexpr DrawBlock kDraws[] = {kNoDraws,
                                {4, 0, 1, 3, SLU_DROPPED, 0, 0, 0},
                                {4, 0, 0, 2, 0, 0, 0, 0},
                                {5, 0, 1, 4, SLU_DROPPED, 0, 0, 0},
                                {3, 0, SLU_COUNTS_WORKGROUPS, 3, SLU_DROPPED, 0, 0, 0}};

// Gives a command the word in front of it.
void addFront(DrawBlock& draw, SluFlags flags) {
  constexpr SluFlags kFronts = SLU_DRAWS_FIRST_IN_FRONT_BIT | SLU_DRAWS_BUCKET_IN_FRONT_BIT |
                               SLU_DRAWS_NUMBER_IN_FRONT_BIT | SLU_DRAWS_RECORD_IN_FRONT_BIT;
  const SluFlags fronts = flags & kFronts;
  require(fronts == 0 || std::has_single_bit(fronts), "plan.draws.flags: is ", flags,
          ", and asks for several words in front of a command; one is possible");
  draw.frontWords = fronts == 0 ? 0 : 1;
  draw.front = fronts == SLU_DRAWS_FIRST_IN_FRONT_BIT    ? draw.firstWord
               : fronts == SLU_DRAWS_BUCKET_IN_FRONT_BIT ? SLU_FRONT_BUCKET
               : fronts == SLU_DRAWS_RECORD_IN_FRONT_BIT ? SLU_FRONT_RECORD
                                                         : SLU_FRONT_NUMBER;
  if (draw.front == SLU_FRONT_RECORD) draw.firstWord = SLU_DROPPED;
}

DrawBlock checkDraws(const SluPlanCreateInfo& info) {
  const SluDraws& draws = info.draws;
  checkFlags(draws.flags,
             SLU_DRAWS_SKIP_EMPTY_BIT | SLU_DRAWS_AS_DATA_BIT | SLU_DRAWS_FIRST_IN_FRONT_BIT |
                 SLU_DRAWS_BUCKET_IN_FRONT_BIT | SLU_DRAWS_NUMBER_IN_FRONT_BIT | SLU_DRAWS_RECORD_IN_FRONT_BIT,
             "plan.draws.flags");
  const bool hasDraws = (info.outputs & (SLU_OUTPUT_DRAWS_BIT | SLU_OUTPUT_DRAW_COUNTS_BIT)) != 0;
  DrawBlock draw = kDraws[draws.type];
  if (!hasDraws) {
    checkZero(draws.type, "plan.draws.type", "unless plan.outputs has draws or draw counts");
    checkZero(draws.stride, "plan.draws.stride", "without a plan.draws.type");
    checkZero(draws.flags, "plan.draws.flags", "without a plan.draws.type");
    return draw;
  }
  require(
      draws.type != SLU_DRAW_NONE,
      "plan.draws.type: is SLU_DRAW_NONE, and plan.outputs has draws or draw counts; name the command that draws them");
  checkMultipleOf4(draws.stride, "plan.draws.stride");
  addFront(draw, draws.flags);
  const std::uint32_t leastBytes = (draw.frontWords + draw.wordCount) * 4;
  require(draws.stride >= leastBytes, "plan.draws.stride: is ", draws.stride, ", must be at least ", leastBytes,
          ", the bytes of the command", draw.frontWords == 0 ? "" : " and of the word in front of it");
  draw.stride = draws.stride / 4;
  draw.skipEmpty = draws.flags & SLU_DRAWS_SKIP_EMPTY_BIT;
  return draw;
}

// Returns how kernels find the groups of draws. Those of buckets are read with the buckets.
GroupBlock checkGroups(const SluPlanCreateInfo& info, std::uint32_t bucketCount) {
  const SluGroups& groups = info.groups;
  const bool hasTable = info.meshes.stride != 0;
  if (groups.count == 0) {
    checkZero(groups.drawCapacity, "plan.groups.drawCapacity", "unless plan.groups.count is set");
    checkZero(groups.meshOffset, "plan.groups.meshOffset", "unless plan.groups.count is set");
    checkZero(groups.mirroredOffset, "plan.groups.mirroredOffset", "unless plan.groups.count is set");
    require(groups.ofBuckets == nullptr,
            "plan.groups.ofBuckets: is set, and plan.groups.count is 0; set the count, or leave it null");
    return {};
  }
  require(groups.count <= SLU_MAX_GROUPS, "plan.groups.count: is ", groups.count, ", must be at most ", SLU_MAX_GROUPS);
  require(info.draws.type != SLU_DRAW_NONE, "plan.groups.count: is ", groups.count,
          ", and the plan has no draws to group; write draws or draw counts");
  require(bucketCount > 1, "plan.groups.count: is ", groups.count,
          ", and the plan has one bucket, whose only draw needs no group");
  const std::uint64_t commands = std::uint64_t{groups.count} * groups.drawCapacity * std::max(info.maxViewCount, 1u);
  require(commands <= kLargestWord, "plan.groups.drawCapacity: is ", groups.drawCapacity,
          ", which times groups and views is ", commands, ", must be at most ", kLargestWord);
  require(hasTable == (groups.ofBuckets == nullptr), "plan.groups.ofBuckets: is ", hasTable ? "set" : "null", ", and ",
          hasTable ? "plan.meshes has the groups, at plan.groups.meshOffset; leave it null"
                   : "no plan.meshes tells the groups; give a group for each bucket");
  if (!hasTable) {
    checkZero(groups.meshOffset, "plan.groups.meshOffset", kWithoutTable);
    checkZero(groups.mirroredOffset, "plan.groups.mirroredOffset", kWithoutTable);
    return {groups.count, groups.drawCapacity, SLU_DROPPED, 0};
  }
  checkMultipleOf4(groups.meshOffset, "plan.groups.meshOffset");
  require(std::uint64_t{groups.meshOffset} + 4 <= info.meshes.stride, "plan.groups.meshOffset: is ", groups.meshOffset,
          ", and the 4 bytes there reach beyond plan.meshes.stride of ", info.meshes.stride);
  if (!splitsMirrored(info)) {
    checkZero(groups.mirroredOffset, "plan.groups.mirroredOffset", "without SLU_PLAN_SPLIT_MIRRORED_BIT");
  }
  require(groups.mirroredOffset < groups.count, "plan.groups.mirroredOffset: is ", groups.mirroredOffset,
          ", must be below plan.groups.count of ", groups.count);
  return {groups.count, groups.drawCapacity, groups.meshOffset / 4, groups.mirroredOffset};
}

// Reads the groups of buckets, if the plan says them.
void readGroups(std::vector<BucketBlock>& buckets, const SluGroups& groups) {
  if (groups.ofBuckets == nullptr) return;
  for (std::size_t i = 0; i < buckets.size(); ++i) {
    const std::uint32_t group = groups.ofBuckets[i];
    require(group < groups.count, "plan.groups.ofBuckets[", i, "]: is ", group, ", must be below plan.groups.count of ",
            groups.count);
    buckets[i].group = group;
  }
}

void checkTemplate(const SluDrawTemplate& draw, SluDrawType type, std::uint32_t index) {
  require(type != SLU_DRAW_VERTICES || draw.elementCount >= 1, "plan.buckets[", index,
          "].draw.elementCount: is 0, must be at least 1 vertex per record");
  require(type != SLU_DRAW_WORKGROUPS || draw.elementCount >= 1, "plan.buckets[", index,
          "].draw.elementCount: is 0, must be at least 1 record per workgroup");
  require(type != SLU_DRAW_WORKGROUPS || draw.firstElement == 0, "plan.buckets[", index, "].draw.firstElement: is ",
          draw.firstElement, ", must be 0 for SLU_DRAW_WORKGROUPS");
  require(type != SLU_DRAW_WORKGROUPS || draw.firstInstance == 0, "plan.buckets[", index, "].draw.firstInstance: is ",
          draw.firstInstance, ", must be 0 for SLU_DRAW_WORKGROUPS");
  require(type == SLU_DRAW_VERTICES || draw.instanceCount == 0, "plan.buckets[", index, "].draw.instanceCount: is ",
          draw.instanceCount,
          ", must be 0 unless plan.draws.type is SLU_DRAW_VERTICES, since frames write the kept records there");
  require(type == SLU_DRAW_INDEXED_INSTANCES || draw.vertexOffset == 0, "plan.buckets[", index,
          "].draw.vertexOffset: is ", draw.vertexOffset,
          ", must be 0 unless plan.draws.type is SLU_DRAW_INDEXED_INSTANCES");
}

void checkNoTemplate(const SluDrawTemplate& draw, std::uint32_t index) {
  require(draw.elementCount == 0 && draw.instanceCount == 0 && draw.firstElement == 0 && draw.vertexOffset == 0 &&
              draw.firstInstance == 0,
          "plan.buckets[", index, "].draw: is not zero, and plan.meshes describes the draws; leave it zero");
}

BucketBlock makeBucket(const SluBucket& bucket, SluDrawType type) {
  const SluDrawTemplate& draw = bucket.draw;
  BucketBlock block{};
  block.capacity = bucket.capacity;
  if (type == SLU_DRAW_NONE) return block;
  std::uint32_t* word = block.command;
  *word++ = draw.elementCount;
  *word++ = draw.instanceCount;
  *word++ = draw.firstElement;
  if (type == SLU_DRAW_INDEXED_INSTANCES) *word++ = static_cast<std::uint32_t>(draw.vertexOffset);
  *word++ = draw.firstInstance;
  return block;
}

// Returns the one bucket of a plan that describes none.
std::vector<BucketBlock> defaultBucket(const SluPlanCreateInfo& info) {
  require(std::uint64_t{info.maxRecordCount} * std::max(info.maxViewCount, 1u) <= kLargestWord,
          "plan.maxRecordCount: is ", info.maxRecordCount, ", which times ", info.maxViewCount,
          ", plan.maxViewCount, must be at most ", kLargestWord, " unless plan.buckets has less capacity");
  return {makeBucket({info.maxRecordCount, {}}, SLU_DRAW_NONE)};
}

std::vector<BucketBlock> readBuckets(const SluPlanCreateInfo& info, std::uint32_t expectedCount) {
  const char* product = splitsMirrored(info) ? ", keyCount * lodCount * 2" : ", keyCount * lodCount";
  const std::uint32_t stride = info.bucketStride == 0 ? std::uint32_t{sizeof(SluBucket)} : info.bucketStride;
  checkMultipleOf4(stride, "plan.bucketStride");
  require(stride >= sizeof(SluBucket), "plan.bucketStride: is ", stride, ", must be 0 or at least ", sizeof(SluBucket));
  if (info.bucketCount == 0) {
    require(expectedCount == 1 || !isReserved(info), "plan.bucketCount: is 0, must be ", expectedCount, product);
    require(
        info.draws.type == SLU_DRAW_NONE || (!isReserved(info) && info.meshes.stride != 0),
        "plan.bucketCount: is 0, and plan.draws.type needs a template; describe each bucket's draw in plan.buckets");
    if (isReserved(info)) return defaultBucket(info);
    return std::vector<BucketBlock>(isMerged(info) || expectedCount > SLU_MAX_BUCKETS ? 1 : expectedCount);
  }
  require(info.bucketCount == expectedCount, "plan.bucketCount: is ", info.bucketCount, ", must be ", expectedCount,
          product);
  require(info.buckets != nullptr, "plan.buckets: is null, and plan.bucketCount is ", info.bucketCount);
  std::vector<BucketBlock> blocks;
  blocks.reserve(info.bucketCount);
  for (std::uint32_t i = 0; i < info.bucketCount; ++i) {
    SluBucket bucket;
    std::memcpy(&bucket, reinterpret_cast<const char*>(info.buckets) + std::size_t{stride} * i, sizeof(bucket));
    require(isReserved(info) || bucket.capacity == 0, "plan.buckets[", i, "].capacity: is ", bucket.capacity,
            ", must be 0 unless plan.placement is SLU_PLACEMENT_RESERVED, since buckets share plan.capacity");
    if (info.draws.type != SLU_DRAW_NONE) checkTemplate(bucket.draw, info.draws.type, i);
    if (info.draws.type != SLU_DRAW_NONE && info.meshes.stride != 0) checkNoTemplate(bucket.draw, i);
    blocks.push_back(makeBucket(bucket, info.draws.type));
  }
  return blocks;
}

// Sets each bucket's first output, and returns the outputs per view. Checks that the output numbers of all views fit a
// word.
std::uint32_t placeBuckets(std::vector<BucketBlock>& buckets, std::uint32_t viewCount) {
  std::uint64_t sum = 0;
  for (BucketBlock& bucket : buckets) {
    bucket.firstOutput = static_cast<std::uint32_t>(sum);
    sum += bucket.capacity;
  }
  require(sum * viewCount <= kLargestWord, "plan.buckets: the capacities add up to ", sum, ", which times ", viewCount,
          " views must be at most ", kLargestWord);
  return static_cast<std::uint32_t>(sum);
}

// Gives packed buckets the capacity that they share. A frame that fills the others first leaves the last of them no room,
// so that is where they may begin. Sparse buckets are left to one element, the range of the view.
void packBuckets(PlanLayout& layout) {
  if (layout.isSparse()) layout.buckets.resize(1);
  for (BucketBlock& bucket : layout.buckets) {
    bucket.capacity = layout.outputsPerView;
    bucket.firstOutput = &bucket == &layout.buckets.front() ? 0 : layout.outputsPerView;
  }
  if (layout.ownBucketCount() == 1) layout.placement = SLU_PLACEMENT_RESERVED;
}

// Makes the buckets of a merged plan templates that draw from its one list. Without templates one element is left, and
// without draws and buckets the list is a bucket as any other.
void mergeBuckets(PlanLayout& layout, const SluPlanCreateInfo& info) {
  if (info.draws.type == SLU_DRAW_NONE || layout.hasMeshes()) layout.buckets.resize(1);
  for (BucketBlock& bucket : layout.buckets) {
    bucket.capacity = layout.outputsPerView;
    bucket.firstOutput = 0;
  }
  const bool isOneList = info.draws.type == SLU_DRAW_NONE && layout.ownBucketCount() == 1 && !layout.hasMeshes();
  if (isOneList) layout.placement = SLU_PLACEMENT_RESERVED;
}

// Returns whether a command of the bucket can have a firstInstance that is not 0.
bool writesFirstInstance(const PlanLayout& layout, const BucketBlock& bucket) {
  const std::uint32_t word =
      layout.draw.wordCount - 1;  // firstInstance is the last word of draws of instances and vertices
  if (layout.draw.skipEmpty != 0 && bucket.capacity == 0) return false;
  if (bucket.command[word] != 0) return true;
  if (layout.isMerged()) return layout.draw.firstWord == word && layout.maxRecordCount > 1;
  const bool hasLaterViews = layout.maxViewCount > 1 && layout.outputsPerView != 0;
  const bool isLater = bucket.firstOutput != 0 || (layout.isSparse() && layout.outputsPerView > 1);
  return layout.draw.firstWord == word && (isLater || hasLaterViews);
}

// Returns the features that the host's device needs to execute the commands.
SluFlags drawNeedsOf(const PlanLayout& layout, const SluDraws& draws) {
  if ((draws.flags & SLU_DRAWS_AS_DATA_BIT) != 0) return 0;
  SluFlags needs = (layout.outputs & SLU_OUTPUT_DRAW_COUNTS_BIT) != 0 ? SLU_DRAW_NEEDS_DRAW_COUNT_BIT : 0;
  if ((layout.outputs & SLU_OUTPUT_DRAWS_BIT) == 0) return needs;
  if (layout.commandsPerView() > 1) needs |= SLU_DRAW_NEEDS_MULTI_DRAW_BIT;
  const bool writes = std::any_of(layout.buckets.begin(), layout.buckets.end(),
                                  [&](const BucketBlock& bucket) { return writesFirstInstance(layout, bucket); });
  return writes ? needs | SLU_DRAW_NEEDS_FIRST_INSTANCE_BIT : needs;
}

// Checks that firstInstance stays below 2^32, even for the last record.
void checkMergedCommands(const PlanLayout& layout) {
  if (layout.draw.firstWord == SLU_DROPPED) return;
  for (std::size_t i = 0; i < layout.buckets.size(); ++i) {
    const std::uint64_t last =
        std::uint64_t{layout.buckets[i].command[layout.draw.firstWord]} + layout.maxRecordCount - 1;
    require(last <= kLargestWord, "plan.buckets[", i, "].draw.firstInstance: becomes ", last,
            " with the indices of plan.maxRecordCount records, must be at most ", kLargestWord);
  }
}

// Checks that the words that the kernels compute stay below 2^32, even in the last view and for a full bucket.
void checkCommands(const PlanLayout& layout, SluDrawType type) {
  if (layout.isMerged()) return checkMergedCommands(layout);
  const std::uint64_t lastView = std::uint64_t{layout.maxViewCount - 1} * layout.outputsPerView;
  const bool isVertices = type == SLU_DRAW_VERTICES;
  for (std::uint32_t i = 0; i < layout.bucketCount(); ++i) {
    const BucketBlock& bucket = layout.buckets[i];
    const std::uint64_t scale = isVertices ? bucket.command[0] : 1;
    const std::uint64_t last = bucket.command[layout.draw.firstWord] + (lastView + bucket.firstOutput) * scale;
    require(bucket.capacity * scale <= kLargestWord, "plan.buckets[", i, "].draw.elementCount: is ", scale,
            ", which times the capacity of ", bucket.capacity, " must be at most ", kLargestWord);
    require(last <= kLargestWord, "plan.buckets[", i, "].draw.", isVertices ? "firstElement" : "firstInstance",
            ": becomes ", last, " in the last view, must be at most ", kLargestWord);
  }
}

}  // namespace

PlanLayout checkPlan(const SluPlanCreateInfo& info, const PredicateStructs& predicates) {
  checkGeneral(info);
  checkLive(info.live, info.recordStride, kLiveFields);
  checkLive(info.secondLive, info.recordStride, kSecondLiveFields);
  checkSecondLive(info.live.test, info.secondLive.test);
  checkMask(info);
  checkPlacement(info);
  checkKey(info.key, info.recordStride, splitsMirrored(info), mostBuckets(info));
  checkCustomKey(info);
  checkCullFlags(info.cullFlags);
  checkBounds(info);
  checkCones(info);
  checkMirrored(info);
  checkLayers(info);
  checkIndices(info);
  checkLod(info);
  const DrawBlock draw = checkDraws(info);
  checkMeshes(info);
  checkRejects(info);

  PlanLayout layout;
  layout.inPlace = (info.flags & SLU_PLAN_IN_PLACE_BIT) != 0;
  layout.splitsMirrored = splitsMirrored(info);
  layout.recordStride = info.recordStride;
  layout.maxRecordCount = info.maxRecordCount;
  layout.maxViewCount = std::max(info.maxViewCount, 1u);
  layout.framesInFlight = info.framesInFlight;
  if (info.bufferSetCount != 0) layout.bufferSetCount = info.bufferSetCount;
  readLive(layout, info);
  layout.predicate = checkPredicate(info, predicates);
  layout.cullFlags = info.cullFlags & ~SluFlags{SLU_CULL_LAYERS_BIT | SLU_CULL_MORE_PLANES_BIT};
  layout.hasMorePlanes = (info.cullFlags & SLU_CULL_MORE_PLANES_BIT) != 0;
  layout.findsVisible = layout.testsOcclusion();
  layout.testsLayers = (info.cullFlags & SLU_CULL_LAYERS_BIT) != 0;
  layout.layers = info.layers;
  layout.key = info.key;
  layout.key.keyCount = std::max(info.key.keyCount, 1u);
  layout.key.lodCount = std::max(info.key.lodCount, 1u);
  layout.meshes = info.meshes;
  layout.indices = info.indices;
  if (layout.needsBounds()) {
    layout.bounds = info.bounds;
    layout.cones = info.cones;
    layout.lod = info.lod;
  } else {  // nothing reads them
    layout.indices.streams &= SLU_INDEXED_LAYERS_BIT;
  }
  // Constant bounds are those of a stream whose elements are no bytes apart.
  if (layout.bounds.source == SLU_BOUNDS_CONSTANT) layout.bounds.source = SLU_BOUNDS_PER_RECORD;
  layout.outputs = info.outputs;
  layout.placement = info.placement;
  if (layout.isSparse()) checkSparse(info, layout.ownBucketCount());
  checkZeroCommands(info, layout.isSparse());
  layout.zeroCommandCount = info.zeroCommandCount;
  layout.streams = readStreams(info);
  readRejects(layout, info);
  if (layout.emitted() != 0) layout.order = info.order;  // otherwise no output shows it
  layout.draw = draw;
  layout.buckets = readBuckets(info, layout.ownBucketCount());
  if (isReserved(info)) {
    layout.outputsPerView = placeBuckets(layout.buckets, layout.maxViewCount);
  } else {
    layout.outputsPerView = info.capacity == 0 ? info.maxRecordCount : info.capacity;
    isMerged(info) ? mergeBuckets(layout, info) : packBuckets(layout);
  }
  layout.groups = checkGroups(info, layout.bucketCount());
  readGroups(layout.buckets, info.groups);
  if (info.draws.type != SLU_DRAW_NONE) {
    checkCommands(layout, info.draws.type);
    layout.drawNeeds = drawNeedsOf(layout, info.draws);
  }
  return layout;
}

}  // namespace slu

// A scene: plans, memories and frames as plain data, which every machine can execute.
#pragma once

#include <sluice/sluice.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace slu::test {

using Bytes = std::vector<std::uint8_t>;

// Without a word in front.
constexpr std::uint32_t commandBytes(SluDrawType type) {
  return type == SLU_DRAW_INDEXED_INSTANCES ? 20 : type == SLU_DRAW_WORKGROUPS ? 12 : 16;
}

// What one of each shape takes.
constexpr std::uint32_t boundsBytes(SluBoundsShape shape) {
  if (shape == SLU_SHAPE_SPHERE) return 16;
  return shape == SLU_SHAPE_BOX || shape == SLU_SHAPE_CORNERS ? 24 : 32;
}
// What may stand in front of a command.
constexpr SluFlags kFronts = SLU_DRAWS_FIRST_IN_FRONT_BIT | SLU_DRAWS_BUCKET_IN_FRONT_BIT |
                             SLU_DRAWS_NUMBER_IN_FRONT_BIT | SLU_DRAWS_RECORD_IN_FRONT_BIT;
constexpr std::uint32_t kConeBytes = 16;
constexpr bool isByCorners(SluBoundsShape shape) {
  return shape == SLU_SHAPE_CORNERS || shape == SLU_SHAPE_CORNERS_VEC4;
}

struct PlanSpec {
  PlanSpec() { info.framesInFlight = 64; }

  SluPlanCreateInfo info = SLU_INIT(PLAN_CREATE_INFO, SluPlanCreateInfo);  // without its buckets
  std::vector<std::uint32_t> groups;                                       // of buckets, unless a mesh table tells them
  std::vector<SluStream> streams;                                          // further ones
  std::vector<SluBucket> buckets;  // empty: one that holds all records, no draws; if packed, as many as it has to have

  bool hasGroups() const { return info.groups.count != 0; }
  std::uint32_t drawCountsPerView() const { return hasGroups() ? info.groups.count : 1; }
  bool isPacked() const { return info.placement == SLU_PLACEMENT_PACKED; }
  bool stable() const { return info.order == SLU_ORDER_STABLE; }
  bool writes(SluFlags output) const { return (info.outputs & output) != 0; }
  bool hasViews() const { return testsBounds() || testsLayers(); }
  bool testsBounds() const { return (info.cullFlags & ~SluFlags{SLU_CULL_LAYERS_BIT}) != 0 || info.key.lodCount > 1; }
  bool testsLayers() const { return (info.cullFlags & SLU_CULL_LAYERS_BIT) != 0; }
  bool hasMorePlanes() const { return (info.cullFlags & SLU_CULL_MORE_PLANES_BIT) != 0; }
  bool testsOcclusion() const { return (info.cullFlags & SLU_CULL_OCCLUSION_BIT) != 0; }
  bool testsCones() const { return (info.cullFlags & SLU_CULL_CONE_BIT) != 0; }
  // Words of a view's bits of visibility.
  std::uint32_t visibleStride() const { return info.maxRecordCount / 32 + (info.maxRecordCount % 32 != 0 ? 1 : 0); }
  bool hasLayers() const {
    return testsLayers() || info.layers.neverCullMask != 0 || info.layers.neverOccludeMask != 0;
  }
  bool readsLayers() const { return hasLayers() && info.layers.stride != 0; }  // the stream
  bool readsRecords() const;
  SluLive recordTest() const;    // of the two live tests; SLU_LIVE_ALWAYS where neither tests the record
  SluLiveTest flagTest() const;  // the same of the flags
  bool readsFlags() const { return flagTest() != SLU_LIVE_ALWAYS; }
  bool readsBounds() const {
    return testsBounds() && info.bounds.source >= SLU_BOUNDS_PER_RECORD && info.bounds.source != SLU_BOUNDS_IN_MESH;
  }
  // SluIndexedStreamBits of the streams that the plan reads.
  SluFlags indexedStreams() const {
    return info.indices.streams & (testsBounds() ? ~SluFlags{0} : SluFlags{SLU_INDEXED_LAYERS_BIT});
  }
  bool hasMeshes() const { return info.meshes.stride != 0; }
  bool hasDraws() const { return info.draws.type != SLU_DRAW_NONE; }
  bool readsThresholds() const { return info.lod.rule != SLU_LOD_VIEW_DISTANCES; }  // of the meshes
  bool hasMeshPart(SluFlags parts) const { return (info.meshes.parts & parts) != 0; }
  bool keepsLodStates() const { return (info.lod.flags & SLU_LOD_STATES_BIT) != 0; }
  bool splitsMirrored() const { return (info.flags & SLU_PLAN_SPLIT_MIRRORED_BIT) != 0; }
  bool isMoved() const { return testsBounds() && info.bounds.transformFlags != 0; }
  bool readsTransforms() const { return isMoved() && info.bounds.transformStride != 0; }
  std::uint32_t keyCount() const { return info.key.keyCount == 0 ? 1 : info.key.keyCount; }
  std::uint32_t lodCount() const { return info.key.lodCount == 0 ? 1 : info.key.lodCount; }
  // Without those of records that mirror; these have as many.
  std::uint32_t firstMirrored() const { return keyCount() * lodCount(); }
  // Those that have a range of the outputs: one of a merged plan.
  std::uint32_t bucketCount() const {
    if (isMerged()) return 1;
    if (!buckets.empty()) return static_cast<std::uint32_t>(buckets.size());
    return isPacked() ? firstMirrored() * (splitsMirrored() ? 2 : 1) : 1;
  }
  // Whether there are more packed buckets than can be described one by one: frames leave their order open, and room for
  // commands follows the capacity.
  bool isSparse() const { return isPacked() && bucketCount() > SLU_MAX_BUCKETS; }
  bool isMerged() const { return info.placement == SLU_PLACEMENT_MERGED; }
  bool drawsRecords() const { return isMerged() && writes(SLU_OUTPUT_DRAWS_BIT); }  // a command for each kept record
  std::uint32_t capacity(std::uint32_t bucket) const {                              // unless it is packed
    if (isMerged()) return info.capacity == 0 ? info.maxRecordCount : info.capacity;
    return buckets.empty() ? info.maxRecordCount : buckets[bucket].capacity;
  }
  std::uint64_t outputsPerView() const;
  std::uint64_t commandsPerView() const {
    if (isMerged()) return outputsPerView();
    if (isSparse()) return std::min<std::uint64_t>(bucketCount(), outputsPerView());
    return info.groups.drawCapacity != 0 ? std::uint64_t{info.groups.count} * info.groups.drawCapacity : bucketCount();
  }
  // Of the list of rejects: whether a reason is asked for, and how many records it has room for.
  bool listsRejects() const { return writes(SLU_OUTPUT_REJECTS_BIT | SLU_OUTPUT_REJECT_COUNTS_BIT); }
  bool listsReason(std::uint32_t reject) const {
    return listsRejects() && (info.rejects.reasons == 0 || (info.rejects.reasons >> reject & 1) != 0);
  }
  std::uint32_t rejectCapacity() const {
    return info.rejects.capacity == 0 ? info.maxRecordCount : info.rejects.capacity;
  }
  // Whether the order of what is kept, or of the rejects, is not said.
  bool leavesOrderOpen() const {
    return !stable() && (writes(SLU_OUTPUT_INDICES_BIT | SLU_OUTPUT_RECORDS_BIT) || !streams.empty() || drawsRecords());
  }
  bool leavesRejectsOpen() const { return !stable() && writes(SLU_OUTPUT_REJECTS_BIT); }
  bool hasFront() const { return (info.draws.flags & kFronts) != 0; }
  std::uint32_t commandBytes() const {  // with the word in front
    return test::commandBytes(info.draws.type) + (hasFront() ? 4 : 0);
  }

  // The same bytes, the same plan.
  std::string key() const;
};

// The create info of a plan with the storage that it points to.
class PlanArguments {
 public:
  PlanArguments(const PlanSpec& plan, SluRoute route);
  PlanArguments(const PlanArguments&) = delete;
  PlanArguments& operator=(const PlanArguments&) = delete;
  const SluPlanCreateInfo* get() const { return &info_; }

 private:
  SluPlanCreateInfo info_;
  Bytes buckets_;
  std::vector<SluStream> streams_;
};

constexpr std::uint32_t kUnbound = ~0u;

struct Place {
  std::uint32_t memory = kUnbound;  // of the scene's memories
  std::uint64_t offset = 0;
  explicit operator bool() const { return memory != kUnbound; }
};

// Of a further stream.
struct StreamPlaces {
  Place input, output;
};

// How many elements the streams have that records share; 0 for the others.
struct ElementCounts {
  std::uint32_t bounds = 0;
  std::uint32_t transforms = 0;
  std::uint32_t layers = 0;
};

// An SluOcclusionInfo without its bindings.
struct OcclusionSpec {
  std::uint32_t phase = 0;  // an SluOcclusionPhase; 0: the frame has no such struct
  std::uint32_t viewStride = 0;
  std::vector<SluOcclusionView> views;  // none for SLU_OCCLUSION_FIRST, as sizes of 0
  std::uint32_t width = 0, height = 0, layerCount = 0;
  float depthMargin = 0;
  // Whether frames read the pyramid and write bits.
  bool findsVisible() const { return phase == SLU_OCCLUSION_SINGLE || phase == SLU_OCCLUSION_SECOND; }
  bool isOfTwo() const { return phase == SLU_OCCLUSION_FIRST || phase == SLU_OCCLUSION_SECOND; }
};

struct FrameSpec {
  std::uint32_t plan = 0;  // of the scene's plans
  std::uint32_t recordCount = 0;
  std::uint32_t viewCount = 1;
  std::uint32_t viewStride = 0;
  const void* pNext = nullptr;  // of the frame info
  std::vector<SluView> views;
  std::vector<SluMorePlanes> morePlanes;
  std::uint32_t meshCount = 0;
  ElementCounts elements;
  Place liveCount, records, bounds, transforms, flags, layers, meshes, liveMeshCount, lastLodStates;
  Place indices, keptRecords, draws, drawCounts, statistics, bucketCounts, lodStates, rejects, rejectCounts;
  OcclusionSpec occlusion;
  Place pyramid, lastVisible, visible;  // of `occlusion`, which binds those that its phase takes
  std::vector<StreamPlaces> streams;    // as many as the plan has
  float lodHysteresis = 0;
  std::uint32_t lodFadeStep = 0;
};

struct Scene {
  std::vector<PlanSpec> plans;
  std::vector<FrameSpec> frames;  // in the order of their execution
  std::vector<Bytes> memories;    // as they are before the first frame

  const PlanSpec& planOf(const FrameSpec& frame) const { return plans[frame.plan]; }
};

// A frame as the API wants it, with the storage that it points to. bufferOf tells the buffer of a memory.
class FrameArguments {
 public:
  FrameArguments(const FrameSpec& frame, const std::function<SluBuffer(std::uint32_t memory)>& bufferOf);
  FrameArguments(const FrameArguments&) = delete;
  FrameArguments& operator=(const FrameArguments&) = delete;
  const SluFrameInfo* get() const { return &info_; }
  const SluOcclusionInfo& occlusion() const { return occlusion_; }  // the frame's first chained struct, if it has one

 private:
  SluFrameInfo info_;
  Bytes views_;
  std::vector<SluStreamBinding> streams_;
  SluOcclusionInfo occlusion_;
  Bytes occlusionViews_;
};

// An output (or input) of a frame and the bytes that it covers.
struct Region {
  const char* name;
  Place FrameSpec::*place;
  std::uint64_t bytes;
};
// Those of further streams are left out, since they have no place of their own.
std::vector<Region> outputRegions(const PlanSpec& plan, std::uint32_t viewCount);
// A mesh table has as many meshes as the plan has keys. The last states of LODs are left out: how many there are depends
// on the views.
std::vector<Region> inputRegions(const PlanSpec& plan, std::uint32_t recordCount, const ElementCounts& elements);

// What the elements of a further stream cover, up to the end of the last one.
constexpr std::uint32_t inputStride(const SluStream& stream) {
  return stream.inputStride == 0 ? stream.elementSize : stream.inputStride;
}
constexpr std::uint32_t outputStride(const SluStream& stream) {
  return stream.outputStride == 0 ? stream.elementSize : stream.outputStride;
}
std::uint64_t streamInputBytes(const SluStream& stream, std::uint32_t recordCount);
std::uint64_t streamOutputBytes(const PlanSpec& plan, const SluStream& stream, std::uint32_t viewCount);

}  // namespace slu::test

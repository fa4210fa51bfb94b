// A Sluice plan with its buffers. The scenes say what to compact; this class runs it on whichever route was chosen.
#pragma once

#include <sluice/sluice_vulkan_cuda.h>

#include <algorithm>
#include <optional>
#include <sluice/sluice.hpp>
#include <span>
#include <string>
#include <vector>

#include "frame/channels.h"
#include "vulkan/resources.h"

namespace demo {

constexpr uint32_t kMostSteps = 2;  // of a frame: the phases of occlusion

// What the meshes of a table differ in: a group for each state of the pipeline that the scene draws with.
struct DrawGroups {
  std::vector<const char*> names;  // by group; fewer than two: there is nothing to group
  std::vector<uint32_t> ofMeshes;  // by mesh
  uint32_t meshOffset = 0;         // of the group within a mesh of the table
};

// Says what of a scene is compacted, and how.
struct CompactionRequest {
  SluPlanCreateInfo plan = {};                 // all but route, order, buckets
  std::vector<SluBucket> buckets;              // at least one; with commands per record one that has the room of all
  std::vector<uint32_t> sufficientCapacities;  // per bucket; with these nothing can overflow
  PerChannel<const Buffer*> inputs;            // NULL: the plan has no such input
  const Buffer* boundsWithoutCones = nullptr;  // for steps that ignore cones: the bounds with cones that reject nothing
  uint32_t boundsCount = 0, transformCount = 0;  // elements, if records share them
  std::vector<uint32_t> flags;                   // the stream of flags, which the compaction uploads; empty: none
  uint32_t taskRecords = 0;                      // kept records per task workgroup of the scene's mesh shaders
  std::string meshShaderRefusal;                 // why the scene cannot draw with mesh shaders; empty if it can
  DrawGroups groups;                             // that the scene has; plan.groups says whether they are used
  bool viewDependent = false;
  bool isOpaque = false;                  // no pixel depends on the order of draws, so occlusion can be tested
  uint32_t stepCount = 1;                 // of a frame at most; each has outputs of its own
  std::vector<uint32_t> bucketTriangles;  // of a record, by bucket; empty: not known
  uint32_t positionOffset = 0;            // of 3 floats in a record: where it is drawn; for a plan without bounds
  uint32_t positionStep = sizeof(float);  // from one of them to the next
  // Where a record holds the number of its transform in the stream, and the bytes from one transform to the next.
  // positionOffset then counts within the element. Nothing: the transforms are in the records.
  std::optional<uint32_t> transformIndexOffset;
  uint32_t transformStride = 0;
  std::optional<uint32_t> seedOffset;  // of a word of random bits in a record, if it has one
};

// Returns the request's plan for a route. It points into request and buckets.
SluPlanCreateInfo planInfo(const CompactionRequest& request, SluRoute route, SluOrder order,
                           const std::vector<SluBucket>& buckets);

// Returns how many meshes a frame binds: all of the table; 0 if the plan has none.
uint32_t frameMeshCount(const SluPlanCreateInfo& plan);

// A buffer of the demo's that the library knows.
struct RegisteredBuffer {
  Buffer buffer;
  slu::Buffer registered;
};
slu::Buffer registerBuffer(SluContext context, const Buffer& buffer);

// One run of the plan. A frame that tests occlusion in two phases has two.
struct CompactionStep {
  uint32_t viewCount = 0;                       // of the frame's views, the first ones
  uint32_t outputs = 0;                         // which of the compaction's outputs it writes
  std::optional<SluOcclusionPhase> phase = {};  // nothing: no occlusion is tested
  std::vector<SluOcclusionView> occlusionViews = {};
  VkExtent2D pyramidSize = {};
  bool ignoresCones = false;  // of plans that test them
  // NULL: the phase has no such buffer.
  const RegisteredBuffer* pyramid = nullptr;
  const RegisteredBuffer* lastVisible = nullptr;
  const RegisteredBuffer* visible = nullptr;
};

// Returns the step's frame without its buffers. It points to views.
SluFrameInfo frameInfo(const CompactionRequest& request, std::span<const SluView> views, const CompactionStep& step);

// Returns what to chain to it if the step has a phase, without its buffers. It points to the step.
SluOcclusionInfo occlusionInfo(const CompactionStep& step);

inline bool isPacked(const CompactionRequest& request) { return request.plan.placement == SLU_PLACEMENT_PACKED; }
// Returns whether each kept record has a draw command of its own.
inline bool isMerged(const CompactionRequest& request) { return request.plan.placement == SLU_PLACEMENT_MERGED; }
inline bool testsCones(const CompactionRequest& request) { return request.plan.cullFlags & SLU_CULL_CONE_BIT; }

// Returns where each bucket of a view begins among the outputs, and behind them where the last one ends. counts are
// those of the view's buckets. buckets take the place of the request's.
std::vector<uint64_t> firstOutputs(const CompactionRequest& request, std::span<const SluBucket> buckets,
                                   std::span<const SluBucketCount> counts, uint32_t view);

// Returns what memory a plan's inputs must be in on a route.
Memory inputMemory(SluRoute route);

// Returns how many plans the compactions of this program have created.
uint32_t createdPlanCount();

class Compaction {
 public:
  Compaction(const Device& device, SluContext context, SluRoute route, SluOrder order, CompactionRequest request);

  // Returns what this was made from.
  const CompactionRequest& request() const { return request_; }

  // The CPU route runs on the host before the frame's draws are submitted.
  bool onHost() const { return route_ == SLU_ROUTE_CPU; }
  void run(std::span<const SluView> views, const CompactionStep& step);

  // The routes vulkan and inline are recorded into the frame.
  void record(VkCommandBuffer commands, std::span<const SluView> views, const CompactionStep& step);

  // The CUDA route runs between two submissions:
  // 1. The first submission records release and signals timelines().released with the frame's value.
  // 2. enqueueWait lets CUDA's default stream wait for that value. The caller may enqueue work of its own behind it.
  // 3. enqueue compacts in that stream and signals timelines().compacted.
  // 4. The second submission waits for timelines().compacted at all stages, and records acquire.
  bool handsOff() const { return route_ == SLU_ROUTE_CUDA; }
  const SluVulkanTimelines& timelines() const { return timelines_; }
  void release(VkCommandBuffer commands);
  void enqueueWait(uint64_t value);
  void enqueue(std::span<const SluView> views, const CompactionStep& step, uint64_t value);
  void acquire(VkCommandBuffer commands);
  // Has the buffer handed over with the compaction's own. It must live until keepBack().
  void handOver(SluBuffer buffer) { handedOver_.push_back(buffer); }
  void keepBack(SluBuffer buffer) { std::erase(handedOver_, buffer); }

  SluRoute route() const { return route_; }
  SluOrder order() const { return order_; }
  uint32_t viewCount() const { return request_.plan.maxViewCount; }
  uint32_t bucketCount() const { return static_cast<uint32_t>(request_.buckets.size()); }  // of the request
  // A view has the draws of each group, at fixed places. Without groups all draws are one.
  uint32_t groupCount() const { return std::max(request_.plan.groups.count, 1u); }
  uint32_t drawsPerGroup() const {
    if (isMerged(request_)) return request_.plan.capacity;
    return hasGroups() ? request_.plan.groups.drawCapacity : bucketCount();
  }
  bool drawsMeshTasks() const { return request_.plan.draws.type == SLU_DRAW_WORKGROUPS; }
  bool hasGroups() const { return request_.plan.groups.count != 0; }
  uint64_t capacity() const { return properties_.outputsPerView; }  // of all buckets of a view
  uint64_t scratchBytes() const { return properties_.scratchBytes; }

  // Returns the bytes of a bit for each view and record; 0 if the plan tests no occlusion.
  uint64_t visibilityBytes() const { return properties_.visibilityBytes; }
  uint32_t stepCount() const { return request_.stepCount; }

  // Returns NULL when the plan has no such channel. outputs: CompactionStep::outputs; an input is the same for all.
  const Buffer* buffer(Channel channel, uint32_t outputs = 0) const { return buffers_[outputs][channel]; }
  // Returns the buffer that a step reads or writes.
  const Buffer* buffer(Channel channel, const CompactionStep& step) const;
  uint64_t bytes(Channel channel) const { return bytes_[channel]; }

  // Returns where CUDA finds the input. Only for the CUDA route.
  void* cudaPointer(Channel input) const { return sluGetCudaPointer(registered_[0][input]); }

 private:
  // Holds a frame's structs, which point to each other.
  struct BoundFrame {
    SluOcclusionInfo occlusion;
    SluFrameInfo frame;
  };

  void createOutput(const Device& device, Channel channel, uint32_t outputs);
  void bindFrame(std::span<const SluView> views, const CompactionStep& step, BoundFrame& bound) const;
  SluTransferInfo transferInfo(VkAccessFlags access) const;

  SluContext context_;
  SluRoute route_;
  SluOrder order_;
  CompactionRequest request_;
  slu::Plan plan_;
  SluPlanProperties properties_ = {};
  // By CompactionStep::outputs. The inputs are registered among the first.
  std::array<PerChannel<Buffer>, kMostSteps> own_;  // the outputs, and the flags
  std::array<PerChannel<const Buffer*>, kMostSteps> buffers_;
  std::array<PerChannel<slu::Buffer>, kMostSteps> registered_;
  slu::Buffer boundsWithoutCones_;  // none if the plan tests no cones
  PerChannel<uint64_t> bytes_;
  VkPipelineStageFlags drawStages_;
  uint32_t queueFamily_;
  std::vector<SluBuffer> handedOver_;  // CUDA route: all of registered_, and what handOver() got
  SluVulkanTimelines timelines_ = SLU_INIT(VULKAN_TIMELINES, SluVulkanTimelines);
};

// What a step of a frame kept, for those that draw it.
class Kept {
 public:
  Kept(const Compaction& compaction, uint32_t outputs) : compaction_(compaction), outputs_(outputs) {}

  const Buffer* buffer(Channel channel) const { return compaction_.buffer(channel, outputs_); }
  const CompactionRequest& request() const { return compaction_.request(); }
  uint32_t bucketCount() const { return compaction_.bucketCount(); }
  uint32_t groupCount() const { return compaction_.groupCount(); }
  uint32_t drawsPerGroup() const { return compaction_.drawsPerGroup(); }
  bool drawsMeshTasks() const { return compaction_.drawsMeshTasks(); }
  bool hasGroups() const { return compaction_.hasGroups(); }

 private:
  const Compaction& compaction_;
  uint32_t outputs_;
};

}  // namespace demo

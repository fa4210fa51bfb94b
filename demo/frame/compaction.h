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

// What the meshes of a table differ in: a group for each state of the pipeline that the scene draws with.
struct DrawGroups {
  std::vector<const char*> names;  // by group; fewer than two: there is nothing to group
  std::vector<uint32_t> ofMeshes;  // by mesh
  uint32_t meshOffset = 0;         // of the group within a mesh of the table
};

// Says what of a scene is compacted, and how.
struct CompactionRequest {
  SluPlanCreateInfo plan = {};                 // all but route, order, buckets
  std::vector<SluBucket> buckets;              // at least one
  std::vector<uint32_t> sufficientCapacities;  // per bucket; with these nothing can overflow
  PerChannel<const Buffer*> inputs;            // NULL: the plan has no such input
  std::vector<uint32_t> flags;                 // the stream of flags, which the compaction uploads; empty: none
  uint32_t taskRecords = 0;                    // kept records per task workgroup of the scene's mesh shaders
  std::string meshShaderRefusal;               // why the scene cannot draw with mesh shaders; empty if it can
  DrawGroups groups;                           // that the scene has; plan.groups says whether they are used
  bool viewDependent = false;
  uint32_t positionOffset = 0;            // of 3 floats in a record: where it is drawn; for a plan without bounds
  uint32_t positionStep = sizeof(float);  // from one of them to the next
  std::optional<uint32_t> seedOffset;     // of a word of random bits in a record, if it has one
};

// Returns the request's plan for a route. It points into request and buckets.
SluPlanCreateInfo planInfo(const CompactionRequest& request, SluRoute route, SluOrder order,
                           const std::vector<SluBucket>& buckets);

// Returns how many meshes a frame binds: all of the table; 0 if the plan has none.
uint32_t frameMeshCount(const SluPlanCreateInfo& plan);

// Returns the request's frame without its buffers. It points to views: as many as the plan has.
SluFrameInfo frameInfo(const CompactionRequest& request, std::span<const SluView> views);

inline bool isPacked(const CompactionRequest& request) { return request.plan.placement == SLU_PLACEMENT_PACKED; }

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
  void run(std::span<const SluView> views);

  // The routes vulkan and inline are recorded into the frame.
  void record(VkCommandBuffer commands, std::span<const SluView> views);

  // The CUDA route runs between two submissions:
  // 1. The first submission records release and signals timelines().released with the frame's value.
  // 2. enqueueWait lets CUDA's default stream wait for that value. The caller may enqueue work of its own behind it.
  // 3. enqueue compacts in that stream and signals timelines().compacted.
  // 4. The second submission waits for timelines().compacted at all stages, and records acquire.
  bool handsOff() const { return route_ == SLU_ROUTE_CUDA; }
  const SluVulkanTimelines& timelines() const { return timelines_; }
  void release(VkCommandBuffer commands);
  void enqueueWait(uint64_t value);
  void enqueue(std::span<const SluView> views, uint64_t value);
  void acquire(VkCommandBuffer commands);

  SluRoute route() const { return route_; }
  SluOrder order() const { return order_; }
  uint32_t viewCount() const { return request_.plan.maxViewCount; }
  uint32_t bucketCount() const { return properties_.bucketCount; }
  // A view has the draws of each group, at fixed places. Without groups all draws are one.
  uint32_t groupCount() const { return std::max(request_.plan.groups.count, 1u); }
  uint32_t drawsPerGroup() const { return hasGroups() ? request_.plan.groups.drawCapacity : bucketCount(); }
  bool drawsMeshTasks() const { return request_.plan.draws.type == SLU_DRAW_WORKGROUPS; }
  bool hasGroups() const { return request_.plan.groups.count != 0; }
  uint64_t capacity() const { return properties_.outputsPerView; }  // of all buckets of a view
  uint64_t scratchBytes() const { return properties_.scratchBytes; }

  // Returns NULL when the plan has no such channel.
  const Buffer* buffer(Channel channel) const { return buffers_[channel]; }
  uint64_t bytes(Channel channel) const { return bytes_[channel]; }

  // Returns where CUDA finds the channel's buffer. Only for the CUDA route.
  void* cudaPointer(Channel channel) const { return sluGetCudaPointer(registered_[channel]); }

 private:
  void createOutput(const Device& device, Channel channel);
  SluFrameInfo boundFrame(std::span<const SluView> views) const;
  SluTransferInfo transferInfo(VkAccessFlags access) const;

  SluContext context_;
  SluRoute route_;
  SluOrder order_;
  CompactionRequest request_;
  slu::Plan plan_;
  SluPlanProperties properties_ = {};
  PerChannel<Buffer> own_;  // the outputs, and the flags
  PerChannel<const Buffer*> buffers_;
  PerChannel<uint64_t> bytes_;
  PerChannel<slu::Buffer> registered_;
  VkPipelineStageFlags drawStages_;
  uint32_t queueFamily_;
  std::vector<SluBuffer> handedOver_;  // CUDA route: all of registered_
  SluVulkanTimelines timelines_ = SLU_INIT(VULKAN_TIMELINES, SluVulkanTimelines);
};

}  // namespace demo

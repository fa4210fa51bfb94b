// The Vulkan device that is measured, with a queue that has compute and timestamps.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "arena/results.h"
#include "base/failure.h"
#include "hosting/commands.h"

namespace bench {

// The instance has no debug names and labels: they would cost time of the host, which is measured.
inline const InstanceInfo kInstanceInfo = {
    .applicationName = "sluice-bench", .newestVersion = SLU_VULKAN_API_VERSION, .extensions = {}};

constexpr uint64_t kTwoMinutes = 120'000'000'000;  // longer than anything that is waited for

// Says which queue of a device is measured. On a queue that draws, GPUs may give shaders less shared memory, or run
// fewer of them at a time.
enum class QueueKind {
  Compute,   // a queue for compute without graphics; on a device that has none, any queue that computes
  Graphics,  // a queue for graphics and compute, on a device that also has one for compute only
  Both,      // a queue for graphics and compute, and one for compute only if the device has it; for the CUDA route, too
};

// A queue, and where its command buffers come from.
struct VulkanQueue {
  uint32_t family = 0;
  VkQueue queue = VK_NULL_HANDLE;
  UniqueCommandPool pool{};
};

class VulkanDevice : public Device {
 public:
  // Throws Failure (NoDevice) when the device lacks what frames or their timing need.
  VulkanDevice(const Instance& instance, VkPhysicalDevice physical, QueueKind queueKind);

  SluVulkanDeviceInfo info() const { return info(queue_); }
  SluVulkanDeviceInfo info(const VulkanQueue& queue) const { return Device::info(queue.family); }
  const VulkanQueue& queue() const { return queue_; }
  const VulkanQueue* computeQueue() const { return computeQueue_ ? &*computeQueue_ : nullptr; }  // of QueueKind::Both
  const VulkanDescription& description() const { return description_; }
  VkBufferUsageFlags bufferUsage() const { return bufferUsage_; }
  bool hasInline() const { return hasInline_; }
  uint64_t memoryBytes() const { return memoryBytes_; }  // that buffers may take together
  uint32_t timestampValidBits() const { return timestampValidBits_; }

  // A command buffer that may be submitted again and again, until the device goes or it is freed.
  VkCommandBuffer record(const std::function<void(VkCommandBuffer)>& commands) const {
    return record(queue_, commands);
  }
  VkCommandBuffer record(const VulkanQueue& queue, const std::function<void(VkCommandBuffer)>& commands) const;
  void submitAndWait(VkCommandBuffer commands) const;
  void free(VkCommandBuffer commands) const;
  void runOnce(const std::function<void(VkCommandBuffer)>& commands) const;

 private:
  void describe();
  void chooseQueueFamily(QueueKind kind);
  void chooseFeatures(QueueKind kind);
  bool addRequirements(SluRoute route, SluMessage& message);
  void open(VulkanQueue& queue) const;

  VulkanDescription description_;
  uint64_t memoryBytes_ = 0;
  uint32_t timestampValidBits_ = 0;
  VkBufferUsageFlags bufferUsage_ = 0;
  bool hasInline_ = false;
  VulkanQueue queue_;
  std::optional<VulkanQueue> computeQueue_;
  UniqueFence fence_;
};

// Orders everything that frames do in these stages before what follows in them. Stages that take no part would cost
// time.
constexpr VkPipelineStageFlags kFrameStages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
void frameBarrier(VkCommandBuffer commands, VkPipelineStageFlags stages = kFrameStages);

}  // namespace bench

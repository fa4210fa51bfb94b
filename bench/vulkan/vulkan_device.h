// The Vulkan device that is measured, with a queue that has compute and timestamps.
#pragma once

#include <sluice/sluice_vulkan.h>

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "arena/results.h"
#include "vulkan/vulkan_api.h"

namespace bench {

class VulkanInstance {
 public:
  VulkanInstance();  // throws Failure (NoDevice) where there is no loader or no driver
  ~VulkanInstance();
  VulkanInstance(const VulkanInstance&) = delete;
  VulkanInstance& operator=(const VulkanInstance&) = delete;

  VkInstance get() const { return instance_; }

  // selection: an index or a part of the name; empty for the first GPU, or the first device where there is none. Throws
  // Failure: NoDevice when there is no device, BadInput when none is the one named.
  VkPhysicalDevice choose(const std::string& selection) const;

 private:
  VkInstance instance_ = VK_NULL_HANDLE;
};

struct OwnedDevice {
  OwnedDevice() = default;
  OwnedDevice(const OwnedDevice&) = delete;
  OwnedDevice& operator=(const OwnedDevice&) = delete;
  ~OwnedDevice() {
    if (handle != VK_NULL_HANDLE) vkDestroyDevice(handle, nullptr);
  }
  VkDevice handle = VK_NULL_HANDLE;
};

// Which queue of a device is measured. GPUs may give shaders on a queue that draws less shared memory, or fewer of them
// at a time.
enum class QueueKind {
  Compute,   // one for compute without graphics; where there is none, any that computes
  Graphics,  // one for both, on a device that has one of the other kind as well
  Both,  // one for both, and one for compute alone where there is one; the CUDA route's needs are met, where possible
};

struct SemaphorePoint {
  VkSemaphore semaphore;  // a timeline
  uint64_t value;
};

// A queue, and where its command buffers come from.
struct VulkanQueue {
  uint32_t family = 0;
  VkQueue queue = VK_NULL_HANDLE;
  VulkanCommandPool pool{};
};

class VulkanDevice {
 public:
  // Throws Failure (NoDevice) with a sentence where the device lacks what frames or their timing need.
  VulkanDevice(VkInstance instance, VkPhysicalDevice physical, QueueKind queueKind);
  VulkanDevice(const VulkanDevice&) = delete;
  VulkanDevice& operator=(const VulkanDevice&) = delete;

  VkDevice get() const { return device_.handle; }
  SluVulkanDeviceInfo info() const { return info(queue_); }
  SluVulkanDeviceInfo info(const VulkanQueue& queue) const;  // points into this object
  const VulkanQueue& queue() const { return queue_; }
  const VulkanQueue* computeQueue() const { return computeQueue_ ? &*computeQueue_ : nullptr; }  // of QueueKind::Both
  const VulkanDescription& description() const { return description_; }
  VkBufferUsageFlags bufferUsage() const { return bufferUsage_; }
  bool hasInline() const { return hasInline_; }
  uint64_t memoryBytes() const { return memoryBytes_; }  // that buffers may take together
  uint32_t timestampValidBits() const { return timestampValidBits_; }
  uint32_t memoryType(uint32_t typeBits, VkMemoryPropertyFlags required, VkMemoryPropertyFlags preferred) const;

  // A command buffer that may be submitted again and again, until the device goes or it is freed.
  VkCommandBuffer record(const std::function<void(VkCommandBuffer)>& commands) const {
    return record(queue_, commands);
  }
  VkCommandBuffer record(const VulkanQueue& queue, const std::function<void(VkCommandBuffer)>& commands) const;
  void submit(const VulkanQueue& queue, VkCommandBuffer commands, std::span<const SemaphorePoint> waits,
              std::span<const SemaphorePoint> signals) const;
  void submitAndWait(VkCommandBuffer commands) const;
  void free(VkCommandBuffer commands) const;
  void runOnce(const std::function<void(VkCommandBuffer)>& commands) const;

 private:
  void describe();
  void chooseQueueFamily(QueueKind kind);
  void chooseFeatures(QueueKind kind);
  bool addRequirements(SluRoute route, SluMessage& message);
  void create();
  void createPool(VulkanQueue& queue) const;

  const VkInstance instance_;
  const VkPhysicalDevice physical_;
  VulkanDescription description_;
  VkPhysicalDeviceMemoryProperties memory_{};
  uint64_t memoryBytes_ = 0;
  uint32_t timestampValidBits_ = 0;
  VkBufferUsageFlags bufferUsage_ = 0;
  bool hasInline_ = false;
  std::vector<const char*> extensions_;
  VkPhysicalDeviceVulkan12Features vulkan12_{};
  SluVulkanMergeInfo merge_ = SLU_INIT(VULKAN_MERGE_INFO, SluVulkanMergeInfo);
  std::vector<VkDeviceQueueCreateInfo> queueInfos_;
  VkDeviceCreateInfo createInfo_{};
  OwnedDevice device_;
  VulkanQueue queue_;
  std::optional<VulkanQueue> computeQueue_;
  VulkanFence fence_;
};

// Orders everything that frames do in these stages before what follows there. Those that do not take part cost time,
// too.
constexpr VkPipelineStageFlags kFrameStages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
void frameBarrier(VkCommandBuffer commands, VkPipelineStageFlags stages = kFrameStages);

}  // namespace bench

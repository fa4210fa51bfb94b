#include "vulkan/vulkan_device.h"

#include <algorithm>

namespace bench {

VulkanDevice::VulkanDevice(const Instance& instance, VkPhysicalDevice physical, QueueKind queueKind)
    : Device(instance, physical) {
  describe();
  chooseQueueFamily(queueKind);
  chooseFeatures(queueKind);
  std::vector<uint32_t> families = {queue_.family};
  if (computeQueue_) families.push_back(computeQueue_->family);
  create(families);
  open(queue_);
  if (computeQueue_) open(*computeQueue_);
  fence_ = createFence(*this);
}

void VulkanDevice::describe() {
  const VkPhysicalDeviceDriverProperties driver = driverOf(physical());
  const uint32_t version = properties().apiVersion;
  description_.name = properties().deviceName;
  description_.driver = sentence(driver.driverName, " ", driver.driverInfo);
  description_.driverVersion = driver.driverInfo;
  description_.apiVersion = sentence(VK_API_VERSION_MAJOR(version), ".", VK_API_VERSION_MINOR(version));
  description_.isGpu = !isCpu();
  description_.timestampPeriod = double{properties().limits.timestampPeriod};

  for (uint32_t heap = 0; heap < memory().memoryHeapCount; ++heap)
    if ((memory().memoryHeaps[heap].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0)
      memoryBytes_ = std::max(memoryBytes_, memory().memoryHeaps[heap].size);
  VkPhysicalDeviceMaintenance3Properties maintenance{};
  maintenance.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES;
  VkPhysicalDeviceProperties2 found{};
  found.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  found.pNext = &maintenance;
  vkGetPhysicalDeviceProperties2(physical(), &found);
  // An output may be twice as large as an input, which may take a 16th of the memory.
  memoryBytes_ = std::min(memoryBytes_, maintenance.maxMemoryAllocationSize / 2 * 16);
}

void VulkanDevice::chooseQueueFamily(QueueKind kind) {
  const std::vector<VkQueueFamilyProperties> families = queueFamiliesOf(physical());
  const auto find = [&](VkQueueFlags flags) {
    return std::find_if(families.begin(), families.end(), [&](const VkQueueFamilyProperties& family) {
      constexpr VkQueueFlags kKinds = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
      return (family.queueFlags & kKinds) == flags && family.timestampValidBits != 0;
    });
  };
  const auto computes = find(VK_QUEUE_COMPUTE_BIT), draws = find(VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT);
  if (computes == families.end() && draws == families.end())
    failDevice(description_.name, " has no queue family with compute and timestamps");
  if (kind == QueueKind::Graphics && (computes == families.end() || draws == families.end()))
    failDevice(description_.name, " has one kind of queue for compute, which is measured as the arena vulkan");
  if (kind == QueueKind::Both && draws == families.end())
    failDevice(description_.name, " has no queue family with graphics, compute and timestamps");
  description_.queueDraws = kind != QueueKind::Compute || computes == families.end();
  const auto chosen = description_.queueDraws ? draws : computes;
  queue_.family = static_cast<uint32_t>(chosen - families.begin());
  timestampValidBits_ = chosen->timestampValidBits;
  if (kind == QueueKind::Both && computes != families.end())
    computeQueue_.emplace().family = static_cast<uint32_t>(computes - families.begin());
}

// The other competitors need nothing that Sluice does not require. The inline route's requirements include those of the
// Vulkan route. The CUDA route adds extensions, and timeline semaphores as a feature.
void VulkanDevice::chooseFeatures(QueueKind kind) {
  bufferUsage_ =
      VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  SluMessage message{};
  hasInline_ = addRequirements(SLU_ROUTE_INLINE, message);
  if (!hasInline_ && !addRequirements(SLU_ROUTE_VULKAN, message)) failDevice(description_.name, ": ", message.text);
  if (kind != QueueKind::Both) return;
  addRequirements(SLU_ROUTE_CUDA, message);
  vulkan12_.timelineSemaphore = VK_TRUE;  // which every device has
}

bool VulkanDevice::addRequirements(SluRoute route, SluMessage& message) {
  SluVulkanRequirements requirements;
  if (!enable(route, requirements, message)) return false;
  bufferUsage_ |= requirements.bufferUsage;
  return true;
}

void VulkanDevice::open(VulkanQueue& queue) const {
  vkGetDeviceQueue(get(), queue.family, 0, &queue.queue);
  queue.pool = createCommandPool(*this, queue.family);
}

VkCommandBuffer VulkanDevice::record(const VulkanQueue& queue,
                                     const std::function<void(VkCommandBuffer)>& commands) const {
  const VkCommandBuffer buffer = allocateCommands(*this, queue.pool);
  beginCommands(buffer, 0);
  commands(buffer);
  check(vkEndCommandBuffer(buffer), "vkEndCommandBuffer");
  return buffer;
}

void VulkanDevice::submitAndWait(VkCommandBuffer commands) const {
  submit(queue_.queue, commands, fence_);
  waitAndReset(*this, fence_, kTwoMinutes);
}

void VulkanDevice::free(VkCommandBuffer commands) const { vkFreeCommandBuffers(get(), queue_.pool, 1, &commands); }

void VulkanDevice::runOnce(const std::function<void(VkCommandBuffer)>& commands) const {
  const VkCommandBuffer buffer = record(commands);
  submitAndWait(buffer);
  free(buffer);
}

void frameBarrier(VkCommandBuffer commands, VkPipelineStageFlags stages) {
  VkAccessFlags written = 0;
  VkAccessFlags used = 0;
  if ((stages & VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT) != 0) {
    written |= VK_ACCESS_SHADER_WRITE_BIT;
    used |= VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT;
  }
  if ((stages & VK_PIPELINE_STAGE_TRANSFER_BIT) != 0) {
    written |= VK_ACCESS_TRANSFER_WRITE_BIT;
    used |= VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
  }
  memoryBarrier(commands, stages, written, stages, used);
}

}  // namespace bench

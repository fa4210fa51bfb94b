#include "routes/cuda/vulkan_link.h"

#include "base/host_device.h"
#include "interop/exportable_buffer.h"
#include "interop/queue_transfer.h"
#include "routes/cuda/handoff_values.h"
#include "routes/cuda/shared_buffer.h"
#include "routes/vulkan_host/recorded_route.h"

namespace slu {
namespace {

std::uint32_t countQueueFamilies(const SluVulkanDeviceInfo& info) {
  const InstanceFunctions functions(info.getInstanceProcAddr, info.instance);
  std::uint32_t count = 0;
  functions.vkGetPhysicalDeviceQueueFamilyProperties(info.physicalDevice, &count, nullptr);
  return count;
}

QueueTransfer transferOf(const SluTransferInfo& transfer) {
  return {transfer.queueFamilyIndex, transfer.stages, transfer.access};
}

// A buffer that the CUDA route imports. The Vulkan route also uses it, by its address, if the context has that route.
struct SharedAllocation final : Allocation {
  SharedAllocation(const VulkanExternal& external, const SluBufferCreateInfo& asked, VkBufferUsageFlags usage)
      : memory(external, asked.size, usage, "sluice allocated buffer") {
    chainedBuffer.pNext = &chainedMemory;
    chainedBuffer.buffer = memory.buffer.get();
    chainedBuffer.usage = usage;
    chainedMemory.memory = memory.memory.get();
    chainedMemory.allocationSize = memory.allocation.bytes;
    chainedMemory.dedicated = memory.allocation.isDedicated ? 1 : 0;
    info = asked;
    info.pNext = &chainedBuffer;
  }

  ExportableBuffer memory;
  SluVulkanBufferInfo chainedBuffer = SLU_INIT(VULKAN_BUFFER_INFO, SluVulkanBufferInfo);
  SluVulkanMemoryInfo chainedMemory = SLU_INIT(VULKAN_MEMORY_INFO, SluVulkanMemoryInfo);
};

}  // namespace

VulkanLink::VulkanLink(const SluVulkanDeviceInfo& info, const CudaContext& context)
    : context_(context),
      device_(info),
      external_(info, device_),
      queueFamilyCount_(countQueueFamilies(info)),
      hasAddresses_(enabledFeatures(info).vulkan12.bufferDeviceAddress == VK_TRUE),
      memories_(external_, context),
      timelines_(external_, context) {}

SluVulkanTimelines VulkanLink::timelines() const {
  auto timelines = SLU_INIT(VULKAN_TIMELINES, SluVulkanTimelines);
  timelines.released = timelines_.graphicsSemaphore.get();
  timelines.compacted = timelines_.cudaSemaphore.get();
  return timelines;
}

void VulkanLink::recordRelease(VkCommandBuffer commands, std::span<const VkBuffer> buffers,
                               const SluTransferInfo& transfer) const {
  slu::recordRelease(device_, commands, buffers, transferOf(transfer));
}

void VulkanLink::recordAcquire(VkCommandBuffer commands, std::span<const VkBuffer> buffers,
                               const SluTransferInfo& transfer) const {
  slu::recordAcquire(device_, commands, buffers, transferOf(transfer));
}

HandoffValues VulkanLink::check(const SluHandoffInfo& handoff, CUstream_st* stream) const {
  return checkValues(handoff, timelines_, context_, stream);
}

void VulkanLink::enqueue(const HandoffValues& values, CUstream_st* stream) {
  enqueueValues(values, timelines_, stream);
}

std::unique_ptr<RouteBuffer> VulkanLink::attachBuffer(const SluBufferCreateInfo& info) {
  return attachVulkanMemory(info, *this);
}

std::unique_ptr<Allocation> VulkanLink::allocate(const SluBufferCreateInfo& info) const {
  VkBufferUsageFlags usage = readAllocateInfo(info.pNext).usage | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
  if (hasAddresses_) usage |= VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
  return std::make_unique<SharedAllocation>(external_, info, usage);
}

}  // namespace slu

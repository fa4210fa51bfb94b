#include "shared_buffers.h"

#include <unistd.h>

#include <cstdlib>
#include <stdexcept>

#include "machine.h"

namespace slu::test {
namespace {

constexpr VkExternalMemoryHandleTypeFlagBits kHandleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;

}  // namespace

std::vector<Sharing> pickWays(std::size_t count, Random& random) {
  std::vector<Sharing> ways(count);
  for (Sharing& way : ways) {
    way = random.pick({Sharing::dedicated, Sharing::pooled, Sharing::pooled, Sharing::foreign, Sharing::allocated});
  }
  return ways;
}

SluTransferInfo transferOf(const SharedBuffers& shared, const VulkanDevice& device, VkPipelineStageFlags stages,
                           VkAccessFlags access) {
  auto info = SLU_INIT(TRANSFER_INFO, SluTransferInfo);
  info.bufferCount = static_cast<std::uint32_t>(shared.registered().size());
  info.buffers = shared.registered().data();
  info.queueFamilyIndex = device.queueFamily;
  info.stages = stages;
  info.access = access;
  return info;
}

void enqueuePlan(SluContext context, SluPlan plan, CUstream_st* stream, SluFrameInfo frame, std::uint64_t waitValue,
                 std::uint64_t signalValue) {
  auto handoff = SLU_INIT(HANDOFF_INFO, SluHandoffInfo);
  handoff.waitValue = waitValue;
  handoff.signalValue = signalValue;
  handoff.pNext = frame.pNext;
  frame.pNext = &handoff;
  require(context, sluEnqueueCompact(plan, stream, &frame), "sluEnqueueCompact");
}

std::uint64_t frameCount(std::uint64_t standard) {
  const char* variable = std::getenv("SLUICE_TEST_FRAMES");
  return variable == nullptr ? standard : std::strtoull(variable, nullptr, 10);
}

SharedBuffers::SharedBuffers(const VulkanDevice& device, SluContext context, const std::vector<std::uint64_t>& sizes,
                             VkBufferUsageFlags usage, const std::vector<Sharing>& ways)
    : device_(device), context_(context), sizes_(sizes), usage_(usage), registered_(sizes.size()) {
  try {
    std::vector<std::size_t> pooled;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      if (ways[i] == Sharing::pooled) pooled.push_back(i);
      if (ways[i] == Sharing::allocated) makeAllocated(i);
      if (ways[i] == Sharing::dedicated || ways[i] == Sharing::foreign) makeDedicated(i, ways[i] == Sharing::foreign);
    }
    if (!pooled.empty()) makePool(pooled);
  } catch (...) {
    destroy();
    throw;
  }
  handles_.assign(registered_.begin(), registered_.end());
}

SharedBuffers::~SharedBuffers() { destroy(); }

void SharedBuffers::destroy() {
  registered_.clear();  // CUDA lets go of the memory first
  for (VkBuffer buffer : buffers_) device_.functions.vkDestroyBuffer(device_.handle, buffer, nullptr);
  for (VkDeviceMemory memory : memories_) device_.functions.vkFreeMemory(device_.handle, memory, nullptr);
}

VkBuffer SharedBuffers::createBuffer(std::uint64_t size) {
  VkExternalMemoryBufferCreateInfo external{};
  external.sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO;
  external.handleTypes = kHandleType;
  VkBufferCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  info.pNext = &external;
  info.size = size;
  info.usage = usage_;
  VkBuffer buffer = VK_NULL_HANDLE;
  check(device_.functions.vkCreateBuffer(device_.handle, &info, nullptr, &buffer), "vkCreateBuffer");
  buffers_.push_back(buffer);
  return buffer;
}

// Device-local, with device addresses when the usage asks for them.
VkDeviceMemory SharedBuffers::allocate(std::uint64_t bytes, std::uint32_t typeBits, VkBuffer dedicatedTo) {
  VkMemoryAllocateFlagsInfo flags{};
  flags.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO;
  const bool isAddressed = (usage_ & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT) != 0;
  flags.flags = isAddressed ? VkMemoryAllocateFlags{VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT} : 0;
  VkMemoryDedicatedAllocateInfo dedicated{};
  dedicated.sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO;
  dedicated.pNext = &flags;
  dedicated.buffer = dedicatedTo;
  VkExportMemoryAllocateInfo exported{};
  exported.sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO;
  exported.pNext = &dedicated;
  exported.handleTypes = kHandleType;
  VkMemoryAllocateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
  info.pNext = &exported;
  info.allocationSize = bytes;
  const auto fits = [&](std::uint32_t type) {
    return (typeBits >> type & 1) != 0 &&
           (device_.memory.memoryTypes[type].propertyFlags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT) != 0;
  };
  while (info.memoryTypeIndex < device_.memory.memoryTypeCount && !fits(info.memoryTypeIndex)) ++info.memoryTypeIndex;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  check(device_.functions.vkAllocateMemory(device_.handle, &info, nullptr, &memory), "vkAllocateMemory");
  memories_.push_back(memory);
  return memory;
}

void SharedBuffers::create(std::size_t i, const void* pNext) {
  auto info = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
  info.pNext = pNext;
  info.size = sizes_[i];
  require(context_, sluCreateBuffer(context_, &info, registered_[i].put()), "sluCreateBuffer");
}

void SharedBuffers::bindAndRegister(std::size_t i, VkBuffer buffer, SluVulkanMemoryInfo memory) {
  check(device_.functions.vkBindBufferMemory(device_.handle, buffer, memory.memory, memory.memoryOffset),
        "vkBindBufferMemory");
  auto vulkan = SLU_INIT(VULKAN_BUFFER_INFO, SluVulkanBufferInfo);
  vulkan.buffer = buffer;
  vulkan.usage = usage_;
  memory.pNext = &vulkan;
  create(i, &memory);
}

void SharedBuffers::registerForeign(std::size_t i, VkBuffer buffer, const SluVulkanMemoryInfo& memory) {
  check(device_.functions.vkBindBufferMemory(device_.handle, buffer, memory.memory, 0), "vkBindBufferMemory");
  const auto getMemoryFd = reinterpret_cast<PFN_vkGetMemoryFdKHR>(
      device_.instance.functions.vkGetDeviceProcAddr(device_.handle, "vkGetMemoryFdKHR"));
  VkMemoryGetFdInfoKHR info{};
  info.sType = VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR;
  info.memory = memory.memory;
  info.handleType = kHandleType;
  auto foreign = SLU_INIT(MEMORY_FD_INFO, SluMemoryFdInfo);
  check(getMemoryFd(device_.handle, &info, &foreign.fd), "vkGetMemoryFdKHR");
  auto vulkan = SLU_INIT(VULKAN_BUFFER_INFO, SluVulkanBufferInfo);
  vulkan.buffer = buffer;
  vulkan.usage = usage_;
  foreign.pNext = &vulkan;
  foreign.dedicated = memory.dedicated;
  foreign.allocationSize = memory.allocationSize;
  try {
    create(i, &foreign);
  } catch (...) {
    close(foreign.fd);
    throw;
  }
}

void SharedBuffers::makeDedicated(std::size_t i, bool byFd) {
  const VkBuffer buffer = createBuffer(sizes_[i]);
  VkMemoryRequirements needs{};
  device_.functions.vkGetBufferMemoryRequirements(device_.handle, buffer, &needs);
  auto memory = SLU_INIT(VULKAN_MEMORY_INFO, SluVulkanMemoryInfo);
  memory.memory = allocate(needs.size, needs.memoryTypeBits, buffer);
  memory.allocationSize = needs.size;
  memory.dedicated = 1;
  byFd ? registerForeign(i, buffer, memory) : bindAndRegister(i, buffer, memory);
}

void SharedBuffers::makePool(const std::vector<std::size_t>& members) {
  auto memory = SLU_INIT(VULKAN_MEMORY_INFO, SluVulkanMemoryInfo);
  std::vector<VkBuffer> buffers;
  std::vector<std::uint64_t> offsets;
  std::uint32_t typeBits = ~0u;
  for (const std::size_t i : members) {
    buffers.push_back(createBuffer(sizes_[i]));
    VkMemoryRequirements needs{};
    device_.functions.vkGetBufferMemoryRequirements(device_.handle, buffers.back(), &needs);
    offsets.push_back((memory.allocationSize + needs.alignment - 1) / needs.alignment * needs.alignment);
    memory.allocationSize = offsets.back() + needs.size;
    typeBits &= needs.memoryTypeBits;
  }
  memory.memory = allocate(memory.allocationSize, typeBits, VK_NULL_HANDLE);
  for (std::size_t k = 0; k < members.size(); ++k) {
    memory.memoryOffset = offsets[k];
    bindAndRegister(members[k], buffers[k], memory);
  }
}

void SharedBuffers::makeAllocated(std::size_t i) {
  auto allocate = SLU_INIT(VULKAN_ALLOCATE_INFO, SluVulkanAllocateInfo);
  allocate.usage = usage_;
  create(i, &allocate);
}

}  // namespace slu::test

#include "routes/vulkan_host/buffer_info.h"

#include "base/structs.h"

namespace slu {
namespace {

// Vulkan tells how much memory a VkBuffer takes, which is its size or a little more. It does not tell the size.
void checkSize(std::uint64_t size, const Device& device, VkBuffer buffer) {
  VkMemoryRequirements needs{};
  device.functions.vkGetBufferMemoryRequirements(device.handle, buffer, &needs);
  require(size <= needs.size, "buffer.size: is ", size, ", vulkanBuffer.buffer has ", needs.size,
          " bytes of memory at most; pass its VkBufferCreateInfo::size");
}

}  // namespace

std::optional<SluVulkanBufferInfo> readBufferInfo(const SluBufferCreateInfo& info, const Device* device) {
  constexpr SluStructureType kType = SLU_STRUCTURE_TYPE_VULKAN_BUFFER_INFO;
  const auto* chained = findInChain<SluVulkanBufferInfo>(info.pNext, kType);
  if (chained == nullptr) return std::nullopt;
  const auto vulkan = readStruct(chained, kType, sizeof(*chained), "vulkanBuffer");
  require(vulkan.buffer != VK_NULL_HANDLE, "vulkanBuffer.buffer: is null");
  if (device != nullptr) checkSize(info.size, *device, vulkan.buffer);
  return vulkan;
}

}  // namespace slu

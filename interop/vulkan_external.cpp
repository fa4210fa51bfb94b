#include "interop/vulkan_external.h"

namespace slu {
namespace {

// An fd that the driver made, as the call returned it: lavapipe's lack FD_CLOEXEC.
UniqueFd take(int fd) {
  UniqueFd taken(fd);
  taken.closeOnExec();
  return taken;
}

void requireExtension(bool isEnabled, const char* extension) {
  if (!isEnabled)
    fail(SLU_ERROR_MISSING_FEATURE, "the CUDA route needs ", extension, ", which the device does not enable");
}

}  // namespace

VulkanExternal::VulkanExternal(const SluVulkanDeviceInfo& info, const Device& device)
    : device_(device), physicalDevice_(info.physicalDevice) {
  // Null where the device lacks the extension; each use says so. The rest is core in the version that Device requires.
#define SLU_LOOK_UP(name) \
  functions_.name = reinterpret_cast<PFN_##name>(info.getInstanceProcAddr(info.instance, #name));
  SLU_VULKAN_EXTERNAL_INSTANCE_FUNCTIONS(SLU_LOOK_UP)
#undef SLU_LOOK_UP
  const auto getDeviceProcAddr =
      reinterpret_cast<PFN_vkGetDeviceProcAddr>(info.getInstanceProcAddr(info.instance, "vkGetDeviceProcAddr"));
#define SLU_LOOK_UP(name) functions_.name = reinterpret_cast<PFN_##name>(getDeviceProcAddr(info.device, #name));
  SLU_VULKAN_EXTERNAL_DEVICE_FUNCTIONS(SLU_LOOK_UP)
#undef SLU_LOOK_UP
}

ExternalBufferSupport VulkanExternal::bufferSupport(VkBufferUsageFlags usage,
                                                    VkExternalMemoryHandleTypeFlagBits type) const {
  VkPhysicalDeviceExternalBufferInfo info{};
  info.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_BUFFER_INFO;
  info.usage = usage;
  info.handleType = type;
  VkExternalBufferProperties properties{};
  properties.sType = VK_STRUCTURE_TYPE_EXTERNAL_BUFFER_PROPERTIES;
  functions_.vkGetPhysicalDeviceExternalBufferProperties(physicalDevice_, &info, &properties);
  const VkExternalMemoryFeatureFlags features = properties.externalMemoryProperties.externalMemoryFeatures;
  return {(features & VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT) != 0,
          (features & VK_EXTERNAL_MEMORY_FEATURE_DEDICATED_ONLY_BIT) != 0};
}

void VulkanExternal::requireExportable(VkBufferUsageFlags usage, VkExternalMemoryHandleTypeFlagBits type) const {
  if (bufferSupport(usage, type).isExportable) return;
  fail(SLU_ERROR_MISSING_FEATURE, "the device cannot export buffers of usage 0x", std::hex, usage,
       " as external memory of type 0x", static_cast<unsigned>(type));
}

BufferRequirements VulkanExternal::bufferRequirements(VkBuffer buffer) const {
  VkBufferMemoryRequirementsInfo2 info{};
  info.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_REQUIREMENTS_INFO_2;
  info.buffer = buffer;
  VkMemoryDedicatedRequirements dedicated{};
  dedicated.sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_REQUIREMENTS;
  VkMemoryRequirements2 requirements{};
  requirements.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2;
  requirements.pNext = &dedicated;
  functions_.vkGetBufferMemoryRequirements2(device_.handle, &info, &requirements);
  return {requirements.memoryRequirements.size, dedicated.requiresDedicatedAllocation == VK_TRUE};
}

void requireTimelineExport(PFN_vkGetPhysicalDeviceExternalSemaphoreProperties query, VkPhysicalDevice physicalDevice,
                           VkExternalSemaphoreHandleTypeFlagBits type) {
  if (query == nullptr) fail(SLU_ERROR_MISSING_FEATURE, "the instance is older than Vulkan 1.1");
  VkSemaphoreTypeCreateInfo timeline{};
  timeline.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO;
  timeline.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
  VkPhysicalDeviceExternalSemaphoreInfo info{};
  info.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_SEMAPHORE_INFO;
  info.pNext = &timeline;
  info.handleType = type;
  VkExternalSemaphoreProperties properties{};
  properties.sType = VK_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_PROPERTIES;
  query(physicalDevice, &info, &properties);
  if ((properties.externalSemaphoreFeatures & VK_EXTERNAL_SEMAPHORE_FEATURE_EXPORTABLE_BIT) == 0) {
    fail(SLU_ERROR_MISSING_FEATURE, "the device cannot export timeline semaphores as handles of type 0x", std::hex,
         static_cast<unsigned>(type), ", which CUDA would import");
  }
}

void VulkanExternal::requireTimelineExport(VkExternalSemaphoreHandleTypeFlagBits type) const {
  slu::requireTimelineExport(functions_.vkGetPhysicalDeviceExternalSemaphoreProperties, physicalDevice_, type);
  requireExtension(functions_.vkGetSemaphoreFdKHR != nullptr, VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME);
}

UniqueFd VulkanExternal::exportMemory(VkDeviceMemory memory) const {
  requireExtension(functions_.vkGetMemoryFdKHR != nullptr, VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME);
  VkMemoryGetFdInfoKHR info{};
  info.sType = VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR;
  info.memory = memory;
  info.handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
  int fd = -1;
  check(functions_.vkGetMemoryFdKHR(device_.handle, &info, &fd), "vkGetMemoryFdKHR");
  return take(fd);
}

UniqueFd VulkanExternal::exportSemaphore(VkSemaphore semaphore) const {
  requireExtension(functions_.vkGetSemaphoreFdKHR != nullptr, VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME);
  VkSemaphoreGetFdInfoKHR info{};
  info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR;
  info.semaphore = semaphore;
  info.handleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT;
  int fd = -1;
  check(functions_.vkGetSemaphoreFdKHR(device_.handle, &info, &fd), "vkGetSemaphoreFdKHR");
  return take(fd);
}

}  // namespace slu

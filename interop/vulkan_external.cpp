#include "interop/vulkan_external.h"

#ifdef _WIN32
#define VK_USE_PLATFORM_WIN32_KHR
#include <vulkan/vulkan.h>
#endif

namespace slu {
namespace {

// What this system calls the functions that make handles.
#ifdef _WIN32
using GetMemoryHandle = PFN_vkGetMemoryWin32HandleKHR;
using GetSemaphoreHandle = PFN_vkGetSemaphoreWin32HandleKHR;
using MemoryHandleInfo = VkMemoryGetWin32HandleInfoKHR;
using SemaphoreHandleInfo = VkSemaphoreGetWin32HandleInfoKHR;
constexpr auto kMemoryHandleInfo = VK_STRUCTURE_TYPE_MEMORY_GET_WIN32_HANDLE_INFO_KHR;
constexpr auto kSemaphoreHandleInfo = VK_STRUCTURE_TYPE_SEMAPHORE_GET_WIN32_HANDLE_INFO_KHR;
constexpr const char* kGetMemoryHandle = "vkGetMemoryWin32HandleKHR";
constexpr const char* kGetSemaphoreHandle = "vkGetSemaphoreWin32HandleKHR";
#else
using GetMemoryHandle = PFN_vkGetMemoryFdKHR;
using GetSemaphoreHandle = PFN_vkGetSemaphoreFdKHR;
using MemoryHandleInfo = VkMemoryGetFdInfoKHR;
using SemaphoreHandleInfo = VkSemaphoreGetFdInfoKHR;
constexpr auto kMemoryHandleInfo = VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR;
constexpr auto kSemaphoreHandleInfo = VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR;
constexpr const char* kGetMemoryHandle = "vkGetMemoryFdKHR";
constexpr const char* kGetSemaphoreHandle = "vkGetSemaphoreFdKHR";
#endif

// A handle that the driver made, as the call returned it: lavapipe's fds lack FD_CLOEXEC.
UniqueHandle take(SystemHandle handle) {
  UniqueHandle taken(handle);
  taken.preventInheritance();
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
  functions_.getMemoryHandle = getDeviceProcAddr(info.device, kGetMemoryHandle);
  functions_.getSemaphoreHandle = getDeviceProcAddr(info.device, kGetSemaphoreHandle);
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

void requireTimelineExport(PFN_vkGetPhysicalDeviceExternalSemaphoreProperties query, VkPhysicalDevice physicalDevice) {
  if (query == nullptr) fail(SLU_ERROR_MISSING_FEATURE, "the instance is older than Vulkan 1.1");
  VkSemaphoreTypeCreateInfo timeline{};
  timeline.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO;
  timeline.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
  VkPhysicalDeviceExternalSemaphoreInfo info{};
  info.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_SEMAPHORE_INFO;
  info.pNext = &timeline;
  info.handleType = kSemaphoreHandleType;
  VkExternalSemaphoreProperties properties{};
  properties.sType = VK_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_PROPERTIES;
  query(physicalDevice, &info, &properties);
  if ((properties.externalSemaphoreFeatures & VK_EXTERNAL_SEMAPHORE_FEATURE_EXPORTABLE_BIT) == 0) {
    fail(SLU_ERROR_MISSING_FEATURE, "the device cannot export timeline semaphores as handles of type 0x", std::hex,
         static_cast<unsigned>(kSemaphoreHandleType), ", which CUDA would import");
  }
}

void VulkanExternal::requireTimelineExport() const {
  slu::requireTimelineExport(functions_.vkGetPhysicalDeviceExternalSemaphoreProperties, physicalDevice_);
  requireExtension(functions_.getSemaphoreHandle != nullptr, kSemaphoreExtension);
}

UniqueHandle VulkanExternal::exportMemory(VkDeviceMemory memory) const {
  requireExtension(functions_.getMemoryHandle != nullptr, kMemoryExtension);
  MemoryHandleInfo info{};
  info.sType = kMemoryHandleInfo;
  info.memory = memory;
  info.handleType = kMemoryHandleType;
  SystemHandle handle = kNoHandle;
  const auto get = reinterpret_cast<GetMemoryHandle>(functions_.getMemoryHandle);
  check(get(device_.handle, &info, &handle), kGetMemoryHandle);
  return take(handle);
}

UniqueHandle VulkanExternal::exportSemaphore(VkSemaphore semaphore) const {
  requireExtension(functions_.getSemaphoreHandle != nullptr, kSemaphoreExtension);
  SemaphoreHandleInfo info{};
  info.sType = kSemaphoreHandleInfo;
  info.semaphore = semaphore;
  info.handleType = kSemaphoreHandleType;
  SystemHandle handle = kNoHandle;
  const auto get = reinterpret_cast<GetSemaphoreHandle>(functions_.getSemaphoreHandle);
  check(get(device_.handle, &info, &handle), kGetSemaphoreHandle);
  return take(handle);
}

}  // namespace slu

#include "routes/cuda/vulkan_requirements.h"

#include "base/vulkan_extensions.h"
#include "interop/device_match.h"
#include "interop/vulkan_external.h"
#include "routes/vulkan_host/requirements.h"

namespace slu {
namespace {

void checkOffered(const InstanceFunctions& functions, VkPhysicalDevice physicalDevice) {
  const VkPhysicalDeviceProperties properties = physicalDeviceProperties(functions, physicalDevice);
  checkVulkan12("CUDA", functions, physicalDevice);

  const std::vector<VkExtensionProperties> offered = extensionsOf(functions, physicalDevice);
  for (const char* extension : kExternalExtensions) {
    need("CUDA", isOffered(offered, extension), "the extension ", extension, ", which ", properties.deviceName,
         " does not offer");
  }

  need("CUDA", offeredFeatures(functions, physicalDevice).vulkan12.timelineSemaphore == VK_TRUE,
       "the device feature timelineSemaphore");
}

}  // namespace

void checkCudaPhysicalDevice(PFN_vkGetInstanceProcAddr getInstanceProcAddr, VkInstance instance,
                             VkPhysicalDevice physicalDevice) {
  const InstanceFunctions functions(getInstanceProcAddr, instance);
  checkOffered(functions, physicalDevice);
  const auto query = reinterpret_cast<PFN_vkGetPhysicalDeviceExternalSemaphoreProperties>(
      getInstanceProcAddr(instance, "vkGetPhysicalDeviceExternalSemaphoreProperties"));
  requireTimelineExport(query, physicalDevice);
  findCudaDevice(findCudaFunctions(), functions, physicalDevice);
}

void checkCudaEnabled(const SluVulkanDeviceInfo& info) {
  for (const char* extension : kExternalExtensions) needExtension(info, "CUDA", extension);
  needFeature(info, "CUDA", enabledFeatures(info).vulkan12.timelineSemaphore, "timelineSemaphore");
}

SluVulkanRequirements cudaRequirements(const InstanceFunctions& functions, VkPhysicalDevice physicalDevice) {
  auto requirements = SLU_INIT(VULKAN_REQUIREMENTS, SluVulkanRequirements);
  requirements.apiVersion = SLU_VULKAN_API_VERSION;
  for (const char* extension : kExternalExtensions) requirements.extensions[requirements.extensionCount++] = extension;
  requirements.vulkan12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
  requirements.vulkan12.timelineSemaphore = VK_TRUE;
  addDrawFeatures(requirements, offeredFeatures(functions, physicalDevice), extensionsOf(functions, physicalDevice));
  return requirements;
}

}  // namespace slu

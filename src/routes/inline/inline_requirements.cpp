#include "routes/inline/inline_requirements.h"

#include "base/vulkan_extensions.h"
#include "routes/vulkan_host/requirements.h"

namespace slu {
namespace {

// Returns the first extension that the device offers, or null.
const KernelExtension* findOffered(const std::vector<VkExtensionProperties>& offered) {
  for (const KernelExtension& extension : kernelExtensions()) {
    if (isOffered(offered, extension.name)) return &extension;
  }
  return nullptr;
}

void needOffered(const InstanceFunctions& functions, VkPhysicalDevice physicalDevice,
                 const std::vector<VkExtensionProperties>& offered) {
  const VkPhysicalDeviceProperties properties = physicalDeviceProperties(functions, physicalDevice);
  const char* device = properties.deviceName;
  need("inline", findOffered(offered) != nullptr, "the extension ", kernelExtensions()[0].name, " or ",
       kernelExtensions()[1].name, ", which ", device, " does not offer");
  need("inline", isOffered(offered, VK_NV_SHADER_SM_BUILTINS_EXTENSION_NAME), "the extension ",
       VK_NV_SHADER_SM_BUILTINS_EXTENSION_NAME, ", which ", device, " does not offer, to count multiprocessors");
}

}  // namespace

SluVulkanRequirements inlineRequirements(const InstanceFunctions& functions, VkPhysicalDevice physicalDevice) {
  const std::vector<VkExtensionProperties> offered = extensionsOf(functions, physicalDevice);
  checkVulkan12("inline", functions, physicalDevice);
  needOffered(functions, physicalDevice, offered);
  need("inline", offeredFeatures(functions, physicalDevice).vulkan12.bufferDeviceAddress == VK_TRUE,
       "the device feature bufferDeviceAddress");
  const KernelExtension& extension = *findOffered(offered);
  SluVulkanRequirements requirements = vulkanRequirements(functions, physicalDevice);
  requirements.extensions[requirements.extensionCount++] = extension.name;
  requirements.cudaKernelLaunch = extension.feature != nullptr ? VK_TRUE : VK_FALSE;
  return requirements;
}

const KernelExtension& enabledKernelExtension(const SluVulkanDeviceInfo& info) {
  const InstanceFunctions functions(info.getInstanceProcAddr, info.instance);
  needOffered(functions, info.physicalDevice, extensionsOf(functions, info.physicalDevice));
  needFeature(info, "inline", enabledFeatures(info).vulkan12.bufferDeviceAddress, "bufferDeviceAddress");
  const char* lackedFeature = nullptr;
  for (const KernelExtension& extension : kernelExtensions()) {
    if (!enablesExtension(info, extension.name)) continue;
    if (extension.feature == nullptr || enablesCudaKernelLaunch(info)) return extension;
    lackedFeature = extension.feature;
  }
  if (lackedFeature != nullptr) needFeature(info, "inline", VK_FALSE, lackedFeature);
  fail(SLU_ERROR_MISSING_FEATURE, "the inline route needs the extension ", kernelExtensions()[0].name, " or ",
       kernelExtensions()[1].name,
       ", and the device was created with neither; create it with what sluGetVulkanRequirements asks for");
}

Multiprocessors multiprocessorsOf(const SluVulkanDeviceInfo& info) {
  VkPhysicalDeviceShaderSMBuiltinsPropertiesNV told{};
  told.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SM_BUILTINS_PROPERTIES_NV;
  physicalDeviceProperties(InstanceFunctions(info.getInstanceProcAddr, info.instance), info.physicalDevice, &told);
  constexpr std::uint32_t kWarp = 32;
  need("inline", told.shaderSMCount != 0 && told.shaderWarpsPerSM != 0,
       "the number of multiprocessors, which the driver gives as 0");
  return {told.shaderSMCount, told.shaderWarpsPerSM * kWarp};
}

}  // namespace slu

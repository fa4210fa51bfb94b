#include "routes/vulkan_host/requirements.h"

#include <algorithm>

#include "base/vulkan_extensions.h"
#include "shaders/shared/frame.h"

namespace slu {
namespace {

// The largest kernel, an unordered compaction with 1,024 buckets, takes this much.
constexpr std::uint32_t kSharedBytes = 14 * 1024;

SluVulkanRequirements requirementsByAddress(const DeviceFeatures& offered) {
  auto requirements = SLU_INIT(VULKAN_REQUIREMENTS, SluVulkanRequirements);
  requirements.apiVersion = VK_API_VERSION_1_2;
  requirements.features.shaderInt64 = VK_TRUE;
  requirements.vulkan12.bufferDeviceAddress = VK_TRUE;
  requirements.vulkan12.uniformBufferStandardLayout = VK_TRUE;
  requirements.vulkan12.shaderBufferInt64Atomics = offered.vulkan12.shaderBufferInt64Atomics;
  requirements.bufferUsage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
  return requirements;
}

// Shaders ask for how floats are rounded, which Vulkan 1.1 has as an extension.
SluVulkanRequirements requirementsByBinding(const std::vector<VkExtensionProperties>& offered, bool is12) {
  auto requirements = SLU_INIT(VULKAN_REQUIREMENTS, SluVulkanRequirements);
  requirements.apiVersion = VK_API_VERSION_1_1;
  requirements.boundBuffers = VK_TRUE;
  requirements.bufferUsage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
  const auto add = [&](const char* extension) {
    if (isOffered(offered, extension)) requirements.extensions[requirements.extensionCount++] = extension;
  };
  add(VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME);
  if (!is12) add(VK_KHR_SHADER_FLOAT_CONTROLS_EXTENSION_NAME);
  return requirements;
}

}  // namespace

DeviceFeatures offeredFeatures(const InstanceFunctions& functions, VkPhysicalDevice physicalDevice) {
  DeviceFeatures offered;
  offered.vulkan12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
  VkPhysicalDeviceFeatures2 features{};
  features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  features.pNext = &offered.vulkan12;
  functions.vkGetPhysicalDeviceFeatures2(physicalDevice, &features);
  offered.core = features.features;
  return offered;
}

void checkVulkan12(const char* route, const InstanceFunctions& functions, VkPhysicalDevice physicalDevice) {
  const VkPhysicalDeviceProperties properties = physicalDeviceProperties(functions, physicalDevice);
  const std::uint32_t version = properties.apiVersion;
  need(route, version >= VK_API_VERSION_1_2, "a device of Vulkan 1.2 or later, and ", properties.deviceName,
       " has Vulkan ", VK_API_VERSION_MAJOR(version), ".", VK_API_VERSION_MINOR(version),
       "; a newer driver or another physical device may have it");
  if (sharedVersion(functions, physicalDevice) < VK_API_VERSION_1_2) {
    fail(SLU_ERROR_MISSING_FEATURE,
         "instance: was created for a Vulkan version below 1.2, so that the driver does not tell the features of 1.2; "
         "create it with VkApplicationInfo::apiVersion = SLU_VULKAN_API_VERSION or later");
  }
}

void checkPhysicalDevice(const InstanceFunctions& functions, VkPhysicalDevice physicalDevice, bool needsBallots) {
  VkPhysicalDeviceSubgroupProperties subgroups{};
  subgroups.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES;
  const VkPhysicalDeviceProperties properties = physicalDeviceProperties(functions, physicalDevice, &subgroups);
  const std::uint32_t version = properties.apiVersion;
  need("Vulkan", version >= VK_API_VERSION_1_1, "a device of Vulkan 1.1 or later, and ", properties.deviceName,
       " has Vulkan ", VK_API_VERSION_MAJOR(version), ".", VK_API_VERSION_MINOR(version),
       "; a newer driver or another physical device may have it");

  const VkPhysicalDeviceLimits& limits = properties.limits;
  need("Vulkan",
       limits.maxComputeWorkGroupInvocations >= SLU_WORKGROUP && limits.maxComputeWorkGroupSize[0] >= SLU_WORKGROUP,
       "workgroups of 256 invocations");
  need("Vulkan", limits.maxComputeSharedMemorySize >= kSharedBytes, "14 KiB of shared memory");
  if (needsBallots) {
    constexpr VkSubgroupFeatureFlags kOperations =
        VK_SUBGROUP_FEATURE_BASIC_BIT | VK_SUBGROUP_FEATURE_BALLOT_BIT | VK_SUBGROUP_FEATURE_ARITHMETIC_BIT;
    need("Vulkan",
         (subgroups.supportedStages & VK_SHADER_STAGE_COMPUTE_BIT) != 0 &&
             (subgroups.supportedOperations & kOperations) == kOperations &&
             subgroups.subgroupSize >= SLU_MIN_SUBGROUP_SIZE && subgroups.subgroupSize <= SLU_MAX_SUBGROUP_SIZE,
         "ballots and sums in compute shaders with subgroups of 4 to 128 invocations; "
         "SluVulkanDeviceInfo::emulatedSubgroupSize does without");
  }
}

std::string whyNoAddresses(const InstanceFunctions& functions, VkPhysicalDevice physicalDevice) {
  if (sharedVersion(functions, physicalDevice) < VK_API_VERSION_1_2) return "instance or device is below Vulkan 1.2";
  const DeviceFeatures offered = offeredFeatures(functions, physicalDevice);
  if (offered.core.shaderInt64 != VK_TRUE) return "the device lacks shaderInt64";
  if (offered.vulkan12.bufferDeviceAddress != VK_TRUE) return "the device lacks bufferDeviceAddress";
  return "";
}

std::string whyNoAddresses(const InstanceFunctions& functions, const SluVulkanDeviceInfo& info) {
  if ((info.flags & SLU_VULKAN_BOUND_BUFFERS_BIT) != 0) return "vulkanDevice.flags asks for it";
  const std::string lack = whyNoAddresses(functions, info.physicalDevice);
  if (!lack.empty()) return lack;
  const DeviceFeatures enabled = enabledFeatures(info);
  if (enabled.core.shaderInt64 != VK_TRUE) return "the device was created without shaderInt64";
  if (enabled.vulkan12.bufferDeviceAddress != VK_TRUE) return "the device was created without bufferDeviceAddress";
  needFeature(info, "Vulkan", enabled.vulkan12.uniformBufferStandardLayout, "uniformBufferStandardLayout");
  return "";
}

SluVulkanRequirements vulkanRequirements(const InstanceFunctions& functions, VkPhysicalDevice physicalDevice) {
  const DeviceFeatures offered = offeredFeatures(functions, physicalDevice);
  const std::vector<VkExtensionProperties> extensions = extensionsOf(functions, physicalDevice);
  const bool is12 = sharedVersion(functions, physicalDevice) >= VK_API_VERSION_1_2;
  SluVulkanRequirements requirements = whyNoAddresses(functions, physicalDevice).empty()
                                           ? requirementsByAddress(offered)
                                           : requirementsByBinding(extensions, is12);
  requirements.vulkan12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
  const VkPhysicalDeviceLimits limits = physicalDeviceProperties(functions, physicalDevice).limits;
  requirements.pushDescriptorExtension = isOffered(extensions, VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME);
  requirements.maxBindings = mostBindings(limits);
  requirements.maxBindingBytes = limits.maxStorageBufferRange;
  addDrawFeatures(requirements, offered, extensions);
  return requirements;
}

std::uint32_t mostBindings(const VkPhysicalDeviceLimits& limits) {
  return std::min(limits.maxPerStageDescriptorStorageBuffers, limits.maxDescriptorSetStorageBuffers);
}

void addDrawFeatures(SluVulkanRequirements& requirements, const DeviceFeatures& offered,
                     const std::vector<VkExtensionProperties>& offeredExtensions) {
  requirements.features.drawIndirectFirstInstance = offered.core.drawIndirectFirstInstance;
  requirements.features.multiDrawIndirect = offered.core.multiDrawIndirect;
  requirements.vulkan12.drawIndirectCount = offered.vulkan12.drawIndirectCount;
  requirements.drawIndirectCountExtension = isOffered(offeredExtensions, VK_KHR_DRAW_INDIRECT_COUNT_EXTENSION_NAME);
}

}  // namespace slu

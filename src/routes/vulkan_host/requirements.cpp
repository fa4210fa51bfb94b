#include "routes/vulkan_host/requirements.h"

#include "base/vulkan_extensions.h"
#include "shaders/shared/frame.h"

namespace slu {
namespace {

// The largest kernel, an unordered compaction with 1,024 buckets, takes this much.
constexpr std::uint32_t kSharedBytes = 14 * 1024;

// This is no VkBool32: the driver did not write a member that still holds it.
constexpr VkBool32 kUnwritten = 0x5a5a5a5au;

}  // namespace

DeviceFeatures offeredFeatures(const InstanceFunctions& functions, VkPhysicalDevice physicalDevice) {
  DeviceFeatures offered;
  offered.vulkan12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
  offered.vulkan12.bufferDeviceAddress = kUnwritten;
  VkPhysicalDeviceFeatures2 features{};
  features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  features.pNext = &offered.vulkan12;
  functions.vkGetPhysicalDeviceFeatures2(physicalDevice, &features);
  if (offered.vulkan12.bufferDeviceAddress == kUnwritten) {
    fail(SLU_ERROR_MISSING_FEATURE,
         "instance: was created for a Vulkan version below 1.2, so that the driver does not tell the features of 1.2; "
         "create it with VkApplicationInfo::apiVersion = SLU_VULKAN_API_VERSION or later");
  }
  offered.core = features.features;
  return offered;
}

void checkDeviceVersion(const char* route, const VkPhysicalDeviceProperties& properties) {
  const std::uint32_t version = properties.apiVersion;
  need(route, version >= SLU_VULKAN_API_VERSION, "a device of Vulkan 1.2 or later, and ", properties.deviceName,
       " has Vulkan ", VK_API_VERSION_MAJOR(version), ".", VK_API_VERSION_MINOR(version),
       "; a newer driver or another physical device may have it");
}

void checkPhysicalDevice(const InstanceFunctions& functions, VkPhysicalDevice physicalDevice, bool needsBallots) {
  VkPhysicalDeviceDriverProperties driver{};
  driver.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES;
  VkPhysicalDeviceSubgroupProperties subgroups{};
  subgroups.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES;
  subgroups.pNext = &driver;
  VkPhysicalDeviceProperties2 properties{};
  properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  properties.pNext = &subgroups;
  functions.vkGetPhysicalDeviceProperties2(physicalDevice, &properties);
  checkDeviceVersion("Vulkan", properties.properties);
  need("Vulkan", driver.driverID != VK_DRIVER_ID_MOLTENVK,
       "another driver than MoltenVK: there one invocation's memory barrier may wait for the whole workgroup");

  const DeviceFeatures offered = offeredFeatures(functions, physicalDevice);
  need("Vulkan", offered.core.shaderInt64 == VK_TRUE, "the device feature shaderInt64");
  need("Vulkan", offered.vulkan12.bufferDeviceAddress == VK_TRUE, "the device feature bufferDeviceAddress");
  need("Vulkan", offered.vulkan12.uniformBufferStandardLayout == VK_TRUE,
       "the device feature uniformBufferStandardLayout");

  const VkPhysicalDeviceLimits& limits = properties.properties.limits;
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
             subgroups.subgroupSize >= SLU_WORKGROUP / SLU_MAX_SUBGROUPS && subgroups.subgroupSize <= 128,
         "ballots and sums in compute shaders with subgroups of 4 to 128 invocations; "
         "SluVulkanDeviceInfo::emulatedSubgroupSize does without");
  }
}

void checkEnabledFeatures(const SluVulkanDeviceInfo& info) {
  const DeviceFeatures enabled = enabledFeatures(info);
  needFeature(info, "Vulkan", enabled.core.shaderInt64, "shaderInt64");
  needFeature(info, "Vulkan", enabled.vulkan12.bufferDeviceAddress, "bufferDeviceAddress");
  needFeature(info, "Vulkan", enabled.vulkan12.uniformBufferStandardLayout, "uniformBufferStandardLayout");
}

SluVulkanRequirements vulkanRequirements() {
  auto requirements = SLU_INIT(VULKAN_REQUIREMENTS, SluVulkanRequirements);
  requirements.apiVersion = VK_API_VERSION_1_2;
  requirements.features.shaderInt64 = VK_TRUE;
  requirements.vulkan12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
  requirements.vulkan12.bufferDeviceAddress = VK_TRUE;
  requirements.vulkan12.uniformBufferStandardLayout = VK_TRUE;
  requirements.bufferUsage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
  return requirements;
}

SluVulkanRequirements vulkanRequirements(const InstanceFunctions& functions, VkPhysicalDevice physicalDevice) {
  const DeviceFeatures offered = offeredFeatures(functions, physicalDevice);
  SluVulkanRequirements requirements = vulkanRequirements();
  requirements.vulkan12.shaderBufferInt64Atomics = offered.vulkan12.shaderBufferInt64Atomics;
  addDrawFeatures(requirements, offered, extensionsOf(functions, physicalDevice));
  return requirements;
}

void addDrawFeatures(SluVulkanRequirements& requirements, const DeviceFeatures& offered,
                     const std::vector<VkExtensionProperties>& offeredExtensions) {
  requirements.features.drawIndirectFirstInstance = offered.core.drawIndirectFirstInstance;
  requirements.features.multiDrawIndirect = offered.core.multiDrawIndirect;
  requirements.vulkan12.drawIndirectCount = offered.vulkan12.drawIndirectCount;
  requirements.drawIndirectCountExtension = isOffered(offeredExtensions, VK_KHR_DRAW_INDIRECT_COUNT_EXTENSION_NAME);
}

}  // namespace slu

#include "vulkan/requirements.h"

#include "shaders/frame.h"

namespace slu {
namespace {

// Of the largest kernel, an unordered compaction with 1,024 buckets.
constexpr std::uint32_t kSharedBytes = 14 * 1024;

void needEnabled(bool enabled, const char* feature) {
  need("Vulkan", enabled, "the feature ", feature, ", which vulkanDevice.deviceCreateInfo does not enable");
}

// The features set in one struct of the chain.
void addFeatures(const VkBaseInStructure& chained, EnabledFeatures& enabled) {
  if (chained.sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2) {
    const auto& features = reinterpret_cast<const VkPhysicalDeviceFeatures2&>(chained);
    enabled.shaderInt64 |= features.features.shaderInt64 == VK_TRUE;
  } else if (chained.sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES) {
    const auto& features = reinterpret_cast<const VkPhysicalDeviceVulkan12Features&>(chained);
    enabled.bufferDeviceAddress |= features.bufferDeviceAddress == VK_TRUE;
    enabled.shaderBufferInt64Atomics |= features.shaderBufferInt64Atomics == VK_TRUE;
    enabled.timelineSemaphore |= features.timelineSemaphore == VK_TRUE;
    enabled.uniformBufferStandardLayout |= features.uniformBufferStandardLayout == VK_TRUE;
  } else if (chained.sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_UNIFORM_BUFFER_STANDARD_LAYOUT_FEATURES) {
    const auto& features = reinterpret_cast<const VkPhysicalDeviceUniformBufferStandardLayoutFeatures&>(chained);
    enabled.uniformBufferStandardLayout |= features.uniformBufferStandardLayout == VK_TRUE;
  } else if (chained.sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES) {
    const auto& features = reinterpret_cast<const VkPhysicalDeviceBufferDeviceAddressFeatures&>(chained);
    enabled.bufferDeviceAddress |= features.bufferDeviceAddress == VK_TRUE;
  } else if (chained.sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_INT64_FEATURES) {
    const auto& features = reinterpret_cast<const VkPhysicalDeviceShaderAtomicInt64Features&>(chained);
    enabled.shaderBufferInt64Atomics |= features.shaderBufferInt64Atomics == VK_TRUE;
  } else if (chained.sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES) {
    const auto& features = reinterpret_cast<const VkPhysicalDeviceTimelineSemaphoreFeatures&>(chained);
    enabled.timelineSemaphore |= features.timelineSemaphore == VK_TRUE;
  }
}

}  // namespace

OfferedFeatures offeredFeatures(const InstanceFunctions& functions, VkPhysicalDevice physicalDevice) {
  VkPhysicalDeviceVulkan12Features vulkan12{};
  vulkan12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
  VkPhysicalDeviceFeatures2 features{};
  features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  features.pNext = &vulkan12;
  functions.vkGetPhysicalDeviceFeatures2(physicalDevice, &features);
  return {features.features, vulkan12};
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
  need("Vulkan", properties.properties.apiVersion >= VK_API_VERSION_1_2, "a device of Vulkan 1.2 or later");
  need("Vulkan", driver.driverID != VK_DRIVER_ID_MOLTENVK,
       "another driver than MoltenVK: there one invocation's memory barrier may wait for the whole workgroup");

  const OfferedFeatures offered = offeredFeatures(functions, physicalDevice);
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

EnabledFeatures enabledFeatures(const VkDeviceCreateInfo& createInfo) {
  EnabledFeatures enabled;
  if (createInfo.pEnabledFeatures != nullptr) enabled.shaderInt64 = createInfo.pEnabledFeatures->shaderInt64 == VK_TRUE;
  for (auto* chained = static_cast<const VkBaseInStructure*>(createInfo.pNext); chained != nullptr;
       chained = chained->pNext) {
    addFeatures(*chained, enabled);
  }
  return enabled;
}

void checkEnabledFeatures(const VkDeviceCreateInfo& createInfo) {
  const EnabledFeatures enabled = enabledFeatures(createInfo);
  needEnabled(enabled.shaderInt64, "shaderInt64");
  needEnabled(enabled.bufferDeviceAddress, "bufferDeviceAddress");
  needEnabled(enabled.uniformBufferStandardLayout, "uniformBufferStandardLayout");
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
  SluVulkanRequirements requirements = vulkanRequirements();
  requirements.vulkan12.shaderBufferInt64Atomics =
      offeredFeatures(functions, physicalDevice).vulkan12.shaderBufferInt64Atomics;
  return requirements;
}

}  // namespace slu

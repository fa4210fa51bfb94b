#include "base/host_device.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>

#include "base/structs.h"

namespace slu {
namespace {

static_assert(offsetof(SingleFeature, enabled) ==
              offsetof(VkPhysicalDeviceBufferDeviceAddressFeatures, bufferDeviceAddress));
static_assert(offsetof(SingleFeature, enabled) ==
              offsetof(VkPhysicalDeviceShaderAtomicInt64Features, shaderBufferInt64Atomics));
static_assert(offsetof(SingleFeature, enabled) ==
              offsetof(VkPhysicalDeviceTimelineSemaphoreFeatures, timelineSemaphore));
static_assert(offsetof(SingleFeature, enabled) ==
              offsetof(VkPhysicalDeviceUniformBufferStandardLayoutFeatures, uniformBufferStandardLayout));

// The features that one struct of the chain enables.
void addFeatures(const VkBaseOutStructure& chained, DeviceFeatures& enabled) {
  if (chained.sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2) {
    addFeatureBools(enabled.core, reinterpret_cast<const VkPhysicalDeviceFeatures2&>(chained).features, 0,
                    sizeof(VkPhysicalDeviceFeatures));
  } else if (chained.sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES) {
    addFeatureBools(enabled.vulkan12, reinterpret_cast<const VkPhysicalDeviceVulkan12Features&>(chained), kFirst12,
                    kEnd12);
  }
  for (const SingleFeatureType& single : kSingleFeatures) {
    if (chained.sType != single.sType) continue;
    if (reinterpret_cast<const SingleFeature&>(chained).enabled == VK_TRUE) enabled.vulkan12.*single.member = VK_TRUE;
  }
}

// The head of the chain of features, whichever way the host gave it.
const void* featureChain(const SluVulkanDeviceInfo& info) {
  return info.deviceCreateInfo != nullptr ? info.deviceCreateInfo->pNext : info.enabledFeatures;
}

std::span<const char* const> extensionNames(const SluVulkanDeviceInfo& info) {
  const VkDeviceCreateInfo* created = info.deviceCreateInfo;
  if (created == nullptr) return {info.enabledExtensions, info.enabledExtensionCount};
  return {created->ppEnabledExtensionNames, created->enabledExtensionCount};
}

void checkCreateInfo(const SluVulkanDeviceInfo& info) {
  const VkDeviceCreateInfo& created = *info.deviceCreateInfo;
  require(created.sType == VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
          "vulkanDevice.deviceCreateInfo: its sType is not VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO");
  require(info.enabledFeatures == nullptr && info.enabledExtensionCount == 0 && info.enabledExtensions == nullptr,
          "vulkanDevice.enabledFeatures: it and vulkanDevice.enabledExtensions must be null with "
          "vulkanDevice.deviceCreateInfo, which says the same");
  checkVulkanChain(created.pNext, "vulkanDevice.deviceCreateInfo.pNext");
  checkExtensionNames(created.ppEnabledExtensionNames, created.enabledExtensionCount,
                      "vulkanDevice.deviceCreateInfo.ppEnabledExtensionNames",
                      "vulkanDevice.deviceCreateInfo.enabledExtensionCount");
}

void checkFeatureChain(const SluVulkanDeviceInfo& info) {
  require(info.enabledFeatures != nullptr,
          "vulkanDevice.deviceCreateInfo: is null; give what the device was created with, here or, where a wrapper "
          "created it, as vulkanDevice.enabledFeatures and vulkanDevice.enabledExtensions");
  checkVulkanChain(info.enabledFeatures, "vulkanDevice.enabledFeatures");
  checkExtensionNames(info.enabledExtensions, info.enabledExtensionCount, "vulkanDevice.enabledExtensions",
                      "vulkanDevice.enabledExtensionCount");
}

// Vulkan demands that the first three are set, and the last two both or none.
void checkCallbacks(const VkAllocationCallbacks& callbacks) {
  require(callbacks.pfnAllocation != nullptr, "vulkanDevice.allocationCallbacks.pfnAllocation: is null");
  require(callbacks.pfnReallocation != nullptr, "vulkanDevice.allocationCallbacks.pfnReallocation: is null");
  require(callbacks.pfnFree != nullptr, "vulkanDevice.allocationCallbacks.pfnFree: is null");
  require((callbacks.pfnInternalAllocation == nullptr) == (callbacks.pfnInternalFree == nullptr),
          "vulkanDevice.allocationCallbacks.pfnInternalAllocation: it and pfnInternalFree must both be set, or both be "
          "null");
}

}  // namespace

void checkExtensionNames(const char* const* names, std::uint32_t count, const char* field, const char* countField) {
  require(names != nullptr || count == 0, field, ": is null, and ", countField, " is ", count);
  for (std::uint32_t i = 0; i < count; ++i) require(names[i] != nullptr, field, "[", i, "]: is null");
}

void checkVulkanChain(const void* pNext, const char* field) {
  std::uint32_t length = 0;
  for (auto* chained = static_cast<const VkBaseInStructure*>(pNext); chained != nullptr; chained = chained->pNext) {
    require(++length <= kLongestChain, field, ": has over ", kLongestChain,
            " structs, so that it is likely a circle; end it with null");
  }
}

void checkHostDevice(const SluVulkanDeviceInfo& info) {
  require(info.getInstanceProcAddr != nullptr, "vulkanDevice.getInstanceProcAddr: is null");
  require(info.instance != VK_NULL_HANDLE, "vulkanDevice.instance: is null");
  require(info.physicalDevice != VK_NULL_HANDLE, "vulkanDevice.physicalDevice: is null");
  require(info.device != VK_NULL_HANDLE, "vulkanDevice.device: is null");
  if (info.deviceCreateInfo != nullptr) {
    checkCreateInfo(info);
  } else {
    checkFeatureChain(info);
  }
  if (info.allocationCallbacks != nullptr) checkCallbacks(*info.allocationCallbacks);
  constexpr SluFlags kFlags = SLU_VULKAN_BOUND_BUFFERS_BIT | SLU_VULKAN_SEVERAL_DISPATCHES_BIT;
  checkFlags(info.flags, kFlags, "vulkanDevice.flags");
  require(info.reserved == 0, "vulkanDevice.reserved: is ", info.reserved, ", must be 0");
  const std::uint32_t size = info.emulatedSubgroupSize;
  require(size == 0 || (size >= 4 && size <= 128 && (size & (size - 1)) == 0), "vulkanDevice.emulatedSubgroupSize: is ",
          size, ", must be 0 or a power of two from 4 to 128");
}

DeviceFeatures enabledFeatures(const SluVulkanDeviceInfo& info) {
  DeviceFeatures enabled;
  const VkDeviceCreateInfo* created = info.deviceCreateInfo;
  if (created != nullptr && created->pEnabledFeatures != nullptr) enabled.core = *created->pEnabledFeatures;
  visitChain(featureChain(info), [&](const VkBaseOutStructure& chained) { addFeatures(chained, enabled); });
  return enabled;
}

bool enablesCudaKernelLaunch(const SluVulkanDeviceInfo& info) {
  bool enabled = false;
  visitChain(featureChain(info), [&](const VkBaseOutStructure& chained) {
    if (chained.sType == kCudaKernelLaunchFeatures) {
      enabled = reinterpret_cast<const SingleFeature&>(chained).enabled == VK_TRUE;
    }
  });
  return enabled;
}

bool enablesExtension(const SluVulkanDeviceInfo& info, const char* extension) {
  const auto names = extensionNames(info);
  return std::any_of(names.begin(), names.end(), [&](const char* name) { return std::strcmp(name, extension) == 0; });
}

void needFeature(const SluVulkanDeviceInfo& info, const char* route, VkBool32 enabled, const char* feature) {
  if (enabled == VK_TRUE) return;
  fail(SLU_ERROR_MISSING_FEATURE, "the ", route, " route needs the feature ", feature, ", which vulkanDevice.",
       info.deviceCreateInfo != nullptr ? "deviceCreateInfo" : "enabledFeatures",
       " does not enable; create the device with what sluGetVulkanRequirements asks for, and say so there");
}

void needExtension(const SluVulkanDeviceInfo& info, const char* route, const char* extension) {
  if (enablesExtension(info, extension)) return;
  fail(SLU_ERROR_MISSING_FEATURE, "the ", route, " route needs the extension ", extension, ", which vulkanDevice.",
       info.deviceCreateInfo != nullptr ? "deviceCreateInfo" : "enabledExtensions",
       " does not list; create the device with what sluGetVulkanRequirements asks for, and say so there");
}

}  // namespace slu

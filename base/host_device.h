// The host's device as SluVulkanDeviceInfo tells it: checked once, and what it was created with.
#pragma once

#include <sluice/sluice_vulkan.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace slu {

// The features of a device that the library has to do with: those that it offers, or those that it was created with.
struct DeviceFeatures {
  VkPhysicalDeviceFeatures core{};
  VkPhysicalDeviceVulkan12Features vulkan12{};  // sType and pNext mean nothing
};

// The four features of Vulkan 1.2 that the library asks for have structs of their own as well. Each of these begins so.
struct SingleFeature {
  VkStructureType sType;
  void* pNext;
  VkBool32 enabled;
};

// A struct that enables one feature, and the member of VkPhysicalDeviceVulkan12Features that enables it, too.
struct SingleFeatureType {
  VkStructureType sType;
  VkBool32 VkPhysicalDeviceVulkan12Features::*member;
};
inline constexpr SingleFeatureType kSingleFeatures[] = {
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
     &VkPhysicalDeviceVulkan12Features::bufferDeviceAddress},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_INT64_FEATURES,
     &VkPhysicalDeviceVulkan12Features::shaderBufferInt64Atomics},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES,
     &VkPhysicalDeviceVulkan12Features::timelineSemaphore},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_UNIFORM_BUFFER_STANDARD_LAYOUT_FEATURES,
     &VkPhysicalDeviceVulkan12Features::uniformBufferStandardLayout}};

// VkPhysicalDeviceCudaKernelLaunchFeaturesNV of VK_NV_cuda_kernel_launch, which older headers lack; a SingleFeature.
inline constexpr auto kCudaKernelLaunchFeatures = static_cast<VkStructureType>(1000307003);

// VkPhysicalDeviceFeatures is an array of VkBool32, and VkPhysicalDeviceVulkan12Features is one from kFirst12 to kEnd12.
inline constexpr std::size_t kFirst12 = offsetof(VkPhysicalDeviceVulkan12Features, samplerMirrorClampToEdge);
inline constexpr std::size_t kEnd12 =
    offsetof(VkPhysicalDeviceVulkan12Features, subgroupBroadcastDynamicId) + sizeof(VkBool32);

// Sets in `to` what is set in `from`, between the offsets.
template <typename Features>
void addFeatureBools(Features& to, const Features& from, std::size_t begin, std::size_t end) {
  auto* target = reinterpret_cast<std::byte*>(&to);
  const auto* source = reinterpret_cast<const std::byte*>(&from);
  constexpr VkBool32 kTrue = VK_TRUE;
  for (std::size_t at = begin; at < end; at += sizeof(VkBool32)) {
    if (std::memcmp(source + at, &kTrue, sizeof(kTrue)) == 0) std::memcpy(target + at, &kTrue, sizeof(kTrue));
  }
}

// No chain of the host's is longer; one that is, is a circle.
inline constexpr std::uint32_t kLongestChain = 256;

// Calls visit(VkBaseOutStructure&) for each struct of a chain that was checked.
template <typename Visit>
void visitChain(const void* pNext, const Visit& visit) {
  auto* chained = static_cast<VkBaseOutStructure*>(const_cast<void*>(pNext));
  for (; chained != nullptr; chained = chained->pNext) visit(*chained);
}

// Throws, naming the field, if a list of extensions has no array or a null in it.
void checkExtensionNames(const char* const* names, std::uint32_t count, const char* field, const char* countField);

// Throws, naming the field, if the chain is a circle.
void checkVulkanChain(const void* pNext, const char* field);

// Throws unless handles are set, exactly one of the two ways tells what the device was created with, and all that this
// points to can be read.
void checkHostDevice(const SluVulkanDeviceInfo& info);

// What a device that was checked was created with.
DeviceFeatures enabledFeatures(const SluVulkanDeviceInfo& info);
bool enablesCudaKernelLaunch(const SluVulkanDeviceInfo& info);
bool enablesExtension(const SluVulkanDeviceInfo& info, const char* extension);

// Throws SLU_ERROR_MISSING_FEATURE unless the device was created with it; the sentence names where the host says so.
void needFeature(const SluVulkanDeviceInfo& info, const char* route, VkBool32 enabled, const char* feature);
void needExtension(const SluVulkanDeviceInfo& info, const char* route, const char* extension);

}  // namespace slu

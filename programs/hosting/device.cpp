#include "hosting/device.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "hosting/failure.h"

namespace hosting {
namespace {

constexpr float kQueuePriority = 1.0f;

}  // namespace

Device::Device(const Instance& instance, VkPhysicalDevice physical, SluFlags flags)
    : instance_(instance.get()), physical_(physical), flags_(flags), debugUtils_(instance.debugUtils()) {
  vkGetPhysicalDeviceProperties(physical, &properties_);
  vkGetPhysicalDeviceMemoryProperties(physical, &memory_);
  const uint32_t version = properties_.apiVersion;
  if (version < VK_API_VERSION_1_2)
    failDevice("device ", properties_.deviceName, " has Vulkan ", VK_API_VERSION_MAJOR(version), '.',
               VK_API_VERSION_MINOR(version), "; 1.2 is needed");
  features_.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  features_.pNext = &vulkan12_;
  vulkan12_.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
  merge_.featureChain = &features_;
}

Device::~Device() {
  if (device_ == VK_NULL_HANDLE) return;
  vkDeviceWaitIdle(device_);
  vkDestroyDevice(device_, nullptr);
}

bool Device::enable(SluRoute route, SluVulkanRequirements& requirements, SluMessage& message) {
  requirements = SLU_INIT(VULKAN_REQUIREMENTS, SluVulkanRequirements);
  if (sluGetVulkanRequirements(vkGetInstanceProcAddr, instance_, physical_, route, &requirements, &message) !=
      SLU_SUCCESS)
    return false;
  merge_.extensionCount = static_cast<uint32_t>(extensions_.size());
  extensions_.resize(extensions_.size() + SLU_MAX_VULKAN_EXTENSIONS + 1);
  merge_.extensionCapacity = static_cast<uint32_t>(extensions_.size());
  merge_.extensions = extensions_.data();
  if (sluMergeVulkanRequirements(&requirements, &merge_, &message) != SLU_SUCCESS) failDevice(message.text);
  extensions_.resize(merge_.extensionCount);
  // Bound buffers cost less with it.
  const bool hasPush = std::ranges::any_of(
      extensions_, [](const char* name) { return std::strcmp(name, VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME) == 0; });
  if (requirements.pushDescriptorExtension && !hasPush) addExtension(VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME);
  return true;
}

void Device::create(std::span<const uint32_t> queueFamilies) {
  for (const uint32_t family : queueFamilies) {
    VkDeviceQueueCreateInfo& queueInfo = queueInfos_.emplace_back();
    queueInfo.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
    queueInfo.queueFamilyIndex = family;
    queueInfo.queueCount = 1;
    queueInfo.pQueuePriorities = &kQueuePriority;
  }
  createInfo_.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
  createInfo_.pNext = merge_.featureChain;
  createInfo_.queueCreateInfoCount = static_cast<uint32_t>(queueInfos_.size());
  createInfo_.pQueueCreateInfos = queueInfos_.data();
  createInfo_.enabledExtensionCount = static_cast<uint32_t>(extensions_.size());
  createInfo_.ppEnabledExtensionNames = extensions_.data();
  check(vkCreateDevice(physical_, &createInfo_, nullptr, &device_), "vkCreateDevice");
  volkLoadDevice(device_);
}

SluVulkanDeviceInfo Device::info(uint32_t queueFamily) const {
  auto info = SLU_INIT(VULKAN_DEVICE_INFO, SluVulkanDeviceInfo);
  info.getInstanceProcAddr = vkGetInstanceProcAddr;
  info.instance = instance_;
  info.physicalDevice = physical_;
  info.device = device_;
  info.deviceCreateInfo = &createInfo_;
  info.queueFamilyIndex = queueFamily;
  info.flags = flags_;
  return info;
}

uint32_t Device::memoryType(uint32_t typeBits, VkMemoryPropertyFlags required, VkMemoryPropertyFlags preferred) const {
  std::optional<uint32_t> found;
  for (uint32_t type = 0; type < memory_.memoryTypeCount; ++type) {
    const VkMemoryPropertyFlags flags = memory_.memoryTypes[type].propertyFlags;
    if (!(typeBits >> type & 1u) || (flags & required) != required) continue;
    if ((flags & preferred) == preferred) return type;
    if (!found) found = type;
  }
  if (!found) failRuntime("device ", properties_.deviceName, " has no memory type of the needed kind");
  return *found;
}

void Device::setObjectName(VkObjectType type, uint64_t handle, const std::string& name) const {
  if (!debugUtils_) return;
  VkDebugUtilsObjectNameInfoEXT info{};
  info.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT;
  info.objectType = type;
  info.objectHandle = handle;
  info.pObjectName = name.c_str();
  vkSetDebugUtilsObjectNameEXT(device_, &info);
}

void Device::beginLabel(VkCommandBuffer commands, const char* name) const {
  if (!debugUtils_) return;
  VkDebugUtilsLabelEXT label{};
  label.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT;
  label.pLabelName = name;
  vkCmdBeginDebugUtilsLabelEXT(commands, &label);
}

void Device::endLabel(VkCommandBuffer commands) const {
  if (debugUtils_) vkCmdEndDebugUtilsLabelEXT(commands);
}

std::vector<VkQueueFamilyProperties> queueFamiliesOf(VkPhysicalDevice physical) {
  uint32_t count = 0;
  vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, families.data());
  return families;
}

}  // namespace hosting

#include "vulkan/device.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "base/failure.h"

namespace demo {

Device::Device(const Instance& instance, VkPhysicalDevice physical, SluRoute route, VkSurfaceKHR surface)
    : instance_(instance.get()), physical_(physical), debugUtils_(instance.debugUtils()) {
  vkGetPhysicalDeviceProperties(physical, &properties_);
  vkGetPhysicalDeviceMemoryProperties(physical, &memory_);
  if (properties_.apiVersion < VK_API_VERSION_1_2)
    failRuntime("device ", properties_.deviceName, " has Vulkan ", VK_API_VERSION_MAJOR(properties_.apiVersion), '.',
                VK_API_VERSION_MINOR(properties_.apiVersion), "; the demo needs 1.2");
  chooseQueueFamily(surface);
  // In a window the route may change later on.
  chooseFeatures(instance, route, surface != VK_NULL_HANDLE);
  if (surface) enablePresentation();

  queueInfo_.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
  queueInfo_.queueFamilyIndex = queueFamily_;
  queueInfo_.queueCount = 1;
  queueInfo_.pQueuePriorities = &queuePriority_;
  createInfo_.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
  createInfo_.pNext = merge_.featureChain;
  createInfo_.queueCreateInfoCount = 1;
  createInfo_.pQueueCreateInfos = &queueInfo_;
  createInfo_.enabledExtensionCount = static_cast<uint32_t>(extensions_.size());
  createInfo_.ppEnabledExtensionNames = extensions_.data();
  check(vkCreateDevice(physical, &createInfo_, nullptr, &device_), "vkCreateDevice");
  volkLoadDevice(device_);
  vkGetDeviceQueue(device_, queueFamily_, 0, &queue_);
  setName(VK_OBJECT_TYPE_DEVICE, device_, "sluice-demo");
  setName(VK_OBJECT_TYPE_QUEUE, queue_, "graphics and compute");
}

Device::~Device() {
  vkDeviceWaitIdle(device_);
  vkDestroyDevice(device_, nullptr);
}

void Device::chooseQueueFamily(VkSurfaceKHR surface) {
  uint32_t count = 0;
  vkGetPhysicalDeviceQueueFamilyProperties(physical_, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  vkGetPhysicalDeviceQueueFamilyProperties(physical_, &count, families.data());
  constexpr VkQueueFlags kNeeded = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
  bool draws = false;
  for (uint32_t family = 0; family < count; ++family) {
    if ((families[family].queueFlags & kNeeded) != kNeeded) continue;
    draws = true;
    VkBool32 presents = VK_TRUE;
    if (surface)
      check(vkGetPhysicalDeviceSurfaceSupportKHR(physical_, family, surface, &presents),
            "vkGetPhysicalDeviceSurfaceSupportKHR");
    if (!presents) continue;
    queueFamily_ = family;
    timestampValidBits_ = families[family].timestampValidBits;
    return;
  }
  if (draws) failRuntime("--window: device ", properties_.deviceName, " cannot present to this display");
  failRuntime("device ", properties_.deviceName, " has no queue family with graphics and compute");
}

void Device::enablePresentation() {
  uint32_t count = 0;
  check(vkEnumerateDeviceExtensionProperties(physical_, nullptr, &count, nullptr),
        "vkEnumerateDeviceExtensionProperties");
  std::vector<VkExtensionProperties> extensions(count);
  check(vkEnumerateDeviceExtensionProperties(physical_, nullptr, &count, extensions.data()),
        "vkEnumerateDeviceExtensionProperties");
  const bool has = std::any_of(extensions.begin(), extensions.end(), [](const VkExtensionProperties& extension) {
    return std::strcmp(extension.extensionName, VK_KHR_SWAPCHAIN_EXTENSION_NAME) == 0;
  });
  if (!has)
    failRuntime("--window: device ", properties_.deviceName, " lacks ", VK_KHR_SWAPCHAIN_EXTENSION_NAME,
                ", so it presents to no window");
  extensions_.push_back(VK_KHR_SWAPCHAIN_EXTENSION_NAME);
}

// What Sluice requires, plus what the demo draws with.
void Device::chooseFeatures(const Instance& instance, SluRoute route, bool forAllRoutes) {
  SluVulkanRequirements requirements = SLU_INIT(VULKAN_REQUIREMENTS, SluVulkanRequirements);
  const SluRoute first = route == SLU_ROUTE_AUTO ? SLU_ROUTE_AUTO : SLU_ROUTE_VULKAN;
  const SluResult result =
      sluGetVulkanRequirements(vkGetInstanceProcAddr, instance.get(), physical_, first, &requirements, nullptr);
  // A device that no GPU route can use still draws what the CPU route compacts; the context tells the reason.
  if (result != SLU_SUCCESS) requirements = SLU_INIT(VULKAN_REQUIREMENTS, SluVulkanRequirements);
  features_.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  features_.pNext = &vulkan12_;
  vulkan12_.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
  merge_.featureChain = &features_;
  enable(requirements);
  for (const SluRoute other : {SLU_ROUTE_CUDA, SLU_ROUTE_INLINE}) {
    if (!forAllRoutes && route != other) continue;
    SluVulkanRequirements more = SLU_INIT(VULKAN_REQUIREMENTS, SluVulkanRequirements);
    SluMessage message = {};
    if (sluGetVulkanRequirements(vkGetInstanceProcAddr, instance.get(), physical_, other, &more, &message) !=
        SLU_SUCCESS) {
      if (route == other) failRuntime("--route ", sluGetRouteName(route), " is not available: ", message.text);
      refusals_[other] = message.text;
      continue;
    }
    enable(more);
  }

  VkPhysicalDeviceVulkan12Features has12{};
  has12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
  VkPhysicalDeviceFeatures2 has = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &has12, {}};
  vkGetPhysicalDeviceFeatures2(physical_, &has);
  if (!has12.bufferDeviceAddress || !has.features.drawIndirectFirstInstance)
    failRuntime("device ", properties_.deviceName, " lacks ",
                has12.bufferDeviceAddress ? "drawIndirectFirstInstance" : "bufferDeviceAddress",
                ", which the demo draws with");

  vulkan12_.bufferDeviceAddress = VK_TRUE;
  vulkan12_.drawIndirectCount = has12.drawIndirectCount;
  features_.features.drawIndirectFirstInstance = VK_TRUE;
  features_.features.multiDrawIndirect = has.features.multiDrawIndirect;
  features_.features.largePoints = has.features.largePoints;
}

// Adds to the chain of features and to the list of extensions.
void Device::enable(const SluVulkanRequirements& needed) {
  merge_.extensionCount = static_cast<uint32_t>(extensions_.size());
  extensions_.resize(extensions_.size() + SLU_MAX_VULKAN_EXTENSIONS + 1);
  merge_.extensionCapacity = static_cast<uint32_t>(extensions_.size());
  merge_.extensions = extensions_.data();
  SluMessage message = {};
  if (sluMergeVulkanRequirements(&needed, &merge_, &message) != SLU_SUCCESS) failRuntime(message.text);
  extensions_.resize(merge_.extensionCount);
}

const char* Device::refusal(SluRoute route) const {
  const auto refused = refusals_.find(route);
  return refused == refusals_.end() ? "" : refused->second.c_str();
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

}  // namespace demo

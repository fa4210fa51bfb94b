// The Vulkan device with one queue for graphics and compute, created with what Sluice asks for.
#pragma once

#include <sluice/sluice_vulkan.h>

#include <map>
#include <string>
#include <vector>

#include "vulkan/instance.h"

namespace demo {

class Device {
 public:
  // route: the one that the device is to run. The CUDA and inline routes need more of it than the others; without a
  // surface they are looked for only when they are wanted, or when auto may take them. surface: what the device is to
  // present to; NULL for nothing.
  Device(const Instance& instance, VkPhysicalDevice physical, SluRoute route, VkSurfaceKHR surface);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  VkDevice get() const { return device_; }
  VkInstance instance() const { return instance_; }
  VkPhysicalDevice physical() const { return physical_; }
  VkQueue queue() const { return queue_; }
  uint32_t queueFamily() const { return queueFamily_; }
  const VkPhysicalDeviceProperties& properties() const { return properties_; }
  bool isCpu() const { return properties_.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU; }

  // Optional features that were enabled.
  bool drawIndirectCount() const { return vulkan12_.drawIndirectCount; }
  bool multiDrawIndirect() const { return features_.features.multiDrawIndirect; }
  bool largePoints() const { return features_.features.largePoints; }
  uint32_t timestampValidBits() const { return timestampValidBits_; }

  // Why it was created without what a route needs; empty when that was not looked for, or is there.
  const char* refusal(SluRoute route) const;

  // For SluVulkanDeviceInfo::deviceCreateInfo. Valid as long as the device.
  const VkDeviceCreateInfo& createInfo() const { return createInfo_; }

  // The index of a memory type among typeBits that has all of required, and of preferred if there is one.
  uint32_t memoryType(uint32_t typeBits, VkMemoryPropertyFlags required, VkMemoryPropertyFlags preferred) const;

  // For debuggers and captures; without VK_EXT_debug_utils these do nothing.
  template <typename Handle>
  void setName(VkObjectType type, Handle handle, const std::string& name) const {
    setObjectName(type, reinterpret_cast<uint64_t>(handle), name);
  }
  void beginLabel(VkCommandBuffer commands, const char* name) const;
  void endLabel(VkCommandBuffer commands) const;

 private:
  void chooseQueueFamily(VkSurfaceKHR surface);
  void enablePresentation();
  void chooseFeatures(const Instance& instance, SluRoute route, bool forAllRoutes);
  void enable(const SluVulkanRequirements& needed);
  void setObjectName(VkObjectType type, uint64_t handle, const std::string& name) const;

  VkInstance instance_;
  VkPhysicalDevice physical_;
  VkDevice device_ = VK_NULL_HANDLE;
  VkQueue queue_ = VK_NULL_HANDLE;
  uint32_t queueFamily_ = 0;
  uint32_t timestampValidBits_ = 0;
  bool debugUtils_;
  std::map<SluRoute, std::string> refusals_;
  VkPhysicalDeviceProperties properties_ = {};
  VkPhysicalDeviceMemoryProperties memory_ = {};

  // The chain that createInfo_ points to.
  std::vector<const char*> extensions_;
  VkPhysicalDeviceVulkan12Features vulkan12_ = {};
  VkPhysicalDeviceFeatures2 features_ = {};
  SluVulkanMergeInfo merge_ = SLU_INIT(VULKAN_MERGE_INFO, SluVulkanMergeInfo);
  float queuePriority_ = 1.0f;
  VkDeviceQueueCreateInfo queueInfo_ = {};
  VkDeviceCreateInfo createInfo_ = {};
};

}  // namespace demo

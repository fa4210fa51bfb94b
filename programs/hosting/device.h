// What devices of a program that hosts the library have in common. A program derives its own, which chooses queues and
// features before it calls create().
#pragma once

#include <sluice/sluice_vulkan.h>

#include <span>
#include <string>
#include <vector>

#include "hosting/instance.h"

namespace hosting {

class Device {
 public:
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  VkDevice get() const { return device_; }
  VkInstance instance() const { return instance_; }
  VkPhysicalDevice physical() const { return physical_; }
  const VkPhysicalDeviceProperties& properties() const { return properties_; }
  const VkPhysicalDeviceMemoryProperties& memory() const { return memory_; }
  bool isCpu() const { return properties_.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU; }

  // What the library is told about the device. Points into this object. queueFamily: of the queue that runs the frames.
  SluVulkanDeviceInfo info(uint32_t queueFamily) const;

  // The index of a memory type among typeBits that has all of required, and of preferred if there is one.
  uint32_t memoryType(uint32_t typeBits, VkMemoryPropertyFlags required, VkMemoryPropertyFlags preferred) const;

  // For debuggers and captures; without VK_EXT_debug_utils these do nothing.
  template <typename Handle>
  void setName(VkObjectType type, Handle handle, const std::string& name) const {
    setObjectName(type, reinterpret_cast<uint64_t>(handle), name);
  }
  void beginLabel(VkCommandBuffer commands, const char* name) const;
  void endLabel(VkCommandBuffer commands) const;

 protected:
  // Throws Failure (NoDevice) where the device has no Vulkan 1.2.
  Device(const Instance& instance, VkPhysicalDevice physical);
  ~Device();  // waits for what was submitted

  // Before create(): adds what the library requires for a route to the features and the extensions. False, and why in
  // message, when the device lacks it.
  bool enable(SluRoute route, SluVulkanRequirements& requirements, SluMessage& message);
  void addExtension(const char* name) { extensions_.push_back(name); }

  // With a queue of each family, and all that was added before.
  void create(std::span<const uint32_t> queueFamilies);

  // Those to enable; the library's requirements may set more of them.
  VkPhysicalDeviceFeatures2 features_{};
  VkPhysicalDeviceVulkan12Features vulkan12_{};

 private:
  void setObjectName(VkObjectType type, uint64_t handle, const std::string& name) const;

  const VkInstance instance_;
  const VkPhysicalDevice physical_;
  const bool debugUtils_;
  VkPhysicalDeviceProperties properties_{};
  VkPhysicalDeviceMemoryProperties memory_{};
  VkDevice device_ = VK_NULL_HANDLE;

  // What createInfo_ points to: the library reads it.
  std::vector<const char*> extensions_;
  SluVulkanMergeInfo merge_ = SLU_INIT(VULKAN_MERGE_INFO, SluVulkanMergeInfo);
  std::vector<VkDeviceQueueCreateInfo> queueInfos_;
  VkDeviceCreateInfo createInfo_{};
};

// The families of a device's queues, by index.
std::vector<VkQueueFamilyProperties> queueFamiliesOf(VkPhysicalDevice physical);

}  // namespace hosting

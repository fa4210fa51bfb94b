// The Vulkan device of a program that hosts the library. Each program derives its own class, which chooses queues and
// features and then calls create().
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

  // Describes the device to the library. The result points into this object. queueFamily: of the queue that runs the
  // frames.
  SluVulkanDeviceInfo info(uint32_t queueFamily) const;

  // Returns the index of a memory type among typeBits that has all required flags. Chooses one that also has all
  // preferred flags if the device has it. Throws Failure (Cause::Runtime) if no type fits.
  uint32_t memoryType(uint32_t typeBits, VkMemoryPropertyFlags required, VkMemoryPropertyFlags preferred) const;

  // Name objects and parts of command buffers for debuggers and captures. Without VK_EXT_debug_utils they do nothing.
  template <typename Handle>
  void setName(VkObjectType type, Handle handle, const std::string& name) const {
    setObjectName(type, reinterpret_cast<uint64_t>(handle), name);
  }
  void beginLabel(VkCommandBuffer commands, const char* name) const;
  void endLabel(VkCommandBuffer commands) const;

 protected:
  // flags: SluVulkanDeviceFlagBits for info(). Throws Failure (Cause::NoDevice) if the device has no Vulkan 1.2.
  Device(const Instance& instance, VkPhysicalDevice physical, SluFlags flags = 0);
  ~Device();  // blocks until the device is idle

  // Adds what the library requires for a route to the features and the extensions; comes before create(). If the device
  // lacks something, returns false, adds nothing, and says in message what is missing.
  bool enable(SluRoute route, SluVulkanRequirements& requirements, SluMessage& message);
  void addExtension(const char* name) { extensions_.push_back(name); }

  // Creates the device with one queue of each family and with all that was added before.
  void create(std::span<const uint32_t> queueFamilies);

  // create() enables these. enable() may set more of them.
  VkPhysicalDeviceFeatures2 features_{};
  VkPhysicalDeviceVulkan12Features vulkan12_{};

 private:
  void setObjectName(VkObjectType type, uint64_t handle, const std::string& name) const;

  const VkInstance instance_;
  const VkPhysicalDevice physical_;
  const SluFlags flags_;
  const bool debugUtils_;
  VkPhysicalDeviceProperties properties_{};
  VkPhysicalDeviceMemoryProperties memory_{};
  VkDevice device_ = VK_NULL_HANDLE;

  // createInfo_ points to these, and the library reads it.
  std::vector<const char*> extensions_;
  SluVulkanMergeInfo merge_ = SLU_INIT(VULKAN_MERGE_INFO, SluVulkanMergeInfo);
  std::vector<VkDeviceQueueCreateInfo> queueInfos_;
  VkDeviceCreateInfo createInfo_{};
};

// Returns the families of a device's queues, by index.
std::vector<VkQueueFamilyProperties> queueFamiliesOf(VkPhysicalDevice physical);

}  // namespace hosting

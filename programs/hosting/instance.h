// The Vulkan instance, the validation layer on request, and the physical devices to choose from.
#pragma once

#include <string>
#include <vector>

#include "hosting/vulkan_api.h"

namespace hosting {

struct InstanceInfo {
  const char* applicationName;
  uint32_t newestVersion;               // of Vulkan that the program uses; from 1.2 on
  bool debugUtils = false;              // where the instance has them, objects get names and command buffers labels
  bool validation = false;              // by the Khronos layer, whose messages are printed and counted
  std::vector<const char*> extensions;  // what a window needs
};

class Instance {
 public:
  // Throws Failure: NoDevice where there is no loader or no driver.
  explicit Instance(const InstanceInfo& info);
  ~Instance();
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  VkInstance get() const { return instance_; }
  bool debugUtils() const { return debugUtils_; }
  uint32_t validationMessageCount() const { return messageCount_; }

  std::vector<VkPhysicalDevice> physicalDevices() const;

 private:
  static VkBool32 VKAPI_PTR onMessage(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                      VkDebugUtilsMessageTypeFlagsEXT type,
                                      const VkDebugUtilsMessengerCallbackDataEXT* data, void* instance);

  std::vector<const char*> enableExtensions(const InstanceInfo& info);

  VkInstance instance_ = VK_NULL_HANDLE;
  VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
  uint32_t messageCount_ = 0;
  bool debugUtils_ = false;
};

// A line per device: index, name, type, Vulkan version, driver.
std::string describePhysicalDevices(const Instance& instance);

// Empty where the device is older than Vulkan 1.2.
VkPhysicalDeviceDriverProperties driverOf(VkPhysicalDevice device);

// The device that selection names by index or by a part of its name; the fastest kind when selection is empty. Throws
// Failure: NoDevice when there is no device, BadInput with the name of the option when none is the one selected.
VkPhysicalDevice choosePhysicalDevice(const Instance& instance, const char* option, const std::string& selection);

}  // namespace hosting

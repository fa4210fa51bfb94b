// Creates the Vulkan instance, with the validation layer if wanted, and chooses a physical device.
#pragma once

#include <string>
#include <vector>

#include "hosting/vulkan_api.h"

namespace hosting {

struct InstanceInfo {
  const char* applicationName;
  uint32_t newestVersion;               // of Vulkan that the program uses, at least 1.2
  bool debugUtils = false;              // names objects and labels commands if the loader has VK_EXT_debug_utils
  bool validation = false;              // loads the Khronos layer; its messages are printed and counted
  std::vector<const char*> extensions;  // more extensions, such as those of a window
};

class Instance {
 public:
  // Throws Failure (Cause::NoDevice) if there is no loader or no driver.
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

// Returns a line per device: index, name, type, Vulkan version, driver.
std::string describePhysicalDevices(const Instance& instance);

// Returns empty names if the device is older than Vulkan 1.2.
VkPhysicalDeviceDriverProperties driverOf(VkPhysicalDevice device);

// Returns the device that selection names by its index or by a part of its name, in any case. If selection is empty,
// returns the first of the fastest kind. Throws Failure: Cause::NoDevice if there is no device, and Cause::BadInput if
// none fits, with the name of the option and a list of the devices.
VkPhysicalDevice choosePhysicalDevice(const Instance& instance, const char* option, const std::string& selection);

}  // namespace hosting

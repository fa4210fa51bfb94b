// The Vulkan instance, the validation layer on request, and the physical devices to choose from.
#pragma once

#include <string>
#include <vector>

#include "vulkan/vulkan_api.h"

namespace demo {

class Instance {
 public:
  // extensions: what a window needs.
  Instance(bool validation, std::vector<const char*> extensions);
  ~Instance();
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  VkInstance get() const { return instance_; }
  uint32_t apiVersion() const { return apiVersion_; }
  bool debugUtils() const { return debugUtils_; }
  uint32_t validationMessageCount() const { return messageCount_; }

  std::vector<VkPhysicalDevice> physicalDevices() const;

 private:
  static VkBool32 VKAPI_PTR onMessage(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                      VkDebugUtilsMessageTypeFlagsEXT type,
                                      const VkDebugUtilsMessengerCallbackDataEXT* data, void* instance);

  VkInstance instance_ = VK_NULL_HANDLE;
  VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
  uint32_t apiVersion_ = VK_API_VERSION_1_2;
  uint32_t messageCount_ = 0;
  bool debugUtils_ = false;
};

// A line per device: index, name, type, Vulkan version, driver.
std::string describePhysicalDevices(const Instance& instance);

std::string driverVersion(VkPhysicalDevice device);

// The device that selection names by index or by a part of its name; the fastest kind when selection is empty.
VkPhysicalDevice choosePhysicalDevice(const Instance& instance, const std::string& selection);

}  // namespace demo

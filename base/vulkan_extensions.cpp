#include "base/vulkan_extensions.h"

#include <algorithm>
#include <cstring>

namespace slu {

std::vector<VkExtensionProperties> extensionsOf(const InstanceFunctions& functions, VkPhysicalDevice physicalDevice) {
  std::uint32_t count = 0;
  check(functions.vkEnumerateDeviceExtensionProperties(physicalDevice, nullptr, &count, nullptr),
        "vkEnumerateDeviceExtensionProperties");
  std::vector<VkExtensionProperties> extensions(count);
  check(functions.vkEnumerateDeviceExtensionProperties(physicalDevice, nullptr, &count, extensions.data()),
        "vkEnumerateDeviceExtensionProperties");
  return extensions;
}

bool isOffered(const std::vector<VkExtensionProperties>& offered, const char* extension) {
  return std::any_of(offered.begin(), offered.end(), [&](const VkExtensionProperties& candidate) {
    return std::strcmp(candidate.extensionName, extension) == 0;
  });
}

}  // namespace slu

#define VOLK_IMPLEMENTATION
#include "hosting/vulkan_api.h"

#include "hosting/failure.h"

namespace hosting {

const char* resultName(VkResult result) {
  switch (result) {
    case VK_SUCCESS:
      return "VK_SUCCESS";
    case VK_ERROR_OUT_OF_HOST_MEMORY:
      return "out of host memory";
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
      return "out of device memory";
    case VK_ERROR_INITIALIZATION_FAILED:
      return "initialization failed";
    case VK_ERROR_DEVICE_LOST:
      return "device lost";
    case VK_ERROR_MEMORY_MAP_FAILED:
      return "memory map failed";
    case VK_ERROR_LAYER_NOT_PRESENT:
      return "layer not present";
    case VK_ERROR_EXTENSION_NOT_PRESENT:
      return "extension not present";
    case VK_ERROR_FEATURE_NOT_PRESENT:
      return "feature not present";
    case VK_ERROR_INCOMPATIBLE_DRIVER:
      return "incompatible driver";
    case VK_ERROR_TOO_MANY_OBJECTS:
      return "too many objects";
    case VK_ERROR_FORMAT_NOT_SUPPORTED:
      return "format not supported";
    case VK_ERROR_SURFACE_LOST_KHR:
      return "surface lost";
    case VK_ERROR_NATIVE_WINDOW_IN_USE_KHR:
      return "native window in use";
    default:
      return nullptr;
  }
}

void check(VkResult result, const char* what) {
  if (result == VK_SUCCESS) return;
  const char* name = resultName(result);
  if (name) failRuntime(what, " failed: ", name);
  failRuntime(what, " failed: VkResult ", static_cast<int>(result));
}

}  // namespace hosting

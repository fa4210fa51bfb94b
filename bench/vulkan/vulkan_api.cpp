#define VOLK_IMPLEMENTATION
#include "vulkan/vulkan_api.h"

#include "base/failure.h"

namespace bench {

void check(VkResult result, const char* call) {
  if (result == VK_ERROR_OUT_OF_DEVICE_MEMORY) failRuntime(call, ": out of device memory");
  if (result == VK_ERROR_DEVICE_LOST) failRuntime(call, ": the device is lost");
  if (result != VK_SUCCESS) failRuntime(call, ": VkResult ", static_cast<int>(result));
}

}  // namespace bench

// The Vulkan functions that the tests call, looked up per instance and per device.
#pragma once

#include <sluice/sluice_vulkan.h>

namespace slu::test {

#define SLU_TEST_INSTANCE_FUNCTIONS(X)   \
  X(vkCreateDebugUtilsMessengerEXT)      \
  X(vkCreateDevice)                      \
  X(vkDestroyDebugUtilsMessengerEXT)     \
  X(vkDestroyInstance)                   \
  X(vkEnumeratePhysicalDevices)          \
  X(vkGetDeviceProcAddr)                 \
  X(vkGetPhysicalDeviceFeatures2)        \
  X(vkGetPhysicalDeviceMemoryProperties) \
  X(vkGetPhysicalDeviceProperties2)      \
  X(vkGetPhysicalDeviceQueueFamilyProperties)

#define SLU_TEST_DEVICE_FUNCTIONS(X) \
  X(vkAllocateCommandBuffers)        \
  X(vkAllocateMemory)                \
  X(vkBeginCommandBuffer)            \
  X(vkBindBufferMemory)              \
  X(vkCmdCopyBuffer)                 \
  X(vkCmdFillBuffer)                 \
  X(vkCmdPipelineBarrier)            \
  X(vkCmdUpdateBuffer)               \
  X(vkCreateBuffer)                  \
  X(vkCreateCommandPool)             \
  X(vkCreateFence)                   \
  X(vkCreatePipelineCache)           \
  X(vkDestroyBuffer)                 \
  X(vkDestroyCommandPool)            \
  X(vkDestroyDevice)                 \
  X(vkDestroyFence)                  \
  X(vkDestroyPipelineCache)          \
  X(vkEndCommandBuffer)              \
  X(vkFreeCommandBuffers)            \
  X(vkFreeMemory)                    \
  X(vkGetBufferMemoryRequirements)   \
  X(vkGetDeviceQueue)                \
  X(vkGetPipelineCacheData)          \
  X(vkMapMemory)                     \
  X(vkQueueSubmit)                   \
  X(vkQueueWaitIdle)                 \
  X(vkResetFences)                   \
  X(vkWaitForFences)

#define SLU_TEST_DECLARE(name) PFN_##name name = nullptr;
struct InstanceTable {
  SLU_TEST_INSTANCE_FUNCTIONS(SLU_TEST_DECLARE)
};
struct DeviceTable {
  SLU_TEST_DEVICE_FUNCTIONS(SLU_TEST_DECLARE)
};
#undef SLU_TEST_DECLARE

// The loader's entry point, found at run time so that nothing here links to a loader; null where there is none.
PFN_vkGetInstanceProcAddr loadVulkan();

// For tests that stand between the library and Vulkan: keeps a function that was looked up, and returns the test's own.
template <typename Function>
PFN_vkVoidFunction replace(Function& behind, PFN_vkVoidFunction real, Function ours) {
  behind = reinterpret_cast<Function>(real);
  return reinterpret_cast<PFN_vkVoidFunction>(ours);
}

}  // namespace slu::test

// The host's VkDevice as the route uses it: functions looked up per device, and owners for what the route creates.
#pragma once

#include <sluice/sluice_vulkan.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "base/error.h"

namespace slu {

#define SLU_VULKAN_INSTANCE_FUNCTIONS(X)  \
  X(vkEnumerateDeviceExtensionProperties) \
  X(vkGetPhysicalDeviceFeatures2)         \
  X(vkGetPhysicalDeviceProperties2)       \
  X(vkGetPhysicalDeviceMemoryProperties)  \
  X(vkGetPhysicalDeviceQueueFamilyProperties)

#define SLU_VULKAN_DEVICE_FUNCTIONS(X) \
  X(vkAllocateDescriptorSets)          \
  X(vkAllocateMemory)                  \
  X(vkBindBufferMemory)                \
  X(vkCmdBindDescriptorSets)           \
  X(vkCmdBindPipeline)                 \
  X(vkCmdCopyBuffer)                   \
  X(vkCmdDispatch)                     \
  X(vkCmdDispatchBase)                 \
  X(vkCmdPipelineBarrier)              \
  X(vkCmdPushConstants)                \
  X(vkCreateBuffer)                    \
  X(vkCreateComputePipelines)          \
  X(vkCreateDescriptorPool)            \
  X(vkCreateDescriptorSetLayout)       \
  X(vkCreatePipelineLayout)            \
  X(vkCreateShaderModule)              \
  X(vkDestroyBuffer)                   \
  X(vkDestroyDescriptorPool)           \
  X(vkDestroyDescriptorSetLayout)      \
  X(vkDestroyPipeline)                 \
  X(vkDestroyPipelineLayout)           \
  X(vkDestroyShaderModule)             \
  X(vkFreeMemory)                      \
  X(vkGetBufferMemoryRequirements)     \
  X(vkMapMemory)                       \
  X(vkUpdateDescriptorSets)

// Null if the device lacks them: Vulkan 1.2, and VK_KHR_push_descriptor.
#define SLU_VULKAN_OPTIONAL_FUNCTIONS(X) \
  X(vkCmdPushDescriptorSetKHR)           \
  X(vkGetBufferDeviceAddress)

// Present when the host enabled VK_EXT_debug_utils, else null.
#define SLU_VULKAN_DEBUG_FUNCTIONS(X) \
  X(vkCmdBeginDebugUtilsLabelEXT)     \
  X(vkCmdEndDebugUtilsLabelEXT)       \
  X(vkSetDebugUtilsObjectNameEXT)

#define SLU_DECLARE_FUNCTION(name) PFN_##name name = nullptr;
struct InstanceFunctions {
  SLU_VULKAN_INSTANCE_FUNCTIONS(SLU_DECLARE_FUNCTION)

  InstanceFunctions(PFN_vkGetInstanceProcAddr getInstanceProcAddr, VkInstance instance);
};

struct DeviceFunctions {
  SLU_VULKAN_DEVICE_FUNCTIONS(SLU_DECLARE_FUNCTION)
  SLU_VULKAN_OPTIONAL_FUNCTIONS(SLU_DECLARE_FUNCTION)
  SLU_VULKAN_DEBUG_FUNCTIONS(SLU_DECLARE_FUNCTION)

  DeviceFunctions(PFN_vkGetInstanceProcAddr getInstanceProcAddr, VkInstance instance, VkDevice device);
};
#undef SLU_DECLARE_FUNCTION

// Throws what a failed VkResult means; call begins the sentence.
void check(VkResult result, const char* call);

// Of the queue family that info names; throws unless it has compute.
VkQueueFlags checkQueueFamily(const InstanceFunctions& functions, const SluVulkanDeviceInfo& info);

// next is a chain of structs that the driver fills as well.
VkPhysicalDeviceProperties physicalDeviceProperties(const InstanceFunctions& functions, VkPhysicalDevice physicalDevice,
                                                    void* next = nullptr);

// The version that instance and device share. It is below 1.2 if the driver does not tell the features of 1.2.
std::uint32_t sharedVersion(const InstanceFunctions& functions, VkPhysicalDevice physicalDevice);

class MemoryPool;

struct Device {
  explicit Device(const SluVulkanDeviceInfo& info);  // checks the queue family
  ~Device();

  VkDevice handle;
  DeviceFunctions functions;
  const std::optional<VkAllocationCallbacks> hostCallbacks;
  const VkPipelineCache pipelineCache;  // of the host's; null where it gave none
  VkPhysicalDeviceMemoryProperties memory{};
  VkPhysicalDeviceLimits limits{};
  bool isCpu = false;
  VkQueueFlags queueFlags = 0;  // of the family that work is recorded for
  std::uint32_t emulatedSubgroupSize;
  bool hasAtomicInt64;                     // enabled
  bool hasAddresses;                       // buffers have addresses: bufferDeviceAddress is enabled
  bool pushesDescriptors;                  // VK_KHR_push_descriptor is enabled
  bool severalDispatches = false;          // of the Vulkan route's frames: requested, or the driver is MoltenVK
  bool roundsOnRequest = false;            // shaders may declare that 32-bit floats are rounded to nearest even
  const std::unique_ptr<MemoryPool> pool;  // of the library's own buffers

  // To be passed to whatever creates or destroys an object of the device.
  const VkAllocationCallbacks* callbacks() const { return hostCallbacks ? &*hostCallbacks : nullptr; }

  template <typename Handle>
  void setName(Handle object, VkObjectType type, const char* name) const {
    setObjectName(reinterpret_cast<std::uint64_t>(object), type, name);
  }

 private:
  void setObjectName(std::uint64_t object, VkObjectType type, const char* name) const;
};

// Names what is recorded into commands while this lives, for debuggers and captures.
class DebugLabel {
 public:
  DebugLabel(const Device& device, VkCommandBuffer commands, const char* name);
  ~DebugLabel();
  DebugLabel(const DebugLabel&) = delete;
  DebugLabel& operator=(const DebugLabel&) = delete;

 private:
  const Device& device_;
  VkCommandBuffer commands_;
};

// Owns one Vulkan handle. The device outlives it. owned.create(functions.vkCreate…, info, "vkCreate…") fills it, or throws
// and leaves it empty: a call that fails may leave garbage in its output. take and put are for calls of another form.
template <typename Handle, auto destroy>
class Owned {
 public:
  Owned() = default;
  explicit Owned(const Device& device) : device_(&device) {}
  Owned(Owned&& other) noexcept
      : device_(std::exchange(other.device_, nullptr)), handle_(std::exchange(other.handle_, VK_NULL_HANDLE)) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Owned() {
    if (handle_ != VK_NULL_HANDLE) (device_->functions.*destroy)(device_->handle, handle_, device_->callbacks());
  }

  template <typename Create, typename Info>
  void create(Create function, const Info& info, const char* call) {
    take(function(device_->handle, &info, device_->callbacks(), put()), call);
  }

  Handle get() const { return handle_; }
  Handle* put() { return &created_; }
  void take(VkResult result, const char* call) {
    check(result, call);
    handle_ = created_;
  }

 private:
  const Device* device_ = nullptr;
  Handle handle_ = VK_NULL_HANDLE;
  Handle created_ = VK_NULL_HANDLE;  // not owned
};

using OwnedMemory = Owned<VkDeviceMemory, &DeviceFunctions::vkFreeMemory>;
using OwnedBuffer = Owned<VkBuffer, &DeviceFunctions::vkDestroyBuffer>;
using OwnedShaderModule = Owned<VkShaderModule, &DeviceFunctions::vkDestroyShaderModule>;
using OwnedDescriptorSetLayout = Owned<VkDescriptorSetLayout, &DeviceFunctions::vkDestroyDescriptorSetLayout>;
using OwnedDescriptorPool = Owned<VkDescriptorPool, &DeviceFunctions::vkDestroyDescriptorPool>;
using OwnedPipelineLayout = Owned<VkPipelineLayout, &DeviceFunctions::vkDestroyPipelineLayout>;
using OwnedPipeline = Owned<VkPipeline, &DeviceFunctions::vkDestroyPipeline>;

}  // namespace slu

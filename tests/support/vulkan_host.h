// A small Vulkan host: what a renderer that embeds the library has, headless and under the validation layer.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "vulkan_functions.h"

namespace slu::test {

// Every warning and error of the validation layer since the last call, from all instances of the process.
std::vector<std::string> takeValidationMessages();

class VulkanInstance {
 public:
  VulkanInstance();  // throws Unavailable where there is no loader or no device, and was none before
  ~VulkanInstance();
  VulkanInstance(const VulkanInstance&) = delete;
  VulkanInstance& operator=(const VulkanInstance&) = delete;

  VkInstance handle = VK_NULL_HANDLE;
  InstanceTable functions;
  VkPhysicalDevice physicalDevice =
      VK_NULL_HANDLE;  // SLUICE_TEST_DEVICE: an index or a part of the name; else the first
  VkPhysicalDeviceProperties properties{};
  bool isValidated = false;  // the layer is present
  bool hasDebugUtils = false;

 private:
  void open();
  void create();
  void choosePhysicalDevice();
  VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
};

// The device's name, its driver and the size of its subgroups.
std::string describeDevice(const VulkanInstance& instance);
// Which features of those that routes use it does not offer.
std::string describeLacks(const VulkanInstance& instance);

// The validation layer's own name, for messages.
constexpr const char* kValidationLayer = "VK_LAYER_KHRONOS_validation";

// What a device is created with: what the library requires, unless a test takes some of it away.
struct DeviceFeatures {
  explicit DeviceFeatures(const SluVulkanRequirements& requirements);
  void add(const SluVulkanRequirements& requirements);
  // Leaves out what shaders reach buffers by addresses with, and adds VK_KHR_push_descriptor if the device offers it.
  void bindBuffers(const SluVulkanRequirements& requirements);
  std::vector<const char*> extensions;
  VkPhysicalDeviceFeatures2 features{};
  VkPhysicalDeviceVulkan12Features vulkan12{};
  struct CudaKernelLaunch {  // VkPhysicalDeviceCudaKernelLaunchFeaturesNV, which older headers lack
    VkStructureType sType;
    void* pNext;
    VkBool32 cudaKernelLaunchFeatures;
  } cudaKernelLaunch{static_cast<VkStructureType>(1000307003), nullptr, VK_FALSE};
};

// What VulkanDevice::info() hands to contexts from now on instead of the loader's entry, for suites that stand between the
// library and the driver.
void lookUpThrough(PFN_vkGetInstanceProcAddr entry);

// Throws Unavailable with the library's sentence where the device cannot run the route.
SluVulkanRequirements requirementsOf(const VulkanInstance& instance, SluRoute route = SLU_ROUTE_VULKAN);

// A value of a timeline semaphore; none without a semaphore.
struct TimelinePoint {
  VkSemaphore semaphore = VK_NULL_HANDLE;
  std::uint64_t value = 0;
};

enum class QueueKind {
  any,           // of the first family that computes, which on GPUs draws as well
  computeAlone,  // of one that does not draw, where there is one
};

class VulkanDevice {
 public:
  explicit VulkanDevice(const VulkanInstance& instance);
  VulkanDevice(const VulkanInstance& instance, DeviceFeatures features, QueueKind kind = QueueKind::any);
  ~VulkanDevice();
  VulkanDevice(const VulkanDevice&) = delete;
  VulkanDevice& operator=(const VulkanDevice&) = delete;

  SluVulkanDeviceInfo info() const;  // points into this object

  VkCommandBuffer beginCommands(VkCommandBufferUsageFlags usage) const;
  void freeCommands(VkCommandBuffer commands) const;
  // Waits for nothing. The submission waits at the stages for one point, and signals the other.
  void enqueue(const std::vector<VkCommandBuffer>& commands, TimelinePoint wait, VkPipelineStageFlags waitStages,
               TimelinePoint signal, VkFence fence = VK_NULL_HANDLE) const;
  // Waits until all that was submitted is done.
  void submit(const std::vector<VkCommandBuffer>& commands, TimelinePoint wait = {},
              VkPipelineStageFlags waitStages = 0) const;
  void runOnce(const std::function<void(VkCommandBuffer)>& record) const;
  void barrier(VkCommandBuffer commands, VkPipelineStageFlags from, VkAccessFlags fromAccess, VkPipelineStageFlags to,
               VkAccessFlags toAccess) const;

  const VulkanInstance& instance;
  VkDevice handle = VK_NULL_HANDLE;
  DeviceTable functions;
  std::uint32_t queueFamily = 0;
  VkQueue queue = VK_NULL_HANDLE;
  VkPhysicalDeviceMemoryProperties memory{};

 private:
  DeviceFeatures features_;
  VkDeviceQueueCreateInfo queueInfo_{};
  VkDeviceCreateInfo createInfo_{};
  VkCommandPool pool_ = VK_NULL_HANDLE;
  mutable VkFence fence_ = VK_NULL_HANDLE;  // made by the first submission, since drivers without hardware have none
};

// Throws std::runtime_error unless result is VK_SUCCESS.
void check(VkResult result, const char* call);

// The usage of all buffers here: whatever a frame may ask for, and copies.
VkBufferUsageFlags allUsages(const VulkanInstance& instance);

// A VkBuffer with memory of its own.
class VulkanBuffer {
 public:
  enum class Kind { mapped, deviceLocal };
  // Of several queue families, or exclusive.
  VulkanBuffer(const VulkanDevice& device, std::uint64_t size, VkBufferUsageFlags usage, Kind kind,
               const std::vector<std::uint32_t>& families = {});
  ~VulkanBuffer();
  VulkanBuffer(const VulkanBuffer&) = delete;
  VulkanBuffer& operator=(const VulkanBuffer&) = delete;

  VkBuffer handle = VK_NULL_HANDLE;
  std::uint64_t size;
  VkBufferUsageFlags usage;
  std::uint8_t* mapped = nullptr;

 private:
  void destroy();
  const VulkanDevice& device_;
  VkDeviceMemory memory_ = VK_NULL_HANDLE;
};

// Registers a buffer with a context of the device. hostPointer: where it is mapped, if the context is to know.
SluResult registerBuffer(SluContext context, const VulkanBuffer& buffer, SluBuffer* registered,
                         void* hostPointer = nullptr);

}  // namespace slu::test

// Stands in for a driver that launches CUDA kernels from Vulkan command buffers: forwards all else to a Vulkan device,
// and executes what was recorded on the CPU, in the device's own memory. lavapipe's device addresses are the CPU's.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "kernels/schedule.h"
#include "scene.h"
#include "vulkan_host.h"

namespace slu::test {

constexpr const char* kNv = "VK_NV_cuda_kernel_launch";  // old headers lack its name

struct FakeLaunch {
  std::string name;                  // of the kernel
  std::optional<CudaKernel> kernel;  // of the library; nothing for what NVRTC compiled
  std::uint32_t x;
  std::uint32_t y;
  BlockShape block;
  cuda::Arguments arguments;
};
struct FakeCopy {
  std::uint8_t* target;
  const std::uint8_t* source;
  std::size_t bytes;
};
using FakeStep = std::variant<FakeLaunch, FakeCopy>;

// What the driver pretends.
struct FakeDriver {
  std::vector<std::string> offered = {VK_NVX_BINARY_IMPORT_EXTENSION_NAME, VK_NV_SHADER_SM_BUILTINS_EXTENSION_NAME};
  std::vector<std::string> enabled = {VK_NVX_BINARY_IMPORT_EXTENSION_NAME};
  bool enablesFeature = true;          // of VK_NV_cuda_kernel_launch, where that is enabled
  std::set<std::string> missing = {};  // functions
  VkResult moduleResult = VK_SUCCESS;
  VkResult functionResult = VK_SUCCESS;
  std::set<std::string> unknownKernels = {};
  int computeCapability = 90;
  std::uint32_t multiprocessorCount = 1;
  bool hasGraphics = true;         // the queue families
  const void* userData = nullptr;  // of the allocation callbacks that it must get
};

// One fake lives at a time, longer than the contexts on it. Several threads may create contexts and record at once.
class FakeKernels {
 public:
  FakeKernels(const VulkanDevice& device, FakeDriver driver = {});
  ~FakeKernels();
  FakeKernels(const FakeKernels&) = delete;
  FakeKernels& operator=(const FakeKernels&) = delete;

  SluVulkanDeviceInfo info() const;  // points into this object

  FakeDriver& driver() { return driver_; }  // from now on

  // Executes what the library recorded into commands: all of it, or one launch or copy. These are in fake_execution.cpp,
  // which needs the kernels on the CPU.
  void execute(VkCommandBuffer commands) const;
  void executeStep(VkCommandBuffer commands, std::size_t step) const;
  void forget(VkCommandBuffer commands) { recordings_.erase(commands); }

  std::vector<FakeLaunch> launches(VkCommandBuffer commands) const;
  std::int64_t aliveCount() const { return alive_; }            // modules and functions
  const std::vector<Bytes>& images() const { return images_; }  // of the modules that moduleResult let through
  const std::set<std::string>& lookedUp() const { return lookedUp_; }
  // What should never happen: malformed structs, launches and copies without a barrier between them.
  const std::vector<std::string>& complaints() const { return complaints_; }

  // Called by the functions that the library finds.
  PFN_vkVoidFunction find(const char* name, PFN_vkVoidFunction real);
  VkResult enumerate(VkPhysicalDevice device, std::uint32_t* count, VkExtensionProperties* properties);
  void getProperties(VkPhysicalDevice device, VkPhysicalDeviceProperties2* properties) const;
  void getFamilies(VkPhysicalDevice device, std::uint32_t* count, VkQueueFamilyProperties* families) const;
  VkResult createModule(const VkCuModuleCreateInfoNVX& info, VkCuModuleNVX* module);
  VkResult createFunction(const VkCuFunctionCreateInfoNVX& info, VkCuFunctionNVX* function);
  void destroyed() { --alive_; }  // a module or a function
  void checkCallbacks(const VkAllocationCallbacks* callbacks);
  void launch(VkCommandBuffer commands, const VkCuLaunchInfoNVX& info);
  void copy(VkCommandBuffer commands, VkBuffer from, VkBuffer to, const VkBufferCopy& region);
  void barrier(VkCommandBuffer commands);
  const VulkanDevice& device() const { return device_; }

 private:
  struct Recording {
    std::vector<FakeStep> steps;
    bool isOrdered = false;  // a barrier follows the latest step
  };
  void add(VkCommandBuffer commands, const char* what, FakeStep step);
  void expect(bool condition, const char* sentence);
  std::uint8_t* addressOf(VkBuffer buffer) const;
  bool isNv() const;

  const VulkanDevice& device_;
  FakeDriver driver_;
  std::vector<const char*> enabledNames_;
  VkDeviceCreateInfo createInfo_{};
  struct {
    VkStructureType sType;
    const void* pNext;
    VkBool32 cudaKernelLaunchFeatures;
  } feature_{};
  std::map<VkCommandBuffer, Recording> recordings_;
  std::vector<Bytes> images_;
  std::set<std::string> lookedUp_;
  std::vector<std::string> complaints_;
  std::atomic<std::int64_t> alive_ = 0;
  std::mutex mutex_;  // guards what the functions that the library calls change
};

}  // namespace slu::test

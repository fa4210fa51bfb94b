#include <cstdlib>
#include <cstring>
#include <optional>

#include "machine.h"
#include "vulkan_host.h"

namespace slu::test {
namespace {

std::uint32_t findQueueFamily(const VulkanInstance& instance, QueueKind kind) {
  std::uint32_t count = 0;
  instance.functions.vkGetPhysicalDeviceQueueFamilyProperties(instance.physicalDevice, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  instance.functions.vkGetPhysicalDeviceQueueFamilyProperties(instance.physicalDevice, &count, families.data());
  std::optional<std::uint32_t> found;
  for (std::uint32_t i = count; i-- > 0;) {
    if ((families[i].queueFlags & VK_QUEUE_COMPUTE_BIT) == 0) continue;
    if (kind == QueueKind::computeAlone && (families[i].queueFlags & VK_QUEUE_GRAPHICS_BIT) == 0) return i;
    found = i;
  }
  if (found) return *found;
  throw Unavailable("the Vulkan device has no queue family with compute");
}

bool isSet(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && std::strcmp(value, "0") != 0;
}

PFN_vkGetInstanceProcAddr& substitutedEntry() {
  static PFN_vkGetInstanceProcAddr entry = nullptr;
  return entry;
}

}  // namespace

void lookUpThrough(PFN_vkGetInstanceProcAddr entry) { substitutedEntry() = entry; }

SluVulkanRequirements requirementsOf(const VulkanInstance& instance, SluRoute route) {
  auto requirements = SLU_INIT(VULKAN_REQUIREMENTS, SluVulkanRequirements);
  SluMessage message{};
  if (sluGetVulkanRequirements(loadVulkan(), instance.handle, instance.physicalDevice, route, &requirements,
                               &message) != SLU_SUCCESS) {
    throw Unavailable(message.text);
  }
  return requirements;
}

DeviceFeatures::DeviceFeatures(const SluVulkanRequirements& requirements)
    : extensions(requirements.extensions, requirements.extensions + requirements.extensionCount),
      vulkan12(requirements.vulkan12) {
  features.features = requirements.features;
  cudaKernelLaunch.cudaKernelLaunchFeatures = requirements.cudaKernelLaunch;
}

void DeviceFeatures::add(const SluVulkanRequirements& requirements) {
  extensions.insert(extensions.end(), requirements.extensions, requirements.extensions + requirements.extensionCount);
  vulkan12.timelineSemaphore |= requirements.vulkan12.timelineSemaphore;
  cudaKernelLaunch.cudaKernelLaunchFeatures |= requirements.cudaKernelLaunch;
}

void DeviceFeatures::bindBuffers(const SluVulkanRequirements& requirements) {
  vulkan12.bufferDeviceAddress = VK_FALSE;
  if (std::getenv("SLUICE_TEST_BOUND_INT64") == nullptr) {
    features.features.shaderInt64 = VK_FALSE;
    vulkan12.shaderBufferInt64Atomics = VK_FALSE;
  }
  vulkan12.uniformBufferStandardLayout = VK_FALSE;
  if (requirements.pushDescriptorExtension == VK_TRUE && requirements.boundBuffers == VK_FALSE) {
    extensions.push_back(VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME);
  }
}

VulkanDevice::VulkanDevice(const VulkanInstance& host) : VulkanDevice(host, DeviceFeatures(requirementsOf(host))) {}

VulkanDevice::VulkanDevice(const VulkanInstance& host, DeviceFeatures features, QueueKind kind)
    : instance(host), queueFamily(findQueueFamily(host, kind)), features_(std::move(features)) {
  features_.features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  features_.features.pNext = &features_.vulkan12;
  if (features_.cudaKernelLaunch.cudaKernelLaunchFeatures == VK_TRUE) {
    features_.vulkan12.pNext = &features_.cudaKernelLaunch;
  }
  features_.vulkan12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;

  if (isSet("SLUICE_TEST_ROBUST")) features_.features.features.robustBufferAccess = VK_TRUE;  // all devices have it

  static const float priority = 1.0f;
  queueInfo_.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
  queueInfo_.queueFamilyIndex = queueFamily;
  queueInfo_.queueCount = 1;
  queueInfo_.pQueuePriorities = &priority;
  createInfo_.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
  createInfo_.pNext = &features_.features;
  createInfo_.queueCreateInfoCount = 1;
  createInfo_.pQueueCreateInfos = &queueInfo_;
  createInfo_.enabledExtensionCount = static_cast<std::uint32_t>(features_.extensions.size());
  createInfo_.ppEnabledExtensionNames = features_.extensions.data();
  check(host.functions.vkCreateDevice(host.physicalDevice, &createInfo_, nullptr, &handle), "vkCreateDevice");
#define SLU_TEST_LOOK_UP(name) \
  functions.name = reinterpret_cast<PFN_##name>(host.functions.vkGetDeviceProcAddr(handle, #name));
  SLU_TEST_DEVICE_FUNCTIONS(SLU_TEST_LOOK_UP)
#undef SLU_TEST_LOOK_UP

  functions.vkGetDeviceQueue(handle, queueFamily, 0, &queue);
  host.functions.vkGetPhysicalDeviceMemoryProperties(host.physicalDevice, &memory);
  VkCommandPoolCreateInfo poolInfo{};
  poolInfo.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
  poolInfo.queueFamilyIndex = queueFamily;
  check(functions.vkCreateCommandPool(handle, &poolInfo, nullptr, &pool_), "vkCreateCommandPool");
}

VulkanDevice::~VulkanDevice() {
  functions.vkDestroyFence(handle, fence_, nullptr);
  functions.vkDestroyCommandPool(handle, pool_, nullptr);
  functions.vkDestroyDevice(handle, nullptr);
}

SluVulkanDeviceInfo VulkanDevice::info() const {
  auto result = SLU_INIT(VULKAN_DEVICE_INFO, SluVulkanDeviceInfo);
  result.getInstanceProcAddr = substitutedEntry() == nullptr ? loadVulkan() : substitutedEntry();
  result.instance = instance.handle;
  result.physicalDevice = instance.physicalDevice;
  result.device = handle;
  result.deviceCreateInfo = &createInfo_;
  result.queueFamilyIndex = queueFamily;
  return result;
}

VkCommandBuffer VulkanDevice::beginCommands(VkCommandBufferUsageFlags usage) const {
  VkCommandBufferAllocateInfo allocateInfo{};
  allocateInfo.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
  allocateInfo.commandPool = pool_;
  allocateInfo.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  allocateInfo.commandBufferCount = 1;
  VkCommandBuffer commands = VK_NULL_HANDLE;
  check(functions.vkAllocateCommandBuffers(handle, &allocateInfo, &commands), "vkAllocateCommandBuffers");
  VkCommandBufferBeginInfo beginInfo{};
  beginInfo.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  beginInfo.flags = usage;
  check(functions.vkBeginCommandBuffer(commands, &beginInfo), "vkBeginCommandBuffer");
  return commands;
}

void VulkanDevice::freeCommands(VkCommandBuffer commands) const {
  functions.vkFreeCommandBuffers(handle, pool_, 1, &commands);
}

void VulkanDevice::enqueue(const std::vector<VkCommandBuffer>& commands, TimelinePoint wait,
                           VkPipelineStageFlags waitStages, TimelinePoint signal, VkFence fence) const {
  VkTimelineSemaphoreSubmitInfo values{};
  values.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO;
  VkSubmitInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
  info.commandBufferCount = static_cast<std::uint32_t>(commands.size());
  info.pCommandBuffers = commands.data();
  if (wait.semaphore != VK_NULL_HANDLE) {
    info.pNext = &values;
    info.waitSemaphoreCount = values.waitSemaphoreValueCount = 1;
    info.pWaitSemaphores = &wait.semaphore;
    info.pWaitDstStageMask = &waitStages;
    values.pWaitSemaphoreValues = &wait.value;
  }
  if (signal.semaphore != VK_NULL_HANDLE) {
    info.pNext = &values;
    info.signalSemaphoreCount = values.signalSemaphoreValueCount = 1;
    info.pSignalSemaphores = &signal.semaphore;
    values.pSignalSemaphoreValues = &signal.value;
  }
  check(functions.vkQueueSubmit(queue, 1, &info, fence), "vkQueueSubmit");
}

void VulkanDevice::submit(const std::vector<VkCommandBuffer>& commands, TimelinePoint wait,
                          VkPipelineStageFlags waitStages) const {
  if (fence_ == VK_NULL_HANDLE) {
    VkFenceCreateInfo fenceInfo{};
    fenceInfo.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO;
    check(functions.vkCreateFence(handle, &fenceInfo, nullptr, &fence_), "vkCreateFence");
  }
  enqueue(commands, wait, waitStages, {}, fence_);
  constexpr std::uint64_t kTenMinutes = 600'000'000'000;
  check(functions.vkWaitForFences(handle, 1, &fence_, VK_TRUE, kTenMinutes), "vkWaitForFences");
  check(functions.vkResetFences(handle, 1, &fence_), "vkResetFences");
}

void VulkanDevice::runOnce(const std::function<void(VkCommandBuffer)>& record) const {
  const VkCommandBuffer commands = beginCommands(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  record(commands);
  check(functions.vkEndCommandBuffer(commands), "vkEndCommandBuffer");
  submit({commands});
  freeCommands(commands);
}

void VulkanDevice::barrier(VkCommandBuffer commands, VkPipelineStageFlags from, VkAccessFlags fromAccess,
                           VkPipelineStageFlags to, VkAccessFlags toAccess) const {
  VkMemoryBarrier info{};
  info.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  info.srcAccessMask = fromAccess;
  info.dstAccessMask = toAccess;
  functions.vkCmdPipelineBarrier(commands, from, to, 0, 1, &info, 0, nullptr, 0, nullptr);
}

}  // namespace slu::test

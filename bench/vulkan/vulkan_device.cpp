#include "vulkan/vulkan_device.h"

#include <algorithm>
#include <utility>

#include "base/failure.h"

namespace bench {
namespace {

constexpr float kQueuePriority = 1.0f;

VkPhysicalDeviceProperties propertiesOf(VkPhysicalDevice device) {
  VkPhysicalDeviceProperties properties{};
  vkGetPhysicalDeviceProperties(device, &properties);
  return properties;
}

bool isGpu(VkPhysicalDevice device) { return propertiesOf(device).deviceType != VK_PHYSICAL_DEVICE_TYPE_CPU; }

}  // namespace

VulkanInstance::VulkanInstance() {
  if (volkInitialize() != VK_SUCCESS) failDevice("no Vulkan loader (package libvulkan1)");
  if (volkGetInstanceVersion() < SLU_VULKAN_API_VERSION) failDevice("the Vulkan loader is older than 1.2");
  VkApplicationInfo application{};
  application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
  application.pApplicationName = "sluice-bench";
  application.apiVersion = SLU_VULKAN_API_VERSION;
  VkInstanceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
  info.pApplicationInfo = &application;
  const VkResult result = vkCreateInstance(&info, nullptr, &instance_);
  if (result == VK_ERROR_INCOMPATIBLE_DRIVER) failDevice("no Vulkan device: no driver is installed");
  check(result, "vkCreateInstance");
  volkLoadInstanceOnly(instance_);
}

VulkanInstance::~VulkanInstance() { vkDestroyInstance(instance_, nullptr); }

VkPhysicalDevice VulkanInstance::choose(const std::string& selection) const {
  uint32_t count = 0;
  const VkResult result = vkEnumeratePhysicalDevices(instance_, &count, nullptr);
  // Some loaders report a missing driver here, and not when the instance is created.
  if (result != VK_ERROR_INITIALIZATION_FAILED) check(result, "vkEnumeratePhysicalDevices");
  std::vector<VkPhysicalDevice> devices(count);
  if (count != 0) check(vkEnumeratePhysicalDevices(instance_, &count, devices.data()), "vkEnumeratePhysicalDevices");
  if (devices.empty()) failDevice("no Vulkan device (package mesa-vulkan-drivers has one for any processor)");
  if (selection.empty()) {
    const auto gpu = std::find_if(devices.begin(), devices.end(), isGpu);
    return gpu != devices.end() ? *gpu : devices.front();
  }
  std::string list;
  for (size_t i = 0; i < devices.size(); ++i) {
    const std::string deviceName = propertiesOf(devices[i]).deviceName;
    if (selection == std::to_string(i) || deviceName.find(selection) != std::string::npos) return devices[i];
    list += sentence(i == 0 ? "" : ", ", i, ": ", deviceName);
  }
  failInput("--vulkan-device: no device is '", selection, "'; there are ", list);
}

VulkanDevice::VulkanDevice(VkInstance instance, VkPhysicalDevice physical, QueueKind queueKind)
    : instance_(instance), physical_(physical) {
  describe();
  chooseQueueFamily(queueKind);
  chooseFeatures(queueKind);
  create();
}

void VulkanDevice::describe() {
  VkPhysicalDeviceDriverProperties driver{};
  driver.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES;
  VkPhysicalDeviceMaintenance3Properties maintenance{};
  maintenance.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES;
  maintenance.pNext = &driver;
  VkPhysicalDeviceProperties2 found{};
  found.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  found.pNext = &maintenance;
  const uint32_t version = propertiesOf(physical_).apiVersion;
  if (version < SLU_VULKAN_API_VERSION) failDevice(propertiesOf(physical_).deviceName, " has no Vulkan 1.2");
  vkGetPhysicalDeviceProperties2(physical_, &found);
  description_.name = found.properties.deviceName;
  description_.driver = sentence(driver.driverName, " ", driver.driverInfo);
  description_.driverVersion = driver.driverInfo;
  description_.apiVersion = sentence(VK_API_VERSION_MAJOR(version), ".", VK_API_VERSION_MINOR(version));
  description_.isGpu = isGpu(physical_);
  description_.timestampPeriod = double{found.properties.limits.timestampPeriod};

  vkGetPhysicalDeviceMemoryProperties(physical_, &memory_);
  for (uint32_t heap = 0; heap < memory_.memoryHeapCount; ++heap)
    if ((memory_.memoryHeaps[heap].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0)
      memoryBytes_ = std::max(memoryBytes_, memory_.memoryHeaps[heap].size);
  // An output may be twice as large as an input, which may take a 16th of the memory.
  memoryBytes_ = std::min(memoryBytes_, maintenance.maxMemoryAllocationSize / 2 * 16);
}

void VulkanDevice::chooseQueueFamily(QueueKind kind) {
  uint32_t count = 0;
  vkGetPhysicalDeviceQueueFamilyProperties(physical_, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  vkGetPhysicalDeviceQueueFamilyProperties(physical_, &count, families.data());
  const auto find = [&](VkQueueFlags flags) {
    return std::find_if(families.begin(), families.end(), [&](const VkQueueFamilyProperties& family) {
      constexpr VkQueueFlags kKinds = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
      return (family.queueFlags & kKinds) == flags && family.timestampValidBits != 0;
    });
  };
  const auto computes = find(VK_QUEUE_COMPUTE_BIT), draws = find(VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT);
  if (computes == families.end() && draws == families.end())
    failDevice(description_.name, " has no queue family with compute and timestamps");
  if (kind == QueueKind::Graphics && (computes == families.end() || draws == families.end()))
    failDevice(description_.name, " has one kind of queue for compute, which is measured as the arena vulkan");
  if (kind == QueueKind::Both && draws == families.end())
    failDevice(description_.name, " has no queue family with graphics, compute and timestamps");
  description_.queueDraws = kind != QueueKind::Compute || computes == families.end();
  const auto chosen = description_.queueDraws ? draws : computes;
  queue_.family = static_cast<uint32_t>(chosen - families.begin());
  timestampValidBits_ = chosen->timestampValidBits;
  if (kind == QueueKind::Both && computes != families.end())
    computeQueue_.emplace().family = static_cast<uint32_t>(computes - families.begin());
}

// What Sluice requires is all that the others need, too. The inline route's include those of the Vulkan route; the CUDA
// route adds extensions, and timeline semaphores as a feature.
void VulkanDevice::chooseFeatures(QueueKind kind) {
  bufferUsage_ =
      VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  SluMessage message{};
  vulkan12_.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
  merge_.featureChain = &vulkan12_;
  hasInline_ = addRequirements(SLU_ROUTE_INLINE, message);
  if (!hasInline_ && !addRequirements(SLU_ROUTE_VULKAN, message)) failDevice(description_.name, ": ", message.text);
  if (kind != QueueKind::Both) return;
  addRequirements(SLU_ROUTE_CUDA, message);
  vulkan12_.timelineSemaphore = VK_TRUE;  // which every device has
}

bool VulkanDevice::addRequirements(SluRoute route, SluMessage& message) {
  auto requirements = SLU_INIT(VULKAN_REQUIREMENTS, SluVulkanRequirements);
  if (sluGetVulkanRequirements(vkGetInstanceProcAddr, instance_, physical_, route, &requirements, &message) !=
      SLU_SUCCESS)
    return false;
  bufferUsage_ |= requirements.bufferUsage;
  merge_.extensionCount = static_cast<uint32_t>(extensions_.size());
  extensions_.resize(extensions_.size() + SLU_MAX_VULKAN_EXTENSIONS + 1);
  merge_.extensionCapacity = static_cast<uint32_t>(extensions_.size());
  merge_.extensions = extensions_.data();
  if (sluMergeVulkanRequirements(&requirements, &merge_, &message) != SLU_SUCCESS) failDevice(message.text);
  extensions_.resize(merge_.extensionCount);
  return true;
}

void VulkanDevice::create() {
  for (const VulkanQueue* queue : {&std::as_const(queue_), computeQueue()}) {
    if (queue == nullptr) continue;
    VkDeviceQueueCreateInfo queueInfo{};
    queueInfo.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
    queueInfo.queueFamilyIndex = queue->family;
    queueInfo.queueCount = 1;
    queueInfo.pQueuePriorities = &kQueuePriority;
    queueInfos_.push_back(queueInfo);
  }
  createInfo_.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
  createInfo_.pNext = merge_.featureChain;
  createInfo_.queueCreateInfoCount = static_cast<uint32_t>(queueInfos_.size());
  createInfo_.pQueueCreateInfos = queueInfos_.data();
  createInfo_.enabledExtensionCount = static_cast<uint32_t>(extensions_.size());
  createInfo_.ppEnabledExtensionNames = extensions_.data();
  check(vkCreateDevice(physical_, &createInfo_, nullptr, &device_.handle), "vkCreateDevice");
  volkLoadDevice(device_.handle);
  createPool(queue_);
  if (computeQueue_) createPool(*computeQueue_);
  VkFenceCreateInfo fenceInfo{};
  fenceInfo.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO;
  check(vkCreateFence(device_.handle, &fenceInfo, nullptr, fence_.put(device_.handle)), "vkCreateFence");
}

void VulkanDevice::createPool(VulkanQueue& queue) const {
  vkGetDeviceQueue(device_.handle, queue.family, 0, &queue.queue);
  VkCommandPoolCreateInfo poolInfo{};
  poolInfo.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
  poolInfo.queueFamilyIndex = queue.family;
  check(vkCreateCommandPool(device_.handle, &poolInfo, nullptr, queue.pool.put(device_.handle)), "vkCreateCommandPool");
}

SluVulkanDeviceInfo VulkanDevice::info(const VulkanQueue& queue) const {
  auto info = SLU_INIT(VULKAN_DEVICE_INFO, SluVulkanDeviceInfo);
  info.getInstanceProcAddr = vkGetInstanceProcAddr;
  info.instance = instance_;
  info.physicalDevice = physical_;
  info.device = device_.handle;
  info.deviceCreateInfo = &createInfo_;
  info.queueFamilyIndex = queue.family;
  return info;
}

uint32_t VulkanDevice::memoryType(uint32_t typeBits, VkMemoryPropertyFlags required,
                                  VkMemoryPropertyFlags preferred) const {
  for (const VkMemoryPropertyFlags wanted : {required | preferred, required})
    for (uint32_t type = 0; type < memory_.memoryTypeCount; ++type)
      if ((typeBits >> type & 1u) != 0 && (memory_.memoryTypes[type].propertyFlags & wanted) == wanted) return type;
  failRuntime(description_.name, " has no memory type of the needed kind");
}

VkCommandBuffer VulkanDevice::record(const VulkanQueue& queue,
                                     const std::function<void(VkCommandBuffer)>& commands) const {
  VkCommandBufferAllocateInfo allocateInfo{};
  allocateInfo.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
  allocateInfo.commandPool = queue.pool;
  allocateInfo.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  allocateInfo.commandBufferCount = 1;
  VkCommandBuffer buffer = VK_NULL_HANDLE;
  check(vkAllocateCommandBuffers(device_.handle, &allocateInfo, &buffer), "vkAllocateCommandBuffers");
  VkCommandBufferBeginInfo beginInfo{};
  beginInfo.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  check(vkBeginCommandBuffer(buffer, &beginInfo), "vkBeginCommandBuffer");
  commands(buffer);
  check(vkEndCommandBuffer(buffer), "vkEndCommandBuffer");
  return buffer;
}

void VulkanDevice::submit(const VulkanQueue& queue, VkCommandBuffer commands, std::span<const SemaphorePoint> waits,
                          std::span<const SemaphorePoint> signals) const {
  std::vector<VkSemaphore> semaphores;
  std::vector<uint64_t> values;
  for (const auto points : {waits, signals}) {
    for (const SemaphorePoint& point : points) {
      semaphores.push_back(point.semaphore);
      values.push_back(point.value);
    }
  }
  const std::vector<VkPipelineStageFlags> stages(waits.size(), VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
  VkTimelineSemaphoreSubmitInfo timelines{};
  timelines.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO;
  timelines.waitSemaphoreValueCount = static_cast<uint32_t>(waits.size());
  timelines.pWaitSemaphoreValues = values.data();
  timelines.signalSemaphoreValueCount = static_cast<uint32_t>(signals.size());
  timelines.pSignalSemaphoreValues = values.data() + waits.size();
  VkSubmitInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
  info.pNext = &timelines;
  info.waitSemaphoreCount = timelines.waitSemaphoreValueCount;
  info.pWaitSemaphores = semaphores.data();
  info.pWaitDstStageMask = stages.data();
  info.commandBufferCount = 1;
  info.pCommandBuffers = &commands;
  info.signalSemaphoreCount = timelines.signalSemaphoreValueCount;
  info.pSignalSemaphores = semaphores.data() + waits.size();
  check(vkQueueSubmit(queue.queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit");
}

void VulkanDevice::submitAndWait(VkCommandBuffer commands) const {
  constexpr uint64_t kTwoMinutes = 120'000'000'000;
  VkSubmitInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
  info.commandBufferCount = 1;
  info.pCommandBuffers = &commands;
  check(vkQueueSubmit(queue_.queue, 1, &info, fence_), "vkQueueSubmit");
  check(vkWaitForFences(device_.handle, 1, fence_.get(), VK_TRUE, kTwoMinutes), "vkWaitForFences");
  check(vkResetFences(device_.handle, 1, fence_.get()), "vkResetFences");
}

void VulkanDevice::free(VkCommandBuffer commands) const {
  vkFreeCommandBuffers(device_.handle, queue_.pool, 1, &commands);
}

void VulkanDevice::runOnce(const std::function<void(VkCommandBuffer)>& commands) const {
  const VkCommandBuffer buffer = record(commands);
  submitAndWait(buffer);
  free(buffer);
}

void frameBarrier(VkCommandBuffer commands, VkPipelineStageFlags stages) {
  VkMemoryBarrier barrier{};
  barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  if ((stages & VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT) != 0) {
    barrier.srcAccessMask |= VK_ACCESS_SHADER_WRITE_BIT;
    barrier.dstAccessMask |= VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT;
  }
  if ((stages & VK_PIPELINE_STAGE_TRANSFER_BIT) != 0) {
    barrier.srcAccessMask |= VK_ACCESS_TRANSFER_WRITE_BIT;
    barrier.dstAccessMask |= VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
  }
  vkCmdPipelineBarrier(commands, stages, stages, 0, 1, &barrier, 0, nullptr, 0, nullptr);
}

}  // namespace bench

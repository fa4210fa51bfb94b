#include "base/vulkan_device.h"

#include <algorithm>
#include <vector>

#include "base/host_device.h"
#include "base/vulkan_memory.h"

namespace slu {
namespace {

template <typename Function>
void lookUp(Function& function, PFN_vkVoidFunction found, const char* name) {
  function = reinterpret_cast<Function>(found);
  if (function == nullptr) {
    fail(SLU_ERROR_MISSING_FEATURE, "getInstanceProcAddr: finds no ", name,
         "; create instance and device for Vulkan 1.1 or later (VkApplicationInfo::apiVersion)");
  }
}

// This is no VkBool32: the driver did not write a member that still holds it.
constexpr VkBool32 kUnwritten = 0x5a5a5a5au;

}  // namespace

InstanceFunctions::InstanceFunctions(PFN_vkGetInstanceProcAddr getInstanceProcAddr, VkInstance instance) {
#define SLU_LOOK_UP(name) lookUp(name, getInstanceProcAddr(instance, #name), #name);
  SLU_VULKAN_INSTANCE_FUNCTIONS(SLU_LOOK_UP)
#undef SLU_LOOK_UP
}

DeviceFunctions::DeviceFunctions(PFN_vkGetInstanceProcAddr getInstanceProcAddr, VkInstance instance, VkDevice device) {
  PFN_vkGetDeviceProcAddr getDeviceProcAddr = nullptr;
  lookUp(getDeviceProcAddr, getInstanceProcAddr(instance, "vkGetDeviceProcAddr"), "vkGetDeviceProcAddr");
#define SLU_LOOK_UP(name) lookUp(name, getDeviceProcAddr(device, #name), #name);
  SLU_VULKAN_DEVICE_FUNCTIONS(SLU_LOOK_UP)
#undef SLU_LOOK_UP
#define SLU_LOOK_UP(name) name = reinterpret_cast<PFN_##name>(getDeviceProcAddr(device, #name));
  SLU_VULKAN_OPTIONAL_FUNCTIONS(SLU_LOOK_UP)
#undef SLU_LOOK_UP
#define SLU_LOOK_UP(name) name = reinterpret_cast<PFN_##name>(getInstanceProcAddr(instance, #name));
  SLU_VULKAN_DEBUG_FUNCTIONS(SLU_LOOK_UP)
#undef SLU_LOOK_UP
}

void check(VkResult result, const char* call) {
  switch (result) {
    case VK_SUCCESS:
      return;
    case VK_ERROR_OUT_OF_HOST_MEMORY:
      fail(SLU_ERROR_OUT_OF_HOST_MEMORY, call, ": the driver is out of host memory");
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
    case VK_ERROR_TOO_MANY_OBJECTS:
    case VK_ERROR_OUT_OF_POOL_MEMORY:
      fail(SLU_ERROR_OUT_OF_DEVICE_MEMORY, call, ": the driver is out of device memory or of allocations");
    case VK_ERROR_MEMORY_MAP_FAILED:
      fail(SLU_ERROR_OUT_OF_HOST_MEMORY, call, ": the memory could not be mapped");
    case VK_ERROR_DEVICE_LOST:
      fail(SLU_ERROR_DEVICE_LOST, call, ": the device is lost");
    default:
      fail(SLU_ERROR_DRIVER, call, ": failed with VkResult ", static_cast<int>(result));
  }
}

VkQueueFlags checkQueueFamily(const InstanceFunctions& functions, const SluVulkanDeviceInfo& info) {
  std::uint32_t count = 0;
  functions.vkGetPhysicalDeviceQueueFamilyProperties(info.physicalDevice, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  functions.vkGetPhysicalDeviceQueueFamilyProperties(info.physicalDevice, &count, families.data());
  require(info.queueFamilyIndex < count, "vulkanDevice.queueFamilyIndex: is ", info.queueFamilyIndex,
          ", the device has ", count, " queue families");
  require((families[info.queueFamilyIndex].queueFlags & VK_QUEUE_COMPUTE_BIT) != 0,
          "vulkanDevice.queueFamilyIndex: queue family ", info.queueFamilyIndex, " has no compute");
  return families[info.queueFamilyIndex].queueFlags;
}

VkPhysicalDeviceProperties physicalDeviceProperties(const InstanceFunctions& functions, VkPhysicalDevice physicalDevice,
                                                    void* next) {
  VkPhysicalDeviceProperties2 properties{};
  properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  properties.pNext = next;
  functions.vkGetPhysicalDeviceProperties2(physicalDevice, &properties);
  return properties.properties;
}

std::uint32_t sharedVersion(const InstanceFunctions& functions, VkPhysicalDevice physicalDevice) {
  VkPhysicalDeviceVulkan12Features told{};
  told.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
  told.bufferDeviceAddress = kUnwritten;
  VkPhysicalDeviceFeatures2 features{};
  features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  features.pNext = &told;
  functions.vkGetPhysicalDeviceFeatures2(physicalDevice, &features);
  const std::uint32_t version = physicalDeviceProperties(functions, physicalDevice).apiVersion;
  return told.bufferDeviceAddress == kUnwritten ? std::min(version, VK_API_VERSION_1_1) : version;
}

Device::Device(const SluVulkanDeviceInfo& info)
    : handle(info.device),
      functions(info.getInstanceProcAddr, info.instance, info.device),
      hostCallbacks(info.allocationCallbacks == nullptr ? std::nullopt : std::optional(*info.allocationCallbacks)),
      pipelineCache(info.pipelineCache),
      emulatedSubgroupSize(info.emulatedSubgroupSize),
      hasAtomicInt64(enabledFeatures(info).core.shaderInt64 == VK_TRUE &&
                     enabledFeatures(info).vulkan12.shaderBufferInt64Atomics == VK_TRUE),
      hasAddresses(functions.vkGetBufferDeviceAddress != nullptr &&
                   enabledFeatures(info).vulkan12.bufferDeviceAddress == VK_TRUE),
      pushesDescriptors(functions.vkCmdPushDescriptorSetKHR != nullptr &&
                        enablesExtension(info, VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME)),
      pool(std::make_unique<MemoryPool>(*this)) {
  const InstanceFunctions instance(info.getInstanceProcAddr, info.instance);
  queueFlags = checkQueueFamily(instance, info);
  instance.vkGetPhysicalDeviceMemoryProperties(info.physicalDevice, &memory);
  VkPhysicalDeviceDriverProperties driver{};
  driver.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES;
  VkPhysicalDeviceFloatControlsProperties floats{};
  floats.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES;
  floats.pNext = &driver;
  const VkPhysicalDeviceProperties properties = physicalDeviceProperties(instance, info.physicalDevice, &floats);
  isCpu = properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
  limits = properties.limits;
  // There one invocation's memory barrier may wait for the whole workgroup.
  const bool isMoltenVk = driver.driverID == VK_DRIVER_ID_MOLTENVK;
  severalDispatches = isMoltenVk || (info.flags & SLU_VULKAN_SEVERAL_DISPATCHES_BIT) != 0;
  // Some devices let shaders choose for floats of all sizes at once only, and no others than 32 bits concern this library.
  const bool hasFloatControls = sharedVersion(instance, info.physicalDevice) >= VK_API_VERSION_1_2 ||
                                enablesExtension(info, VK_KHR_SHADER_FLOAT_CONTROLS_EXTENSION_NAME);
  roundsOnRequest = hasFloatControls && floats.shaderRoundingModeRTEFloat32 == VK_TRUE &&
                    floats.roundingModeIndependence != VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_NONE;
}

Device::~Device() = default;

void Device::setObjectName(std::uint64_t object, VkObjectType type, const char* name) const {
  if (functions.vkSetDebugUtilsObjectNameEXT == nullptr) return;
  VkDebugUtilsObjectNameInfoEXT info{};
  info.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT;
  info.objectType = type;
  info.objectHandle = object;
  info.pObjectName = name;
  functions.vkSetDebugUtilsObjectNameEXT(handle, &info);  // a name that is refused is no failure
}

DebugLabel::DebugLabel(const Device& device, VkCommandBuffer commands, const char* name)
    : device_(device), commands_(commands) {
  if (device.functions.vkCmdBeginDebugUtilsLabelEXT == nullptr) return;
  VkDebugUtilsLabelEXT label{};
  label.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT;
  label.pLabelName = name;
  device.functions.vkCmdBeginDebugUtilsLabelEXT(commands, &label);
}

DebugLabel::~DebugLabel() {
  if (device_.functions.vkCmdEndDebugUtilsLabelEXT == nullptr) return;
  device_.functions.vkCmdEndDebugUtilsLabelEXT(commands_);
}

}  // namespace slu

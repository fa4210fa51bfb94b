#include "base/vulkan_device.h"

#include <vector>

#include "base/host_device.h"

namespace slu {
namespace {

template <typename Function>
void lookUp(Function& function, PFN_vkVoidFunction found, const char* name) {
  function = reinterpret_cast<Function>(found);
  if (function == nullptr) {
    fail(SLU_ERROR_MISSING_FEATURE, "getInstanceProcAddr: finds no ", name,
         "; create instance and device for Vulkan 1.2 or later (VkApplicationInfo::apiVersion)");
  }
}

// The memory types that may hold a buffer, to be tried in this order: those of the device come first. Of those that the
// host can map, devices may have few bytes; then memory of the host does. Other memory of the host is no substitute.
// Left out are types for special purposes, some of which the device would have to be created for, and those that could
// never have so many bytes.
std::vector<std::uint32_t> memoryTypes(const Device& device, const VkMemoryRequirements& requirements, bool mapped) {
  constexpr VkMemoryPropertyFlags kMapped = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  constexpr VkMemoryPropertyFlags kSpecial =
      VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT | VK_MEMORY_PROPERTY_PROTECTED_BIT |
      VK_MEMORY_PROPERTY_DEVICE_COHERENT_BIT_AMD | VK_MEMORY_PROPERTY_DEVICE_UNCACHED_BIT_AMD;
  std::vector<std::uint32_t> local, others;
  bool hasLocal = false;
  for (std::uint32_t type = 0; type < device.memory.memoryTypeCount; ++type) {
    const auto [properties, heap] = device.memory.memoryTypes[type];
    if ((requirements.memoryTypeBits >> type & 1u) == 0 || (properties & kSpecial) != 0) continue;
    if (mapped && (properties & kMapped) != kMapped) continue;
    const bool isLocal = (properties & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT) != 0;
    hasLocal |= isLocal;
    if (device.memory.memoryHeaps[heap].size >= requirements.size) (isLocal ? local : others).push_back(type);
  }
  if (mapped || !hasLocal) local.insert(local.end(), others.begin(), others.end());
  if (local.empty()) fail(SLU_ERROR_OUT_OF_DEVICE_MEMORY, "no memory of the device has ", requirements.size, " bytes");
  return local;
}

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

Device::Device(const SluVulkanDeviceInfo& info)
    : handle(info.device),
      functions(info.getInstanceProcAddr, info.instance, info.device),
      emulatedSubgroupSize(info.emulatedSubgroupSize),
      hasAtomicInt64(enabledFeatures(info).vulkan12.shaderBufferInt64Atomics == VK_TRUE) {
  const InstanceFunctions instance(info.getInstanceProcAddr, info.instance);
  queueFlags = checkQueueFamily(instance, info);
  instance.vkGetPhysicalDeviceMemoryProperties(info.physicalDevice, &memory);
  VkPhysicalDeviceProperties2 properties{};
  properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  instance.vkGetPhysicalDeviceProperties2(info.physicalDevice, &properties);
  isCpu = properties.properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
  limits = properties.properties.limits;
}

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

DeviceBuffer::DeviceBuffer(const Device& device, std::uint64_t bytes, VkBufferUsageFlags usage, Memory kind,
                           const char* name)
    : memory(device), buffer(device), size(bytes) {
  VkBufferCreateInfo bufferInfo{};
  bufferInfo.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  bufferInfo.size = bytes;
  bufferInfo.usage = usage | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
  buffer.take(device.functions.vkCreateBuffer(device.handle, &bufferInfo, nullptr, buffer.put()), "vkCreateBuffer");
  device.setName(buffer.get(), VK_OBJECT_TYPE_BUFFER, name);

  allocate(device, kind == Memory::mapped);
  check(device.functions.vkBindBufferMemory(device.handle, buffer.get(), memory.get(), 0), "vkBindBufferMemory");

  VkBufferDeviceAddressInfo addressInfo{};
  addressInfo.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO;
  addressInfo.buffer = buffer.get();
  address = device.functions.vkGetBufferDeviceAddress(device.handle, &addressInfo);
}

// Takes memory of the first type that has room, and mappings for it where they are asked for.
void DeviceBuffer::allocate(const Device& device, bool isMapped) {
  VkMemoryRequirements requirements{};
  device.functions.vkGetBufferMemoryRequirements(device.handle, buffer.get(), &requirements);
  VkMemoryAllocateFlagsInfo flags{};
  flags.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO;
  flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
  VkMemoryAllocateInfo allocateInfo{};
  allocateInfo.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
  allocateInfo.pNext = &flags;
  allocateInfo.allocationSize = requirements.size;
  const std::vector<std::uint32_t> types = memoryTypes(device, requirements, isMapped);
  for (std::size_t i = 0; i < types.size(); ++i) {
    const bool isLast = i + 1 == types.size();
    allocateInfo.memoryTypeIndex = types[i];
    const VkResult allocated = device.functions.vkAllocateMemory(device.handle, &allocateInfo, nullptr, memory.put());
    if (allocated == VK_ERROR_OUT_OF_DEVICE_MEMORY && !isLast) continue;
    memory.take(allocated, "vkAllocateMemory");
    if (!isMapped) break;
    const VkResult result = device.functions.vkMapMemory(device.handle, memory.get(), 0, VK_WHOLE_SIZE, 0, &mapped);
    if (result == VK_SUCCESS) break;
    if (isLast) check(result, "vkMapMemory");
    memory = OwnedMemory(device);
  }
}

}  // namespace slu

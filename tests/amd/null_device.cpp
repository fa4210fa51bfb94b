#include "null_device.h"

#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <stdexcept>
#include <string_view>

namespace slu::test {
namespace {

NullDevice* active = nullptr;
PFN_vkGetDeviceProcAddr realGetDeviceProcAddr = nullptr;

template <typename Function>
Function find(const VulkanDevice& device, const char* name) {
  const auto found = reinterpret_cast<Function>(device.instance.functions.vkGetDeviceProcAddr(device.handle, name));
  if (found == nullptr) throw std::runtime_error(std::string("the driver has no ") + name);
  return found;
}

// Of this thread.
double processorMilliseconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
}

// ---- What is made up ----

template <typename Handle>
Handle makeHandle() {
  static std::uint64_t last = 0;
  return reinterpret_cast<Handle>(last += 16);
}

// Hardware that is absent has no memory.
VKAPI_ATTR void VKAPI_CALL getMemoryProperties(VkPhysicalDevice, VkPhysicalDeviceMemoryProperties* properties) {
  *properties = {};
  properties->memoryHeapCount = properties->memoryTypeCount = 1;
  properties->memoryHeaps[0] = {1ull << 40, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT};
  properties->memoryTypes[0] = {
      VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
      0};
}

struct Memory {
  std::uint64_t size;
  void* mapped = nullptr;
};

VKAPI_ATTR VkResult VKAPI_CALL allocateMemory(VkDevice, const VkMemoryAllocateInfo* info, const VkAllocationCallbacks*,
                                              VkDeviceMemory* memory) {
  *memory = reinterpret_cast<VkDeviceMemory>(new Memory{info->allocationSize});
  return VK_SUCCESS;
}
VKAPI_ATTR VkResult VKAPI_CALL mapMemory(VkDevice, VkDeviceMemory memory, VkDeviceSize, VkDeviceSize, VkMemoryMapFlags,
                                         void** mapped) {
  auto* const owned = reinterpret_cast<Memory*>(memory);
  owned->mapped = std::calloc(owned->size, 1);
  *mapped = owned->mapped;
  return *mapped == nullptr ? VK_ERROR_MEMORY_MAP_FAILED : VK_SUCCESS;
}
VKAPI_ATTR void VKAPI_CALL freeMemory(VkDevice, VkDeviceMemory memory, const VkAllocationCallbacks*) {
  auto* const owned = reinterpret_cast<Memory*>(memory);
  if (owned == nullptr) return;
  std::free(owned->mapped);
  delete owned;
}

std::map<VkBuffer, std::uint64_t>& bufferSizes() {
  static std::map<VkBuffer, std::uint64_t> sizes;
  return sizes;
}
VKAPI_ATTR VkResult VKAPI_CALL createBuffer(VkDevice, const VkBufferCreateInfo* info, const VkAllocationCallbacks*,
                                            VkBuffer* buffer) {
  *buffer = makeHandle<VkBuffer>();
  bufferSizes()[*buffer] = info->size;
  return VK_SUCCESS;
}
VKAPI_ATTR void VKAPI_CALL destroyBuffer(VkDevice, VkBuffer buffer, const VkAllocationCallbacks*) {
  bufferSizes().erase(buffer);
}
VKAPI_ATTR void VKAPI_CALL getBufferMemoryRequirements(VkDevice, VkBuffer buffer, VkMemoryRequirements* requirements) {
  *requirements = {bufferSizes().at(buffer), 256, ~0u};
}
VKAPI_ATTR VkResult VKAPI_CALL bindBufferMemory(VkDevice, VkBuffer, VkDeviceMemory, VkDeviceSize) { return VK_SUCCESS; }
VKAPI_ATTR VkDeviceAddress VKAPI_CALL getBufferDeviceAddress(VkDevice, const VkBufferDeviceAddressInfo*) {
  return 0x10000;
}

VKAPI_ATTR VkResult VKAPI_CALL createDescriptorPool(VkDevice, const VkDescriptorPoolCreateInfo*,
                                                    const VkAllocationCallbacks*, VkDescriptorPool* pool) {
  *pool = makeHandle<VkDescriptorPool>();
  return VK_SUCCESS;
}
VKAPI_ATTR void VKAPI_CALL destroyDescriptorPool(VkDevice, VkDescriptorPool, const VkAllocationCallbacks*) {}
VKAPI_ATTR VkResult VKAPI_CALL allocateDescriptorSets(VkDevice, const VkDescriptorSetAllocateInfo* info,
                                                      VkDescriptorSet* sets) {
  for (std::uint32_t i = 0; i < info->descriptorSetCount; ++i) sets[i] = makeHandle<VkDescriptorSet>();
  return VK_SUCCESS;
}
VKAPI_ATTR void VKAPI_CALL updateDescriptorSets(VkDevice, std::uint32_t, const VkWriteDescriptorSet*, std::uint32_t,
                                                const VkCopyDescriptorSet*) {}

// ---- Pipelines ----

PFN_vkCreateShaderModule realCreateShaderModule = nullptr;

VKAPI_ATTR VkResult VKAPI_CALL createShaderModule(VkDevice device, const VkShaderModuleCreateInfo* info,
                                                  const VkAllocationCallbacks* callbacks, VkShaderModule* module) {
  const VkResult result = realCreateShaderModule(device, info, callbacks, module);
  if (result == VK_SUCCESS) active->addModule(*module, *info);
  return result;
}
// The library destroys a module that binds buffers once it has its pipeline, which is compiled later here.
VKAPI_ATTR void VKAPI_CALL destroyShaderModule(VkDevice, VkShaderModule, const VkAllocationCallbacks*) {}

VKAPI_ATTR VkResult VKAPI_CALL createComputePipelines(VkDevice, VkPipelineCache, std::uint32_t count,
                                                      const VkComputePipelineCreateInfo* infos,
                                                      const VkAllocationCallbacks*, VkPipeline* pipelines) {
  for (std::uint32_t i = 0; i < count; ++i) pipelines[i] = active->add(infos[i]);
  return VK_SUCCESS;
}
VKAPI_ATTR void VKAPI_CALL destroyPipeline(VkDevice, VkPipeline, const VkAllocationCallbacks*) {}
VKAPI_ATTR VkResult VKAPI_CALL setObjectName(VkDevice, const VkDebugUtilsObjectNameInfoEXT* info) {
  active->setName(*info);
  return VK_SUCCESS;
}

struct Substitute {
  const char* name;
  PFN_vkVoidFunction function;
};

PFN_vkVoidFunction substituteFor(const char* name) {
#define SLU_TEST_SUBSTITUTE(vk, own) {#vk, reinterpret_cast<PFN_vkVoidFunction>(static_cast<PFN_##vk>(own))},
  static const Substitute kSubstitutes[] = {
      // clang-format off
      SLU_TEST_SUBSTITUTE(vkGetPhysicalDeviceMemoryProperties, getMemoryProperties)
      SLU_TEST_SUBSTITUTE(vkAllocateMemory, allocateMemory)
      SLU_TEST_SUBSTITUTE(vkMapMemory, mapMemory)
      SLU_TEST_SUBSTITUTE(vkFreeMemory, freeMemory)
      SLU_TEST_SUBSTITUTE(vkCreateBuffer, createBuffer)
      SLU_TEST_SUBSTITUTE(vkDestroyBuffer, destroyBuffer)
      SLU_TEST_SUBSTITUTE(vkGetBufferMemoryRequirements, getBufferMemoryRequirements)
      SLU_TEST_SUBSTITUTE(vkBindBufferMemory, bindBufferMemory)
      SLU_TEST_SUBSTITUTE(vkGetBufferDeviceAddress, getBufferDeviceAddress)
      SLU_TEST_SUBSTITUTE(vkCreateDescriptorPool, createDescriptorPool)
      SLU_TEST_SUBSTITUTE(vkDestroyDescriptorPool, destroyDescriptorPool)
      SLU_TEST_SUBSTITUTE(vkAllocateDescriptorSets, allocateDescriptorSets)
      SLU_TEST_SUBSTITUTE(vkUpdateDescriptorSets, updateDescriptorSets)
      SLU_TEST_SUBSTITUTE(vkCreateShaderModule, createShaderModule)
      SLU_TEST_SUBSTITUTE(vkDestroyShaderModule, destroyShaderModule)
      SLU_TEST_SUBSTITUTE(vkCreateComputePipelines, createComputePipelines)
      SLU_TEST_SUBSTITUTE(vkDestroyPipeline, destroyPipeline)
      SLU_TEST_SUBSTITUTE(vkSetDebugUtilsObjectNameEXT, setObjectName)
      // clang-format on
  };
#undef SLU_TEST_SUBSTITUTE
  for (const Substitute& substitute : kSubstitutes) {
    if (std::strcmp(substitute.name, name) == 0) return substitute.function;
  }
  return nullptr;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL getDeviceProcAddr(VkDevice device, const char* name) {
  const PFN_vkVoidFunction substitute = substituteFor(name);
  return substitute != nullptr ? substitute : realGetDeviceProcAddr(device, name);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL getInstanceProcAddr(VkInstance instance, const char* name) {
  const PFN_vkVoidFunction real = loadVulkan()(instance, name);
  if (std::strcmp(name, "vkGetDeviceProcAddr") != 0 || real == nullptr) {
    const PFN_vkVoidFunction substitute = substituteFor(name);
    return substitute != nullptr ? substitute : real;
  }
  realGetDeviceProcAddr = reinterpret_cast<PFN_vkGetDeviceProcAddr>(real);
  return reinterpret_cast<PFN_vkVoidFunction>(getDeviceProcAddr);
}

}  // namespace

std::uint64_t PipelineStatistics::get(const std::string& name) const {
  for (const auto& [own, value] : values) {
    if (own == name) return value;
  }
  std::string names;
  for (const auto& [own, value] : values) names += "; " + own;
  throw std::runtime_error("the driver does not tell the pipeline's " + name + names);
}

NullDevice::NullDevice(const VulkanDevice& device) : device_(device) {
  active = this;
  realCreateShaderModule = find<PFN_vkCreateShaderModule>(device, "vkCreateShaderModule");
}

NullDevice::~NullDevice() {
  const auto destroy = find<PFN_vkDestroyShaderModule>(device_, "vkDestroyShaderModule");
  for (const auto& [module, code] : codes_) destroy(device_.handle, module, nullptr);
  active = nullptr;
}

PFN_vkGetInstanceProcAddr NullDevice::entry() const { return getInstanceProcAddr; }

void NullDevice::addModule(VkShaderModule module, const VkShaderModuleCreateInfo& info) {
  const std::string_view bytes(reinterpret_cast<const char*>(info.pCode), info.codeSize);
  codes_[module] = std::hash<std::string_view>()(bytes);
}

VkPipeline NullDevice::add(const VkComputePipelineCreateInfo& info) {
  PipelineOrder& order = orders_.emplace_back();
  order.flags = info.flags;
  order.module = info.stage.module;
  order.code = codes_.at(info.stage.module);
  order.layout = info.layout;
  order.plan = plan_;
  return reinterpret_cast<VkPipeline>(orders_.size());
}

void NullDevice::setName(const VkDebugUtilsObjectNameInfoEXT& info) {
  if (info.objectType == VK_OBJECT_TYPE_PIPELINE) orders_.at(info.objectHandle - 1).name = info.pObjectName;
}

PipelineStatistics NullDevice::compile(const PipelineOrder& order) const {
  const auto create = find<PFN_vkCreateComputePipelines>(device_, "vkCreateComputePipelines");
  const auto destroy = find<PFN_vkDestroyPipeline>(device_, "vkDestroyPipeline");
  const auto getStatistics =
      find<PFN_vkGetPipelineExecutableStatisticsKHR>(device_, "vkGetPipelineExecutableStatisticsKHR");

  VkComputePipelineCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
  info.flags = order.flags | VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR;
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = order.module;
  info.stage.pName = "main";
  info.layout = order.layout;

  PipelineStatistics result;
  const double begin = processorMilliseconds();
  VkPipeline pipeline = VK_NULL_HANDLE;
  check(create(device_.handle, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline), "vkCreateComputePipelines");
  result.milliseconds = processorMilliseconds() - begin;

  VkPipelineExecutableInfoKHR executable{};  // a compute pipeline has one executable
  executable.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR;
  executable.pipeline = pipeline;
  std::uint32_t count = 0;
  check(getStatistics(device_.handle, &executable, &count, nullptr), "vkGetPipelineExecutableStatisticsKHR");
  VkPipelineExecutableStatisticKHR empty{};
  empty.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR;
  std::vector<VkPipelineExecutableStatisticKHR> statistics(count, empty);
  check(getStatistics(device_.handle, &executable, &count, statistics.data()), "vkGetPipelineExecutableStatisticsKHR");
  for (const VkPipelineExecutableStatisticKHR& statistic : statistics) {
    if (statistic.format != VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_UINT64_KHR) continue;
    result.values.emplace_back(statistic.name, statistic.value.u64);
  }
  destroy(device_.handle, pipeline, nullptr);
  return result;
}

}  // namespace slu::test

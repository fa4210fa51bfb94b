#include "fake_kernels.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "kernels/kernel_names.h"

namespace slu::test {
namespace {

FakeKernels* active = nullptr;

struct FakeModule {
  Bytes image;
};
struct FakeFunction {
  std::string name;
  std::optional<CudaKernel> kernel;  // of the library; nothing for what NVRTC compiled
};

std::optional<CudaKernel> libraryKernel(const std::string& name) {
  for (unsigned kernel = 0; kernel < kCudaKernelCount; ++kernel) {
    if (kernelName(static_cast<CudaKernel>(kernel)) == name) return static_cast<CudaKernel>(kernel);
  }
  return std::nullopt;
}

bool isFatBinary(const Bytes& image) {
  return image.size() > 4 && std::memcmp(image.data(), "\x50\xed\x55\xba", 4) == 0;
}
bool holds(const Bytes& image, const std::string& text) {
  return std::search(image.begin(), image.end(), text.begin(), text.end()) != image.end();
}
bool isPtx(const Bytes& image) { return holds(image, ".version ") && image.back() == 0; }

// The device that PTX is for.
int targetOf(const Bytes& ptx) {
  const std::string text(ptx.begin(), ptx.end());
  const std::size_t at = text.find(".target sm_");
  return at == std::string::npos ? 0 : std::stoi(text.substr(at + 11));
}

PFN_vkGetDeviceProcAddr realGetDeviceProcAddr = nullptr;
PFN_vkEnumerateDeviceExtensionProperties realEnumerate = nullptr;
PFN_vkGetPhysicalDeviceProperties2 realGetProperties = nullptr;
PFN_vkGetPhysicalDeviceQueueFamilyProperties realGetFamilies = nullptr;
PFN_vkCmdPipelineBarrier realBarrier = nullptr;

VKAPI_ATTR VkResult VKAPI_CALL enumerateExtensions(VkPhysicalDevice device, const char*, std::uint32_t* count,
                                                   VkExtensionProperties* properties) {
  return active->enumerate(device, count, properties);
}
VKAPI_ATTR void VKAPI_CALL getProperties2(VkPhysicalDevice device, VkPhysicalDeviceProperties2* properties) {
  active->getProperties(device, properties);
}
VKAPI_ATTR void VKAPI_CALL getFamilyProperties(VkPhysicalDevice device, std::uint32_t* count,
                                               VkQueueFamilyProperties* families) {
  active->getFamilies(device, count, families);
}
VKAPI_ATTR VkResult VKAPI_CALL createCuModule(VkDevice, const VkCuModuleCreateInfoNVX* info,
                                              const VkAllocationCallbacks* callbacks, VkCuModuleNVX* module) {
  active->checkCallbacks(callbacks);
  return active->createModule(*info, module);
}
VKAPI_ATTR VkResult VKAPI_CALL createCuFunction(VkDevice, const VkCuFunctionCreateInfoNVX* info,
                                                const VkAllocationCallbacks* callbacks, VkCuFunctionNVX* function) {
  active->checkCallbacks(callbacks);
  return active->createFunction(*info, function);
}
VKAPI_ATTR void VKAPI_CALL destroyCuModule(VkDevice, VkCuModuleNVX module, const VkAllocationCallbacks* callbacks) {
  active->checkCallbacks(callbacks);
  delete reinterpret_cast<FakeModule*>(module);
  active->destroyed();
}
VKAPI_ATTR void VKAPI_CALL destroyCuFunction(VkDevice, VkCuFunctionNVX function,
                                             const VkAllocationCallbacks* callbacks) {
  active->checkCallbacks(callbacks);
  delete reinterpret_cast<FakeFunction*>(function);
  active->destroyed();
}
VKAPI_ATTR void VKAPI_CALL cmdLaunch(VkCommandBuffer commands, const VkCuLaunchInfoNVX* info) {
  active->launch(commands, *info);
}
VKAPI_ATTR void VKAPI_CALL cmdCopyBuffer(VkCommandBuffer commands, VkBuffer from, VkBuffer to, std::uint32_t count,
                                         const VkBufferCopy* regions) {
  for (std::uint32_t i = 0; i < count; ++i) active->copy(commands, from, to, regions[i]);
}
VKAPI_ATTR void VKAPI_CALL cmdPipelineBarrier(VkCommandBuffer commands, VkPipelineStageFlags from,
                                              VkPipelineStageFlags to, VkDependencyFlags flags, std::uint32_t count,
                                              const VkMemoryBarrier* barriers, std::uint32_t bufferCount,
                                              const VkBufferMemoryBarrier* buffers, std::uint32_t imageCount,
                                              const VkImageMemoryBarrier* images) {
  active->barrier(commands);
  realBarrier(commands, from, to, flags, count, barriers, bufferCount, buffers, imageCount, images);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL getDeviceProcAddr(VkDevice device, const char* name) {
  return active->find(name, realGetDeviceProcAddr(device, name));
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL getInstanceProcAddr(VkInstance instance, const char* name) {
  const PFN_vkVoidFunction real = loadVulkan()(instance, name);
  if (std::strcmp(name, "vkGetDeviceProcAddr") != 0) return active->find(name, real);
  return reinterpret_cast<PFN_vkVoidFunction>(getDeviceProcAddr);
}

// Finds what the functions above call.
void findReal(const VulkanDevice& device) {
  const auto find = [&](auto& function, const char* name) {
    function =
        reinterpret_cast<std::remove_reference_t<decltype(function)>>(loadVulkan()(device.instance.handle, name));
  };
  find(realGetDeviceProcAddr, "vkGetDeviceProcAddr");
  find(realEnumerate, "vkEnumerateDeviceExtensionProperties");
  find(realGetProperties, "vkGetPhysicalDeviceProperties2");
  find(realGetFamilies, "vkGetPhysicalDeviceQueueFamilyProperties");
  realBarrier =
      reinterpret_cast<PFN_vkCmdPipelineBarrier>(realGetDeviceProcAddr(device.handle, "vkCmdPipelineBarrier"));
}

template <typename Function>
PFN_vkVoidFunction any(Function function) {
  return reinterpret_cast<PFN_vkVoidFunction>(function);
}

// In the order: NVX, NV.
PFN_vkVoidFunction kernelFunction(const std::string& name, bool isNv) {
  const std::map<std::string, PFN_vkVoidFunction> functions[2] = {{{"vkCreateCuModuleNVX", any(createCuModule)},
                                                                   {"vkCreateCuFunctionNVX", any(createCuFunction)},
                                                                   {"vkDestroyCuModuleNVX", any(destroyCuModule)},
                                                                   {"vkDestroyCuFunctionNVX", any(destroyCuFunction)},
                                                                   {"vkCmdCuLaunchKernelNVX", any(cmdLaunch)}},
                                                                  {{"vkCreateCudaModuleNV", any(createCuModule)},
                                                                   {"vkCreateCudaFunctionNV", any(createCuFunction)},
                                                                   {"vkDestroyCudaModuleNV", any(destroyCuModule)},
                                                                   {"vkDestroyCudaFunctionNV", any(destroyCuFunction)},
                                                                   {"vkCmdCudaLaunchKernelNV", any(cmdLaunch)}}};
  const auto found = functions[isNv].find(name);
  return found == functions[isNv].end() ? nullptr : found->second;
}

}  // namespace

FakeKernels::FakeKernels(const VulkanDevice& device, FakeDriver driver) : device_(device), driver_(std::move(driver)) {
  if (active != nullptr) throw std::logic_error("there is a fake already");
  active = this;
  findReal(device);
  for (const std::string& name : driver_.enabled) enabledNames_.push_back(name.c_str());
  createInfo_ = *device.info().deviceCreateInfo;
  createInfo_.enabledExtensionCount = static_cast<std::uint32_t>(enabledNames_.size());
  createInfo_.ppEnabledExtensionNames = enabledNames_.data();
  feature_.sType = static_cast<VkStructureType>(1000307003);
  feature_.pNext = createInfo_.pNext;
  feature_.cudaKernelLaunchFeatures = VK_TRUE;
  if (driver_.enablesFeature) createInfo_.pNext = &feature_;
}

FakeKernels::~FakeKernels() { active = nullptr; }

SluVulkanDeviceInfo FakeKernels::info() const {
  SluVulkanDeviceInfo info = device_.info();
  info.getInstanceProcAddr = getInstanceProcAddr;
  info.deviceCreateInfo = &createInfo_;
  return info;
}

bool FakeKernels::isNv() const {
  return driver_.enablesFeature &&
         std::find(driver_.enabled.begin(), driver_.enabled.end(), kNv) != driver_.enabled.end();
}

PFN_vkVoidFunction FakeKernels::find(const char* name, PFN_vkVoidFunction real) {
  const std::lock_guard lock(mutex_);
  lookedUp_.insert(name);
  const std::string text = name;
  if (driver_.missing.count(text) != 0) return nullptr;
  if (text == "vkEnumerateDeviceExtensionProperties") return any(enumerateExtensions);
  if (text == "vkGetPhysicalDeviceProperties2") return any(getProperties2);
  if (text == "vkGetPhysicalDeviceQueueFamilyProperties") return any(getFamilyProperties);
  if (text == "vkCmdPipelineBarrier") return any(cmdPipelineBarrier);
  if (text == "vkCmdCopyBuffer") return any(cmdCopyBuffer);
  const PFN_vkVoidFunction ours = kernelFunction(text, isNv());
  return ours != nullptr ? ours : real;
}

VkResult FakeKernels::enumerate(VkPhysicalDevice device, std::uint32_t* count, VkExtensionProperties* properties) {
  std::uint32_t realCount = 0;
  VkResult result = realEnumerate(device, nullptr, &realCount, nullptr);
  std::vector<VkExtensionProperties> all(realCount);
  if (result == VK_SUCCESS) result = realEnumerate(device, nullptr, &realCount, all.data());
  // What a real driver offers of it does not count.
  std::erase_if(all, [](const VkExtensionProperties& extension) {
    const std::string_view name = extension.extensionName;
    return name == kNv || name == VK_NVX_BINARY_IMPORT_EXTENSION_NAME ||
           name == VK_NV_SHADER_SM_BUILTINS_EXTENSION_NAME;
  });
  for (const std::string& name : driver_.offered) {
    VkExtensionProperties extension{};
    std::memcpy(extension.extensionName, name.c_str(), name.size());
    all.push_back(extension);
  }
  if (properties != nullptr) std::copy_n(all.begin(), std::min<std::size_t>(*count, all.size()), properties);
  *count = static_cast<std::uint32_t>(all.size());
  return result;
}

// The driver behind knows none of the structs that this one answers.
void FakeKernels::getProperties(VkPhysicalDevice device, VkPhysicalDeviceProperties2* properties) const {
  auto* chained = static_cast<VkBaseOutStructure*>(properties->pNext);
  if (chained != nullptr && chained->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SM_BUILTINS_PROPERTIES_NV) {
    auto& told = reinterpret_cast<VkPhysicalDeviceShaderSMBuiltinsPropertiesNV&>(*chained);
    told.shaderSMCount = driver_.multiprocessorCount;
    told.shaderWarpsPerSM = 24;  // room for three blocks
  } else if (chained != nullptr && chained->sType == static_cast<VkStructureType>(1000307004)) {
    const auto capability = static_cast<std::uint32_t>(driver_.computeCapability);
    const std::uint32_t minorAndMajor[2] = {capability % 10, capability / 10};
    std::memcpy(reinterpret_cast<std::uint8_t*>(chained) + sizeof(VkBaseOutStructure), minorAndMajor, 8);
  } else {
    return realGetProperties(device, properties);
  }
  properties->pNext = nullptr;
  realGetProperties(device, properties);
  properties->pNext = chained;
}

void FakeKernels::getFamilies(VkPhysicalDevice device, std::uint32_t* count, VkQueueFamilyProperties* families) const {
  realGetFamilies(device, count, families);
  if (families == nullptr || driver_.hasGraphics) return;
  for (std::uint32_t i = 0; i < *count; ++i) families[i].queueFlags &= ~VkQueueFlags{VK_QUEUE_GRAPHICS_BIT};
}

void FakeKernels::expect(bool condition, const char* sentence) {
  if (condition) return;
  const std::lock_guard lock(mutex_);
  complaints_.emplace_back(sentence);
}

VkResult FakeKernels::createModule(const VkCuModuleCreateInfoNVX& info, VkCuModuleNVX* module) {
  expect(
      info.sType == (isNv() ? static_cast<VkStructureType>(1000307000) : VK_STRUCTURE_TYPE_CU_MODULE_CREATE_INFO_NVX) &&
          info.pNext == nullptr,
      "a module's info is malformed");
  if (driver_.moduleResult != VK_SUCCESS) return driver_.moduleResult;
  const auto* data = static_cast<const std::uint8_t*>(info.pData);
  const Bytes image(data, data + info.dataSize);
  {
    const std::lock_guard lock(mutex_);
    images_.push_back(image);
  }
  if (isPtx(image) && targetOf(image) > driver_.computeCapability) return VK_ERROR_INITIALIZATION_FAILED;
  expect(isPtx(image) || (isFatBinary(image) && !isNv()),
         "a module's image is not of the kind that the extension takes");
  ++alive_;
  *module = reinterpret_cast<VkCuModuleNVX>(new FakeModule{image});
  return VK_SUCCESS;
}

VkResult FakeKernels::createFunction(const VkCuFunctionCreateInfoNVX& info, VkCuFunctionNVX* function) {
  expect(info.sType ==
                 (isNv() ? static_cast<VkStructureType>(1000307001) : VK_STRUCTURE_TYPE_CU_FUNCTION_CREATE_INFO_NVX) &&
             info.pNext == nullptr,
         "a function's info is malformed");
  if (driver_.functionResult != VK_SUCCESS) return driver_.functionResult;
  const Bytes& image = reinterpret_cast<const FakeModule*>(info.module)->image;
  const std::string name = info.pName;
  const std::optional<CudaKernel> kernel = libraryKernel(name);
  // Fat binaries are compressed.
  const bool isThere = isFatBinary(image) ? kernel.has_value() : holds(image, ".entry " + name + "(");
  if (!isThere || driver_.unknownKernels.count(name) != 0) return VK_ERROR_INITIALIZATION_FAILED;
  ++alive_;
  *function = reinterpret_cast<VkCuFunctionNVX>(new FakeFunction{name, kernel});
  return VK_SUCCESS;
}

void FakeKernels::checkCallbacks(const VkAllocationCallbacks* callbacks) {
  expect((callbacks == nullptr ? nullptr : callbacks->pUserData) == driver_.userData,
         "a module or function gets other allocation callbacks");
}

void FakeKernels::add(VkCommandBuffer commands, const char* what, FakeStep step) {
  const std::lock_guard lock(mutex_);
  Recording& recording = recordings_[commands];
  if (!recording.isOrdered) complaints_.emplace_back(what);
  recording.isOrdered = false;
  recording.steps.push_back(std::move(step));
}

void FakeKernels::barrier(VkCommandBuffer commands) {
  const std::lock_guard lock(mutex_);
  recordings_[commands].isOrdered = true;
}

void FakeKernels::launch(VkCommandBuffer commands, const VkCuLaunchInfoNVX& info) {
  expect(info.sType == (isNv() ? static_cast<VkStructureType>(1000307002) : VK_STRUCTURE_TYPE_CU_LAUNCH_INFO_NVX) &&
             info.pNext == nullptr,
         "a launch's info is malformed");
  expect(info.gridDimX != 0 && info.gridDimY != 0 && info.gridDimZ == 1, "a grid is empty or has three dimensions");
  expect(info.sharedMemBytes <= kPortableSharedBytes, "a launch asks for more shared memory than every driver grants");
  expect(info.paramCount == 1 && info.extraCount == 0 && info.pExtras == nullptr, "a launch has the wrong parameters");
  const auto& function = *reinterpret_cast<const FakeFunction*>(info.function);
  cuda::Arguments arguments;
  std::memcpy(static_cast<void*>(&arguments), info.pParams[0], sizeof(arguments));
  const auto kernel = function.kernel;
  const BlockShape block{kernel ? rowOf(*kernel).threads : cuda::kThreads, info.sharedMemBytes};
  expect(info.blockDimX == block.threads && info.blockDimY == 1 && info.blockDimZ == 1, "a block has the wrong size");
  add(commands, "a launch follows other work without a barrier",
      FakeLaunch{function.name, kernel, info.gridDimX, info.gridDimY, block, arguments});
}

std::uint8_t* FakeKernels::addressOf(VkBuffer buffer) const {
  const auto getAddress = reinterpret_cast<PFN_vkGetBufferDeviceAddress>(
      device_.instance.functions.vkGetDeviceProcAddr(device_.handle, "vkGetBufferDeviceAddress"));
  VkBufferDeviceAddressInfo info{};
  info.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO;
  info.buffer = buffer;
  return reinterpret_cast<std::uint8_t*>(static_cast<std::uintptr_t>(getAddress(device_.handle, &info)));
}

void FakeKernels::copy(VkCommandBuffer commands, VkBuffer from, VkBuffer to, const VkBufferCopy& region) {
  add(commands, "a copy follows other work without a barrier",
      FakeCopy{addressOf(to) + region.dstOffset, addressOf(from) + region.srcOffset, region.size});
}

std::vector<FakeLaunch> FakeKernels::launches(VkCommandBuffer commands) const {
  std::vector<FakeLaunch> launches;
  const auto found = recordings_.find(commands);
  if (found == recordings_.end()) return launches;
  for (const FakeStep& step : found->second.steps) {
    if (const auto* launch = std::get_if<FakeLaunch>(&step)) launches.push_back(*launch);
  }
  return launches;
}

}  // namespace slu::test

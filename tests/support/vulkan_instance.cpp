#include <algorithm>
#include <atomic>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <utility>

#ifdef _WIN32
#include <windows.h>
#else
#include <dlfcn.h>
#endif

#include "machine.h"
#include "vulkan_host.h"

namespace slu::test {
namespace {

struct Messages {
  std::mutex mutex;
  std::vector<std::string> texts;
};

Messages& messages() {
  static Messages all;
  return all;
}

VKAPI_ATTR VkBool32 VKAPI_CALL collect(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                                       const VkDebugUtilsMessengerCallbackDataEXT* data, void*) {
  const std::lock_guard lock(messages().mutex);
  messages().texts.emplace_back(data->pMessage);
  return VK_FALSE;
}

// The loader's own remarks about the machine's drivers are general messages and left out.
VkDebugUtilsMessengerCreateInfoEXT messengerInfo() {
  VkDebugUtilsMessengerCreateInfoEXT info{};
  info.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT;
  info.messageSeverity =
      VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
  info.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT;
  info.pfnUserCallback = collect;
  return info;
}

template <typename Function>
Function lookUp(const char* name, VkInstance instance = VK_NULL_HANDLE) {
  return reinterpret_cast<Function>(loadVulkan()(instance, name));
}

// SLUICE_TEST_VALIDATION=0 leaves it out.
bool hasLayer() {
  const char* variable = std::getenv("SLUICE_TEST_VALIDATION");
  if (variable != nullptr && std::strcmp(variable, "0") == 0) return false;
  const auto enumerate = lookUp<PFN_vkEnumerateInstanceLayerProperties>("vkEnumerateInstanceLayerProperties");
  std::uint32_t count = 0;
  check(enumerate(&count, nullptr), "vkEnumerateInstanceLayerProperties");
  std::vector<VkLayerProperties> layers(count);
  check(enumerate(&count, layers.data()), "vkEnumerateInstanceLayerProperties");
  return std::any_of(layers.begin(), layers.end(),
                     [](const auto& layer) { return std::strcmp(layer.layerName, kValidationLayer) == 0; });
}

bool hasExtension(const char* layer, const char* name) {
  const auto enumerate = lookUp<PFN_vkEnumerateInstanceExtensionProperties>("vkEnumerateInstanceExtensionProperties");
  std::uint32_t count = 0;
  check(enumerate(layer, &count, nullptr), "vkEnumerateInstanceExtensionProperties");
  std::vector<VkExtensionProperties> extensions(count);
  check(enumerate(layer, &count, extensions.data()), "vkEnumerateInstanceExtensionProperties");
  return std::any_of(extensions.begin(), extensions.end(),
                     [&](const auto& extension) { return std::strcmp(extension.extensionName, name) == 0; });
}

// Keeps layer and driver in memory when the instance goes: leak checkers can name the one in what they report at exit,
// and find what the other (lavapipe) holds in its globals and leaves behind when it is unloaded; and NVIDIA's cannot be
// loaded any more after some 70 times.
void keepLoaded() {
#ifndef _WIN32
  for (const char* library :
       {"libVkLayer_khronos_validation.so", "libvulkan_lvp.so", "libGLX_nvidia.so.0", "libEGL_nvidia.so.0"}) {
    dlopen(library, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
  }
#endif
}

bool isNumber(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

}  // namespace

PFN_vkGetInstanceProcAddr loadVulkan() {
#ifdef _WIN32
  static const HMODULE library = LoadLibraryA("vulkan-1.dll");
  static const auto entry = reinterpret_cast<PFN_vkGetInstanceProcAddr>(
      reinterpret_cast<void (*)()>(library == nullptr ? nullptr : GetProcAddress(library, "vkGetInstanceProcAddr")));
#else
  static void* const library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
  static const auto entry = reinterpret_cast<PFN_vkGetInstanceProcAddr>(
      library == nullptr ? nullptr : dlsym(library, "vkGetInstanceProcAddr"));
#endif
  return entry;
}

std::vector<std::string> takeValidationMessages() {
  const std::lock_guard lock(messages().mutex);
  return std::exchange(messages().texts, {});
}

void check(VkResult result, const char* call) {
  if (result != VK_SUCCESS) {
    throw std::runtime_error(std::string(call) + " fails with VkResult " + std::to_string(result));
  }
}

std::string describeDevice(const VulkanInstance& instance) {
  VkPhysicalDeviceDriverProperties driver{};
  driver.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES;
  VkPhysicalDeviceSubgroupProperties subgroups{};
  subgroups.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES;
  subgroups.pNext = &driver;
  VkPhysicalDeviceProperties2 found{};
  found.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  found.pNext = &subgroups;
  instance.functions.vkGetPhysicalDeviceProperties2(instance.physicalDevice, &found);
  const std::string info = *driver.driverInfo == 0 ? "" : std::string(", ") + driver.driverInfo;
  return std::string(found.properties.deviceName) + info + ", subgroups of " + std::to_string(subgroups.subgroupSize);
}

std::string describeLacks(const VulkanInstance& instance) {
  VkPhysicalDeviceVulkan12Features vulkan12{};
  vulkan12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
  VkPhysicalDeviceFeatures2 features{};
  features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  features.pNext = &vulkan12;
  instance.functions.vkGetPhysicalDeviceFeatures2(instance.physicalDevice, &features);
  const std::pair<const char*, VkBool32> offers[] = {{"shaderInt64", features.features.shaderInt64},
                                                     {"bufferDeviceAddress", vulkan12.bufferDeviceAddress},
                                                     {"shaderBufferInt64Atomics", vulkan12.shaderBufferInt64Atomics},
                                                     {"drawIndirectCount", vulkan12.drawIndirectCount},
                                                     {"timelineSemaphore", vulkan12.timelineSemaphore}};
  std::string lacks;
  for (const auto& [name, isOffered] : offers) {
    if (isOffered == VK_FALSE) lacks += (lacks.empty() ? "" : ", ") + std::string(name);
  }
  return lacks.empty() ? "nothing" : lacks;
}

VulkanInstance::VulkanInstance() {
  static std::atomic<bool> hasSucceeded{false};  // from then on what is missing was lost, which fails tests
  try {
    open();
  } catch (const Unavailable& unavailable) {
    if (hasSucceeded) throw std::runtime_error(unavailable.what());
    throw;
  }
  hasSucceeded = true;
}

VulkanInstance::~VulkanInstance() {
  if (hasDebugUtils) functions.vkDestroyDebugUtilsMessengerEXT(handle, messenger_, nullptr);
  functions.vkDestroyInstance(handle, nullptr);
}

void VulkanInstance::open() {
  if (loadVulkan() == nullptr) throw Unavailable("there is no Vulkan loader on this machine");
  create();
  const auto getInstanceProcAddr = loadVulkan();
#define SLU_TEST_LOOK_UP(name) functions.name = reinterpret_cast<PFN_##name>(getInstanceProcAddr(handle, #name));
  SLU_TEST_INSTANCE_FUNCTIONS(SLU_TEST_LOOK_UP)
#undef SLU_TEST_LOOK_UP
  if (hasDebugUtils) {
    const VkDebugUtilsMessengerCreateInfoEXT info = messengerInfo();
    check(functions.vkCreateDebugUtilsMessengerEXT(handle, &info, nullptr, &messenger_), "the messenger");
  }
  try {
    choosePhysicalDevice();
  } catch (...) {
    if (hasDebugUtils) functions.vkDestroyDebugUtilsMessengerEXT(handle, messenger_, nullptr);
    functions.vkDestroyInstance(handle, nullptr);
    throw;
  }
}

void VulkanInstance::create() {
  isValidated = hasLayer();
  hasDebugUtils = hasExtension(nullptr, VK_EXT_DEBUG_UTILS_EXTENSION_NAME) ||
                  (isValidated && hasExtension(kValidationLayer, VK_EXT_DEBUG_UTILS_EXTENSION_NAME));
  std::vector<const char*> extensions;
  if (hasDebugUtils) extensions.push_back(VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
  if (isValidated) extensions.push_back(VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME);

  VkApplicationInfo application{};
  application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
  application.pApplicationName = "sluice tests";
  application.apiVersion = VK_API_VERSION_1_2;
  const VkValidationFeatureEnableEXT enabled = VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT;
  VkValidationFeaturesEXT validation{};
  validation.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT;
  validation.enabledValidationFeatureCount = 1;
  validation.pEnabledValidationFeatures = &enabled;
  VkDebugUtilsMessengerCreateInfoEXT messenger = messengerInfo();  // of instance creation and destruction
  if (isValidated) messenger.pNext = &validation;

  VkInstanceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
  info.pNext = hasDebugUtils ? &messenger : nullptr;
  info.pApplicationInfo = &application;
  info.enabledLayerCount = isValidated ? 1 : 0;
  info.ppEnabledLayerNames = &kValidationLayer;
  info.enabledExtensionCount = static_cast<std::uint32_t>(extensions.size());
  info.ppEnabledExtensionNames = extensions.data();
  const VkResult result = lookUp<PFN_vkCreateInstance>("vkCreateInstance")(&info, nullptr, &handle);
  if (result != VK_SUCCESS) throw Unavailable("vkCreateInstance fails with VkResult " + std::to_string(result));
  keepLoaded();
}

void VulkanInstance::choosePhysicalDevice() {
  std::uint32_t count = 0;
  check(functions.vkEnumeratePhysicalDevices(handle, &count, nullptr), "vkEnumeratePhysicalDevices");
  std::vector<VkPhysicalDevice> devices(count);
  check(functions.vkEnumeratePhysicalDevices(handle, &count, devices.data()), "vkEnumeratePhysicalDevices");
  const char* variable = std::getenv("SLUICE_TEST_DEVICE");
  const std::string wanted = variable == nullptr ? "0" : variable;
  for (std::uint32_t i = 0; i < count; ++i) {
    VkPhysicalDeviceProperties2 found{};
    found.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
    functions.vkGetPhysicalDeviceProperties2(devices[i], &found);
    const bool named = std::strstr(found.properties.deviceName, wanted.c_str()) != nullptr;
    if (isNumber(wanted) ? std::to_string(i) != wanted : !named) continue;
    physicalDevice = devices[i];
    properties = found.properties;
    return;
  }
  throw Unavailable("there is no Vulkan device " + wanted + " among " + std::to_string(count));
}

}  // namespace slu::test

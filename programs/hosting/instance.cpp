#include "hosting/instance.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstring>

#include "hosting/failure.h"

namespace hosting {
namespace {

constexpr const char* kValidationLayer = "VK_LAYER_KHRONOS_validation";
constexpr uint32_t kMaxPrintedMessages = 20;

bool hasLayer(const char* name) {
  uint32_t count = 0;
  vkEnumerateInstanceLayerProperties(&count, nullptr);
  std::vector<VkLayerProperties> layers(count);
  vkEnumerateInstanceLayerProperties(&count, layers.data());
  return std::any_of(layers.begin(), layers.end(),
                     [&](const VkLayerProperties& layer) { return std::strcmp(layer.layerName, name) == 0; });
}

bool hasExtension(const char* layer, const char* name) {
  uint32_t count = 0;
  vkEnumerateInstanceExtensionProperties(layer, &count, nullptr);
  std::vector<VkExtensionProperties> extensions(count);
  vkEnumerateInstanceExtensionProperties(layer, &count, extensions.data());
  return std::any_of(extensions.begin(), extensions.end(), [&](const VkExtensionProperties& extension) {
    return std::strcmp(extension.extensionName, name) == 0;
  });
}

const char* typeName(VkPhysicalDeviceType type) {
  switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
      return "discrete GPU";
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
      return "integrated GPU";
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
      return "virtual GPU";
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
      return "CPU";
    default:
      return "other";
  }
}

int preference(VkPhysicalDeviceType type) {
  switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
      return 4;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
      return 3;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
      return 2;
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
      return 1;
    default:
      return 0;
  }
}

VkPhysicalDeviceProperties propertiesOf(VkPhysicalDevice device) {
  VkPhysicalDeviceProperties properties;
  vkGetPhysicalDeviceProperties(device, &properties);
  return properties;
}

std::string lowerCase(std::string text) {
  for (char& letter : text) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return text;
}

// Describes the messenger that gets the messages of the validation layer.
VkDebugUtilsMessengerCreateInfoEXT messengerInfo(PFN_vkDebugUtilsMessengerCallbackEXT onMessage, void* instance) {
  VkDebugUtilsMessengerCreateInfoEXT info{};
  info.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT;
  info.messageSeverity =
      VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
  info.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
  info.pfnUserCallback = onMessage;
  info.pUserData = instance;
  return info;
}

// Returns the version that the instance is created for.
uint32_t versionFor(uint32_t newestVersion) {
  if (volkInitialize() != VK_SUCCESS) failDevice("no Vulkan loader (package libvulkan1)");
  const uint32_t loaderVersion = volkGetInstanceVersion();
  if (loaderVersion < VK_API_VERSION_1_2) failDevice("the Vulkan loader is older than 1.2");
  return std::min(loaderVersion, newestVersion);
}

}  // namespace

std::vector<const char*> Instance::enableExtensions(const InstanceInfo& info) {
  std::vector<const char*> extensions = info.extensions;
  if (info.validation) {
    if (!hasLayer(kValidationLayer))
      failRuntime("--validation: the layer ", kValidationLayer, " is not installed (package vulkan-validationlayers)");
    extensions.push_back(VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME);
  }
  debugUtils_ = info.validation || (info.debugUtils && hasExtension(nullptr, VK_EXT_DEBUG_UTILS_EXTENSION_NAME));
  if (debugUtils_) extensions.push_back(VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
  return extensions;
}

Instance::Instance(const InstanceInfo& wanted) {
  VkApplicationInfo application{};
  application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
  application.pApplicationName = wanted.applicationName;
  application.apiVersion = versionFor(wanted.newestVersion);
  const std::vector<const char*> extensions = enableExtensions(wanted);

  // The messenger is chained too, so that messages of vkCreateInstance and vkDestroyInstance arrive.
  const VkDebugUtilsMessengerCreateInfoEXT messenger = messengerInfo(onMessage, this);
  const VkValidationFeatureEnableEXT enabled[] = {VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT};
  VkValidationFeaturesEXT features{};
  features.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT;
  features.pNext = &messenger;
  features.enabledValidationFeatureCount = 1;
  features.pEnabledValidationFeatures = enabled;

  VkInstanceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
  info.pNext = wanted.validation ? &features : nullptr;
  info.pApplicationInfo = &application;
  info.enabledLayerCount = wanted.validation ? 1 : 0;
  info.ppEnabledLayerNames = &kValidationLayer;
  info.enabledExtensionCount = static_cast<uint32_t>(extensions.size());
  info.ppEnabledExtensionNames = extensions.data();
  const VkResult result = vkCreateInstance(&info, nullptr, &instance_);
  if (result == VK_ERROR_INCOMPATIBLE_DRIVER) failDevice("no Vulkan device: no driver is installed");
  check(result, "vkCreateInstance");
  volkLoadInstanceOnly(instance_);
  if (wanted.validation && vkCreateDebugUtilsMessengerEXT(instance_, &messenger, nullptr, &messenger_) != VK_SUCCESS) {
    vkDestroyInstance(instance_, nullptr);
    failRuntime("--validation: the debug messenger could not be created");
  }
}

Instance::~Instance() {
  if (messenger_) vkDestroyDebugUtilsMessengerEXT(instance_, messenger_, nullptr);
  vkDestroyInstance(instance_, nullptr);
}

VkBool32 Instance::onMessage(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                             const VkDebugUtilsMessengerCallbackDataEXT* data, void* instance) {
  uint32_t& count = static_cast<Instance*>(instance)->messageCount_;
  if (count++ < kMaxPrintedMessages) std::fprintf(stderr, "validation: %s\n", data->pMessage);
  return VK_FALSE;
}

std::vector<VkPhysicalDevice> Instance::physicalDevices() const {
  uint32_t count = 0;
  const VkResult result = vkEnumeratePhysicalDevices(instance_, &count, nullptr);
  // Some loaders report a missing driver here, and not when the instance is created.
  if (result != VK_ERROR_INITIALIZATION_FAILED) check(result, "vkEnumeratePhysicalDevices");
  std::vector<VkPhysicalDevice> devices(count);
  if (count) check(vkEnumeratePhysicalDevices(instance_, &count, devices.data()), "vkEnumeratePhysicalDevices");
  return devices;
}

std::string describePhysicalDevices(const Instance& instance) {
  std::string text;
  uint32_t index = 0;
  for (VkPhysicalDevice device : instance.physicalDevices()) {
    const VkPhysicalDeviceProperties properties = propertiesOf(device);
    const VkPhysicalDeviceDriverProperties driver = driverOf(device);
    const uint32_t version = properties.apiVersion;
    text += sentence(index++, ": ", properties.deviceName, " (", typeName(properties.deviceType), ", Vulkan ",
                     VK_API_VERSION_MAJOR(version), '.', VK_API_VERSION_MINOR(version), ", ", driver.driverName, ' ',
                     driver.driverInfo, ")\n");
  }
  return text;
}

VkPhysicalDeviceDriverProperties driverOf(VkPhysicalDevice device) {
  VkPhysicalDeviceDriverProperties driver{};
  driver.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES;
  VkPhysicalDeviceProperties2 properties{};
  properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  if (propertiesOf(device).apiVersion >= VK_API_VERSION_1_2) properties.pNext = &driver;
  vkGetPhysicalDeviceProperties2(device, &properties);
  return driver;
}

VkPhysicalDevice choosePhysicalDevice(const Instance& instance, const char* option, const std::string& selection) {
  const std::vector<VkPhysicalDevice> devices = instance.physicalDevices();
  if (devices.empty()) failDevice("no Vulkan device (package mesa-vulkan-drivers has one for any processor)");
  if (selection.empty())
    return *std::max_element(devices.begin(), devices.end(), [](VkPhysicalDevice a, VkPhysicalDevice b) {
      return preference(propertiesOf(a).deviceType) < preference(propertiesOf(b).deviceType);
    });
  if (selection.size() < 4 && selection.find_first_not_of("0123456789") == std::string::npos) {
    const size_t index = std::stoul(selection);
    if (index < devices.size()) return devices[index];
  }
  for (VkPhysicalDevice device : devices)
    if (lowerCase(propertiesOf(device).deviceName).find(lowerCase(selection)) != std::string::npos) return device;
  std::string list = describePhysicalDevices(instance);
  list.pop_back();
  failInput(option, ": no Vulkan device '", selection, "'. There are:\n", list);
}

}  // namespace hosting

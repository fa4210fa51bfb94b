#include "vulkan/device.h"

#include <algorithm>
#include <cstring>

namespace demo {

Device::Device(const Instance& instance, VkPhysicalDevice physical, SluRoute route, VkSurfaceKHR surface,
               SluFlags flags)
    : hosting::Device(instance, physical, flags) {
  chooseQueueFamily(surface);
  // A window can change the route later.
  chooseFeatures(route, surface != VK_NULL_HANDLE);
  enableForDrawing();
  enableMeshShaders();
  if (surface) enablePresentation();
  create({&queueFamily_, 1});
  vkGetDeviceQueue(get(), queueFamily_, 0, &queue_);
  setName(VK_OBJECT_TYPE_DEVICE, get(), "sluice-demo");
  setName(VK_OBJECT_TYPE_QUEUE, queue_, "graphics and compute");
}

void Device::chooseQueueFamily(VkSurfaceKHR surface) {
  const std::vector<VkQueueFamilyProperties> families = queueFamiliesOf(physical());
  constexpr VkQueueFlags kNeeded = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
  bool draws = false;
  for (uint32_t family = 0; family < families.size(); ++family) {
    if ((families[family].queueFlags & kNeeded) != kNeeded) continue;
    draws = true;
    VkBool32 presents = VK_TRUE;
    if (surface)
      check(vkGetPhysicalDeviceSurfaceSupportKHR(physical(), family, surface, &presents),
            "vkGetPhysicalDeviceSurfaceSupportKHR");
    if (!presents) continue;
    queueFamily_ = family;
    timestampValidBits_ = families[family].timestampValidBits;
    return;
  }
  if (draws) failDevice("--window: device ", properties().deviceName, " cannot present to this display");
  failDevice("device ", properties().deviceName, " has no queue family with graphics and compute");
}

bool Device::hasExtension(const char* name) const {
  uint32_t count = 0;
  check(vkEnumerateDeviceExtensionProperties(physical(), nullptr, &count, nullptr),
        "vkEnumerateDeviceExtensionProperties");
  std::vector<VkExtensionProperties> extensions(count);
  check(vkEnumerateDeviceExtensionProperties(physical(), nullptr, &count, extensions.data()),
        "vkEnumerateDeviceExtensionProperties");
  return std::any_of(extensions.begin(), extensions.end(), [&](const VkExtensionProperties& extension) {
    return std::strcmp(extension.extensionName, name) == 0;
  });
}

void Device::enablePresentation() {
  if (!hasExtension(VK_KHR_SWAPCHAIN_EXTENSION_NAME))
    failDevice("--window: device ", properties().deviceName, " lacks ", VK_KHR_SWAPCHAIN_EXTENSION_NAME,
               ", so it presents to no window");
  addExtension(VK_KHR_SWAPCHAIN_EXTENSION_NAME);
}

// Enables what the library requires.
void Device::chooseFeatures(SluRoute route, bool forAllRoutes) {
  SluVulkanRequirements requirements;
  SluMessage message{};
  // A device that no GPU route can use still draws what the CPU route compacts; the context tells the reason.
  enable(route == SLU_ROUTE_AUTO ? SLU_ROUTE_AUTO : SLU_ROUTE_VULKAN, requirements, message);
  for (const SluRoute other : {SLU_ROUTE_CUDA, SLU_ROUTE_INLINE}) {
    if (!forAllRoutes && route != other) continue;
    if (enable(other, requirements, message)) continue;
    if (route == other) failDevice("--route ", sluGetRouteName(route), " is not available: ", message.text);
    refusals_[other] = message.text;
  }
}

// Enables what the demo's own draws need.
void Device::enableForDrawing() {
  VkPhysicalDeviceVulkan12Features has12{};
  has12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
  VkPhysicalDeviceFeatures2 has = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &has12, {}};
  vkGetPhysicalDeviceFeatures2(physical(), &has);
  if (!has12.bufferDeviceAddress || !has.features.drawIndirectFirstInstance)
    failDevice("device ", properties().deviceName, " lacks ",
               has12.bufferDeviceAddress ? "drawIndirectFirstInstance" : "bufferDeviceAddress",
               ", which the demo draws with");
  vulkan12_.bufferDeviceAddress = VK_TRUE;
  vulkan12_.drawIndirectCount = has12.drawIndirectCount;
  features_.features.drawIndirectFirstInstance = VK_TRUE;
  features_.features.multiDrawIndirect = has.features.multiDrawIndirect;
  features_.features.largePoints = has.features.largePoints;
}

void Device::enableMeshShaders() {
  if (!hasExtension(VK_EXT_MESH_SHADER_EXTENSION_NAME)) return;
  VkPhysicalDeviceMeshShaderFeaturesEXT has{};
  has.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT;
  VkPhysicalDeviceFeatures2 all = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &has, {}};
  vkGetPhysicalDeviceFeatures2(physical(), &all);
  if (!has.taskShader || !has.meshShader) return;
  meshLimits_.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_PROPERTIES_EXT;
  VkPhysicalDeviceProperties2 limits = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &meshLimits_, {}};
  vkGetPhysicalDeviceProperties2(physical(), &limits);
  meshLimits_.pNext = nullptr;
  meshFeatures_.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT;
  meshFeatures_.taskShader = VK_TRUE;
  meshFeatures_.meshShader = VK_TRUE;
  meshFeatures_.pNext = vulkan12_.pNext;
  vulkan12_.pNext = &meshFeatures_;
  addExtension(VK_EXT_MESH_SHADER_EXTENSION_NAME);
}

VkPipelineStageFlags Device::drawStages() const {
  constexpr VkPipelineStageFlags kMeshStages =
      VK_PIPELINE_STAGE_TASK_SHADER_BIT_EXT | VK_PIPELINE_STAGE_MESH_SHADER_BIT_EXT;
  return SLU_VULKAN_DRAW_STAGES | (meshShaders() ? kMeshStages : 0);
}

const char* Device::refusal(SluRoute route) const {
  const auto refused = refusals_.find(route);
  return refused == refusals_.end() ? "" : refused->second.c_str();
}

}  // namespace demo

// Creates the Vulkan device with one queue for graphics and compute, and with what Sluice requires.
#pragma once

#include <map>
#include <string>

#include "base/failure.h"
#include "hosting/device.h"

namespace demo {

class Device : public hosting::Device {
 public:
  // route: the device gets what this route requires. With a surface, whose window can change the route, it gets what
  // every route requires, if it has that. surface: the device must be able to present to it; NULL for none. flags:
  // SluVulkanDeviceFlagBits.
  Device(const Instance& instance, VkPhysicalDevice physical, SluRoute route, VkSurfaceKHR surface, SluFlags flags);

  VkQueue queue() const { return queue_; }
  uint32_t queueFamily() const { return queueFamily_; }
  SluVulkanDeviceInfo info() const { return hosting::Device::info(queueFamily_); }

  // Return which optional features were enabled.
  bool drawIndirectCount() const { return vulkan12_.drawIndirectCount; }
  bool multiDrawIndirect() const { return features_.features.multiDrawIndirect; }
  // Returns whether mesh shaders can be used, with task shaders before them; and their limits.
  bool meshShaders() const { return meshFeatures_.meshShader; }
  const VkPhysicalDeviceMeshShaderPropertiesEXT& meshLimits() const { return meshLimits_; }
  // Returns the stages at which the demo's draws read what a plan reads or writes.
  VkPipelineStageFlags drawStages() const;
  bool largePoints() const { return features_.features.largePoints; }
  uint32_t timestampValidBits() const { return timestampValidBits_; }

  // Returns why the device lacks what a route requires; empty if it has that or was not asked for it.
  const char* refusal(SluRoute route) const;

 private:
  void chooseQueueFamily(VkSurfaceKHR surface);
  void enablePresentation();
  void chooseFeatures(SluRoute route, bool forAllRoutes);
  void enableForDrawing();
  void enableMeshShaders();
  bool hasExtension(const char* name) const;

  VkQueue queue_ = VK_NULL_HANDLE;
  uint32_t queueFamily_ = 0;
  uint32_t timestampValidBits_ = 0;
  VkPhysicalDeviceMeshShaderFeaturesEXT meshFeatures_{};
  VkPhysicalDeviceMeshShaderPropertiesEXT meshLimits_{};
  std::map<SluRoute, std::string> refusals_;
};

}  // namespace demo

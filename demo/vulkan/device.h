// The Vulkan device with one queue for graphics and compute, created with what Sluice asks for.
#pragma once

#include <map>
#include <string>

#include "base/failure.h"
#include "hosting/device.h"

namespace demo {

class Device : public hosting::Device {
 public:
  // route: the one that the device is to run. The CUDA and inline routes need more of it than the others; without a
  // surface they are looked for only when they are wanted, or when auto may take them. surface: what the device is to
  // present to; NULL for nothing.
  Device(const Instance& instance, VkPhysicalDevice physical, SluRoute route, VkSurfaceKHR surface);

  VkQueue queue() const { return queue_; }
  uint32_t queueFamily() const { return queueFamily_; }
  SluVulkanDeviceInfo info() const { return hosting::Device::info(queueFamily_); }

  // Optional features that were enabled.
  bool drawIndirectCount() const { return vulkan12_.drawIndirectCount; }
  bool multiDrawIndirect() const { return features_.features.multiDrawIndirect; }
  bool largePoints() const { return features_.features.largePoints; }
  uint32_t timestampValidBits() const { return timestampValidBits_; }

  // Why it was created without what a route needs; empty when that was not looked for, or is there.
  const char* refusal(SluRoute route) const;

 private:
  void chooseQueueFamily(VkSurfaceKHR surface);
  void enablePresentation();
  void chooseFeatures(SluRoute route, bool forAllRoutes);
  void enableForDrawing();

  VkQueue queue_ = VK_NULL_HANDLE;
  uint32_t queueFamily_ = 0;
  uint32_t timestampValidBits_ = 0;
  std::map<SluRoute, std::string> refusals_;
};

}  // namespace demo

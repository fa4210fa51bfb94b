#include "vulkan/vulkan_route.h"

#include "vulkan/recorded_route.h"
#include "vulkan/requirements.h"
#include "vulkan/vulkan_plan.h"

namespace slu {

namespace {

class VulkanRoute final : public RecordedRoute {
 public:
  explicit VulkanRoute(const SluVulkanDeviceInfo& info) : RecordedRoute(info), pipelines_(device()) {}

  std::unique_ptr<RoutePlan> createPlan(const PlanLayout& layout) override {
    return makeVulkanPlan(device(), pipelines_, layout);
  }

 private:
  Pipelines pipelines_;
};

}  // namespace

std::unique_ptr<Route> makeVulkanRoute(const SluVulkanDeviceInfo& info) {
  require(info.getInstanceProcAddr != nullptr, "vulkanDevice.getInstanceProcAddr: is null");
  require(info.instance != VK_NULL_HANDLE, "vulkanDevice.instance: is null");
  require(info.physicalDevice != VK_NULL_HANDLE, "vulkanDevice.physicalDevice: is null");
  require(info.device != VK_NULL_HANDLE, "vulkanDevice.device: is null");
  require(info.deviceCreateInfo != nullptr, "vulkanDevice.deviceCreateInfo: is null");
  require(info.deviceCreateInfo->sType == VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
          "vulkanDevice.deviceCreateInfo: its sType is not VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO");
  const std::uint32_t size = info.emulatedSubgroupSize;
  require(size == 0 || (size >= 4 && size <= 128 && (size & (size - 1)) == 0), "vulkanDevice.emulatedSubgroupSize: is ",
          size, ", must be 0 or a power of two from 4 to 128");

  const InstanceFunctions functions(info.getInstanceProcAddr, info.instance);
  checkQueueFamily(functions, info);
  checkPhysicalDevice(functions, info.physicalDevice, size == 0);
  checkEnabledFeatures(*info.deviceCreateInfo);
  return std::make_unique<VulkanRoute>(info);
}

}  // namespace slu

#include "routes/vulkan/vulkan_route.h"

#include "routes/vulkan/vulkan_plan.h"
#include "routes/vulkan_host/recorded_route.h"
#include "routes/vulkan_host/requirements.h"

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
  const InstanceFunctions functions(info.getInstanceProcAddr, info.instance);
  checkQueueFamily(functions, info);
  checkPhysicalDevice(functions, info.physicalDevice, info.emulatedSubgroupSize == 0);
  checkEnabledFeatures(info);
  return std::make_unique<VulkanRoute>(info);
}

}  // namespace slu

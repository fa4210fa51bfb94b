#include "routes/inline/inline_route.h"

#include "routes/inline/inline_plan.h"
#include "routes/vulkan_host/recorded_route.h"
#include "routes/vulkan_pyramid/vulkan_pyramid.h"

namespace slu {
namespace {

class InlineRoute final : public RecordedRoute {
 public:
  explicit InlineRoute(const SluVulkanDeviceInfo& info) : RecordedRoute(info), inline_(device(), info) {}

  std::unique_ptr<RoutePlan> createPlan(const PlanLayout& layout) override {
    return makeInlinePlan(device(), inline_, layout);
  }

  // Shaders read depth images, which CUDA kernels cannot.
  std::unique_ptr<RoutePyramid> createPyramid(const PyramidLayout& layout, const void* chain) override {
    return makeVulkanPyramid(device(), layout, chain);
  }

 private:
  InlineDevice inline_;
};

}  // namespace

std::unique_ptr<Route> makeInlineRoute(const SluVulkanDeviceInfo& info) { return std::make_unique<InlineRoute>(info); }

}  // namespace slu

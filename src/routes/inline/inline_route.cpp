#include "routes/inline/inline_route.h"

#include "routes/inline/inline_plan.h"
#include "routes/vulkan_host/recorded_route.h"

namespace slu {
namespace {

class InlineRoute final : public RecordedRoute {
 public:
  explicit InlineRoute(const SluVulkanDeviceInfo& info) : RecordedRoute(info), inline_(device(), info) {}

  std::unique_ptr<RoutePlan> createPlan(const PlanLayout& layout) override {
    return makeInlinePlan(device(), inline_, layout);
  }

 private:
  InlineDevice inline_;
};

}  // namespace

std::unique_ptr<Route> makeInlineRoute(const SluVulkanDeviceInfo& info) { return std::make_unique<InlineRoute>(info); }

}  // namespace slu

#include "viewer/plan_keys.h"

#include <algorithm>
#include <cmath>

#include "base/failure.h"
#include "viewer/window.h"

namespace demo {
namespace {

constexpr double kCapacitySteps = 10.0;  // from nothing to what always suffices

std::string nextRoute(const RunFacts& facts, std::span<const SluRouteInfo> routes, Options& options) {
  const auto available = [](const SluRouteInfo& route) { return route.available != 0; };
  const auto current =
      std::find_if(routes.begin(), routes.end(), [&](const SluRouteInfo& route) { return route.route == facts.route; });
  auto next = std::find_if(current == routes.end() ? current : current + 1, routes.end(), available);
  if (next == routes.end()) next = std::find_if(routes.begin(), routes.end(), available);
  if (next == routes.end() || next->route == facts.route) return "no other route is available";
  options.route = next->route;
  return sentence("route ", sluGetRouteName(options.route));
}

std::string toggleTest(SluFlags test, const RunFacts& facts, PlanSwitches& plan) {
  if (!(facts.sceneTests & test)) return sentence("this scene has no test of ", testNames(test));
  plan.tests ^= test;
  return "tests " + testNames(plan.tests & facts.sceneTests);
}

std::string nextLodCount(const RunFacts& facts, PlanSwitches& plan) {
  if (facts.sceneLodCount < 2) return "this scene has no levels of detail";
  plan.lodCount = facts.lodCount > 1 ? facts.lodCount - 1 : facts.sceneLodCount;
  return sentence("levels of detail ", plan.lodCount);
}

std::string toggleOneMesh(const RunFacts& facts, PlanSwitches& plan) {
  if (facts.sceneMeshCount < 2) return "this scene has one mesh at most";
  plan.isOneMesh = !plan.isOneMesh;
  return plan.isOneMesh ? "one mesh for all" : "each its own mesh";
}

std::string changeCapacity(double steps, Options& options) {
  options.capacityScale =
      std::clamp((std::round(options.capacityScale * kCapacitySteps) + steps) / kCapacitySteps, 0.0, 1.0);
  return sentence("capacity ", std::lround(100.0 * options.capacityScale), " %");
}

}  // namespace

std::optional<std::string> pressPlanKey(int key, const RunFacts& facts, std::span<const SluRouteInfo> routes,
                                        Options& options) {
  switch (key) {
    case GLFW_KEY_T:
      return nextRoute(facts, routes, options);
    case GLFW_KEY_7:
    case GLFW_KEY_8:
    case GLFW_KEY_9:
      return toggleTest(kTestNames[key - GLFW_KEY_7].bit, facts, options.plan);
    case GLFW_KEY_L:
      return nextLodCount(facts, options.plan);
    case GLFW_KEY_B:
      return toggleOneMesh(facts, options.plan);
    case GLFW_KEY_PAGE_UP:
      return changeCapacity(1.0, options);
    case GLFW_KEY_PAGE_DOWN:
      return changeCapacity(-1.0, options);
    default:
      return std::nullopt;
  }
}

}  // namespace demo

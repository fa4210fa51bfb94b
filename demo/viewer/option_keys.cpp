#include "viewer/option_keys.h"

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

std::string togglePacked(const RunFacts& facts, PlanSwitches& plan) {
  if (facts.capacities.size() < 2) return "this plan has one bucket, so there is nothing to pack";
  plan.isPacked = !plan.isPacked;
  return sentence("buckets ", placementName(plan.isPacked));
}

std::string toggleGroups(const RunFacts& facts, PlanSwitches& plan) {
  if (facts.sceneGroupCount < 2) return "this scene draws all with one state of the pipeline";
  plan.hasGroups = !plan.hasGroups;
  return plan.hasGroups ? "draws by state of the pipeline" : "all draws in one call";
}

std::string toggleMeshTasks(const RunFacts& facts, PlanSwitches& plan) {
  if (!facts.meshShaderRefusal.empty()) return "no mesh shaders: " + facts.meshShaderRefusal;
  plan.drawsMeshTasks = !plan.drawsMeshTasks;
  return plan.drawsMeshTasks ? "mesh shaders draw" : "vertices are drawn";
}

std::string nextOcclusion(const RunFacts& facts, PlanSwitches& plan) {
  if (!facts.isSceneOpaque) return "no occlusion: what this scene draws is blended, so nothing hides it";
  plan.occlusion = kOcclusionModes[(static_cast<size_t>(plan.occlusion) + 1) % kOcclusionModes.size()];
  return sentence("occlusion ", occlusionName(plan.occlusion));
}

std::string nextPyramidLevel(const RunFacts& facts, std::optional<uint32_t>& level) {
  if (!facts.pyramidLevelCount) return "no depth pyramid: occlusion is off";
  level = level ? *level + 1 : 0;
  if (*level >= facts.pyramidLevelCount) level.reset();
  return level ? sentence("depth pyramid, level ", *level) : "depth pyramid hidden";
}

std::string toggleMatrices(const RunFacts& facts, Options& options) {
  if (!facts.hasTransforms) return "this scene's records have no transforms";
  options.hasMatrices = !options.hasMatrices;
  return options.hasMatrices ? "transforms are matrices" : "transforms are position, scale and rotation";
}

std::string changeCapacity(double steps, Options& options) {
  options.capacityScale =
      std::clamp((std::round(options.capacityScale * kCapacitySteps) + steps) / kCapacitySteps, 0.0, 1.0);
  return sentence("capacity ", std::lround(100.0 * options.capacityScale), " %");
}

// Handles the keys of the plan and of the route that runs it.
std::optional<std::string> pressPlanKey(int key, const RunFacts& facts, std::span<const SluRouteInfo> routes,
                                        Options& options) {
  switch (key) {
    case GLFW_KEY_T:
      return nextRoute(facts, routes, options);
    case GLFW_KEY_O:
      options.order = options.order == SLU_ORDER_STABLE ? SLU_ORDER_UNORDERED : SLU_ORDER_STABLE;
      return "";
    case GLFW_KEY_7:
    case GLFW_KEY_8:
    case GLFW_KEY_9:
      return toggleTest(kTestNames[key - GLFW_KEY_7].bit, facts, options.plan);
    case GLFW_KEY_0:
      return toggleTest(SLU_CULL_CONE_BIT, facts, options.plan);
    case GLFW_KEY_L:
      return nextLodCount(facts, options.plan);
    case GLFW_KEY_B:
      return toggleOneMesh(facts, options.plan);
    case GLFW_KEY_K:
      return togglePacked(facts, options.plan);
    case GLFW_KEY_J:
      return toggleGroups(facts, options.plan);
    case GLFW_KEY_N:
      return toggleMeshTasks(facts, options.plan);
    case GLFW_KEY_X:
      return nextOcclusion(facts, options.plan);
    case GLFW_KEY_PAGE_UP:
      return changeCapacity(1.0, options);
    case GLFW_KEY_PAGE_DOWN:
      return changeCapacity(-1.0, options);
    default:
      return std::nullopt;
  }
}

// Handles the keys of the scene and of what is shown of it.
std::optional<std::string> pressSceneKey(int key, const RunFacts& facts, Options& options) {
  switch (key) {
    case GLFW_KEY_1:
    case GLFW_KEY_2:
    case GLFW_KEY_3:
    case GLFW_KEY_4:
      chooseScene(options, kScenes[static_cast<size_t>(key - GLFW_KEY_1)], facts.isCpu);
      return "";
    case GLFW_KEY_EQUAL:
    case GLFW_KEY_KP_ADD:
      options.instanceCount = std::min(2 * options.instanceCount, kMaxInstances);
      return "";
    case GLFW_KEY_MINUS:
    case GLFW_KEY_KP_SUBTRACT:
      options.instanceCount = std::max(options.instanceCount / 2, 1u);
      return "";
    case GLFW_KEY_Y:
      if (options.scene != SceneKind::Asteroids) return "this scene has no clusters";
      toggleClusters(options, facts.isCpu);
      return options.hasClusters ? "asteroids in clusters" : "asteroids as whole meshes";
    case GLFW_KEY_M:
      return toggleMatrices(facts, options);
    case GLFW_KEY_G:
      options.ghosts = !options.ghosts;
      return options.ghosts ? "ghosts shown" : "ghosts hidden";
    case GLFW_KEY_I:
      options.inset = !options.inset;
      return options.inset ? "inset shown" : "inset hidden";
    case GLFW_KEY_U:
      return nextPyramidLevel(facts, options.pyramidLevel);
    case GLFW_KEY_H:
      options.overlay = !options.overlay;
      return "";
    case GLFW_KEY_V:
      options.vsync = !options.vsync;
      return "";
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<std::string> pressOptionKey(int key, const RunFacts& facts, std::span<const SluRouteInfo> routes,
                                          Options& options) {
  const std::optional<std::string> change = pressPlanKey(key, facts, routes, options);
  return change ? change : pressSceneKey(key, facts, options);
}

}  // namespace demo

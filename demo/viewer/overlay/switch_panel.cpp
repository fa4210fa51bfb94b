#include "viewer/overlay/switch_panel.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace demo {
namespace {

constexpr int kFewestInstances = 1000;
constexpr float kSliderShare = 0.62f;  // of the width; the rest is the label's
constexpr float kTooltipLetters = 40.0f;

void explain(const char* text) {
  if (!ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) return;
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(kTooltipLetters * ImGui::GetFontSize() / 2.0f);
  ImGui::TextUnformatted(text);
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

void chooseRoute(const RunFacts& facts, std::span<const SluRouteInfo> routes, Options& options) {
  for (const SluRouteInfo& route : routes) {
    if (&route != &routes.front()) ImGui::SameLine();
    ImGui::BeginDisabled(!route.available);
    if (ImGui::RadioButton(sluGetRouteName(route.route), route.route == facts.route) && route.route != facts.route)
      options.route = route.route;
    ImGui::EndDisabled();
    if (!route.available) explain(route.reason);
  }
}

void chooseSceneFrom(const RunFacts& facts, Options& options) {
  ImGui::SetNextItemWidth(kSliderShare * ImGui::GetContentRegionAvail().x);
  if (!ImGui::BeginCombo("scene", sceneName(options.scene))) return;
  for (const SceneKind kind : kScenes)
    if (ImGui::Selectable(sceneName(kind), kind == options.scene)) chooseScene(options, kind, facts.isCpu);
  ImGui::EndCombo();
}

void chooseTests(const RunFacts& facts, PlanSwitches& plan) {
  for (const TestName& test : kTestNames) {
    if (&test != kTestNames) ImGui::SameLine();
    ImGui::BeginDisabled(!(facts.sceneTests & test.bit));
    bool isOn = (plan.tests & facts.sceneTests & test.bit) != 0;
    if (ImGui::Checkbox(test.name, &isOn)) plan.tests ^= test.bit;
    ImGui::EndDisabled();
    explain(!facts.sceneTests ? "This scene is not culled: it drops what is dead"
            : facts.sceneTests & test.bit
                ? "The tests that drop records"
                : "This scene has no such test; clusters have cones, and whole meshes a size");
  }
}

void chooseOcclusion(const RunFacts& facts, Options& options) {
  ImGui::BeginDisabled(!facts.isSceneOpaque);
  for (const OcclusionMode mode : kOcclusionModes) {
    if (mode != OcclusionMode::Off) ImGui::SameLine();
    const std::string name = mode == OcclusionMode::Off ? "occlusion off" : occlusionName(mode);
    if (ImGui::RadioButton(name.c_str(), options.plan.occlusion == mode)) options.plan.occlusion = mode;
  }
  ImGui::EndDisabled();
  explain(
      facts.isSceneOpaque
          ? "Instances behind others are not drawn. two: no pixel changes. one: what comes into sight is missing for "
            "a frame"
          : "What this scene draws is blended, so nothing hides it");
  if (!facts.pyramidLevelCount) return;
  const int last = static_cast<int>(facts.pyramidLevelCount) - 1;
  int level = options.pyramidLevel ? std::min(static_cast<int>(*options.pyramidLevel), last) : -1;
  ImGui::SetNextItemWidth(kSliderShare * ImGui::GetContentRegionAvail().x);
  if (ImGui::SliderInt("pyramid", &level, -1, last, level < 0 ? "hidden" : "level %d"))
    options.pyramidLevel = level < 0 ? std::nullopt : std::optional(static_cast<uint32_t>(level));
}

}  // namespace

bool ReleasedSlider::show(const char* label, int& value, int least, int most, const char* format, int flags) {
  if (!isEditing_) edited_ = static_cast<float>(value);
  ImGui::SetNextItemWidth(kSliderShare * ImGui::GetContentRegionAvail().x);
  ImGui::SliderFloat(label, &edited_, static_cast<float>(least), static_cast<float>(most), format,
                     flags | ImGuiSliderFlags_AlwaysClamp);
  isEditing_ = ImGui::IsItemActive();
  if (!ImGui::IsItemDeactivatedAfterEdit()) return false;
  const int released = static_cast<int>(std::lround(edited_));
  return std::exchange(value, released) != released;
}

void SwitchPanel::show(const RunFacts& facts, std::span<const SluRouteInfo> routes, const char* presentMode,
                       Options& options, bool& isFrozen) {
  chooseSceneFrom(facts, options);
  chooseRoute(facts, routes, options);
  bool isStable = options.order == SLU_ORDER_STABLE;
  if (ImGui::Checkbox("stable order", &isStable)) options.order = isStable ? SLU_ORDER_STABLE : SLU_ORDER_UNORDERED;
  ImGui::SameLine();
  ImGui::Checkbox("freeze culling", &isFrozen);
  ImGui::Checkbox("ghosts", &options.ghosts);
  ImGui::SameLine();
  ImGui::Checkbox("from above", &options.inset);
  ImGui::Checkbox("vsync", &options.vsync);
  ImGui::SameLine();
  ImGui::TextDisabled("%s", presentMode);
  showPlan(facts, options);
}

void SwitchPanel::showPlan(const RunFacts& facts, Options& options) {
  chooseTests(facts, options.plan);
  chooseOcclusion(facts, options);
  if (facts.sceneLodCount > 1) {
    int lods = static_cast<int>(facts.lodCount);
    if (lods_.show("LODs", lods, 1, static_cast<int>(facts.sceneLodCount), "%.0f", ImGuiSliderFlags_None))
      options.plan.lodCount = static_cast<uint32_t>(lods);
  }
  if (facts.sceneMeshCount > 1) {
    ImGui::Checkbox("one mesh for all", &options.plan.isOneMesh);
    explain("Draws every instance as the first mesh, so that the buckets of all meshes become its own");
  }
  if (facts.capacities.size() > 1) {
    ImGui::Checkbox("packed", &options.plan.isPacked);
    explain("Buckets lie one behind the other, in room for what a view keeps, whatever its meshes are");
  }
  if (facts.sceneGroupCount > 1) {
    ImGui::SameLine();
    ImGui::Checkbox("groups", &options.plan.hasGroups);
    explain("Draws come by state of the pipeline, with a draw count for each");
  }
  if (facts.sceneMeshCount > 1) {
    const bool canDraw = facts.meshShaderRefusal.empty();
    bool isOn = canDraw && options.plan.drawsMeshTasks;
    ImGui::SameLine();
    ImGui::BeginDisabled(!canDraw);
    if (ImGui::Checkbox("mesh shaders", &isOn)) options.plan.drawsMeshTasks = isOn;
    ImGui::EndDisabled();
    explain(canDraw ? "Task and mesh shaders draw the meshlets of what is kept" : facts.meshShaderRefusal.c_str());
  }
  if (options.scene == SceneKind::Asteroids) {
    bool isOn = options.hasClusters;
    if (ImGui::Checkbox("clusters", &isOn)) toggleClusters(options, facts.isCpu);
    explain("The records are clusters of the instances' meshes, and those that face away are not drawn");
    ImGui::SameLine();
  }
  if (facts.hasTransforms) {
    ImGui::Checkbox("matrices", &options.hasMatrices);
    explain("The records hold 3x4 matrices instead of position, scale and rotation");
  }
  int percent = static_cast<int>(std::lround(100.0 * options.capacityScale));
  if (capacity_.show("capacity", percent, 0, 100, "%.0f %%", ImGuiSliderFlags_None))
    options.capacityScale = percent / 100.0;
  int instances = static_cast<int>(options.instanceCount);
  if (instances_.show("records", instances, kFewestInstances, static_cast<int>(kMaxInstances), "%.0f",
                      ImGuiSliderFlags_Logarithmic))
    options.instanceCount = static_cast<uint32_t>(instances);
}

void showRoutes(const RunFacts& facts, std::span<const SluRouteInfo> routes) {
  ImGui::PushTextWrapPos(0.0f);
  for (const SluRouteInfo& route : routes) {
    const char* name = sluGetRouteName(route.route);
    if (route.route == facts.route)
      ImGui::Text("%s: in use", name);
    else if (route.available)
      ImGui::Text("%s: available", name);
    else
      ImGui::TextDisabled("%s: %s", name, route.reason);
  }
  ImGui::PopTextWrapPos();
}

}  // namespace demo

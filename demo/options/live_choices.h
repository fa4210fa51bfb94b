// Groups the options that the viewer changes between two frames by what must be created again.
#pragma once

#include "options/options.h"

namespace demo {

// These recreate the scene, whose memory depends on the route.
struct SceneChoices {
  SceneKind scene;
  std::filesystem::path model;
  uint32_t instanceCount;
  bool hasMatrices, hasClusters;
  SluRoute route;
  bool operator==(const SceneChoices&) const = default;
};

// These recreate its compaction.
struct PlanChoices {
  SluOrder order;
  PlanSwitches plan;
  double capacityScale;
  bool operator==(const PlanChoices&) const = default;
};

struct LiveChoices {
  SceneChoices scene;
  PlanChoices plan;
  bool operator==(const LiveChoices&) const = default;
};

inline LiveChoices liveChoices(const Options& options) {
  return {
      {options.scene, options.model, options.instanceCount, options.hasMatrices, options.hasClusters, options.route},
      {options.order, options.plan, options.capacityScale}};
}

inline void restore(Options& options, const LiveChoices& choices) {
  options.scene = choices.scene.scene;
  options.model = choices.scene.model;
  options.instanceCount = choices.scene.instanceCount;
  options.hasMatrices = choices.scene.hasMatrices;
  options.hasClusters = choices.scene.hasClusters;
  options.route = choices.scene.route;
  options.order = choices.plan.order;
  options.plan = choices.plan.plan;
  options.capacityScale = choices.plan.capacityScale;
}

}  // namespace demo

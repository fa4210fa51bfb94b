#include "options/options.h"

namespace demo {
namespace {

// Returns whether the number of instances is the default.
bool hasDefaultCount(const Options& options, bool isCpu) {
  return options.instanceCount == defaultInstanceCount(options, isCpu);
}

}  // namespace

uint32_t defaultInstanceCount(const Options& options, bool isCpu) {
  const bool isClustered = options.scene == SceneKind::Asteroids && options.hasClusters;
  return isClustered ? defaultClusteredCount(isCpu) : defaultInstanceCount(options.scene, isCpu);
}

void chooseScene(Options& options, SceneKind scene, bool isCpu) {
  const bool wasDefault = hasDefaultCount(options, isCpu);
  options.scene = scene;
  if (wasDefault) options.instanceCount = defaultInstanceCount(options, isCpu);
}

void toggleClusters(Options& options, bool isCpu) {
  const bool wasDefault = hasDefaultCount(options, isCpu);
  options.hasClusters = !options.hasClusters;
  if (wasDefault) options.instanceCount = defaultInstanceCount(options, isCpu);
}

}  // namespace demo

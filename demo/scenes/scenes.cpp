#include "scenes/scenes.h"

namespace demo {

std::unique_ptr<Scene> createScene(const SceneInfo& info) {
  constexpr std::array<std::unique_ptr<Scene> (*)(const SceneInfo&), kScenes.size()> kCreators = {
      createAsteroids, createPoints, createPlanes, createCity};
  return kCreators[static_cast<size_t>(info.options.scene)](info);
}

uint32_t defaultInstanceCount(SceneKind scene, bool isCpu) {
  if (scene == SceneKind::Points) return isCpu ? 200000 : 4000000;
  if (scene == SceneKind::Planes) return isCpu ? 60000 : 1000000;
  return isCpu ? 20000 : 1000000;
}

void chooseScene(Options& options, SceneKind scene, bool isCpu) {
  if (options.instanceCount == defaultInstanceCount(options.scene, isCpu))
    options.instanceCount = defaultInstanceCount(scene, isCpu);
  options.scene = scene;
}

}  // namespace demo

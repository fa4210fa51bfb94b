#include "scenes.h"

namespace demo {

std::unique_ptr<Scene> createScene(const SceneInfo& info) {
  return info.options.scene == SceneKind::Points ? createPoints(info) : createAsteroids(info);
}

uint32_t defaultInstanceCount(SceneKind scene, bool isCpu) {
  if (scene == SceneKind::Points) return isCpu ? 200000 : 4000000;
  return isCpu ? 20000 : 1000000;
}

}  // namespace demo

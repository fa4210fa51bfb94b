#include "scenes/scenes.h"

namespace demo {

MeshInstancesInfo meshInstancesInfo(const SceneInfo& info, std::span<const MeshInstance> instances,
                                    uint32_t viewCount) {
  return {info.device, info.route, instances, viewCount, info.hasMatrices, info.drawCount, 0};
}

std::unique_ptr<Scene> createScene(SceneKind kind, const SceneInfo& info) {
  constexpr std::array<std::unique_ptr<Scene> (*)(const SceneInfo&), kScenes.size()> kCreators = {
      createAsteroids, createPoints, createPlanes, createCity};
  return kCreators[static_cast<size_t>(kind)](info);
}

}  // namespace demo

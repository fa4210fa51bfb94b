#include "options/replay.h"

namespace demo {

Camera cameraOf(const PathView& view, const Scene& scene) {
  const Camera lens = scene.camera(0.0f);
  return {view.eye, view.eye + view.direction, lens.fieldOfView, lens.nearDistance};
}

std::optional<FrozenCamera> frozenCamera(const PathFrame& frame, const Scene& scene, VkExtent2D extent) {
  if (!frame.culling || !scene.compaction().viewDependent) return std::nullopt;
  return freeze(scene, cameraOf(*frame.culling, scene), extent, frame.time);
}

Replay::Replay(const Scene& scene, const Options& options) : scene_(scene), options_(options) {
  if (options.frozenPlace)
    frozen_ = freeze(scene, scene.camera(*options.frozenPlace), {options.width, options.height},
                     timeOnPath(*options.frozenPlace));
}

FrameRequest Replay::request(uint32_t frame) {
  if (!options_.recordedPath) {
    const float place = placeOnPath(frame, options_.frameCount);
    return {scene_.camera(place), timeOnPath(place), frozen_ ? &*frozen_ : nullptr};
  }
  const PathFrame& recorded = options_.recordedPath->frames[frame];
  frozen_ = frozenCamera(recorded, scene_, {options_.width, options_.height});
  return {cameraOf(recorded.camera, scene_), recorded.time, frozen_ ? &*frozen_ : nullptr};
}

}  // namespace demo

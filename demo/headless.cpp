#include "headless.h"

#include "picture.h"

namespace demo {

float placeOnPath(uint32_t frame, uint32_t frameCount) {
  return frameCount > 1 ? static_cast<float>(frame) / static_cast<float>(frameCount - 1) : 0.5f;
}

float timeOnPath(float place) { return 100.0f + 16.0f * place; }

HeadlessPresenter::HeadlessPresenter(const Scene& scene, const Options& options)
    : scene_(scene), options_(options), progress_(options.frameCount, options.quiet) {
  if (options.frozenPlace)
    frozen_ = freeze(scene, scene.camera(*options.frozenPlace), {options.width, options.height},
                     timeOnPath(*options.frozenPlace));
}

std::optional<FrameRequest> HeadlessPresenter::begin(uint32_t frame, uint32_t) {
  if (frame == options_.frameCount) return std::nullopt;
  const float place = placeOnPath(frame, options_.frameCount);
  FrameRequest request = {scene_.camera(place), timeOnPath(place), frozen_ ? &*frozen_ : nullptr};
  request.showsGhosts = options_.ghosts;
  request.showsInset = options_.inset;
  request.pick = options_.pick;
  request.keepsPicture = !options_.out.empty();
  return request;
}

void HeadlessPresenter::retire(const FrameReport& report, const std::byte* picture) {
  if (picture) writePicture(picturePath(options_.out, report.index), options_.width, options_.height, picture);
  progress_.frameDone(report.statistics.keptCount);
  reports_.push_back(report);
}

}  // namespace demo

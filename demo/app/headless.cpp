#include "app/headless.h"

#include "render/picture.h"

namespace demo {

std::optional<FrameRequest> HeadlessPresenter::begin(uint32_t frame, uint32_t) {
  if (frame == options_.frameCount) return std::nullopt;
  FrameRequest request = replay_.request(frame);
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

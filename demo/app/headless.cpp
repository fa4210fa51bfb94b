#include "app/headless.h"

#include <cstring>

#include "base/failure.h"
#include "render/picture.h"

namespace demo {

// If pictures are compared, each frame of the path is rendered twice: the second time with what is hidden.
std::optional<FrameRequest> HeadlessPresenter::begin(uint32_t frame, uint32_t) {
  const uint32_t times = options_.compareOcclusion ? 2 : 1;
  if (frame / times == options_.frameCount) return std::nullopt;
  FrameRequest request = replay_.request(frame / times);
  request.occlusion = options_.plan.occlusion;
  request.drawsHidden = frame % times != 0;
  request.showsGhosts = options_.ghosts;
  request.showsInset = options_.inset;
  request.pyramidLevel = options_.pyramidLevel;
  request.pick = options_.pick;
  request.keepsPicture = !options_.out.empty() || options_.compareOcclusion;
  return request;
}

void HeadlessPresenter::retire(const FrameReport& report, const std::byte* picture) {
  if (options_.compareOcclusion && report.index % 2 == 1) return compare(report, picture);
  reports_.push_back(report);
  if (options_.compareOcclusion) {
    reports_.back().index /= 2;
    picture_.assign(picture, picture + size_t{4} * options_.width * options_.height);
  }
  const uint32_t index = reports_.back().index;
  if (!options_.out.empty()) writePicture(picturePath(options_.out, index), options_.width, options_.height, picture);
  progress_.frameDone(report.statistics.keptCount);
}

void HeadlessPresenter::compare(const FrameReport& report, const std::byte* picture) {
  std::vector<std::string>& differences = reports_.back().differences;
  differences.insert(differences.end(), report.differences.begin(), report.differences.end());
  uint32_t differing = 0;
  size_t first = 0;
  for (size_t pixel = picture_.size() / 4; pixel-- > 0;) {
    if (std::memcmp(&picture_[pixel * 4], picture + pixel * 4, 4) == 0) continue;
    first = pixel;
    ++differing;
  }
  if (differing)
    differences.push_back(sentence(differing, " pixel", differing == 1 ? "" : "s", " of ", picture_.size() / 4,
                                   differing == 1 ? " is" : " are", " another one without occlusion, the first at ",
                                   first % options_.width, ",", first / options_.width));
}

}  // namespace demo

#include "app/headless.h"

#include <cstring>

#include "base/failure.h"
#include "render/picture.h"

namespace demo {

// Without the test of distance nothing that can be seen is dropped. In two phases the draws have another order than whole
// meshes have.
std::vector<Repetition> repetitionsOf(const Options& options) {
  std::vector<Repetition> repetitions;
  if (options.compareOcclusion) repetitions.push_back(Repetition::WithHidden);
  if (options.compareClusters) repetitions.push_back(Repetition::WithoutCones);
  const bool dropsSeen = options.plan.tests & SLU_CULL_DISTANCE_BIT;
  if (options.compareClusters && !dropsSeen && options.plan.occlusion != OcclusionMode::Two)
    repetitions.push_back(Repetition::AsWhole);
  return repetitions;
}

// If pictures are compared, each frame of the path is rendered several times.
std::optional<FrameRequest> HeadlessPresenter::begin(uint32_t frame, uint32_t) {
  const auto times = static_cast<uint32_t>(1 + repetitions_.size());
  if (frame / times == options_.frameCount) return std::nullopt;
  FrameRequest request = replay_.request(frame / times);
  request.occlusion = options_.plan.occlusion;
  if (frame % times) request.repetition = repetitions_[frame % times - 1];
  request.showsGhosts = options_.ghosts;
  request.showsInset = options_.inset;
  request.pyramidLevel = options_.pyramidLevel;
  request.pick = options_.pick;
  request.keepsPicture = !options_.out.empty() || !repetitions_.empty();
  return request;
}

void HeadlessPresenter::retire(const FrameReport& report, const std::byte* picture) {
  const auto times = static_cast<uint32_t>(1 + repetitions_.size());
  if (report.index % times) return compare(report, repetitions_[report.index % times - 1], picture);
  reports_.push_back(report);
  if (!repetitions_.empty()) {
    reports_.back().index /= times;
    picture_.assign(picture, picture + size_t{4} * options_.width * options_.height);
  }
  const uint32_t index = reports_.back().index;
  if (!options_.out.empty()) writePicture(picturePath(options_.out, index), options_.width, options_.height, picture);
  progress_.frameDone(report.statistics.keptCount);
}

void HeadlessPresenter::compare(const FrameReport& report, Repetition repetition, const std::byte* picture) {
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
                                   differing == 1 ? " is" : " are", " another one ", repetitionName(repetition),
                                   ", the first at ", first % options_.width, ",", first / options_.width));
}

}  // namespace demo

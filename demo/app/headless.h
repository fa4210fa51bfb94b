// Renders frames along a camera path into pictures.
#pragma once

#include <vector>

#include "options/replay.h"
#include "report/progress.h"

namespace demo {

// Returns what each frame of the run is compared with.
std::vector<Repetition> repetitionsOf(const Options& options);

class HeadlessPresenter final : public Presenter {
 public:
  HeadlessPresenter(const Scene& scene, const Options& options)
      : options_(options),
        replay_(scene, options),
        progress_(options.frameCount, options.quiet),
        repetitions_(repetitionsOf(options)) {}

  std::optional<FrameRequest> begin(uint32_t frame, uint32_t slot) override;
  void retire(const FrameReport& report, const std::byte* picture) override;

  const std::vector<FrameReport>& reports() const { return reports_; }

 private:
  // Compares a picture with the one that it must repeat.
  void compare(const FrameReport& report, Repetition repetition, const std::byte* picture);

  const Options& options_;
  Replay replay_;
  Progress progress_;
  std::vector<FrameReport> reports_;
  const std::vector<Repetition> repetitions_;  // of each frame
  std::vector<std::byte> picture_;             // the last one that is to be repeated
};

}  // namespace demo

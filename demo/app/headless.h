// Renders frames along a camera path into pictures.
#pragma once

#include "options/replay.h"
#include "report/progress.h"

namespace demo {

class HeadlessPresenter final : public Presenter {
 public:
  HeadlessPresenter(const Scene& scene, const Options& options)
      : options_(options), replay_(scene, options), progress_(options.frameCount, options.quiet) {}

  std::optional<FrameRequest> begin(uint32_t frame, uint32_t slot) override;
  void retire(const FrameReport& report, const std::byte* picture) override;

  const std::vector<FrameReport>& reports() const { return reports_; }

 private:
  // Compares a picture without occlusion with the one before it.
  void compare(const FrameReport& report, const std::byte* picture);

  const Options& options_;
  Replay replay_;
  Progress progress_;
  std::vector<FrameReport> reports_;
  std::vector<std::byte> picture_;  // the last one with occlusion, if it is to be compared
};

}  // namespace demo

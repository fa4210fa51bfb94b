// Frames along the scene's camera path, into pictures.
#pragma once

#include "frozen_camera.h"
#include "options.h"
#include "presenter.h"
#include "progress.h"
#include "scene.h"

namespace demo {

// The place on the path of one of so many frames: both ends are frames; a single frame lies in the middle.
float placeOnPath(uint32_t frame, uint32_t frameCount);

// The time of the simulation at a place on the path, seconds.
float timeOnPath(float place);

class HeadlessPresenter final : public Presenter {
 public:
  HeadlessPresenter(const Scene& scene, const Options& options);

  std::optional<FrameRequest> begin(uint32_t frame, uint32_t slot) override;
  void retire(const FrameReport& report, const std::byte* picture) override;

  const std::vector<FrameReport>& reports() const { return reports_; }

 private:
  const Scene& scene_;
  const Options& options_;
  Progress progress_;
  std::optional<FrozenCamera> frozen_;
  std::vector<FrameReport> reports_;
};

}  // namespace demo

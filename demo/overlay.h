// What stands over the picture in the window: counts, times, switches, keys.
#pragma once

#include <deque>
#include <string>

#include "options.h"
#include "overlay_renderer.h"
#include "window.h"

namespace demo {

struct FrameSample {
  double seconds;            // when it came back
  double frameMicroseconds;  // since the one before
  FrameReport report;
};

// Shown as they are.
struct OverlayFacts {
  const char* device;
  const char* route;
  const char* routeReason;  // why better routes were not taken; may be empty
  const char* presentMode;
  const char* camera;
  float speed;
  const char* problem;                     // what could not be made of late; may be empty
  const std::optional<Pick>& picked;       // the last click's
  const char* shaderError;                 // of the compiler; may be empty
  const std::deque<FrameSample>& samples;  // of the last seconds
};

// Shown and changed.
struct OverlaySwitches {
  bool isStable, isFrozen, isVsync, showsGhosts, showsInset;
  uint32_t instanceCount;
  SceneKind scene;
};

class Overlay {
 public:
  Overlay(const Device& device, const Window& window);
  ~Overlay();
  Overlay(const Overlay&) = delete;
  Overlay& operator=(const Overlay&) = delete;

  // From the shaders as they are now. A target must be set again.
  void remakePipelines(const Device& device) { renderer_.emplace(device); }
  void setTarget(const Renderer& renderer) { renderer_->setTarget(renderer); }

  // Builds what the next record draws.
  void update(const OverlayFacts& facts, OverlaySwitches& switches);
  void record(VkCommandBuffer commands, uint32_t slot);

  // The mouse is on the overlay, or a key goes into it.
  bool takesMouse() const;
  bool takesKeys() const;

 private:
  int editedCount_ = 0;  // of the slider that is being moved
  bool isEditing_ = false;
  std::optional<OverlayRenderer> renderer_;  // made after the font, dropped before it

  // isLegend: the tests' names have the colours of their ghosts.
  void showCounts(const SluStatistics& statistics, bool isLegend) const;
  void showTimes(const OverlayFacts& facts) const;
  void showSwitches(const OverlayFacts& facts, OverlaySwitches& switches);
};

}  // namespace demo

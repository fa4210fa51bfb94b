// Shows counts, times, switches and keys over the picture in the window.
#pragma once

#include <deque>
#include <string>

#include "options/options.h"
#include "viewer/overlay/overlay_renderer.h"
#include "viewer/overlay/switch_panel.h"
#include "viewer/window.h"

namespace demo {

struct FrameSample {
  double seconds;            // when it came back
  double frameMicroseconds;  // since the one before
  FrameReport report;
};

// The overlay shows these as they are.
struct OverlayFacts {
  const char* device;
  const char* problem;  // what could not be made of late; may be empty
  const RunFacts& run;
  const std::vector<SluRouteInfo>& routes;
  const char* presentMode;
  const char* camera;
  float speed;
  const std::optional<Pick>& picked;       // the last click's
  const char* shaderError;                 // of the compiler; may be empty
  const std::deque<FrameSample>& samples;  // of the last seconds
};

// Says how large things are on the window's display.
struct OverlayScale {
  float font;   // pixels per unit of text
  float units;  // the overlay's units, which are the pointer's, per unit of text
  bool operator==(const OverlayScale&) const = default;
};
OverlayScale scaleOf(const Window& window);

class Overlay {
 public:
  Overlay(const Device& device, const Window& window);
  ~Overlay();
  Overlay(const Overlay&) = delete;
  Overlay& operator=(const Overlay&) = delete;

  // Creates the pipelines from the shaders as they are now. A target must be set again.
  void remakePipelines() { renderer_.emplace(device_); }
  // Sets the picture that is drawn over from now on, and fits the font to the window's scale. Nothing may be in flight.
  void setTarget(const Renderer& renderer);
  // Returns false when the window has moved to a display of another scale.
  bool fitsWindow() const { return scale_ == scaleOf(window_); }
  float pixelsPerUnit() const { return scale_.font; }

  // Builds what the next record draws. Changes the options and isFrozen when its switches are used.
  void update(const OverlayFacts& facts, Options& options, bool& isFrozen);
  void record(VkCommandBuffer commands, uint32_t slot);

  // Return whether the mouse is over the overlay, or a key is typed into it.
  bool takesMouse() const;
  bool takesKeys() const;

 private:
  void makeFont();
  void showMain(const OverlayFacts& facts, Options& options, bool& isFrozen);
  void showDetails(const OverlayFacts& facts) const;
  // If isLegend is true, the tests' names have the colours of their ghosts.
  void showCounts(const FrameReport& frame, bool isLegend) const;
  void showTimes(const OverlayFacts& facts) const;

  const Device& device_;
  const Window& window_;
  OverlayScale scale_;
  SwitchPanel switches_;
  std::optional<OverlayRenderer> renderer_;  // made after the font, dropped before it
};

}  // namespace demo

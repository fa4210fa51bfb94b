// Draws the part of the overlay with the switches.
#pragma once

#include <span>

#include "options/options.h"
#include "viewer/overlay/run_facts.h"

namespace demo {

// A slider that changes its value when it is let go, for values that take long to apply.
class ReleasedSlider {
 public:
  // flags are ImGuiSliderFlags. Returns whether value was changed.
  bool show(const char* label, int& value, int least, int most, const char* format, int flags);

 private:
  float edited_ = 0.0f;  // because Dear ImGui places whole numbers wrongly on logarithmic sliders
  bool isEditing_ = false;
};

class SwitchPanel {
 public:
  void show(const RunFacts& facts, std::span<const SluRouteInfo> routes, const char* presentMode, Options& options,
            bool& isFrozen);

 private:
  void showPlan(const RunFacts& facts, Options& options);

  ReleasedSlider lods_, capacity_, instances_;
};

// Draws a line per route: in use, available, or the reason why not.
void showRoutes(const RunFacts& facts, std::span<const SluRouteInfo> routes);

}  // namespace demo

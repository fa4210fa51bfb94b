// The part of the overlay with the switches.
#pragma once

#include <span>

#include "options/options.h"
#include "viewer/overlay/run_facts.h"

namespace demo {

// A slider whose value counts when it is let go, for what takes long to make.
class ReleasedSlider {
 public:
  // flags: ImGuiSliderFlags. True: value was changed.
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

// A line per route: in use, available, or why not.
void showRoutes(const RunFacts& facts, std::span<const SluRouteInfo> routes);

}  // namespace demo

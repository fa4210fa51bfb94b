// How every trial of a run is made.
#pragma once

#include <cstdint>

namespace bench {

// How CUDA frames are launched.
enum class Mode {
  Graph,   // many frames in one CUDA graph, as an engine that replays its frame; single ones of who cannot be captured
  Stream,  // single frames, launched one by one
};

struct TrialSettings {
  Mode mode = Mode::Graph;
  bool cold = false;     // CUDA alone
  bool isSuite = false;  // arenas without a GPU leave out what takes them long
  uint32_t seed = 1;
  uint32_t repetitionCount = 15;
  double warmUpSeconds = 0.2;
};

}  // namespace bench

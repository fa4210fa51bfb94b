// Says how a run measures. The command line sets this, and the reports repeat it.
#pragma once

#include <cstdint>

namespace bench {

// Says how CUDA frames are launched.
enum class Mode {
  Graph,   // many frames in one CUDA graph, as an engine replays its frame; single launches if they cannot be captured
  Stream,  // single frames, launched one by one
};
const char* name(Mode mode);

struct TrialSettings {
  Mode mode = Mode::Graph;
  bool cold = false;        // inputs that are in no cache; CUDA only
  bool statistics = false;  // Sluice writes its statistics, too
  bool quick = false;       // few samples after a short warm-up
  bool isSuite = false;     // arenas without a GPU leave out the large workloads of a suite
  uint32_t seed = 1;
  uint32_t repetitionCount = 15;
  double warmUpSeconds = 0.2;
};

}  // namespace bench

// What takes part in the CUDA arena. A new competitor is a file of competitors/ and a line of competitors/all.cpp.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arena/contestant.h"
#include "workload/frame.h"

namespace bench {

// A competitor that is ready to run one workload: it holds all memory that frames need besides the sets.
class PreparedCompetitor : public FrameOutcome {
 public:
  // One frame: everything from the input to a complete draw, the reset of counters included. Is captured where that is
  // possible.
  virtual void enqueue(cudaStream_t stream, size_t set) = 0;

  // Whether enqueue leaves the host free; who waits in it is launched frame by frame in every mode.
  virtual bool isCapturable() const { return true; }

  // The frame's parts in order, by name; empty when it is one. enqueue runs all of them.
  virtual std::vector<std::string> phases() const { return {}; }
  virtual void enqueuePhase(cudaStream_t stream, size_t set, size_t phase) {
    static_cast<void>(phase);
    enqueue(stream, set);
  }

  // Makes what the latest frame left besides the set's output unusable as the next frame's result.
  virtual void poison(cudaStream_t stream) = 0;
};

class Competitor : public Contestant {
 public:
  // buffers outlive the result.
  virtual std::unique_ptr<PreparedCompetitor> prepare(const Workload& workload, const FrameBuffers& buffers) const = 0;
};

}  // namespace bench

// Says what a competitor of the CUDA arena implements. A new one is a file in competitors/ and a line in
// competitors/all.cpp.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arena/contestant.h"
#include "workload/frame.h"

namespace bench {

// A competitor that is ready to run one workload. It holds all memory that frames need, except the sets.
class PreparedCompetitor : public FrameOutcome {
 public:
  // Enqueues one frame: everything from the input to a complete draw, with the reset of counters. It is captured into a
  // graph if isCapturable().
  virtual void enqueue(cudaStream_t stream, size_t set) = 0;

  // False when enqueue() waits for the GPU: such frames are launched one by one in every mode.
  virtual bool isCapturable() const { return true; }

  // The names of the frame's parts, in order; empty when it has one part. enqueue() runs all of them.
  virtual std::vector<std::string> phases() const { return {}; }
  virtual void enqueuePhase(cudaStream_t stream, size_t set, size_t phase) {
    static_cast<void>(phase);
    enqueue(stream, set);
  }

  // Overwrites what the latest frame wrote outside the set's output, so that it cannot pass for the next frame's
  // result.
  virtual void poison(cudaStream_t stream) = 0;
};

class Competitor : public Contestant {
 public:
  // buffers outlive the result.
  virtual std::unique_ptr<PreparedCompetitor> prepare(const Workload& workload, const FrameBuffers& buffers) const = 0;
};

}  // namespace bench

// The measuring loop: a competitor's frames as one unit that is launched and timed by CUDA events.
//
// Benchmark libraries do not fit: they time a host function, which they call as often as they like. Here the GPU's time
// counts, frames are captured into graphs and take turns among buffers, and competitors alternate sample by sample, so
// that clocks and temperature are the same for all.
#pragma once

#include "arena/trial_settings.h"
#include "cuda/competitor.h"
#include "cuda/cuda_objects.h"

namespace bench {

class TimedFrames {
 public:
  // competitor and stream outlive this. The unit's frames run over the sets in turn.
  TimedFrames(PreparedCompetitor& competitor, cudaStream_t stream, Mode mode, uint32_t setCount);

  // Enqueues one unit.
  void launch();

  // Times one unit; microseconds per frame.
  double sample();

  uint32_t frameCount() const { return frameCount_; }  // per unit
  uint32_t setCount() const { return setCount_; }
  uint32_t latestSet() const { return latestSet_; }  // of the frame that was enqueued last

 private:
  double pilot();
  unsigned submissionMicroseconds();
  void enqueue();
  void capture();

  PreparedCompetitor& competitor_;
  cudaStream_t stream_;
  const uint32_t setCount_;
  unsigned holdMicroseconds_;  // before each sample
  uint32_t frameCount_ = 1;
  uint32_t nextSet_ = 0;
  uint32_t latestSet_ = 0;
  Event start_;
  Event end_;
  CudaGraphExec graph_;  // empty in stream mode
};

}  // namespace bench

#include "cuda/timed_frames.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "arena/summary.h"
#include "cuda/hold_stream.h"

namespace bench {
namespace {

// Longer than it takes the host to submit a frame.
constexpr unsigned kLeastHoldMicroseconds = 100;

// A graph should take this long: much longer than events and the start of a graph, and short enough for many samples.
constexpr double kGraphMicroseconds = 2000.0;
constexpr double kMaxGraphFrames = 1000.0;

}  // namespace

TimedFrames::TimedFrames(PreparedCompetitor& competitor, cudaStream_t stream, Mode mode, uint32_t setCount)
    : competitor_(competitor), stream_(stream), setCount_(setCount), holdMicroseconds_(kLeastHoldMicroseconds) {
  if (mode == Mode::Stream || !competitor.isCapturable()) return;
  const double frames = std::min(std::ceil(kGraphMicroseconds / std::max(pilot(), 1.0)), kMaxGraphFrames);
  const auto rounds = static_cast<uint32_t>(std::ceil(frames / setCount));
  frameCount_ = rounds * setCount;  // so that a set's turns are equally far apart, from graph to graph, too
  capture();
  holdMicroseconds_ = std::max(kLeastHoldMicroseconds, 2 * submissionMicroseconds());
}

void TimedFrames::launch() {
  if (graph_ == nullptr) return enqueue();
  check(cudaGraphLaunch(graph_, stream_), "cudaGraphLaunch");
  latestSet_ = (frameCount_ - 1) % setCount_;
}

double TimedFrames::sample() {
  holdStream(stream_, holdMicroseconds_);
  check(cudaEventRecord(start_, stream_), "cudaEventRecord");
  launch();
  check(cudaEventRecord(end_, stream_), "cudaEventRecord");
  check(cudaEventSynchronize(end_), "cudaEventSynchronize");
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, start_, end_), "cudaEventElapsedTime");
  return double{milliseconds} * 1000.0 / frameCount_;
}

// A single frame's time, roughly.
double TimedFrames::pilot() {
  constexpr int kSamples = 5;
  std::vector<double> samples;
  for (int i = 0; i < kSamples; ++i) samples.push_back(sample());
  return percentile(samples, 0.5);
}

// Returns how long the host takes to submit a unit that it has submitted before.
unsigned TimedFrames::submissionMicroseconds() {
  using Clock = std::chrono::steady_clock;
  launch();
  check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
  const Clock::time_point start = Clock::now();
  launch();
  const auto elapsed = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - start);
  check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
  return static_cast<unsigned>(elapsed.count());
}

void TimedFrames::enqueue() {
  latestSet_ = nextSet_;
  nextSet_ = (nextSet_ + 1) % setCount_;
  competitor_.enqueue(stream_, latestSet_);
}

void TimedFrames::capture() {
  nextSet_ = 0;
  check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
  for (uint32_t frame = 0; frame < frameCount_; ++frame) enqueue();
  CudaGraph graph;
  check(cudaStreamEndCapture(stream_, graph.put()), "cudaStreamEndCapture");
  check(cudaGraphInstantiate(graph_.put(), graph, 0), "cudaGraphInstantiate");
  check(cudaGraphUpload(graph_, stream_), "cudaGraphUpload");
}

}  // namespace bench

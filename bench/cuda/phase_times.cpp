#include "cuda/phase_times.h"

#include "cuda/cuda_objects.h"
#include "cuda/hold_stream.h"

namespace bench {
namespace {

constexpr uint32_t kFrames = 51;
constexpr unsigned kHoldMicroseconds = 200;  // longer than it takes the host to submit a frame

}  // namespace

std::vector<PhaseResult> timePhases(PreparedCompetitor& competitor, cudaStream_t stream, uint32_t setCount) {
  const std::vector<std::string> names = competitor.phases();
  if (names.empty()) return {};
  const std::vector<Event> events(names.size() + 1);
  std::vector<std::vector<double>> samples(names.size());
  for (uint32_t frame = 0; frame < kFrames; ++frame) {
    holdStream(stream, kHoldMicroseconds);
    check(cudaEventRecord(events[0], stream), "cudaEventRecord");
    for (size_t phase = 0; phase < names.size(); ++phase) {
      competitor.enqueuePhase(stream, frame % setCount, phase);
      check(cudaEventRecord(events[phase + 1], stream), "cudaEventRecord");
    }
    check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
    for (size_t phase = 0; phase < names.size(); ++phase) {
      float milliseconds = 0;
      check(cudaEventElapsedTime(&milliseconds, events[phase], events[phase + 1]), "cudaEventElapsedTime");
      samples[phase].push_back(double{milliseconds} * 1000.0);
    }
  }
  std::vector<PhaseResult> results;
  for (size_t phase = 0; phase < names.size(); ++phase)
    results.push_back({names[phase], summarize(samples[phase]).median});
  return results;
}

}  // namespace bench

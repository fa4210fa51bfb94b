#include "host_cost.h"

#include <chrono>

#include "workload_buffers.h"

namespace bench {

HostCost measureHostCost(const Competitor& competitor, cudaStream_t stream) {
  // Far fewer calls in a row than a stream queues, so that no call waits for the GPU.
  constexpr uint32_t kCallsInARow = 200;
  constexpr uint32_t kRows = 50;
  using Clock = std::chrono::steady_clock;

  Workload workload;
  workload.recordCount = 1u << 10;
  const WorkloadBuffers buffers(stream, workload, 1, 1);
  const auto frames = competitor.prepare(workload, buffers.frames());
  Clock::duration elapsed{};
  for (uint32_t row = 0; row <= kRows; ++row) {
    const Clock::time_point start = Clock::now();
    for (uint32_t i = 0; i < kCallsInARow; ++i) frames->enqueue(stream, 0);
    if (row != 0) elapsed += Clock::now() - start;  // the first warms up
    check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  }
  constexpr uint32_t kCalls = kCallsInARow * kRows;
  return {kCalls, std::chrono::duration<double, std::micro>(elapsed).count() / kCalls};
}

}  // namespace bench

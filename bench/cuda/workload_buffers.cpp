#include "cuda/workload_buffers.h"

#include <numeric>

#include "cuda/input.h"

namespace bench {
namespace {

constexpr uint64_t kColdFactor = 4;

// Returns how many bytes a set reads and writes at least: those of a copy.
uint64_t setBytes(const Workload& workload) { return 2 * workload.inputBytes(); }

}  // namespace

WorkloadBuffers::WorkloadBuffers(cudaStream_t stream, const Workload& workload, uint32_t seed, uint32_t setCount)
    : workload_(workload) {
  // Copies may move 16 bytes at a time, see literature/copy_loops.cu.
  const uint64_t inputBytes = (workload.inputBytes() + 15) / 16 * 16;
  for (uint32_t set = 0; set < setCount; ++set) {
    recipes_.push_back(makeRecipe(workload, seed + set));
    inputs_.emplace_back(inputBytes);
    fillInput(stream, workload, recipes_.back(), inputs_.back().as<uint32_t>());
    keptCounts_.push_back(countKept(stream, workload, inputs_.back().as<uint32_t>()));
  }
  frames_.bucketCapacity = bucketCapacityFor(workload, keptCounts_);
  for (uint32_t set = 0; set < setCount; ++set) {
    outputs_.emplace_back(outputBytesFor(workload, frames_.bucketCapacity));
    frames_.sets.push_back({inputs_[set].get(), outputs_[set].get()});
  }
}

uint64_t WorkloadBuffers::keptCount(size_t set) const {
  return std::accumulate(keptCounts_[set].begin(), keptCounts_[set].end(), uint64_t{0});
}

void WorkloadBuffers::poison(cudaStream_t stream) const {
  for (const DeviceMemory& output : outputs_) poisonOutput(stream, output.get(), output.bytes());
}

CheckedOutput WorkloadBuffers::checked(size_t set) const {
  return {&workload_,        &recipes_[set],         &keptCounts_[set],
          frames_.sets[set], frames_.bucketCapacity, outputs_[set].bytes()};
}

uint32_t coldSetCount(const Workload& workload, uint64_t cacheBytes) {
  return static_cast<uint32_t>(kColdFactor * cacheBytes / setBytes(workload) + 1);
}

uint64_t buffersBytes(const Workload& workload, uint32_t setCount) {
  constexpr uint64_t kPerSet = 1u << 16;  // alignment and canaries
  return setCount * (workload.inputBytes() + workload.mostOutputBytes() + kPerSet);
}

}  // namespace bench

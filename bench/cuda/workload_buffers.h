// The inputs of a workload and room for the outputs, in device memory.
#pragma once

#include <vector>

#include "cuda/competitor.h"
#include "cuda/cuda_objects.h"
#include "cuda/output_check.h"
#include "workload/input_recipe.h"

namespace bench {

class WorkloadBuffers {
 public:
  // setCount inputs of different content.
  WorkloadBuffers(cudaStream_t stream, const Workload& workload, uint32_t seed, uint32_t setCount);

  const FrameBuffers& frames() const { return frames_; }
  uint32_t setCount() const { return static_cast<uint32_t>(frames_.sets.size()); }
  // Per view and bucket.
  const std::vector<uint32_t>& keptCounts(size_t set) const { return keptCounts_[set]; }
  uint64_t keptCount(size_t set) const;

  void poison(cudaStream_t stream) const;
  CheckedOutput checked(size_t set) const;

 private:
  const Workload workload_;
  std::vector<InputRecipe> recipes_;
  std::vector<DeviceMemory> inputs_;
  std::vector<DeviceMemory> outputs_;
  std::vector<std::vector<uint32_t>> keptCounts_;
  FrameBuffers frames_;
};

// Returns how many sets are needed so that none is in the L2 cache when its turn comes. Together they have over four
// times the size of the cache. Returns 1 if a single set is that large.
uint32_t coldSetCount(const Workload& workload, uint64_t cacheBytes);

// An upper bound of the device memory that setCount sets take.
uint64_t buffersBytes(const Workload& workload, uint32_t setCount);

}  // namespace bench

// Filtering by atomics, and by warp-aggregated ones: A. Adinets, "CUDA Pro Tip: Optimized Filtering with
// Warp-Aggregated Atomics", NVIDIA developer blog, 2014, revised in 2017 for cooperative groups and __match_any_sync. A
// thread per record; survivors come in any order. The total is 0 when a kernel begins, and is their number when it
// ends.
#pragma once

#include <cooperative_groups.h>

#include "source.cuh"

namespace bench::literature {

constexpr uint32_t kAppendThreads = 256;

// Ways to take the next place of a counter. Every lane of the warp calls; one that is not kept gets any number. Where
// kTakesCounterPerLane holds, lanes may bring different counters, as those of buckets are.

// One atomic per survivor. The compiler would aggregate atomics on an address that it knows to be the same for the
// whole warp, so laneStep, which is 0, hides that.
struct SingleAtomics {
  static constexpr bool kTakesCounterPerLane = true;
  template <typename Counter>
  __device__ static uint32_t place(Counter counter, bool isKept, uint32_t laneStep) {
    return isKept ? atomicAdd(counter + laneOfWarp() * laneStep, 1u) : 0;
  }
};

// One atomic per warp, by the leader of the group of threads that took the branch.
struct GroupAtomics {
  static constexpr bool kTakesCounterPerLane = false;
  template <typename Counter>
  __device__ static uint32_t place(Counter counter, bool isKept, uint32_t) {
    if (!isKept) return 0;
    const auto group = cooperative_groups::coalesced_threads();
    uint32_t first = 0;
    if (group.thread_rank() == 0) first = atomicAdd(counter, static_cast<uint32_t>(group.size()));
    return group.shfl(first, 0) + static_cast<uint32_t>(group.thread_rank());
  }
};

// One atomic per warp, by the lowest lane of a vote.
struct BallotAtomics {
  static constexpr bool kTakesCounterPerLane = false;
  template <typename Counter>
  __device__ static uint32_t place(Counter counter, bool isKept, uint32_t) {
    const uint32_t kept = __ballot_sync(kAllLanes, isKept);
    if (kept == 0) return 0;
    uint32_t first = 0;
    if (laneOfWarp() == static_cast<uint32_t>(lowestLane(kept))) first = atomicAdd(counter, countLanes(kept));
    return __shfl_sync(kAllLanes, first, lowestLane(kept)) + countLower(kept);
  }
};

// One atomic per warp and counter.
struct MatchAtomics {
  static constexpr bool kTakesCounterPerLane = true;
  __device__ static uint32_t place(uint32_t* counter, bool isKept, uint32_t) {
    if (!isKept) return 0;
    const uint32_t peers = __match_any_sync(__activemask(), reinterpret_cast<unsigned long long>(counter));
    uint32_t first = 0;
    if (laneOfWarp() == static_cast<uint32_t>(lowestLane(peers))) first = atomicAdd(counter, countLanes(peers));
    return __shfl_sync(peers, first, lowestLane(peers)) + countLower(peers);
  }
};

template <typename Atomics, typename Source>
__global__ void __launch_bounds__(kAppendThreads)
    append(Source source, typename Source::Element* output, uint32_t* total, uint32_t laneStep) {
  const uint32_t i = threadOfGrid();
  const uint32_t key = i < source.count ? source.key(i) : 0;
  const uint32_t place = Atomics::place(total, key != 0, laneStep);
  if (key != 0) output[place] = source.element(i, key);
}

// The block counts in shared memory, and adds to the total once.
template <typename Atomics, typename Source>
__global__ void __launch_bounds__(kAppendThreads)
    appendByBlock(Source source, typename Source::Element* output, uint32_t* total, uint32_t laneStep) {
  SLU_SHARED(uint32_t, count);
  SLU_SHARED(uint32_t, first);
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  const uint32_t i = threadOfGrid();
  const uint32_t key = i < source.count ? source.key(i) : 0;
  const uint32_t place = Atomics::place(&count, key != 0, laneStep);
  __syncthreads();
  if (threadIdx.x == 0) first = atomicAdd(total, count);
  __syncthreads();
  if (key != 0) output[first + place] = source.element(i, key);
}

// Into several buckets with a counter each, as NVIDIA's CUDA sample warpAggregatedAtomicsCG fills them. The counters are
// those of the draws, which are 0 when the kernel begins. There are at least as many threads as buckets.
template <typename Atomics, typename Source>
__global__ void __launch_bounds__(kAppendThreads)
    appendToBuckets(Source source, Buckets buckets, typename Source::Element* output, DrawCommand* draws) {
  static_assert(Atomics::kTakesCounterPerLane);
  const uint32_t i = threadOfGrid();
  if (i < buckets.count) {
    draws[i].vertexCount = kDrawVertexCount;
    draws[i].firstInstance = i * buckets.capacity;
  }
  const uint32_t key = i < source.count ? source.key(i) : 0;
  const uint32_t bucket = key != 0 ? buckets.of(i) : 0;
  const uint32_t place = Atomics::place(&draws[bucket].instanceCount, key != 0, 0);
  if (key != 0) output[uint64_t{bucket} * buckets.capacity + place] = source.element(i, key);
}

}  // namespace bench::literature

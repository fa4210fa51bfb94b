// Compiled by nvcc for the GPU, and by the host's compiler for the CPU executor of tests/simt.
#ifdef __CUDACC__
#define SLU_SHARED_ARRAY(Type, name, count) __shared__ Type name[count]
#define SLU_UNROLL _Pragma("unroll")
#else
#include "simt/cuda_on_cpu.h"
#define SLU_UNROLL
#endif

#include <cooperative_groups.h>

#include <sluice/device.cuh>

#include "compose.h"
#include "kernels.h"

namespace slu::test {
namespace {

namespace cg = cooperative_groups;
using Wide = unsigned long long;

__device__ __forceinline__ unsigned threadOfGrid() {
  return blockIdx.x * (blockDim.x * blockDim.y * blockDim.z) + device::threadOfBlock();
}

__global__ void incrementBranches(const unsigned* actions, unsigned* counters, unsigned* places) {
  const unsigned i = threadOfGrid();
  const unsigned action = actions[i];
  unsigned* own = places + i * kMaxCalls;
  if (action == 0) return;
  if (action == 1) {
    own[0] = device::increment(counters);
  } else if (action == 2) {
    own[0] = device::increment(counters + 1);
  } else if (action < 3 + kMaxCalls) {
    for (unsigned k = 3; k <= action; ++k) {
      own[k - 3] = device::incrementInGroup(cg::coalesced_threads(), counters + 2);
    }
  } else {
    for (unsigned k = 3 + kMaxCalls; k <= action; ++k) own[k - 3 - kMaxCalls] = device::increment(counters + 3);
  }
}

template <typename T>
__global__ void incrementMasked(const unsigned* masks, T* counter, T* places) {
  const unsigned i = threadOfGrid();
  if (masks[i] != 0) places[i] = device::increment(counter, masks[i]);
}

__global__ void incrementTilesOf8(Wide* counter, Wide* places) {
  places[threadOfGrid()] = device::incrementInGroup(cg::tiled_partition<8>(cg::this_thread_block()), counter);
}

__global__ void incrementByKey(const unsigned* masks, const int* keys, Wide* counters, Wide* places) {
  const unsigned i = threadOfGrid();
  if (masks[i] != 0) places[i] = device::incrementByKey(counters, keys[i], masks[i]);
}

__global__ void incrementSharedByKey(const unsigned* keys, unsigned* bins, unsigned* places) {
  SLU_SHARED_ARRAY(unsigned, counts, kSharedBins);
  const unsigned i = threadOfGrid();
  const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
  for (unsigned bin = device::threadOfBlock(); bin < kSharedBins; bin += threads) counts[bin] = 0;
  __syncthreads();
  if (keys[i] < kSharedBins) places[i] = device::incrementByKey(counts, keys[i]);
  __syncthreads();
  for (unsigned bin = device::threadOfBlock(); bin < kSharedBins; bin += threads) {
    bins[blockIdx.x * kSharedBins + bin] = counts[bin];
  }
}

template <typename T>
__global__ void addMasked(const unsigned* masks, const T* values, T* counter, T* places) {
  const unsigned i = threadOfGrid();
  if (masks[i] != 0) places[i] = device::add(counter, values[i], masks[i]);
}

template <typename T>
__global__ void addBranches(const unsigned* masks, const T* values, T* counter, T* places) {
  const unsigned i = threadOfGrid();
  if (masks[i] == 0) return;
  if (masks[i] % 2 == 0) {
    places[i] = device::add(counter, values[i]);
  } else {
    places[i] = device::add(counter, values[i]);
  }
}

template <typename T>
__global__ void accumulateMasked(const unsigned* masks, const T* values, T* counter) {
  const unsigned i = threadOfGrid();
  if (masks[i] != 0) device::accumulate(counter, values[i], masks[i]);
}

template <typename T>
__global__ void accumulateBranches(const unsigned* masks, const T* values, T* counter) {
  const unsigned i = threadOfGrid();
  if (masks[i] == 0) return;
  if (masks[i] % 2 == 0) {
    device::accumulate(counter, values[i]);
  } else {
    device::accumulate(counter, values[i]);
  }
}

template <typename T>
__global__ void addByKey(const unsigned* masks, const unsigned* keys, const T* values, T* target) {
  const unsigned i = threadOfGrid();
  if (masks[i] != 0) device::addByKey(target, keys[i], values[i], masks[i]);
}

template <typename T>
__global__ void addByKeyBranches(const unsigned* masks, const unsigned* keys, const T* values, T* target) {
  const unsigned i = threadOfGrid();
  if (masks[i] == 0) return;
  if (masks[i] % 2 == 0) {
    device::addByKey(target, keys[i], values[i]);
  } else {
    device::addByKey(target, keys[i], values[i]);
  }
}

template <typename Operation, typename T>
__global__ void reduce(const unsigned* masks, const long long* keys, const T* values, unsigned* peers, T* results) {
  const unsigned i = threadOfGrid();
  if (masks[i] == 0) return;
  const unsigned same = device::peersByKey(masks[i], keys[i]);
  peers[i] = same;
  results[i] = device::reducePeers(masks[i], same, values[i], Operation());
}

__global__ void sumWarps(const unsigned* values, unsigned* sums) {
  const unsigned i = threadOfGrid();
  sums[i] = device::sumOfWarp(values[i]);
}

template <unsigned Threads, unsigned Rows, unsigned Group>
__global__ void __launch_bounds__(Threads)
    compactTiles(const unsigned char* keep, unsigned count, Wide origin, Wide* counter, Wide* firsts, unsigned* totals,
                 unsigned* output) {
  using Tile = device::Tile<Threads, Rows, Group>;
  SLU_SHARED_ARRAY(unsigned, counts, Tile::kCounts);
  SLU_SHARED_ARRAY(Wide, slot, 1);
  for (unsigned tile = blockIdx.x; tile * Tile::kRecords < count; tile += gridDim.x) {
    unsigned flags = 0;
    SLU_UNROLL
    for (unsigned item = 0; item < Tile::kItems; ++item) {
      const unsigned i = tile * Tile::kRecords + Tile::localOf(item);
      if (i < count && keep[i] != 0) flags |= 1u << item;
    }
    const auto ranks = device::rankTile<Tile>(flags, counts);
    const Wide first = device::reserve(counter, ranks.total, slot);
    if (device::threadOfBlock() == Threads - 1) {
      firsts[tile] = first;
      totals[tile] = ranks.total;
    }
    SLU_UNROLL
    for (unsigned item = 0; item < Tile::kItems; ++item) {
      if (ranks.has(item)) output[first - origin + ranks.of(item)] = tile * Tile::kRecords + Tile::localOf(item);
    }
  }
}

template <unsigned Threads, unsigned Rows, unsigned Group>
__global__ void locateItems(unsigned* items) {
  for (unsigned row = 0; row < Rows; ++row) {
    items[threadOfGrid() * Rows + row] = device::Tile<Threads, Rows, Group>::firstOf(row);
  }
}

template <unsigned Threads, unsigned Rows, unsigned Group>
constexpr TileKernel tileKernel() {
  return {Threads, Rows, Group, compactTiles<Threads, Rows, Group>, locateItems<Threads, Rows, Group>};
}

template <typename T>
NumberKernels<T> floatKernels() {
  return {nullptr,
          nullptr,
          accumulateMasked<T>,
          accumulateBranches<T>,
          addByKey<T>,
          addByKeyBranches<T>,
          reduce<device::Sum, T>,
          reduce<device::Minimum, T>,
          reduce<device::Maximum, T>};
}

template <typename T>
NumberKernels<T> integerKernels() {
  NumberKernels<T> kernels = floatKernels<T>();
  kernels.addMasked = addMasked<T>;
  kernels.addBranches = addBranches<T>;
  return kernels;
}

}  // namespace

const CounterKernels counterKernels = {incrementBranches,    incrementMasked<unsigned>,
                                       incrementMasked<int>, incrementTilesOf8,
                                       incrementByKey,       incrementSharedByKey};

template <>
const NumberKernels<int>& numberKernels<int>() {
  static const NumberKernels<int> kernels = integerKernels<int>();
  return kernels;
}
template <>
const NumberKernels<unsigned>& numberKernels<unsigned>() {
  static const NumberKernels<unsigned> kernels = integerKernels<unsigned>();
  return kernels;
}
template <>
const NumberKernels<Wide>& numberKernels<Wide>() {
  static const NumberKernels<Wide> kernels = integerKernels<Wide>();
  return kernels;
}
template <>
const NumberKernels<float>& numberKernels<float>() {
  static const NumberKernels<float> kernels = floatKernels<float>();
  return kernels;
}
template <>
const NumberKernels<double>& numberKernels<double>() {
  static const NumberKernels<double> kernels = floatKernels<double>();
  return kernels;
}

void (*const sumWarpsKernel)(const unsigned* values, unsigned* sums) = sumWarps;

NumberKernels<Wide>::Reduce composeKernel() { return reduce<Compose, Wide>; }

// One warp and 32, one item and 32, warps and items that are no power of 2, rows of single items and of groups, few
// enough to be scanned together and more.
const TileKernel tileKernels[] = {tileKernel<32, 1, 1>(),  tileKernel<32, 32, 1>(),  tileKernel<64, 1, 32>(),
                                  tileKernel<96, 3, 2>(),  tileKernel<128, 8, 4>(),  tileKernel<160, 7, 3>(),
                                  tileKernel<256, 1, 4>(), tileKernel<256, 4, 1>(),  tileKernel<256, 4, 4>(),
                                  tileKernel<512, 2, 4>(), tileKernel<224, 29, 1>(), tileKernel<1024, 1, 1>(),
                                  tileKernel<1024, 8, 4>()};
const unsigned tileKernelCount = sizeof(tileKernels) / sizeof(tileKernels[0]);

}  // namespace slu::test

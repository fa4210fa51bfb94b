// The kernels that call device.cuh, as host code sees them. Thread i of the grid reads and writes element i of the
// arrays that have one per thread. masks: the lanes that call with the thread, 0 when it returns at once.
#pragma once

namespace slu::test {

constexpr unsigned kMaxCalls = 4;  // places per thread of incrementBranches
constexpr unsigned kCounters = 4;  // that it has
constexpr unsigned kSharedBins = 40;

struct CounterKernels {
  // What a thread does: 0 returns at once; 1 and 2 increment counters 0 and 1, each in a branch of its own; 3 to 6 and
  // 7 to 10 increment counters 2 and 3 in loops of 1 to 4 rounds, the former as a coalesced group.
  void (*incrementBranches)(const unsigned* actions, unsigned* counters, unsigned* places);
  void (*incrementMasked)(const unsigned* masks, unsigned* counter, unsigned* places);
  void (*incrementSigned)(const unsigned* masks, int* counter, int* places);
  void (*incrementTilesOf8)(unsigned long long* counter, unsigned long long* places);
  void (*incrementByKey)(const unsigned* masks, const int* keys, unsigned long long* counters,
                         unsigned long long* places);
  // Counters per block, in shared memory; the callers are those whose key is below kSharedBins. bins: kSharedBins per
  // block.
  void (*incrementSharedByKey)(const unsigned* keys, unsigned* bins, unsigned* places);
};
extern const CounterKernels counterKernels;

template <typename T>
struct NumberKernels {
  // For integers; null for floats. Of the masks, addBranches takes only whether they are 0, and whether they are odd to
  // choose a branch.
  void (*addMasked)(const unsigned* masks, const T* values, T* counter, T* places);
  void (*addBranches)(const unsigned* masks, const T* values, T* counter, T* places);

  void (*accumulateMasked)(const unsigned* masks, const T* values, T* counter);
  void (*accumulateBranches)(const unsigned* masks, const T* values, T* counter);
  void (*addByKey)(const unsigned* masks, const unsigned* keys, const T* values, T* target);
  void (*addByKeyBranches)(const unsigned* masks, const unsigned* keys, const T* values, T* target);

  // By the operations of device.cuh; results hold what every lane got, peers the sets.
  using Reduce = void (*)(const unsigned* masks, const long long* keys, const T* values, unsigned* peers, T* results);
  Reduce sum, minimum, maximum;
};
template <typename T>
const NumberKernels<T>& numberKernels();
template <>
const NumberKernels<int>& numberKernels();
template <>
const NumberKernels<unsigned>& numberKernels();
template <>
const NumberKernels<unsigned long long>& numberKernels();
template <>
const NumberKernels<float>& numberKernels();
template <>
const NumberKernels<double>& numberKernels();

// Writes what every lane of its full warps got.
extern void (*const sumWarpsKernel)(const unsigned* values, unsigned* sums);

// By Compose of compose.h.
NumberKernels<unsigned long long>::Reduce composeKernel();

struct TileKernel {
  unsigned threads, rows, group;
  // Lists the numbers of the items that keep marks, tile by tile, from output[0] when the counter holds `origin`.
  // firsts and totals: what a tile got, by tile.
  void (*run)(const unsigned char* keep, unsigned count, unsigned long long origin, unsigned long long* counter,
              unsigned long long* firsts, unsigned* totals, unsigned* output);
  // Writes the first item of each row, thread by thread.
  void (*locate)(unsigned* items);
};
extern const TileKernel tileKernels[];
extern const unsigned tileKernelCount;

}  // namespace slu::test

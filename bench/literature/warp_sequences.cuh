// Count, prefix, move over sequences that warps own: M. Billeter, O. Olsson, U. Assarsson, "Efficient Stream Compaction
// on Wide SIMD Many-Core Architectures", High Performance Graphics 2009. Few sequences make the prefix cheap, and a
// warp needs no barrier. Survivors keep their order. Here lanes talk by ballots and shuffles, which 2009 did not have.
#pragma once

#include "source.cuh"

namespace bench::literature {

constexpr uint32_t kSequenceThreads = 256;
constexpr uint32_t kPrefixThreads = 1024;

// Divides the input into sequences of the same number of records, except for the last ones.
struct Sequences {
  uint32_t count;
  uint32_t length;  // records; whole steps of a warp
};

// At most `most` sequences for warps whose lanes load `width` records at a time.
inline Sequences divide(uint32_t recordCount, uint32_t most, uint32_t width) {
  const uint32_t step = kWarpLanes * width;
  const uint32_t length = ceilDivide(recordCount, uint64_t{step} * most) * step;
  return {length == 0 ? 0 : ceilDivide(recordCount, length), length};
}

__device__ inline uint32_t endOf(uint32_t begin, uint32_t length, uint32_t recordCount) {
  return recordCount - begin < length ? recordCount : begin + length;
}

// The keys of `width` records, 0 behind the last one.
template <uint32_t width, typename Source>
__device__ Chunk<width> loadKeys(const Source& source, uint32_t first) {
  if constexpr (width > 1) {
    if (first + width <= source.count) return reinterpret_cast<const Chunk<width>*>(source.input)[first / width];
  }
  Chunk<width> keys;
  for (uint32_t k = 0; k < width; ++k) keys.words[k] = first + k < source.count ? source.key(first + k) : 0;
  return keys;
}

template <uint32_t width, typename Source>
__global__ void __launch_bounds__(kSequenceThreads)
    countSequences(Source source, Sequences sequences, uint32_t* counts) {
  if (warpOfGrid() >= sequences.count) return;
  const uint32_t begin = warpOfGrid() * sequences.length;
  const uint32_t end = endOf(begin, sequences.length, source.count);
  uint32_t kept = 0;
  for (uint32_t step = begin; step < end; step += kWarpLanes * width) {
    const Chunk<width> keys = loadKeys<width>(source, step + laneOfWarp() * width);
    for (uint32_t k = 0; k < width; ++k) kept += keys.words[k] != 0 ? 1 : 0;
  }
  kept = sumOfWarp(kept);
  if (laneOfWarp() == 0) counts[warpOfGrid()] = kept;
}

// Replaces counts by the sums before them. One block, in tiles that are summed in shared memory (Hillis and Steele
// 1986); it also writes the total.
__global__ void __launch_bounds__(kPrefixThreads) sumBefore(uint32_t* counts, uint32_t count, uint32_t* total) {
  SLU_SHARED_ARRAY(uint32_t, sums, kPrefixThreads);
  uint32_t before = 0;
  for (uint32_t tile = 0; tile < count; tile += kPrefixThreads) {
    const uint32_t i = tile + threadIdx.x;
    const uint32_t own = i < count ? counts[i] : 0;
    sums[threadIdx.x] = own;
    for (uint32_t distance = 1; distance < kPrefixThreads; distance *= 2) {
      __syncthreads();
      const uint32_t lower = threadIdx.x >= distance ? sums[threadIdx.x - distance] : 0u;
      __syncthreads();
      sums[threadIdx.x] += lower;
    }
    __syncthreads();
    if (i < count) counts[i] = before + sums[threadIdx.x] - own;
    before += sums[kPrefixThreads - 1];
    __syncthreads();
  }
  if (threadIdx.x == 0) *total = before;
}

// firsts: each sequence's first place in the output.
template <uint32_t width, typename Source>
__global__ void __launch_bounds__(kSequenceThreads)
    moveSequences(Source source, Sequences sequences, const uint32_t* firsts, typename Source::Element* output) {
  if (warpOfGrid() >= sequences.count) return;
  const uint32_t begin = warpOfGrid() * sequences.length;
  const uint32_t end = endOf(begin, sequences.length, source.count);
  uint32_t first = firsts[warpOfGrid()];
  for (uint32_t step = begin; step < end; step += kWarpLanes * width) {
    const uint32_t own = step + laneOfWarp() * width;
    const Chunk<width> keys = loadKeys<width>(source, own);
    uint32_t place = first;
    for (uint32_t k = 0; k < width; ++k) {
      const uint32_t kept = __ballot_sync(kAllLanes, keys.words[k] != 0);
      place += countLower(kept);
      first += countLanes(kept);
    }
    for (uint32_t k = 0; k < width; ++k)
      if (keys.words[k] != 0) output[place++] = source.element(own + k, keys.words[k]);
  }
}

}  // namespace bench::literature

// Tiles of records that are loaded whole: a row is one 16-byte load per thread, all in flight at once.
#pragma once

#include "evaluate.cuh"

namespace slu::cuda {

// The words of a tile, four neighbours per row and thread; those beyond `present` are 0. Past the first-level cache, which
// shares its memory with what is staged.
template <typename T>
__device__ __forceinline__ void loadRows(const uint* words, uint present, bool isAligned, uint4 (&rows)[T::kRows]) {
  if (present >= 4 * T::kThreads * T::kRows && isAligned) {
    const uint4* wide = reinterpret_cast<const uint4*>(words) + threadIdx.x;
    SLU_UNROLL
    for (uint row = 0; row < T::kRows; ++row) rows[row] = __ldcg(wide + row * T::kThreads);
    return;
  }
  SLU_UNROLL
  for (uint row = 0; row < T::kRows; ++row) {
    const uint first = 4 * (row * T::kThreads + threadIdx.x);
    rows[row].x = first < present ? __ldcg(words + first) : 0;
    rows[row].y = first + 1 < present ? __ldcg(words + first + 1) : 0;
    rows[row].z = first + 2 < present ? __ldcg(words + first + 2) : 0;
    rows[row].w = first + 3 < present ? __ldcg(words + first + 3) : 0;
  }
}

// Begins to bring a tile as loadRows takes it into the second-level cache, 64 bytes per thread.
template <typename T>
__device__ __forceinline__ void prefetchRows(const uint* words) {
  constexpr uint kLineWords = 16;
  if (threadIdx.x < T::kThreads * T::kRows * 4 / kLineWords) prefetchLine(words + threadIdx.x * kLineWords);
}

// Bit per word: it passes the live test.
__device__ __forceinline__ uint liveMask(uint liveLimit, const uint4& words) {
  uint flags = 0;
  if (wordIsLive(liveLimit, words.x)) flags |= 1u;
  if (wordIsLive(liveLimit, words.y)) flags |= 2u;
  if (wordIsLive(liveLimit, words.z)) flags |= 4u;
  if (wordIsLive(liveLimit, words.w)) flags |= 8u;
  return flags;
}

}  // namespace slu::cuda

// Loads of whole tiles. A row is one 16-byte load per thread, and all rows are in flight together.
#pragma once

#include "../steps/evaluate.cuh"

namespace slu::cuda {

// Loads the words of a tile, four neighbours per row and thread. Words from `present` on are replaced by `dead`, which
// fails the live test. The loads bypass the first-level cache, which shares its memory with what is staged.
template <typename T>
__device__ __forceinline__ void loadRows(const uint* words, uint present, bool isAligned, uint dead,
                                         uint4 (&rows)[T::kRows]) {
  static_assert(T::kGroup == 4);
  if (present >= T::kRecords && isAligned) {
    const uint4* wide = reinterpret_cast<const uint4*>(words + T::firstOf(0));
    SLU_UNROLL
    for (uint row = 0; row < T::kRows; ++row) rows[row] = __ldcg(wide + row * kWarp);
    return;
  }
  SLU_UNROLL
  for (uint row = 0; row < T::kRows; ++row) {
    const uint first = T::firstOf(row);
    rows[row].x = first < present ? __ldcg(words + first) : dead;
    rows[row].y = first + 1 < present ? __ldcg(words + first + 1) : dead;
    rows[row].z = first + 2 < present ? __ldcg(words + first + 2) : dead;
    rows[row].w = first + 3 < present ? __ldcg(words + first + 3) : dead;
  }
}

// Loads a tile of any length, kQuads times four words per thread. Words from `present` on are replaced by 0.
template <uint kQuads>
__device__ __forceinline__ void loadQuads(const uint* words, uint present, bool isAligned, uint4 (&quads)[kQuads]) {
  SLU_UNROLL
  for (uint i = 0; i < kQuads; ++i) {
    const uint first = 4 * (i * kThreads + threadIdx.x);
    quads[i] = uint4{};
    if (isAligned && first + 4 <= present) {
      quads[i] = __ldcg(reinterpret_cast<const uint4*>(words + first));
      continue;
    }
    if (first < present) quads[i].x = __ldcg(words + first);
    if (first + 1 < present) quads[i].y = __ldcg(words + first + 1);
    if (first + 2 < present) quads[i].z = __ldcg(words + first + 2);
    if (first + 3 < present) quads[i].w = __ldcg(words + first + 3);
  }
}

// Starts to bring up to kThreads * 16 words into the second-level cache, 64 bytes per thread.
__device__ __forceinline__ void prefetchWords(const uint* words, uint count) {
  constexpr uint kLineWords = 16;
  if (threadIdx.x * kLineWords < count) prefetchLine(words + threadIdx.x * kLineWords);
}

// Returns a unit of 1, 2 or 4 words that are all the same.
template <typename Unit>
__device__ __forceinline__ Unit unitOf(uint word) {
  if constexpr (sizeof(Unit) == 16) {
    return {word, word, word, word};
  } else if constexpr (sizeof(Unit) == 8) {
    return {word, word};
  } else {
    return word;
  }
}

// Loads a unit of 2 or 4 words by its number, word by word if memory is not aligned to units.
template <typename Unit>
__device__ __forceinline__ Unit loadUnit(const uint* words, uint unit, bool isAligned) {
  if (isAligned) return __ldcg(reinterpret_cast<const Unit*>(words) + unit);
  words += unit * (sizeof(Unit) / 4);
  Unit loaded{};
  loaded.x = __ldcg(words);
  loaded.y = __ldcg(words + 1);
  if constexpr (sizeof(Unit) == 16) {
    loaded.z = __ldcg(words + 2);
    loaded.w = __ldcg(words + 3);
  }
  return loaded;
}

template <typename Unit>
__device__ __forceinline__ void storeUnit(Unit* to, const Unit& stored, bool isAligned) {
  if (isAligned) {
    *to = stored;
    return;
  }
  uint* words = reinterpret_cast<uint*>(to);
  words[0] = stored.x;
  words[1] = stored.y;
  if constexpr (sizeof(Unit) == 16) {
    words[2] = stored.z;
    words[3] = stored.w;
  }
}

// Returns which words pass the live test, a bit each.
template <typename Test>
__device__ __forceinline__ uint liveMask(const Test& isLive, const uint2& words) {
  return (isLive(words.x) ? 1u : 0u) | (isLive(words.y) ? 2u : 0u);
}
template <typename Test>
__device__ __forceinline__ uint liveMask(const Test& isLive, const uint4& words) {
  uint flags = 0;
  if (isLive(words.x)) flags |= 1u;
  if (isLive(words.y)) flags |= 2u;
  if (isLive(words.z)) flags |= 4u;
  if (isLive(words.w)) flags |= 8u;
  return flags;
}

}  // namespace slu::cuda

// CUB's and Thrust's calls select with an input iterator over the elements of the output, and a predicate on them.
#pragma once

#include <thrust/iterator/counting_iterator.h>

#include <type_traits>

#include "competitors/cub.h"
#include "workload/live_test.h"

namespace bench {

// A record is aligned as much as its size allows, so that CUB moves it in the widest words.
template <uint32_t recordBytes>
struct alignas(recordBytes % 16 == 0  ? 16
               : recordBytes % 8 == 0 ? 8
                                      : 4) CubRecord {
  uint32_t words[recordBytes / 4];
};

struct KeepNonEmpty {
  template <uint32_t recordBytes>
  __device__ bool operator()(const CubRecord<recordBytes>& record) const {
    return record.words[0] != 0;
  }
  __device__ bool operator()(uint32_t record) const { return record != 0; }
};

// Words are a primitive type, for which CUB has a tuned policy that a struct of the size would not get.
template <uint32_t recordBytes>
struct CubElements {
  using Element = std::conditional_t<recordBytes == 4, uint32_t, CubRecord<recordBytes>>;

  explicit CubElements(const Workload&) {}
  const Element* input(const FrameSet& set) const { return static_cast<const Element*>(set.input); }
  KeepNonEmpty keep(const FrameSet&) const { return {}; }
};

template <>
struct CubElements<kCubIndices> {
  using Element = uint32_t;
  uint32_t recordWords;

  explicit CubElements(const Workload& workload) : recordWords(workload.recordBytes / 4) {}
  thrust::counting_iterator<uint32_t> input(const FrameSet&) const { return thrust::counting_iterator<uint32_t>(0); }
  FirstWordTest keep(const FrameSet& set) const { return {static_cast<const uint32_t*>(set.input), recordWords}; }
};

}  // namespace bench

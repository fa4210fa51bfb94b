// What an input holds, word by word, as a function of the seed: the GPU fills buffers with it, and a record can be asked
// where it came from.
#pragma once

#include <cstdint>

#include "workload.h"

#ifdef __CUDACC__
#define BENCH_HOST_DEVICE __host__ __device__
#else
#define BENCH_HOST_DEVICE
#endif

namespace bench {

// The finalizer of MurmurHash3 (Appleby): a bijection that maps 0, and only 0, to 0.
BENCH_HOST_DEVICE inline uint32_t mix(uint32_t x) {
  x = (x ^ (x >> 16)) * 0x85ebca6bu;
  x = (x ^ (x >> 13)) * 0xc2b2ae35u;
  return x ^ (x >> 16);
}

BENCH_HOST_DEVICE inline uint32_t unmix(uint32_t x) {
  x = (x ^ (x >> 16)) * 0x7ed1b41du;              // the inverse of 0xc2b2ae35 modulo 2^32
  x = (x ^ (x >> 13) ^ (x >> 26)) * 0xa5cb9243u;  // the inverse of 0x85ebca6b
  return x ^ (x >> 16);
}

struct InputRecipe {
  uint32_t seed;
  uint32_t factor;         // odd
  uint32_t factorInverse;  // modulo 2^32
  uint32_t bucketCount;
  Pattern pattern;
  uint64_t liveThreshold;  // survival times 2^32

  BENCH_HOST_DEVICE bool isLive(uint32_t record) const {
    if (pattern == Pattern::Alternating) return ((((record * liveThreshold) & 0xffffffffu) + liveThreshold) >> 32) != 0;
    return hash(pattern == Pattern::Clustered ? record / kClusterRecords : record, 0) < liveThreshold;
  }

  BENCH_HOST_DEVICE uint32_t word(uint32_t record, uint32_t index) const {
    if (index == 0) return isLive(record) ? mix((record + 1) * factor) : 0;
    const uint32_t value = hash(record, index);
    if (index == 1 && bucketCount > 1) return static_cast<uint32_t>((uint64_t{value} * bucketCount) >> 32);
    return value;
  }

  // The only live record with this first word; 2^32 - 1 for 0.
  BENCH_HOST_DEVICE uint32_t recordOf(uint32_t firstWord) const { return unmix(firstWord) * factorInverse - 1; }

 private:
  BENCH_HOST_DEVICE uint32_t hash(uint32_t record, uint32_t index) const {
    return mix(record * 0x9e3779b1u + mix(index * 0x85ebca77u + seed));
  }
};

InputRecipe makeRecipe(const Workload& workload, uint32_t seed);

}  // namespace bench

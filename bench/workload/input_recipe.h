// Computes each word of an input from the seed. The GPU fills buffers with it, and a live record can be traced to its
// index.
#pragma once

#include <cstdint>
#include <cstring>

#include "workload/frustum.h"
#include "workload/workload.h"

namespace bench {

// Where the first word decides, that of a live record has this bit, and that of a dead one is 0. So a test of the bit
// keeps the same records as a test of the word.
constexpr uint32_t kLiveBit = 1;
constexpr uint32_t kNameMask = 0x7fffffffu;  // above the bit stands the record's name

// The finalizer of MurmurHash3 (Appleby): a bijection of the numbers up to most, which is one less than a power of two.
BENCH_HOST_DEVICE inline uint32_t mix(uint32_t x, uint32_t most = 0xffffffffu) {
  x = ((x ^ (x >> 16)) * 0x85ebca6bu) & most;
  x = ((x ^ (x >> 13)) * 0xc2b2ae35u) & most;
  return x ^ (x >> 16);
}

BENCH_HOST_DEVICE inline uint32_t unmix(uint32_t x, uint32_t most = 0xffffffffu) {
  x = ((x ^ (x >> 16)) * 0x7ed1b41du) & most;              // the inverse of 0xc2b2ae35 modulo 2^32
  x = ((x ^ (x >> 13) ^ (x >> 26)) * 0xa5cb9243u) & most;  // the inverse of 0x85ebca6b
  return x ^ (x >> 16);
}

struct InputRecipe {
  uint32_t seed;
  uint32_t factor;         // odd
  uint32_t factorInverse;  // modulo 2^32
  uint32_t recordCount;
  uint32_t recordWords;
  uint32_t bucketCount;
  Pattern pattern;
  Predicate predicate;
  uint64_t liveThreshold;  // survival times 2^32

  BENCH_HOST_DEVICE bool isLive(uint32_t record) const {
    if (pattern == Pattern::Alternating) return ((((record * liveThreshold) & 0xffffffffu) + liveThreshold) >> 32) != 0;
    return hash(pattern == Pattern::Clustered ? record / kClusterRecords : record, 0) < liveThreshold;
  }

  // Returns the word at a position of the whole input.
  BENCH_HOST_DEVICE uint32_t inputWord(uint64_t position) const {
    const uint64_t spheresAt = predicate == Predicate::SphereBeside ? uint64_t{recordCount} * recordWords : 0;
    if (predicate != Predicate::Word && position >= spheresAt)
      return sphereWord(static_cast<uint32_t>((position - spheresAt) / 4), (position - spheresAt) % 4);
    return word(static_cast<uint32_t>(position / recordWords), static_cast<uint32_t>(position % recordWords));
  }

  // Returns a word of a record that is no sphere.
  BENCH_HOST_DEVICE uint32_t word(uint32_t record, uint32_t index) const {
    if (index == 0) return predicate != Predicate::Word || isLive(record) ? liveWord(record) : 0;
    const uint32_t value = hash(record, index);
    if (index == 1 && bucketCount > 1) return static_cast<uint32_t>((uint64_t{value} * bucketCount) >> 32);
    return value;
  }

  // The sphere of a live record is inside the frustum. That of a dead record is outside one of the six planes. Both are
  // so far from the planes that rounding does not matter.
  BENCH_HOST_DEVICE Sphere sphere(uint32_t record) const {
    const float z = 4.0f + 86.0f * part(record, 0);
    const float x = 0.9f * (2.0f * part(record, 1) - 1.0f);  // as a part of z, which is the frustum's half width
    const float y = 0.9f * (2.0f * part(record, 2) - 1.0f);
    const float radius = 0.1f + 0.4f * part(record, 3);
    if (isLive(record)) return {x * z, y * z, z, radius};
    const float beyond = (1.5f + 0.5f * part(record, 4)) * z;
    switch (hash(record, kSphereIndex + 5) % 6) {
      case 0:
        return {-beyond, y * z, z, radius};
      case 1:
        return {beyond, y * z, z, radius};
      case 2:
        return {x * z, -beyond, z, radius};
      case 3:
        return {x * z, beyond, z, radius};
      case 4:
        return {x * z, y * z, -z, radius};
      default:
        return {x * z, y * z, 106.0f + z, radius};
    }
  }

  // The only record with this first word, if it is live; 2^32 - 1 without the bit.
  BENCH_HOST_DEVICE uint32_t recordOf(uint32_t firstWord) const {
    if ((firstWord & kLiveBit) == 0) return 0xffffffffu;
    return (unmix(firstWord >> 1, kNameMask) * factorInverse) & kNameMask;
  }

 private:
  BENCH_HOST_DEVICE uint32_t liveWord(uint32_t record) const {
    return mix((record * factor) & kNameMask, kNameMask) << 1 | kLiveBit;
  }

  static constexpr uint32_t kSphereIndex = 64;  // no record has as many words

  BENCH_HOST_DEVICE uint32_t sphereWord(uint32_t record, uint64_t index) const {
    const Sphere at = sphere(record);
    const float value = index == 0 ? at.x : index == 1 ? at.y : index == 2 ? at.z : at.radius;
    uint32_t bits = 0;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
  }

  // A number from 0 to 1.
  BENCH_HOST_DEVICE float part(uint32_t record, uint32_t index) const {
    return static_cast<float>(hash(record, kSphereIndex + index) >> 8) * 0x1p-24f;
  }

  BENCH_HOST_DEVICE uint32_t hash(uint32_t record, uint32_t index) const {
    return mix(record * 0x9e3779b1u + mix(index * 0x85ebca77u + seed));
  }
};

InputRecipe makeRecipe(const Workload& workload, uint32_t seed);

}  // namespace bench

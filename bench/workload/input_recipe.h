// Computes each word of an input from the seed. The GPU fills buffers with it, and a live record can be traced to its
// index.
#pragma once

#include <cstdint>
#include <cstring>

#include "workload/views.h"
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
  ViewWindows windows;
  uint64_t boundsAt;           // where in the input its bounds begin, in words
  uint32_t boundsWords;        // of a record's bounds; 0 without
  uint32_t boundsStrideWords;  // from a record's bounds to the next one's

  BENCH_HOST_DEVICE bool isLive(uint32_t record, uint32_t view = 0) const { return windows.holds(view, phase(record)); }

  // Returns the word at a position of the whole input.
  BENCH_HOST_DEVICE uint32_t inputWord(uint64_t position) const {
    if (boundsWords != 0 && position >= boundsAt) {
      const auto index = static_cast<uint32_t>((position - boundsAt) % boundsStrideWords);
      if (index < boundsWords)
        return boundsWord(static_cast<uint32_t>((position - boundsAt) / boundsStrideWords), index);
    }
    return word(static_cast<uint32_t>(position / recordWords), static_cast<uint32_t>(position % recordWords));
  }

  // Returns a word of a record that is not a part of its sphere.
  BENCH_HOST_DEVICE uint32_t word(uint32_t record, uint32_t index) const {
    if (index == 0) return predicate != Predicate::Word || isLive(record) ? liveWord(record) : 0;
    const uint32_t value = hash(record, index);
    if (index == 1 && bucketCount > 1) return static_cast<uint32_t>((uint64_t{value} * bucketCount) >> 32);
    return value;
  }

  // The sphere of a record that a view keeps is inside its frustum, and outside those of the other views by a side
  // plane. That of a record that no view keeps is outside one of the six planes of all. All are so far from the planes
  // that rounding does not matter.
  BENCH_HOST_DEVICE Sphere sphere(uint32_t record) const {
    const float z = 4.0f + 86.0f * part(record, 0);
    const float across = 2.0f * part(record, 1) - 1.0f;
    const float x = 0.9f * across;  // as a part of z, which is the frustum's half width
    const float y = 0.9f * (2.0f * part(record, 2) - 1.0f);
    const float radius = 0.1f + 0.4f * part(record, 3);
    if (windows.anyHolds(phase(record))) {
      if (windows.viewCount == 1) return {x * z, y * z, z, radius};
      // Half a half width from the cell's edges, which is over 0.35 of it from the planes: they lean by 45 degrees at
      // most. The radius is a quarter at most.
      const float halfWidth = windows.cellHalfWidth();
      const float middle = windows.cellMiddle(windows.cell(phase(record)));
      return {(middle + 0.5f * halfWidth * across) * z, y * z, z, 0.5f * radius * halfWidth * z};
    }
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

  // The moved box lies within the record's sphere, around the same center: its corners are at most 0.65 radii away.
  BENCH_HOST_DEVICE MovedBox box(uint32_t record) const {
    const Sphere at = sphere(record);
    const float shear = at.radius / 4;
    return {{{at.radius, shear, 0, at.x}, {0, at.radius, shear, at.y}, {shear, 0, at.radius, at.z}},
            {0, 0, 0},
            {0.3f, 0.3f, 0.3f},
            {0, 0}};
  }

  // The only record with this first word, if it is live; 2^32 - 1 without the bit.
  BENCH_HOST_DEVICE uint32_t recordOf(uint32_t firstWord) const {
    if ((firstWord & kLiveBit) == 0) return 0xffffffffu;
    return (unmix(firstWord >> 1, kNameMask) * factorInverse) & kNameMask;
  }

 private:
  BENCH_HOST_DEVICE uint32_t phase(uint32_t record) const {
    if (pattern == Pattern::Alternating) return ~(record * static_cast<uint32_t>(windows.length));
    return hash(pattern == Pattern::Clustered ? record / kClusterRecords : record, 0);
  }

  BENCH_HOST_DEVICE uint32_t liveWord(uint32_t record) const {
    return mix((record * factor) & kNameMask, kNameMask) << 1 | kLiveBit;
  }

  static constexpr uint32_t kSphereIndex = 64;  // no record has as many words

  BENCH_HOST_DEVICE uint32_t boundsWord(uint32_t record, uint32_t index) const {
    return predicate == Predicate::BoxBeside ? wordOf(box(record), index) : wordOf(sphere(record), index);
  }

  template <typename Bounds>
  BENCH_HOST_DEVICE static uint32_t wordOf(const Bounds& bounds, uint32_t index) {
    uint32_t words[sizeof(Bounds) / 4];
    memcpy(words, &bounds, sizeof(bounds));
    return words[index];
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

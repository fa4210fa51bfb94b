// A street and what stands in a city around it, for the study of occlusion. Walls on both sides of the street hide most
// of the records that the frustum holds.
//
// The camera stands in the middle of the street, at the origin, and looks along z. The depths of the picture are those
// of the walls and of the ground alone. Rays are followed to them, so no depth comes from a record.
#pragma once

#include <cstdint>
#include <vector>

#include "workload/frustum.h"

namespace bench {

// Says how records that follow one another lie.
enum class RecordOrder {
  Scattered,  // anywhere in the city
  ByPlace,    // near one another: the city's cells one behind the other
};
const char* name(RecordOrder order);

struct StreetSettings {
  uint32_t recordCount = 1u << 20;
  uint32_t bucketCount = 64;
  uint32_t width = 1920;  // pixels
  uint32_t height = 1080;
  RecordOrder order = RecordOrder::Scattered;
  uint32_t seed = 1;
};

// A box by its center and its extents, before its matrix moves it.
struct alignas(8) StreetBox {
  float center[3];
  float extents[3];  // from the center to a side
};

// Moves a box into the city.
struct alignas(16) StreetMatrix {
  float rows[3][4];  // the fourth column is the translation
};

static_assert(sizeof(StreetBox) == 24 && sizeof(StreetMatrix) == 48);

// Clip z is w at the near plane, and 0 at the far one.
constexpr float kStreetNear = 0.1f;
constexpr float kStreetFar = 300.0f;

struct Street {
  StreetSettings settings;
  std::vector<uint32_t> buckets;  // a record is 4 bytes: the number of its bucket
  std::vector<StreetBox> boxes;
  std::vector<StreetMatrix> matrices;
  std::vector<float> depths;  // row by row, the row of clip y = -1 first; near is 1, and far is 0
  float rows[4][4];           // of the matrix from the world to clip space
  Frustum frustum;

  uint32_t visibilityWords() const { return (settings.recordCount + 31) / 32; }
  // The most records of a bucket. Each bucket has room for so many.
  uint32_t bucketCapacity() const;
};

Street makeStreet(const StreetSettings& settings);

// Bits of records, 32 to a word.
inline bool hasBit(const std::vector<uint32_t>& bits, uint32_t record) {
  return (bits[record / 32] >> record % 32 & 1) != 0;
}

// Returns whether a record is one of the tenth whose visibility is turned over, in the variant in which the last frame
// saw something else.
bool isTurned(const StreetSettings& settings, uint32_t record);

// Turns over the bits of these.
std::vector<uint32_t> turnedBits(const StreetSettings& settings, std::vector<uint32_t> bits);

}  // namespace bench

// Judges what frames over the street keep, without the library: in doubles, and pixel by pixel.
//
// Methods round differently, and their pyramids are coarse. So the judge has no single answer for a record near a
// plane, or behind an edge: it names the records that every method has to keep, and those that none may keep.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "occlusion/street.h"
#include "workload/frame.h"

namespace bench {

// Names the tests of a frame.
enum class StreetFrame {
  Whole,   // the frustum alone
  First,   // the frustum, of what the last frame saw
  Second,  // frustum and pyramid, of the rest
  Single,  // frustum and pyramid
};
constexpr uint32_t kStreetFrameCount = 4;

// Says what is known of a record, which may be nothing.
enum SightBits : uint8_t {
  kInside = 1,   // it touches the frustum, by more than rounding
  kOutside = 2,  // it does not, by more than rounding
  kShows = 4,    // a pixel whose center lies in the rectangle around the moved box is farther than the box's nearest
                 // corner, or the box reaches behind the eye
  kBuried = 8,   // the rectangle around the box along the axes that holds the moved one, widened by twice its size and
                 // 4 pixels to each side, has no pixel that is as far as that box's nearest corner
};

std::vector<uint8_t> sightsOf(const Street& street);

// Reads which records a frame kept: a byte per record. capacity: of a bucket. indices: capacity elements per bucket.
// Returns what is wrong with draws or indices, or nothing.
std::optional<std::string> readKept(const Street& street, uint32_t capacity, const std::vector<DrawCommand>& draws,
                                    const std::vector<uint32_t>& indices, std::vector<uint8_t>& kept);

// last: a bit per record that the last frame saw; for First and Second. kept: from readKept. Returns the first record
// that the frame had to keep and did not, or kept and must not; or nothing.
std::optional<std::string> sightDifference(const std::vector<uint8_t>& sights, StreetFrame frame,
                                           const std::vector<uint32_t>& last, const std::vector<uint8_t>& kept);

}  // namespace bench

// Says what was found at a pixel of a frame.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <optional>
#include <string>

namespace demo {

// A kept record.
struct PickedRecord {
  uint32_t index;  // in the input
  uint32_t place;  // in the kept indices
};

struct Pick {
  glm::uvec2 pixel;
  std::optional<PickedRecord> record;  // nothing: no instance
  uint32_t key = 0, lod = 0;           // of its bucket
};

// "instance 12, key 3, LOD 0 at 160,90"
std::string describe(const Pick& pick);

}  // namespace demo

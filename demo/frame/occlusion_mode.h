// Names the ways in which a run tests occlusion.
#pragma once

#include <array>
#include <cstddef>

namespace demo {

enum class OcclusionMode {
  Off,
  One,  // against the pyramid of the last frame: what has come into sight since is missing for a frame
  Two   // what the last frame saw first, then the rest against its depths
};
constexpr std::array<OcclusionMode, 3> kOcclusionModes = {OcclusionMode::Off, OcclusionMode::One, OcclusionMode::Two};

// Returns what --occlusion calls it.
inline const char* occlusionName(OcclusionMode mode) {
  constexpr std::array<const char*, kOcclusionModes.size()> kNames = {"off", "one", "two"};
  return kNames[static_cast<size_t>(mode)];
}

}  // namespace demo

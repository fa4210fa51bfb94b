// Names the scenes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace demo {

enum class SceneKind { Asteroids, Points, Planes, City };
constexpr std::array<SceneKind, 4> kScenes = {SceneKind::Asteroids, SceneKind::Points, SceneKind::Planes,
                                              SceneKind::City};

constexpr float kCityDistance = 2600.0f;  // up to which the city is drawn

inline const char* sceneName(SceneKind kind) {
  constexpr std::array<const char*, kScenes.size()> kNames = {"asteroids", "points", "planes", "city"};
  return kNames[static_cast<size_t>(kind)];
}

// Returns how many a CPU draws in about a second per frame, or what shows a GPU off.
inline uint32_t defaultInstanceCount(SceneKind scene, bool isCpu) {
  if (scene == SceneKind::Points) return isCpu ? 200000 : 4000000;
  if (scene == SceneKind::Planes) return isCpu ? 60000 : 1000000;
  return isCpu ? 20000 : 1000000;
}
// Returns how many asteroids there are by default if records are clusters. An asteroid has ten to a hundred of them.
inline uint32_t defaultClusteredCount(bool isCpu) { return isCpu ? 1000 : 250000; }

}  // namespace demo

// The scenes by their kind.
#pragma once

#include "scene.h"

namespace demo {

std::unique_ptr<Scene> createScene(const SceneInfo& info);

// What a CPU draws in about a second per frame, and what shows a GPU off.
uint32_t defaultInstanceCount(SceneKind scene, bool isCpu);

}  // namespace demo

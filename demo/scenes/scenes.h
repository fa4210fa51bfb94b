// The scenes by their kind.
#pragma once

#include "frame/scene.h"

namespace demo {

std::unique_ptr<Scene> createScene(const SceneInfo& info);

// What a CPU draws in about a second per frame, and what shows a GPU off.
uint32_t defaultInstanceCount(SceneKind scene, bool isCpu);

// Makes it the scene of the options. A number of instances that was not chosen becomes what suits it.
void chooseScene(Options& options, SceneKind scene, bool isCpu);

}  // namespace demo

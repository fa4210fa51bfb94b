// Makes what a run of these options compacts and draws.
#pragma once

#include "options/options.h"
#include "scenes/scenes.h"

namespace demo {

// route: the one that compacts, never SLU_ROUTE_AUTO.
std::unique_ptr<Scene> createScene(const Device& device, const Renderer& renderer, SluRoute route,
                                   const Options& options);

// Of the scene's request, as the options change it.
std::unique_ptr<Compaction> createCompaction(const Device& device, SluContext context, SluRoute route,
                                             const Scene& scene, const Options& options);

}  // namespace demo

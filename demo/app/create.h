// Creates the scene of the options and its compaction.
#pragma once

#include "frame/occlusion.h"
#include "options/options.h"
#include "scenes/scenes.h"

namespace demo {

// route is the one that compacts, never SLU_ROUTE_AUTO.
std::unique_ptr<Scene> createScene(const Device& device, const Renderer& renderer, SluRoute route,
                                   const Options& options);

// Compacts what the scene requests, with the changes that the options make.
std::unique_ptr<Compaction> createCompaction(const Device& device, SluContext context, SluRoute route,
                                             const Scene& scene, const Options& options);

// Returns NULL if the compaction's plan tests no occlusion.
std::unique_ptr<Occlusion> createOcclusion(const Device& device, SluContext context, Compaction& compaction,
                                           const Renderer& renderer);

}  // namespace demo

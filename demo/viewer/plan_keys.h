// The keys that change route, tests, levels of detail, meshes and room.
#pragma once

#include <optional>
#include <span>

#include "options/options.h"
#include "viewer/overlay/run_facts.h"

namespace demo {

// Changes the options and returns what is to be said; nothing for a key that is none of these.
std::optional<std::string> pressPlanKey(int key, const RunFacts& facts, std::span<const SluRouteInfo> routes,
                                        Options& options);

}  // namespace demo

// Handles the keys of the window that change options and nothing else.
#pragma once

#include <optional>
#include <span>

#include "options/options.h"
#include "viewer/overlay/run_facts.h"

namespace demo {

// Changes the options and returns what to tell the user, which may be empty. Returns nothing for any other key.
std::optional<std::string> pressOptionKey(int key, const RunFacts& facts, std::span<const SluRouteInfo> routes,
                                          Options& options);

}  // namespace demo

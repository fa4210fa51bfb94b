// The arenas that this program and this machine have.
#pragma once

#include <memory>
#include <vector>

#include "arena/arena.h"
#include "program/options.h"

namespace bench {

struct OpenedArenas {
  std::vector<std::unique_ptr<Arena>> arenas;
  std::vector<ArenaRefusal> skipped;  // the others, and why
};

// Opens those that the options name, or all, with the competitors that they name. Throws Failure: NoDevice where an
// arena that is named cannot run here, or none can; BadInput where no arena has a named competitor.
OpenedArenas openArenas(const Options& options);

}  // namespace bench

#pragma once

namespace hosting {

// Returns whether stderr is a terminal, so that a line of progress can be shown there.
bool isOnTerminal();

}  // namespace hosting

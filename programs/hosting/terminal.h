#pragma once

namespace hosting {

// Whether someone reads stderr on a terminal, so that a line of progress may be shown there.
bool isOnTerminal();

}  // namespace hosting

// The route that takes turns with a graphics API of the host's.
#pragma once

#include "api/objects.h"

namespace slu {

// Throws the reason if the context does not have it.
Route& handoffRoute(const ContextState& state);

}  // namespace slu

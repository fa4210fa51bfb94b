// An engine that culls with Sluice and does not show it.
#pragma once

namespace engine {

// Of Sluice, as sluGetVersion tells.
unsigned cullingVersion();

}  // namespace engine

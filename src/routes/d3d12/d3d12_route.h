// The route that records into Direct3D 12 command lists.
#pragma once

#include <sluice/sluice_d3d12.h>

#include <cstddef>
#include <memory>
#include <vector>

#include "routes/route.h"

namespace slu {

std::unique_ptr<Route> makeD3D12Route(const SluD3D12DeviceInfo& info);

// Returns what sluGetD3D12Shaders gets. route: made by makeD3D12Route.
std::vector<std::byte> saveShaders(const Route& route);

}  // namespace slu

// Makes the library's context for a Vulkan device, and lists the routes that it has.
#pragma once

#include <sluice/sluice_vulkan.h>

#include <sluice/sluice.hpp>
#include <vector>

#include "vulkan/device.h"

namespace demo {

// Throws Failure (Cause::Runtime) with the library's sentence unless result is SLU_SUCCESS.
void checkSluice(SluContext context, SluResult result, const char* what);

// The context has the Vulkan device's routes and the CPU's.
slu::Context createContext(const Device& device);

// Returns the route itself, or the best one for SLU_ROUTE_AUTO. Throws Failure with the library's reason when it is not
// available.
SluRoute resolveRoute(SluContext context, SluRoute route);

// Returns all routes but SLU_ROUTE_AUTO, with the reasons of those that are not available.
std::vector<SluRouteInfo> listRoutes(const Device& device, SluContext context);

}  // namespace demo

// The CUDA route: kernels on device memory, enqueued into the host's stream.
#pragma once

#include <sluice/sluice_cuda.h>

#include <memory>

#include "route.h"

namespace slu {

// Throws SLU_ERROR_MISSING_FEATURE when no device can run the route, and INVALID_ARGUMENT when info is malformed.
std::unique_ptr<Route> makeCudaRoute(const SluCudaDeviceInfo& info);

}  // namespace slu

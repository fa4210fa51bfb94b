// The reference route runs on host memory, one record after the other.
#pragma once

#include <memory>

#include "routes/route.h"

namespace slu {

std::unique_ptr<Route> makeCpuRoute();

}  // namespace slu

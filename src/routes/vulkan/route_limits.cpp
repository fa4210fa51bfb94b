#include "routes/vulkan/route_limits.h"

namespace slu {

RouteLimits routeLimits() { return {}; }

}  // namespace slu

#include "routes/shaders/route_limits.h"

namespace slu {

RouteLimits routeLimits() { return {}; }

}  // namespace slu

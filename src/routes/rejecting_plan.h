// Plans with rejects, on any route: two plans of the route behind one.
#pragma once

#include "routes/route.h"

namespace slu {

// Creates a plan of the route. layout: of the whole plan, with rejects or without.
std::unique_ptr<RoutePlan> createPlan(Route& route, const PlanLayout& layout);

}  // namespace slu

// Where the city's sun stands, for its shadows and its light.
#ifndef DEMO_CITY_SUN_H
#define DEMO_CITY_SUN_H

#include "../shared.h"

#ifdef __cplusplus
namespace demo {
#endif

// Of unit length, towards the sun, 24 degrees above the horizon.
const vec3 kCitySun = vec3(0.8066128f, 0.4067366f, -0.4288836f);

#ifdef __cplusplus
}  // namespace demo
#endif

#endif

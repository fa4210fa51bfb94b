// The light of the city's evening: the sun is low, and the haze takes the colours of the sky behind it.
#include "city_sun.h"

const vec3 kSunLight = vec3(5.0, 2.7, 1.25);
const float kFogDensity = 0.00125;  // per metre, at the ground
const float kFogHeight = 90.0;      // metres in which it thins to 1 / e

float towardsSunset(vec3 direction) {
  return 0.5 + 0.5 * dot(normalize(direction.xz + vec2(1e-5, 0.0)), normalize(kCitySun.xz));
}

// Returns the sky without clouds. Below the horizon it is as at the horizon.
vec3 clearSky(vec3 direction) {
  float up = max(direction.y, 0.0), toward = towardsSunset(direction);
  vec3 horizon = mix(vec3(0.20, 0.21, 0.31), vec3(0.98, 0.36, 0.115), pow(toward, 3.5));
  vec3 middle = mix(vec3(0.12, 0.16, 0.31), vec3(0.42, 0.20, 0.20), pow(toward, 3.0));
  vec3 zenith = vec3(0.05, 0.085, 0.21);
  vec3 light = mix(horizon, middle, smoothstep(0.0, 0.16, up));
  light = mix(light, zenith, smoothstep(0.06, 0.62, up));
  float angle = acos(clamp(dot(direction, kCitySun), -1.0, 1.0));
  return light + vec3(1.6, 0.62, 0.16) * exp(-angle * 7.5);
}

// Returns what the haze between the eye and a point adds and takes: rgb is the light, a is the share of what lies
// behind that is lost. The density falls with the height, integrated along the way.
vec4 haze(vec3 eye, vec3 point) {
  vec3 way = point - eye;
  float distance = length(way), rise = way.y / kFogHeight;
  float along = abs(rise) > 1e-3 ? (1.0 - exp(-rise)) / rise : 1.0;
  float lost = 1.0 - exp(-kFogDensity * distance * exp(-max(eye.y, 0.0) / kFogHeight) * along);
  vec3 direction = way / max(distance, 1e-3);
  vec3 light = clearSky(normalize(vec3(direction.x, 0.03, direction.z)));
  return vec4(light * 0.72, lost);
}

#version 460
#extension GL_GOOGLE_include_directive : require
// The evening sky over the city, and the dark land around it.
#include "frame.glsl"
#include "dusk.glsl"
#include "noise.glsl"

layout(push_constant) uniform Push { FrameReference frame; };
layout(location = 0) in vec2 ndc;
layout(location = 0) out vec4 color;

const float kLandHeight = -0.4;

vec3 clouds(vec3 direction, vec3 light) {
  float up = direction.y + 0.10;
  vec2 place = direction.xz / up;
  float cover = 0.5 + 0.5 * fractalNoise(vec3(place * vec2(0.55, 1.3), 0.006 * constants.forward.w), 5);
  cover = smoothstep(0.50, 0.80, cover) * smoothstep(0.0, 0.10, direction.y);
  float toward = towardsSunset(direction);
  vec3 lit = mix(vec3(0.09, 0.095, 0.15), vec3(1.15, 0.36, 0.20), pow(toward, 4.0));
  return mix(light, mix(lit, vec3(0.06, 0.06, 0.10), smoothstep(0.15, 0.7, direction.y)), 0.75 * cover);
}

void main() {
  constants = frame.value;
  vec3 eye = constants.eye.xyz;
  vec3 direction = normalize(constants.forward.xyz + constants.right.xyz * ndc.x - constants.up.xyz * ndc.y);
  vec3 light;
  if (direction.y < 0.0 && eye.y > kLandHeight) {
    vec3 point = eye + direction * ((kLandHeight - eye.y) / direction.y);
    vec4 air = haze(eye, point);
    light = mix(vec3(0.012, 0.014, 0.018), air.rgb, air.a);
  } else {
    light = clouds(direction, clearSky(direction));
    // The haze over the land hides what is just above the horizon.
    light = mix(light, clearSky(normalize(vec3(direction.x, 0.03, direction.z))) * 0.72,
                exp(-max(direction.y, 0.0) * 22.0));
  }
  color = vec4(light, 1.0);
}

#version 460
#extension GL_GOOGLE_include_directive : require
// A kept particle as a soft point.
#include "frame.glsl"
#include "particle.glsl"

layout(push_constant) uniform Push {
  FrameReference frame;
  uvec2 reserved;
  float maxPointSize;
};
layout(location = 0) in vec3 position;
layout(location = 1) in float life;
layout(location = 2) in vec3 velocity;
layout(location = 3) in vec4 colour;
layout(location = 0) flat out vec3 light;
layout(location = 1) flat out float softness;

void main() {
  constants = frame.value;
  gl_Position = constants.viewProjection * vec4(position, 1.0);
  float sizeClass = colour.a;
  bool gas = isGas(sizeClass), cloud = isCloud(sizeClass);
  float pixels = particlePixels(sizeClass, gl_Position.w);
  float drawn = clamp(pixels, 1.6, maxPointSize);
  gl_PointSize = drawn;
  // A point smaller than it may be drawn is fainter instead; one near the camera fades before it fills the picture.
  float coverage = min(pixels * pixels / (drawn * drawn), 1.0) * smoothstep(1.0, 9.0, gl_Position.w);
  float fade = smoothstep(0.0, 0.7, life);
  // Particles that come towards the camera shine a little bluer and brighter.
  float approach = dot(normalize(constants.eye.xyz - position), velocity) * 0.05;
  vec3 tint = colour.rgb * mix(vec3(1.0), vec3(0.75, 0.95, 1.3), clamp(approach, -0.6, 0.6));
  float energy = cloud ? 0.024 : gas ? 0.055 : 1.1;
  light = tint * energy * coverage * fade * constants.particles.x;
  softness = gas ? 3.2 : 5.0;
}

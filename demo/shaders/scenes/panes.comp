#version 460
#extension GL_GOOGLE_include_directive : require
// The panes at a moment, from the far end of the stack to the near one. Each lives again and again at its depth, every
// time elsewhere around the axis; most are dead. The state is a function of index and time alone.
#include "frame.glsl"

layout(local_size_x = 256) in;
layout(buffer_reference, std430, buffer_reference_align = 16) writeonly buffer PaneReference { Pane at[]; };
layout(push_constant) uniform Push {
  FrameReference frame;
  PaneReference panes;
  uint paneCount;
  float livingShare;
};

const float kLifetime = 3.5;  // seconds
const float kHalfDepth = 26.0;

float gaussian(uint h) { return unitHash(h) + unitHash(h + 1u) + unitHash(h + 2u) + unitHash(h + 3u) - 2.0; }

// Bands of colour along the depth, so that one band over another shows at once.
vec3 bandColour(float depth) {
  const vec3 bands[6] = vec3[](vec3(0.04, 0.10, 0.55), vec3(0.36, 0.05, 0.60), vec3(0.85, 0.06, 0.28),
                               vec3(1.00, 0.36, 0.04), vec3(0.95, 0.82, 0.10), vec3(0.08, 0.75, 0.66));
  return bands[min(uint(depth * 6.0), 5u)];
}

Pane paneAt(uint index, float time) {
  float lifetime = kLifetime * (0.6 + 0.8 * unitHash(index * 3u + 1u));
  float cycle = time * livingShare / lifetime + unitHash(index);
  float age = fract(cycle) * lifetime / livingShare;  // from birth on, the time of being dead included
  uint h = hash(index ^ hash(uint(cycle))) * 16u;
  float depth = (float(index) + 0.5) / float(paneCount);

  float angle = 11.0 * depth + 0.25 * time, away = 6.5 + 3.0 * gaussian(h);
  vec3 center = vec3(1.5 * away * cos(angle) + 4.0 * gaussian(h + 4u), away * sin(angle) + 3.0 * gaussian(h + 8u),
                     kHalfDepth * (2.0 * depth - 1.0));
  float radius = 4.0 + 5.5 * unitHash(h + 12u), aspect = 0.55 + 0.4 * unitHash(h + 13u);
  vec3 colour = bandColour(depth) * (0.75 + 0.5 * unitHash(h + 14u));
  float fade = smoothstep(0.0, 0.4, age) * smoothstep(0.0, 0.6, lifetime - age);
  return Pane(center, radius, lifetime - age, angle * 0.5 + 0.4 * gaussian(h + 2u), aspect,
              packUnorm4x8(vec4(colour, 0.62 * fade)));
}

void main() {
  constants = frame.value;
  uint step = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
  for (uint index = gl_GlobalInvocationID.x; index < paneCount; index += step)
    panes.at[index] = paneAt(index, constants.forward.w);
}

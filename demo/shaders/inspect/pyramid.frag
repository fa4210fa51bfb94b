#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_buffer_reference : require
// A level of a depth pyramid: what is near is bright, and what nothing covers is black. Without a valid pyramid all is
// of one colour.
#include "sluice/pyramid.h"

layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer WordsReference { uint at[]; };
layout(push_constant) uniform Push {
  WordsReference pyramid;
  vec2 corner;  // of the viewport
  vec2 size;
  float nearDistance;  // of the near plane
  float farDistance;   // which is almost black
  uint level;
};
layout(location = 0) out vec4 color;

void main() {
  color = vec4(0.05, 0.0, 0.08, 1.0);
  if (pyramid.at[SLU_PYRAMID_WORD_VALID] != SLU_PYRAMID_VALID) return;
  uvec2 pixels = uvec2(pyramid.at[SLU_PYRAMID_WORD_WIDTH], pyramid.at[SLU_PYRAMID_WORD_HEIGHT]);
  uint shown = min(level, sluPyramidLevels(pixels.x, pixels.y) - 1u);
  uvec2 pixel = min(uvec2((gl_FragCoord.xy - corner) / size * vec2(pixels)), pixels - 1u);
  uvec2 texel = pixel >> (shown + 1u);
  float depth = uintBitsToFloat(pyramid.at[sluPyramidTexel(pixels.x, pixels.y, 0u, shown, texel.x, texel.y)]);
  if (depth <= 0.0) {
    color = vec4(0.0, 0.0, 0.0, 1.0);
    return;
  }
  float far = -log(depth) / log(farDistance / nearDistance);
  float near = 1.0 - clamp(far, 0.0, 1.0);
  color = vec4(vec3(0.004, 0.006, 0.010) + vec3(0.50, 0.55, 0.52) * near * near, 1.0);
}

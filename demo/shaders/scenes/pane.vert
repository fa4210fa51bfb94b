#version 460
#extension GL_GOOGLE_include_directive : require
// A kept pane as an instance: gl_InstanceIndex counts through the kept records.
#include "frame.glsl"

layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer PaneReference { Pane at[]; };
layout(push_constant) uniform Push {
  FrameReference frame;
  PaneReference panes;
};
layout(location = 0) out vec2 place;
layout(location = 1) flat out vec4 colour;
layout(location = 2) flat out vec2 size;

void main() {
  constants = frame.value;
  Pane pane = panes.at[gl_InstanceIndex];
  place = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 2.0 - 1.0;
  colour = unpackUnorm4x8(pane.colour);
  // The corners lie on the bounding sphere.
  size = pane.radius * normalize(vec2(1.0, pane.aspect));
  vec2 flatPlace = place * size;
  vec3 along = vec3(cos(pane.turn), sin(pane.turn), 0.0), across = vec3(-sin(pane.turn), cos(pane.turn), 0.0);
  gl_Position = constants.viewProjection * vec4(pane.center + flatPlace.x * along + flatPlace.y * across, 1.0);
}

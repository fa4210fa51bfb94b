#version 460
#extension GL_GOOGLE_include_directive : require
// An instance of the city, as the sun sees it.
#define MORE_PUSH_CONSTANTS uint cascade;
#include "instance.glsl"

layout(location = 0) in vec3 position;

void main() {
  constants = frame.value;
  Placement placement = placementOf(indices.at[gl_InstanceIndex]);
  gl_Position = constants.cascades[cascade].fromWorld * vec4(placement.linear * position + placement.position, 1.0);
}

#version 460
#extension GL_GOOGLE_include_directive : require
// An instance of the city.
#include "instance.glsl"

layout(location = 0) in vec3 position;
layout(location = 1) in vec4 normal;  // w: the material over 127
layout(location = 0) out vec3 worldPosition;
layout(location = 1) out vec3 localPosition;
layout(location = 2) out vec3 worldNormal;
layout(location = 3) out vec3 localNormal;
layout(location = 4) flat out uint material;
layout(location = 5) flat out uint seed;

void main() {
  constants = frame.value;
  Placement placement = placementOf(indices.at[gl_InstanceIndex]);
  worldPosition = placement.linear * position + placement.position;
  localPosition = position;
  worldNormal = placement.linear * normal.xyz / placement.scale;
  localNormal = normal.xyz;
  material = uint(normal.w * 127.0 + 0.5);
  seed = placement.seed;
  gl_Position = constants.viewProjection * vec4(worldPosition, 1.0);
}

// A vertex of an instance of the belt. INSTANCE is the number of the instance.
layout(location = 0) in vec3 position;
layout(location = 1) in vec4 normal;
layout(location = 0) out vec3 worldPosition;
layout(location = 1) out vec3 localPosition;
layout(location = 2) out vec3 localNormal;
layout(location = 3) flat out mat3 rotation;
layout(location = 6) flat out uint seed;
layout(location = 7) flat out float scale;

void main() {
  constants = frame.value;
  Placement placement = placementOf(INSTANCE);
  worldPosition = placement.linear * position + placement.position;
  localPosition = position;
  localNormal = normal.xyz;
  rotation = placement.linear / placement.scale;
  seed = placement.seed;
  scale = placement.scale;
  gl_Position = constants.viewProjection * vec4(worldPosition, 1.0);
}

// How much of the sun is seen, by the shadow maps of its cascades. frame.glsl comes before this.

layout(set = 0, binding = 0) uniform sampler2DArrayShadow shadowMaps;

const float kFilterReach = 2.0;    // texels from the place to the farthest middle of one that counts
const float kCascadeBlend = 0.12;  // of half a side: where a cascade goes over into the next

// Returns the share of 3x3 comparisons that find nothing between the place and the sun. Each is the mean of four
// texels, weighted by how near they are: 4x4 texels in all.
float seenInCascade(uint cascade, vec3 place) {
  vec2 texel = (0.5 + 0.5 * place.xy) * float(kShadowMapSide) - 0.5, first = floor(texel), part = texel - first;
  vec4 across = vec4(1.0 - part.x, 1.0, 1.0, part.x), down = vec4(1.0 - part.y, 1.0, 1.0, part.y);
  float sum = 0.0;
  for (int y = 0; y < 4; ++y) {
    for (int x = 0; x < 4; ++x) {
      vec2 middle = (first + vec2(x, y) - 0.5) / float(kShadowMapSide);
      sum += across[x] * down[y] * texture(shadowMaps, vec4(middle, cascade, place.z));
    }
  }
  return sum / 9.0;
}

// facing is the cosine between the surface and the sun. Across a diagonal the filter reaches sqrt(2) times as far. Over
// that way the surface's depth changes by its tangent. Moved as far times the sine along the normal, the place lies
// above all of the surface that the filter meets.
float sunSeen(vec3 position, vec3 normal, float facing) {
  float sine = sqrt(max(1.0 - facing * facing, 0.0));
  float seen = 0.0, rest = 1.0;
  for (uint i = 0u; i < kCascadeCount && rest > 0.0; ++i) {
    Cascade cascade = constants.cascades[i];
    vec3 moved = position + normal * (1.42 * kFilterReach * cascade.texel * sine);
    vec3 place = (cascade.fromWorld * vec4(moved, 1.0)).xyz;
    float behind = 1.0 - (place.z - cascade.behind) * cascade.edgesPerDepth;
    float edge = max(max(abs(place.x), abs(place.y)), behind);
    float lastEdge = 1.0 - 2.0 * kFilterReach / float(kShadowMapSide);
    float weight = rest * clamp((lastEdge - edge) / kCascadeBlend, 0.0, 1.0);
    if (weight > 0.0) seen += weight * seenInCascade(i, place);
    rest -= weight;
  }
  return seen + rest;  // nothing casts shadows beyond the last cascade
}

#version 460
// Halves an image with a tent filter of 13 taps (Jimenez, "Next generation post processing in Call of Duty: Advanced
// Warfare", SIGGRAPH 2014).
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) uniform sampler2D source;
layout(binding = 2, rgba16f) uniform writeonly image2D target;

vec3 fetch(vec2 place) { return min(textureLod(source, place, 0.0).rgb, vec3(60.0)); }

void main() {
  ivec2 pixel = ivec2(gl_GlobalInvocationID.xy), size = imageSize(target);
  if (any(greaterThanEqual(pixel, size))) return;
  vec2 place = (vec2(pixel) + 0.5) / vec2(size), texel = 1.0 / vec2(textureSize(source, 0));
  vec3 inner = fetch(place + texel * vec2(-1, -1)) + fetch(place + texel * vec2(1, -1)) +
               fetch(place + texel * vec2(-1, 1)) + fetch(place + texel * vec2(1, 1));
  vec3 cross = fetch(place + texel * vec2(-2, 0)) + fetch(place + texel * vec2(2, 0)) +
               fetch(place + texel * vec2(0, -2)) + fetch(place + texel * vec2(0, 2));
  vec3 corners = fetch(place + texel * vec2(-2, -2)) + fetch(place + texel * vec2(2, -2)) +
                 fetch(place + texel * vec2(-2, 2)) + fetch(place + texel * vec2(2, 2));
  vec3 sum = inner * 0.125 + cross * 0.0625 + corners * 0.03125 + fetch(place) * 0.125;
  imageStore(target, pixel, vec4(sum, 1.0));
}

#version 460
// Adds the next coarser level, spread by a tent filter of 9 taps.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) uniform sampler2D coarser;
layout(binding = 2, rgba16f) uniform image2D target;

void main() {
  ivec2 pixel = ivec2(gl_GlobalInvocationID.xy), size = imageSize(target);
  if (any(greaterThanEqual(pixel, size))) return;
  vec2 place = (vec2(pixel) + 0.5) / vec2(size), texel = 1.0 / vec2(textureSize(coarser, 0));
  vec3 sum = vec3(0.0);
  for (int y = -1; y <= 1; ++y)
    for (int x = -1; x <= 1; ++x)
      sum += textureLod(coarser, place + texel * vec2(x, y), 0.0).rgb * float((2 - abs(x)) * (2 - abs(y)));
  vec3 own = imageLoad(target, pixel).rgb;
  imageStore(target, pixel, vec4(mix(own, sum / 16.0, 0.62), 1.0));
}

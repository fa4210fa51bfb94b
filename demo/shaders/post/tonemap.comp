#version 460
// Scene and bloom to an 8-bit sRGB picture.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) uniform sampler2D scene;
layout(binding = 1) uniform sampler2D bloom;
layout(binding = 2, rgba8) uniform writeonly image2D target;

// The fit of the ACES reference by Stephen Hill.
vec3 filmic(vec3 light) {
  const mat3 toFilm = mat3(0.59719, 0.07600, 0.02840, 0.35458, 0.90834, 0.13383, 0.04823, 0.01566, 0.83777);
  const mat3 fromFilm = mat3(1.60475, -0.10208, -0.00327, -0.53108, 1.10813, -0.07276, -0.07367, -0.00605, 1.07602);
  vec3 v = toFilm * light;
  v = (v * (v + 0.0245786) - 0.000090537) / (v * (0.983729 * v + 0.4329510) + 0.238081);
  return clamp(fromFilm * v, 0.0, 1.0);
}

vec3 toSrgb(vec3 linear) {
  return mix(12.92 * linear, 1.055 * pow(linear, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, linear));
}

// Interleaved gradient noise (Jimenez 2014), against banding.
float dither(vec2 pixel) { return fract(52.9829189 * fract(dot(pixel, vec2(0.06711056, 0.00583715)))); }

void main() {
  ivec2 pixel = ivec2(gl_GlobalInvocationID.xy), size = imageSize(target);
  if (any(greaterThanEqual(pixel, size))) return;
  vec2 place = (vec2(pixel) + 0.5) / vec2(size);
  vec3 light = textureLod(scene, place, 0.0).rgb;
  light = mix(light, textureLod(bloom, place, 0.0).rgb, 0.14);
  vec2 center = place - 0.5;
  light *= 1.0 - 0.55 * dot(center, center);
  vec3 encoded = toSrgb(filmic(light * 1.25));
  imageStore(target, pixel, vec4(encoded + (dither(vec2(pixel)) - 0.5) / 255.0, 1.0));
}

#version 460
#extension GL_GOOGLE_include_directive : require
// Draws what lies behind the scene: stars and nebulae, and for the asteroids the planet with the dust of its ring.
#include "frame.glsl"
#include "light.glsl"
#include "noise.glsl"

layout(push_constant) uniform Push {
  FrameReference frame;
  uint hasPlanet;
};
layout(location = 0) in vec2 ndc;
layout(location = 0) out vec4 color;

// One star per cell of a grid on the sphere of directions, most of them too faint to see.
vec3 stars(vec3 direction, float density, float brightness, float rarity) {
  vec3 base = floor(direction * density);
  uint h = latticeHash(uvec3(ivec3(base)));
  vec3 center = base + 0.3 + 0.4 * vec3(h & 255u, h >> 8u & 255u, h >> 16u & 255u) / 255.0;
  float angle = length(cross(direction, normalize(center)));
  float pixel = constants.right.w;
  float width = max(pixel * 0.75, 0.00055);
  uint pick = hash(h);
  float magnitude = pow(float(pick >> 8u) / 16777216.0, rarity);
  vec3 tint = mix(vec3(1.0, 0.70, 0.46), vec3(0.56, 0.74, 1.0), float(pick & 255u) / 255.0);
  float energy = 1.0e-6 / (width * width);
  return tint * (brightness * magnitude * energy) * exp(-angle * angle / (width * width));
}

vec3 sky(vec3 direction) {
  vec3 band = normalize(vec3(0.25, 0.86, 0.45));
  float latitude = dot(direction, band) + 0.12 * noise(direction * 1.7 + 4.0).x;
  float cloud = 0.5 + 0.5 * fractalNoise(direction * 2.6 + 3.7, 4);
  float dark = 0.5 + 0.5 * fractalNoise(direction * 5.3 + 9.2, 4);
  float galaxy = exp(-latitude * latitude * 9.0) * cloud * smoothstep(0.2, 0.75, dark);
  vec3 glow = mix(vec3(0.05, 0.10, 0.20), vec3(0.28, 0.12, 0.20), cloud) * galaxy * 0.5;
  glow += vec3(0.003, 0.005, 0.011) + vec3(0.004, 0.007, 0.016) * cloud;
  glow += stars(direction, 30.0, 16.0, 90.0) + stars(direction.yzx, 64.0, 2.2, 40.0);
  glow += (0.10 + 2.4 * galaxy) * stars(direction.zxy, 150.0, 1.1, 7.0);
  return glow;
}

vec3 sun(vec3 direction) {
  float cosine = dot(direction, kSun);
  float angle = acos(clamp(cosine, -1.0, 1.0));
  vec3 disc = vec3(90.0, 78.0, 60.0) * smoothstep(0.021, 0.018, angle);
  return disc + vec3(1.0, 0.72, 0.45) * (0.30 * exp(-angle * 16.0) + 0.10 * exp(-angle * 3.6));
}

// Distances of the sphere around the origin along a ray, or a negative far one.
vec2 hitSphere(vec3 origin, vec3 direction, float radius) {
  float b = dot(origin, direction), c = dot(origin, origin) - radius * radius;
  float discriminant = b * b - c;
  if (discriminant < 0.0) return vec2(-1.0);
  float root = sqrt(discriminant);
  return vec2(-b - root, -b + root);
}

// The shadow that the ring casts on the planet.
float sunThroughRing(vec3 point) {
  float t = -point.y / kSun.y;
  if (t < 0.0) return 1.0;
  return 1.0 - 0.82 * ringDensity(length((point + t * kSun).xz));
}

vec3 planetSurface(vec3 point, vec3 direction) {
  vec3 normal = point / kPlanetRadius;
  float spin = constants.forward.w * 0.004;
  vec3 place = vec3(cos(spin) * normal.x - sin(spin) * normal.z, normal.y, sin(spin) * normal.x + cos(spin) * normal.z);
  // Bands along the latitude, bent by turbulence that is stretched along them.
  float swirl = fractalNoise(place * vec3(3.0, 10.0, 3.0), 4);
  float fine = fractalNoise(place * vec3(7.0, 34.0, 7.0) + swirl * 1.8, 4);
  float latitude = place.y + 0.055 * swirl + 0.016 * fine;
  float bands = 0.5 + 0.5 * sin(latitude * 19.0 + 1.2 * sin(latitude * 7.0));
  float thin = 0.5 + 0.5 * sin(latitude * 61.0 + 2.0);
  vec3 surface = mix(vec3(0.075, 0.20, 0.27), vec3(0.66, 0.61, 0.50), smoothstep(0.15, 0.95, bands));
  surface = mix(surface, vec3(0.48, 0.25, 0.13), 0.62 * smoothstep(0.62, 1.0, thin) * (1.0 - abs(place.y)));
  surface = mix(surface, vec3(0.10, 0.30, 0.36), smoothstep(0.45, 0.95, abs(place.y)));
  surface *= 0.86 + 0.32 * fine;
  // One great storm.
  vec3 storm = place - normalize(vec3(0.62, -0.33, 0.70));
  float eye = length(storm * vec3(1.0, 2.1, 1.0)) + 0.03 * fine;
  surface = mix(surface, vec3(0.72, 0.36, 0.20) * (0.8 + 0.4 * sin(eye * 90.0)), smoothstep(0.17, 0.11, eye) * 0.85);

  float cosine = dot(normal, kSun);
  float day = smoothstep(-0.06, 0.30, cosine) * max(cosine, 0.06 * smoothstep(-0.06, 0.0, cosine));
  vec3 lit = surface * kSunColor * 0.52 * day * sunThroughRing(point);
  lit += surface * vec3(0.006, 0.008, 0.012);
  float edge = pow(1.0 - max(dot(normal, -direction), 0.0), 3.2);
  vec3 air = vec3(0.26, 0.58, 0.86) * smoothstep(-0.22, 0.5, cosine);
  return mix(lit, air * 1.15, 0.75 * edge);
}

// Light of the thin air outside the planet's edge.
vec3 atmosphere(vec3 eye, vec3 direction) {
  float nearest = -dot(eye, direction);
  if (nearest < 0.0) return vec3(0.0);
  vec3 point = eye + nearest * direction;
  float height = length(point) - kPlanetRadius;
  float lit = smoothstep(-0.25, 0.55, dot(normalize(point), kSun));
  return vec3(0.20, 0.50, 0.88) * (0.95 * exp(-max(height, 0.0) * 0.55) + 0.10 * exp(-max(height, 0.0) * 0.11)) * lit;
}

// Colour and coverage of the ring's dust where a ray crosses its plane.
vec4 ringDust(vec3 eye, vec3 direction, float t) {
  vec3 point = eye + t * direction;
  float radius = length(point.xz);
  float footprint = t * constants.right.w / max(abs(direction.y), 0.02);
  float grain = 1.0;
  float detail = clamp(1.0 - footprint * 0.35, 0.0, 1.0);
  if (detail > 0.0) grain += detail * 0.55 * fractalNoise(vec3(point.x * 0.9, 3.0, point.z * 0.9), 3);
  grain += 0.35 * noise(vec3(radius * 1.1, 0.0, 7.0)).x * clamp(1.0 - footprint * 0.2, 0.0, 1.0);
  float density = ringDensity(radius) * max(grain, 0.0);
  // The belt near the camera is rocks, not dust.
  float rocks = smoothstep(6.0, 90.0, t);
  float cover = 1.0 - exp(-density * rocks * 0.85 / max(abs(direction.y), 0.10) * 0.45);
  vec3 tint = mix(vec3(0.46, 0.36, 0.29), vec3(0.78, 0.70, 0.60), 0.5 + 0.5 * sin(radius * 0.33 + sin(radius * 0.11)));
  float light = sunBehindPlanet(point) * dustPhase(dot(direction, kSun));
  vec3 shine = kPlanetShine * 0.10 * max(dot(normalize(-point), -kSun) * -0.5 + 0.5, 0.0);
  return vec4(tint * (kSunColor * 0.17 * light + shine), cover);
}

void main() {
  constants = frame.value;
  vec3 eye = constants.eye.xyz;
  vec3 direction = normalize(constants.forward.xyz + constants.right.xyz * ndc.x - constants.up.xyz * ndc.y);
  gl_FragDepth = 0.0;
  vec3 light;
  if (hasPlanet == 0u) {
    light = sky(direction);
  } else {
    vec2 hit = hitSphere(eye, direction, kPlanetRadius);
    if (hit.x > 0.0) {
      light = planetSurface(eye + hit.x * direction, direction);
      gl_FragDepth = constants.eye.w / (hit.x * dot(direction, constants.forward.xyz));
    } else {
      light = sky(direction) + sun(direction) + atmosphere(eye, direction);
    }
    float t = -eye.y / direction.y;
    if (t > 0.0 && (hit.x <= 0.0 || t < hit.x)) {
      vec4 dust = ringDust(eye, direction, t);
      light = mix(light, dust.rgb, dust.a);
    }
  }
  color = vec4(light, 1.0);
}

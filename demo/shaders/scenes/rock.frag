#version 460
#extension GL_GOOGLE_include_directive : require
// Stone: procedural colour, relief and dents, lit by the sun, the planet and the dust around.
#include "frame.glsl"
#include "light.glsl"
#include "noise.glsl"

layout(push_constant) uniform Push { FrameReference frame; };
layout(location = 0) in vec3 worldPosition;
layout(location = 1) in vec3 localPosition;
layout(location = 2) in vec3 localNormal;
layout(location = 3) flat in mat3 rotation;
layout(location = 6) flat in uint seed;
layout(location = 7) flat in float scale;
layout(location = 0) out vec4 color;

// Height and gradient of craters: one bowl with a rim per lattice cell.
vec4 craters(vec3 position) {
  vec3 base = floor(position - 0.5);
  vec4 sum = vec4(0.0);
  for (int corner = 0; corner < 8; ++corner) {
    vec3 cell = base + vec3(corner & 1, corner >> 1 & 1, corner >> 2);
    uint h = latticeHash(uvec3(ivec3(cell)));
    vec3 center = cell + 0.5 + 0.32 * (vec3(h & 255u, h >> 8u & 255u, h >> 16u & 255u) / 127.5 - 1.0);
    float radius = 0.14 + 0.34 * float(h >> 24u) / 255.0;
    vec3 offset = position - center;
    float d = length(offset) / radius;
    if (d > 1.25) continue;
    // A bowl inside d = 1, a raised rim around it.
    float bowl = d < 1.0 ? d * d - 1.0 : 0.0, bowlSlope = d < 1.0 ? 2.0 * d : 0.0;
    float away = (d - 1.0) / 0.14, rim = 0.45 * exp(-away * away), rimSlope = -2.0 * away / 0.14 * rim;
    sum += vec4((bowl + rim) * radius, (bowlSlope + rimSlope) * offset / max(d * radius, 1e-4));
  }
  return sum;
}

void main() {
  constants = frame.value;
  vec3 toEye = constants.eye.xyz - worldPosition;
  float distance = length(toEye);
  vec3 view = toEye / distance;
  // Detail finer than a pixel is left out.
  float footprint = distance * constants.right.w / scale;
  vec3 offset = vec3(seed & 255u, seed >> 8u & 255u, seed >> 16u & 255u) * 0.37;
  vec3 place = localPosition + offset;

  vec4 broad = noise(place * 2.1);
  vec3 slope = 0.50 * broad.yzw;
  float relief = broad.x, stain = 0.0;
  float mediumWeight = smoothstep(0.22, 0.07, footprint);
  if (mediumWeight > 0.0) {
    vec4 medium = noise(place * 5.7);
    slope += mediumWeight * 0.50 * medium.yzw;
    relief += 0.45 * mediumWeight * medium.x;
    stain = medium.x * mediumWeight;
    vec4 pits = craters(place * 2.7);
    slope += mediumWeight * 0.85 * pits.yzw;
    relief += mediumWeight * 1.5 * pits.x;
  }
  float fineWeight = smoothstep(0.07, 0.02, footprint);
  if (fineWeight > 0.0) {
    vec4 fine = noise(place * 17.0);
    slope += fineWeight * 0.30 * fine.yzw;
    relief += 0.3 * fineWeight * fine.x;
    vec4 pits = craters(place * 7.9 + 3.0);
    slope += fineWeight * 0.50 * pits.yzw;
    vec4 grit = noise(place * 47.0);
    slope += smoothstep(0.025, 0.008, footprint) * 0.24 * grit.yzw;
  }
  vec3 normalLocal = normalize(localNormal);
  slope -= dot(slope, normalLocal) * normalLocal;
  vec3 normal = rotation * normalize(normalLocal - 0.46 * slope);
  vec3 smoothNormal = rotation * normalLocal;

  // Most stones are grey-brown; some rusty, some pale, a few carry ice.
  float kind = unitHash(seed ^ 0x5bd1e995u), shade = 0.62 + 0.66 * unitHash(seed + 77u);
  vec3 dark = vec3(0.085, 0.078, 0.074), bright = vec3(0.33, 0.285, 0.235);
  if (kind < 0.22) bright = vec3(0.42, 0.225, 0.115);
  if (kind > 0.78) dark = vec3(0.16, 0.15, 0.145), bright = vec3(0.50, 0.46, 0.41);
  if (kind > 0.945) dark = vec3(0.13, 0.20, 0.25), bright = vec3(0.55, 0.74, 0.84);
  vec3 albedo = mix(dark, bright, smoothstep(-0.75, 0.85, relief + 0.5 * stain)) * shade;
  float cavity = clamp(0.80 + 0.30 * relief, 0.35, 1.1);

  float open = sunBehindPlanet(worldPosition);
  float sunCosine = dot(normal, kSun);
  float terminator = smoothstep(-0.15, 0.25, dot(smoothNormal, kSun));
  vec3 light = kSunColor * open * max(sunCosine, 0.0) * terminator;
  // Light comes from the planet's day side, from the lit dust of the ring, and from the sky.
  vec3 toPlanet = -normalize(worldPosition);
  float planetDay = 0.5 + 0.5 * dot(-toPlanet, kSun);
  light += kPlanetShine * 1.5 * planetDay * (0.5 + 0.5 * dot(normal, toPlanet)) * cavity;
  light += kDust * kSunColor * open * 0.035 * (1.0 - 0.6 * abs(normal.y)) * cavity;
  light += vec3(0.018, 0.022, 0.034) * cavity;
  vec3 lit = albedo * light * mix(1.0, cavity, 0.6);

  float grazing = 1.0 - max(dot(smoothNormal, view), 0.0);
  float rim = pow(grazing, 3.5);
  lit += rim * (0.12 + 0.9 * pow(max(dot(-view, kSun), 0.0), 3.0)) * kSunColor * 0.22 * open * albedo * 3.0;
  lit += rim * kPlanetShine * 0.30 * planetDay * max(dot(normal, toPlanet), 0.0);
  if (kind > 0.945) {
    vec3 halfway = normalize(view + kSun);
    lit += vec3(0.8, 0.95, 1.0) * open * pow(max(dot(normal, halfway), 0.0), 40.0) * 1.6 * terminator;
  }

  // The far belt fades into dust.
  float haze = 1.0 - exp(-max(distance - 15.0, 0.0) * 0.0036);
  vec3 dust = kDust * (kSunColor * 0.11 * open * dustPhase(dot(-view, kSun)) + 0.02);
  color = vec4(mix(lit, dust, haze), 1.0);
}

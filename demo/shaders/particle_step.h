// The galaxy's particles at a moment, for the compute shader, for CUDA and for the check of both. Each lives again and
// again: it is born somewhere on its orbit, shines, fades and is dead for a while, so that at any time about two thirds
// of the buffer are dead, never the same ones for long. The state is a function of index and time alone, so that a
// frame looks the same however many came before. The galaxy breathes: how many particles are in use swells and ebbs.
#ifndef DEMO_PARTICLE_STEP_H
#define DEMO_PARTICLE_STEP_H

#include "shared.h"

#ifdef __cplusplus
namespace demo {
#endif

const uint kClusterCount = 420u;
const float kBreath = 0.45f;       // radians per second
const float kFadeSeconds = 16.0f;  // of life per share of the buffer

SHARED_FUNCTION float gaussian(uint h) {
  return unitHash(h) + unitHash(h + 1u) + unitHash(h + 2u) + unitHash(h + 3u) - 2.0f;
}

// The share of the buffer that is in use.
SHARED_FUNCTION float population(float time) {
  SHARED_USING
  return 0.8f + 0.2f * sin(kBreath * time);
}

// Returns how many particles are in use; they are the first ones.
SHARED_FUNCTION uint particlesInUse(uint particleCount, float time) {
  SHARED_USING
  return clamp(uint(population(time) * float(particleCount)), 1u, particleCount);
}

// Warm in the bulge, blue in the arms; pink in the clusters where stars are born.
SHARED_FUNCTION vec3 spectrum(float kind, float radius, float birth) {
  SHARED_USING
  vec3 bulge = vec3(1.0f, 0.66f, 0.34f), arm = vec3(0.30f, 0.52f, 1.0f);
  vec3 tint = mix(bulge, arm, smoothstep(3.0f, 19.0f, radius + 5.0f * (kind - 0.5f)));
  float outside = smoothstep(7.0f, 13.0f, radius);
  tint = mix(tint, vec3(1.0f, 0.10f, 0.36f), birth * outside * smoothstep(0.15f, 0.4f, kind));
  return mix(tint, vec3(0.16f, 0.95f, 0.82f), kind < 0.10f ? 0.75f * outside : 0.0f);
}

SHARED_FUNCTION Particle particleAt(uint index, uint particleCount, float time) {
  SHARED_USING
  uint id = hash(index);
  float period = 5.0f + 9.0f * unitHash(id);
  float cycle = time / period + unitHash(id + 1u);
  uint generation = uint(cycle);
  float age = fract(cycle) * period, lifetime = period * (0.26f + 0.18f * unitHash(id + 2u));
  uint h = hash(id ^ hash(generation)) * 16u;

  float kind = unitHash(h), size = unitHash(h + 1u), part = unitHash(h + 2u);
  float sizeClass = size < 0.05f ? 1.0f : size < 0.22f ? 0.5f : 0.2f * (size - 0.22f);
  float radius, angle, height;
  float birth = 0.04f;  // how much of the colour of newborn stars
  if (part < 0.17f) {
    // The bulge, a flattened ball.
    radius = 0.4f + 6.5f * abs(gaussian(h + 3u));
    angle = 6.2831853f * unitHash(h + 7u);
    height = 3.2f * gaussian(h + 9u) * exp(-radius * 0.10f);
  } else {
    // The disc: most of it in two arms, each a logarithmic spiral, and half of these in clusters.
    bool inArm = part < 0.88f, inCluster = part < 0.54f;
    uint cluster = hash(h + 15u) % kClusterCount, place = inCluster ? cluster * 16u + 0x51u : h;
    radius = 4.0f + 54.0f * pow(unitHash(place + 3u), 0.95f);
    float along = 2.9f * log(radius * 0.25f), fray = gaussian(place + 11u);
    float spread = inArm ? (0.17f + 1.2f / radius) * (1.0f + 2.2f * fray * fray) : 2.7f;
    float arm = unitHash(place + 4u) < 0.5f ? 0.0f : 3.1415927f;
    angle = arm + along + spread * gaussian(place + 5u) * 1.7f;
    height = gaussian(place + 9u) * (0.45f + 3.0f * exp(-radius * 0.12f));
    if (inCluster) {
      float extent = 0.35f + 2.0f * unitHash(cluster) * unitHash(cluster + 7u);
      radius += extent * gaussian(h + 3u);
      angle += extent * 1.6f * gaussian(h + 7u) / radius;
      height += 0.5f * extent * gaussian(h + 11u);
      birth = unitHash(cluster + 99u) > 0.62f ? 1.0f : 0.0f;
    }
  }
  float speed = 0.30f / (1.0f + 0.11f * radius);  // radians per second

  Particle particle;
  if (kind > 0.965f && part < 0.5f) {
    // A fountain out of the core: up along the axis, opening, and falling back.
    float rise = age / lifetime, side = (h & 16u) != 0u ? 1.0f : -1.0f;
    float turn = angle + 5.0f * rise, open = 0.3f + 5.5f * rise * rise * (0.25f + size);
    float climb = side * (30.0f * rise * (1.0f - 0.45f * rise) * (0.5f + size));
    particle.position = vec3(cos(turn) * open, climb, sin(turn) * open);
    particle.velocity = vec3(-sin(turn) * open, side * 30.0f * (1.0f - 0.9f * rise), cos(turn) * open) / lifetime;
    radius = 30.0f * rise + 6.0f;
    kind = 0.3f;
    sizeClass = min(sizeClass, 0.5f);
  } else {
    float turn = angle + speed * (age - 0.5f * lifetime) - 0.012f * time;
    particle.position = vec3(cos(turn) * radius, height, sin(turn) * radius);
    particle.velocity = vec3(-sin(turn), 0.0f, cos(turn)) * radius * speed;
  }
  // The particles that will be let go next fade before that.
  float share = float(index) / float(particleCount);
  particle.life = min(lifetime - age, (population(time) - share) * kFadeSeconds);
  particle.colour = packUnorm4x8(vec4(spectrum(kind, radius, birth), sizeClass));
  return particle;
}

#ifdef __cplusplus
}  // namespace demo
#endif

#endif

#version 460
#extension GL_GOOGLE_include_directive : require
// The galaxy's particles at a moment. Each lives again and again: it is born somewhere on its orbit, shines, fades and is
// dead for a while, so that at any time about two thirds of the buffer are dead, never the same ones for long. The state is
// a function of index and time alone, so that a frame looks the same however many came before. The galaxy breathes: how
// many particles are in use swells and ebbs, and the compaction reads that count where it is written here.
#include "frame.glsl"

layout(local_size_x = 256) in;
layout(buffer_reference, std430, buffer_reference_align = 16) writeonly buffer ParticleReference { Particle at[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) writeonly buffer CountReference { uint value; };
layout(push_constant) uniform Push {
  FrameReference frame;
  ParticleReference particles;
  CountReference liveCount;
  uint particleCount;
};

float gaussian(uint h) { return unitHash(h) + unitHash(h + 1u) + unitHash(h + 2u) + unitHash(h + 3u) - 2.0; }

const uint kClusterCount = 420u;
const float kBreath = 0.45;       // radians per second
const float kFadeSeconds = 16.0;  // of life per share of the buffer

// Warm in the bulge, blue in the arms; pink in the clusters where stars are born.
vec3 spectrum(float kind, float radius, float birth) {
  vec3 bulge = vec3(1.0, 0.66, 0.34), arm = vec3(0.30, 0.52, 1.0);
  vec3 tint = mix(bulge, arm, smoothstep(3.0, 19.0, radius + 5.0 * (kind - 0.5)));
  float outside = smoothstep(7.0, 13.0, radius);
  tint = mix(tint, vec3(1.0, 0.10, 0.36), birth * outside * smoothstep(0.15, 0.4, kind));
  return mix(tint, vec3(0.16, 0.95, 0.82), kind < 0.10 ? 0.75 * outside : 0.0);
}

Particle particleAt(uint index, float time) {
  uint id = hash(index);
  float period = 5.0 + 9.0 * unitHash(id);
  float cycle = time / period + unitHash(id + 1u);
  uint generation = uint(cycle);
  float age = fract(cycle) * period, lifetime = period * (0.26 + 0.18 * unitHash(id + 2u));
  uint h = hash(id ^ hash(generation)) * 16u;

  float kind = unitHash(h), size = unitHash(h + 1u), part = unitHash(h + 2u);
  float sizeClass = size < 0.05 ? 1.0 : size < 0.22 ? 0.5 : 0.2 * (size - 0.22);
  float radius, angle, height;
  float birth = 0.04;  // how much of the colour of newborn stars
  if (part < 0.17) {
    // The bulge, a flattened ball.
    radius = 0.4 + 6.5 * abs(gaussian(h + 3u));
    angle = 6.2831853 * unitHash(h + 7u);
    height = 3.2 * gaussian(h + 9u) * exp(-radius * 0.10);
  } else {
    // The disc: most of it in two arms, each a logarithmic spiral, and half of these in clusters.
    bool inArm = part < 0.88, inCluster = part < 0.54;
    uint cluster = hash(h + 15u) % kClusterCount, place = inCluster ? cluster * 16u + 0x51u : h;
    radius = 4.0 + 54.0 * pow(unitHash(place + 3u), 0.95);
    float along = 2.9 * log(radius * 0.25), fray = gaussian(place + 11u);
    float spread = inArm ? (0.17 + 1.2 / radius) * (1.0 + 2.2 * fray * fray) : 2.7;
    float arm = unitHash(place + 4u) < 0.5 ? 0.0 : 3.1415927;
    angle = arm + along + spread * gaussian(place + 5u) * 1.7;
    height = gaussian(place + 9u) * (0.45 + 3.0 * exp(-radius * 0.12));
    if (inCluster) {
      float extent = 0.35 + 2.0 * unitHash(cluster) * unitHash(cluster + 7u);
      radius += extent * gaussian(h + 3u);
      angle += extent * 1.6 * gaussian(h + 7u) / radius;
      height += 0.5 * extent * gaussian(h + 11u);
      birth = unitHash(cluster + 99u) > 0.62 ? 1.0 : 0.0;
    }
  }
  float speed = 0.30 / (1.0 + 0.11 * radius);  // radians per second

  vec3 position, velocity;
  if (kind > 0.965 && part < 0.5) {
    // A fountain out of the core: up along the axis, opening, and falling back.
    float rise = age / lifetime, side = (h & 16u) != 0u ? 1.0 : -1.0;
    float turn = angle + 5.0 * rise, open = 0.3 + 5.5 * rise * rise * (0.25 + size);
    position = vec3(cos(turn) * open, side * (30.0 * rise * (1.0 - 0.45 * rise) * (0.5 + size)), sin(turn) * open);
    velocity = vec3(-sin(turn) * open, side * 30.0 * (1.0 - 0.9 * rise), cos(turn) * open) / lifetime;
    radius = 30.0 * rise + 6.0;
    kind = 0.3;
    sizeClass = min(sizeClass, 0.5);
  } else {
    float turn = angle + speed * (age - 0.5 * lifetime) - 0.012 * time;
    position = vec3(cos(turn) * radius, height, sin(turn) * radius);
    velocity = vec3(-sin(turn), 0.0, cos(turn)) * radius * speed;
  }
  return Particle(position, lifetime - age, velocity, packUnorm4x8(vec4(spectrum(kind, radius, birth), sizeClass)));
}

// The share of the buffer that is in use.
float population(float time) { return 0.8 + 0.2 * sin(kBreath * time); }

void main() {
  constants = frame.value;
  float time = constants.forward.w;
  uint live = clamp(uint(population(time) * float(particleCount)), 1u, particleCount);
  if (gl_GlobalInvocationID.x == 0u) liveCount.value = live;
  uint step = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
  for (uint index = gl_GlobalInvocationID.x; index < live; index += step) {
    Particle particle = particleAt(index, time);
    // Those that will be let go next fade before.
    float share = float(index) / float(particleCount);
    particle.life = min(particle.life, (population(time) - share) * kFadeSeconds);
    particles.at[index] = particle;
  }
}

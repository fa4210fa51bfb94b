// The demo's C++ and its shaders share this: layouts in buffers, and the shape of the scene.
#ifndef DEMO_SHARED_H
#define DEMO_SHARED_H

#ifdef __cplusplus
#include <cstddef>
#include <cstdint>
#ifdef __CUDACC__
// GLM marks defaulted members for both sides, which they are anyhow.
#pragma nv_diagnostic push
#pragma nv_diag_suppress 20012
#include <glm/glm.hpp>
#pragma nv_diagnostic pop
#else
#include <glm/glm.hpp>
#endif
namespace demo {
using glm::mat4;
using glm::vec3;
using glm::vec4;
using uint = uint32_t;
#ifdef __CUDACC__
#define SHARED_FUNCTION __host__ __device__ inline
#else
#define SHARED_FUNCTION inline
#endif
#define SHARED_USING using namespace glm;
#else
#define SHARED_FUNCTION
#define SHARED_USING
#endif

const uint kCascadeCount = 4u;
const uint kShadowMapSide = 2048u;  // pixels of a cascade's shadow map

// The shadows of a sun up to a distance from the camera. Sides lie at -1 and 1 of x and y.
struct Cascade {
  mat4 fromWorld;       // depth is 1 at what is nearest to the sun
  float texel;          // side of a texel in the world
  float begin;          // distance ahead of the eye
  float behind;         // depth behind which the cascade does not reach
  float edgesPerDepth;  // half sides per depth
};

// One camera and moment, read by every shader of a frame.
struct FrameConstants {
  mat4 viewProjection;              // reversed z, far plane at infinity
  vec4 eye;                         // w: distance of the near plane
  vec4 right;                       // half the picture's width at distance 1; w: radians per pixel
  vec4 up;                          // half the picture's height at distance 1
  vec4 forward;                     // w: time in seconds
  vec4 viewport;                    // width, height, 1 / width, 1 / height
  vec4 particles;                   // x: brightness, y: size in pixels at distance 1
  Cascade cascades[kCascadeCount];  // of the camera that culls, in a scene with shadows
};

// A record of the scenes asteroids and city.
struct MeshInstance {
  vec3 position;
  float scale;
  vec4 rotation;  // quaternion x, y, z, w
  uint mesh;      // the key
  uint seed;
  uint reserved0;
  uint reserved1;
};

// An instance whose transform is a matrix, as SLU_MATRIX_ROWS has it.
struct MatrixInstance {
  vec4 rows[3];
  uint mesh;
  uint seed;
  uint reserved0;
  uint reserved1;
};

// A record of the scene asteroids in clusters.
struct ClusterRecord {
  uint instance;
  uint cluster;  // the key
};

// A record of the scene points.
struct Particle {
  vec3 position;
  float life;  // seconds left; 0 or below: dead
  vec3 velocity;
  uint colour;  // RGBA8; alpha is the size class
};

// A record of the scene planes.
struct Pane {
  vec3 center;
  float radius;  // with the center the bounding sphere
  float life;    // seconds left; 0 or below: dead
  float turn;    // around the axis of the stack, radians
  float aspect;  // height over width
  uint colour;   // RGBA8
};

// A material of the scene city.
struct Material {
  vec3 colour;
  float roughness;
  vec3 glow;
  uint pattern;
};
const uint kPatternPlain = 0u;
const uint kPatternCurtainWall = 1u;  // a facade of glass
const uint kPatternWindows = 2u;      // a wall with windows in it
const uint kPatternRoad = 3u;
const uint kPatternPavement = 4u;
const uint kPatternFoliage = 5u;
const uint kPatternPaint = 6u;  // in a colour of the instance's own
const uint kPatternRoof = 7u;
const uint kPatternShop = 8u;

// The city's blocks lie this far from each other, streets between them; lamps stand at these places on two sides of a
// block's middle.
const float kBlockPitch = 72.0f;
const float kPavementHalf = 28.0f;  // half a block's side, the pavement included
const float kLampAcross = 26.6f, kLampAlong = 14.0f, kLampHeight = 6.2f;

// The planet lies at the origin, its ring in the plane y = 0.
const float kPlanetRadius = 100.0f;
const float kRingInner = 128.0f;
const float kRingOuter = 236.0f;

// Returns how densely the ring is filled at a distance from the planet, 0 to 1. It has bands, and two gaps swept by
// moons.
SHARED_FUNCTION float ringDensity(float radius) {
  SHARED_USING
  float x = (radius - kRingInner) / (kRingOuter - kRingInner);
  float edges = smoothstep(0.0f, 0.06f, x) * (1.0f - smoothstep(0.9f, 1.0f, x));
  float bands = 0.62f + 0.2f * sin(x * 21.0f + 1.3f) + 0.12f * sin(x * 57.0f) + 0.06f * sin(x * 131.0f + 0.7f);
  float wide = (x - 0.64f) / 0.028f, narrow = (x - 0.27f) / 0.012f;
  float wideGap = 1.0f - 0.96f * exp(-wide * wide);
  float narrowGap = 1.0f - 0.8f * exp(-narrow * narrow);
  return clamp(edges * bands * wideGap * narrowGap, 0.0f, 1.0f);
}

// A hash of 32 bits with good avalanche (PCG output function).
SHARED_FUNCTION uint hash(uint value) {
  uint state = value * 747796405u + 2891336453u;
  uint word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
  return (word >> 22u) ^ word;
}

// The hash as a float in [0, 1).
SHARED_FUNCTION float unitHash(uint value) { return float(hash(value) >> 8u) * (1.0f / 16777216.0f); }

#ifdef __cplusplus
static_assert(sizeof(FrameConstants) == 480 && offsetof(FrameConstants, cascades) == 160 && sizeof(Cascade) == 80);
static_assert(sizeof(MeshInstance) == 48 && offsetof(MeshInstance, rotation) == 16 &&
              offsetof(MeshInstance, mesh) == 32);
static_assert(sizeof(MatrixInstance) == 64 && offsetof(MatrixInstance, mesh) == 48);
static_assert(sizeof(ClusterRecord) == 8);
static_assert(sizeof(Particle) == 32 && offsetof(Particle, velocity) == 16 && offsetof(Particle, colour) == 28);
static_assert(sizeof(Pane) == 32 && offsetof(Pane, life) == 16 && offsetof(Pane, colour) == 28);
static_assert(sizeof(Material) == 32 && offsetof(Material, glow) == 16 && offsetof(Material, pattern) == 28);
}  // namespace demo
#endif

#endif

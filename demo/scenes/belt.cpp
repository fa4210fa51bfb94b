#include "scenes/belt.h"

#include <algorithm>
#include <cmath>

#include "base/random.h"

namespace demo {
namespace {

constexpr float kTurn = 6.28318530718f;
constexpr uint32_t kClusterCount = 340;
constexpr float kClusterFraction = 0.34f;

// A radius with probability proportional to the ring's density there.
float ringRadius(Random& random) {
  for (;;) {
    const float radius = random.range(kRingInner, kRingOuter);
    if (random.unit() < ringDensity(radius)) return radius;
  }
}

struct Cluster {
  float radius, angle, spread;
};

std::vector<Cluster> makeClusters(Random& random) {
  std::vector<Cluster> clusters(kClusterCount);
  for (Cluster& cluster : clusters) {
    const float spread = random.unit();
    cluster = {ringRadius(random), random.range(0.0f, kTurn), 1.2f + 4.5f * spread * spread};
  }
  return clusters;
}

glm::vec3 placeOne(Random& random, const std::vector<Cluster>& clusters) {
  float radius, angle, height = 0.9f * random.normal();
  if (random.unit() < kClusterFraction) {
    const Cluster& cluster = clusters[random.bits() % kClusterCount];
    radius = cluster.radius + 0.5f * cluster.spread * random.normal();
    angle = cluster.angle + 1.6f * cluster.spread * random.normal() / cluster.radius;
    height *= 0.5f + 0.35f * cluster.spread;
  } else {
    radius = ringRadius(random);
    angle = random.range(0.0f, kTurn);
  }
  return {radius * std::cos(angle), height, radius * std::sin(angle)};
}

// A rotation distributed evenly (Shoemake 1992).
glm::vec4 randomRotation(Random& random) {
  const float u = random.unit(), a = kTurn * random.unit(), b = kTurn * random.unit();
  const float p = std::sqrt(1.0f - u), q = std::sqrt(u);
  return {p * std::sin(a), p * std::cos(a), q * std::sin(b), q * std::cos(b)};
}

uint32_t chooseMesh(Random& random, std::span<const BeltMesh> meshes) {
  float sum = 0.0f;
  for (const BeltMesh& mesh : meshes) sum += mesh.frequency;
  float place = random.unit() * sum;
  for (uint32_t mesh = 0; mesh < meshes.size(); ++mesh)
    if ((place -= meshes[mesh].frequency) < 0.0f) return mesh;
  return static_cast<uint32_t>(meshes.size()) - 1;
}

}  // namespace

std::vector<MeshInstance> placeBelt(uint32_t count, std::span<const BeltMesh> meshes) {
  Random random(20240611u);
  const std::vector<Cluster> clusters = makeClusters(random);
  // The more rocks, the smaller: the belt keeps its look. Sizes follow a power law, so that a few tower above the rest.
  const float smallest = std::clamp(0.20f * std::pow(20000.0f / static_cast<float>(count), 0.36f), 0.02f, 1.5f);
  std::vector<MeshInstance> instances(count);
  for (MeshInstance& instance : instances) {
    instance = {};
    instance.mesh = chooseMesh(random, meshes);
    instance.position = placeOne(random, clusters);
    const float size = smallest * std::pow(1.0f - 0.9985f * random.unit(), -1.0f / 2.1f);
    instance.scale = size * meshes[instance.mesh].size;
    instance.rotation = randomRotation(random);
    instance.seed = random.bits();
  }
  return instances;
}

void reshapeRock(TriangleMesh& mesh, uint32_t seed) {
  Random random(seed);
  glm::vec3 stretch;
  stretch.z = random.range(0.7f, 1.15f);
  stretch.y = random.range(0.55f, 1.0f);
  stretch.x = random.range(0.62f, 1.0f);
  struct Dent {
    glm::vec3 direction;
    float size, depth;
  };
  std::vector<Dent> dents(9);
  for (Dent& dent : dents) {
    const float z = random.normal() + 0.01f, y = random.normal(), x = random.normal();
    dent = {glm::normalize(glm::vec3(x, y, z)), random.range(0.25f, 0.75f), random.range(0.05f, 0.24f)};
  }
  for (glm::vec3& position : mesh.positions) {
    const float length = glm::length(position);
    if (length == 0.0f) continue;
    const glm::vec3 direction = position / length;
    float pressed = 1.0f;
    for (const Dent& dent : dents) {
      const float away = glm::distance(direction, dent.direction) / dent.size;
      pressed -= dent.depth * std::exp(-away * away * 2.0f);
    }
    position *= stretch * std::max(pressed, 0.3f);
  }
}

}  // namespace demo

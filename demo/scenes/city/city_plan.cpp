#include "scenes/city/city_plan.h"

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "scenes/city/city_meshes.h"

namespace demo {
namespace {

constexpr float kQuarter = 1.57079632679f;
constexpr float kGround = 0.15f;          // height of the pavement
constexpr uint32_t kFewestPerBlock = 16;  // instances
constexpr float kHubPitch = 1500.0f;      // from one center of towers to the next
constexpr float kHubRadius = 300.0f;

struct Block {
  int x, z;
  glm::vec2 center() const { return kBlockPitch * glm::vec2(static_cast<float>(x), static_cast<float>(z)); }
};

enum class District { Downtown, Old, Suburb, Industry, Park };

// Returns how near the center of the nearest hub is, 0 to 1. One hub lies in the middle; each other cell has a hub at a
// random place.
float hubNearness(glm::vec2 place) {
  float nearest = glm::length(place);
  const glm::vec2 cell = glm::round(place / kHubPitch);
  for (float dx = -1.0f; dx <= 1.0f; ++dx) {
    for (float dz = -1.0f; dz <= 1.0f; ++dz) {
      const glm::vec2 at = cell + glm::vec2(dx, dz);
      if (at == glm::vec2(0.0f)) continue;
      Random random(static_cast<uint32_t>(static_cast<int>(at.x)) * 92821u +
                    static_cast<uint32_t>(static_cast<int>(at.y)) * 68917u);
      const float z = random.range(-0.35f, 0.35f), x = random.range(-0.35f, 0.35f);
      const glm::vec2 hub = kHubPitch * (at + glm::vec2(x, z));
      nearest = std::min(nearest, glm::distance(place, hub) * random.range(1.0f, 1.7f));
    }
  }
  return std::exp(-nearest * nearest / (kHubRadius * kHubRadius));
}

District chooseDistrict(const Block& block, Random& random) {
  const float nearness = hubNearness(block.center()) + random.range(-0.13f, 0.13f);
  const bool isMiddle = block.x == 0 && block.z == 0;
  if (isMiddle || random.unit() < 0.06f) return District::Park;
  if (nearness > 0.52f) return District::Downtown;
  if (nearness > 0.14f) return District::Old;
  return random.unit() < 0.12f ? District::Industry : District::Suburb;
}

// Fills one block after the other.
class Planner {
 public:
  explicit Planner(std::vector<MeshInstance>& instances) : instances_(instances) {}

  void fill(const Block& block) {
    Random random(hash(static_cast<uint32_t>(block.x) * 73856093u ^ static_cast<uint32_t>(block.z) * 19349663u));
    center_ = block.center();
    const District district = chooseDistrict(block, random);
    const bool isGreen = district == District::Park || district == District::Suburb;
    add(random, isGreen ? CityMesh::Park : CityMesh::Street, {0.0f, 0.0f}, 0, 0.0f);
    switch (district) {
      case District::Downtown:
        addTowers(random);
        break;
      case District::Old:
        addApartments(random);
        break;
      case District::Suburb:
        addHouses(random);
        break;
      case District::Industry:
        addHalls(random);
        break;
      case District::Park:
        addTrees(random, 34, 23.0f);
        break;
    }
    addLamps(random);
    addCars(random, district == District::Downtown ? 12 : 7);
  }

 private:
  void add(Random& random, CityMesh kind, glm::vec2 place, uint32_t quarters, float height, float scale = 1.0f) {
    const MeshRange meshes = cityMeshes(kind);
    MeshInstance instance = {};
    instance.position = {center_.x + place.x, height, center_.y + place.y};
    instance.scale = scale;
    const float half = 0.5f * kQuarter * static_cast<float>(quarters);
    instance.rotation = {0.0f, std::sin(half), 0.0f, std::cos(half)};
    instance.mesh = meshes.first + random.below(meshes.count);
    instance.seed = random.bits();
    instances_.push_back(instance);
  }

  void addTowers(Random& random) {
    for (const float x : {-12.5f, 12.5f})
      for (const float z : {-12.5f, 12.5f})
        if (random.unit() < 0.92f) {
          const float scale = random.range(0.92f, 1.06f);
          add(random, CityMesh::Tower, {x, z}, random.below(4), kGround, scale);
        }
    addStreetTrees(random, 0.35f);
  }

  // Around a yard, fronts outwards.
  void addApartments(Random& random) {
    for (uint32_t side = 0; side < 4; ++side) {
      const bool isLong = side % 2 == 0;
      for (const float along : {-15.6f, 0.0f, 15.6f}) {
        if (!isLong && along != 0.0f) continue;
        if (random.unit() < 0.04f) continue;
        add(random, CityMesh::Apartments, turned({along, 17.0f}, side), side, kGround, random.range(0.97f, 1.03f));
      }
    }
    addTrees(random, 4, 8.0f);
    addStreetTrees(random, 0.6f);
  }

  void addHouses(Random& random) {
    for (uint32_t side = 0; side < 4; side += 2)
      for (const float along : {-17.5f, -6.0f, 6.0f, 17.5f})
        if (random.unit() < 0.93f) {
          const float scale = random.range(0.9f, 1.1f);
          add(random, CityMesh::House, turned({along, 14.5f + random.range(-1.0f, 1.0f)}, side), side, 0.2f, scale);
        }
    addTrees(random, 9, 21.0f, 8.0f);
    addStreetTrees(random, 0.25f);
  }

  void addHalls(Random& random) {
    for (const uint32_t side : {0u, 2u}) add(random, CityMesh::Hall, turned({0.0f, 12.0f}, side), side, kGround);
    addStreetTrees(random, 0.1f);
  }

  // Plants trees in the middle, within half along x and within depth along z. If depth is 0, half limits both.
  void addTrees(Random& random, uint32_t count, float half, float depth = 0.0f) {
    for (uint32_t tree = 0; tree < count; ++tree) {
      glm::vec2 place;
      place.y = random.range(-1.0f, 1.0f) * (depth > 0.0f ? depth : half);
      place.x = random.range(-half, half);
      const float scale = random.range(0.7f, 1.2f);
      const uint32_t side = random.below(4);
      add(random, random.unit() < 0.75f ? CityMesh::Tree : CityMesh::Conifer, place, side, 0.2f, scale);
    }
  }

  void addStreetTrees(Random& random, float density) {
    for (uint32_t side = 0; side < 4; ++side)
      for (const float along : {-22.0f, -7.0f, 0.0f, 7.0f, 22.0f})
        if (random.unit() < density) {
          const float scale = random.range(0.55f, 0.85f);
          add(random, CityMesh::Tree, turned({along, 26.0f}, side), random.below(4), kGround, scale);
        }
  }

  void addLamps(Random& random) {
    for (uint32_t side = 0; side < 4; ++side)
      for (const float along : {-kLampAlong, kLampAlong})
        add(random, CityMesh::Lamp, turned({along, kLampAcross}, side), side, kGround);
  }

  // On the lane next to the pavement; traffic keeps right.
  void addCars(Random& random, uint32_t count) {
    for (uint32_t car = 0; car < count; ++car) {
      const uint32_t side = random.below(4);
      const bool isParked = random.unit() < 0.4f;
      const glm::vec2 place(random.range(-30.0f, 30.0f), isParked ? 29.3f : 32.6f);
      add(random, CityMesh::Car, turned(place, side), side, 0.0f);
    }
  }

  // A place on the side towards +z, carried to another side.
  static glm::vec2 turned(glm::vec2 place, uint32_t quarters) {
    for (uint32_t quarter = 0; quarter < quarters; ++quarter) place = {place.y, -place.x};
    return place;
  }

  std::vector<MeshInstance>& instances_;
  glm::vec2 center_ = glm::vec2(0.0f);
};

std::vector<Block> blocksFromTheMiddle(uint32_t count) {
  const int radius = static_cast<int>(std::sqrt(static_cast<float>(count) / 3.0f)) + 2;
  std::vector<Block> blocks;
  for (int x = -radius; x <= radius; ++x)
    for (int z = -radius; z <= radius; ++z)
      if (x * x + z * z <= radius * radius) blocks.push_back({x, z});
  std::stable_sort(blocks.begin(), blocks.end(),
                   [](const Block& a, const Block& b) { return a.x * a.x + a.z * a.z < b.x * b.x + b.z * b.z; });
  return blocks;
}

}  // namespace

std::vector<MeshInstance> placeCity(uint32_t count) {
  std::vector<MeshInstance> instances;
  instances.reserve(size_t{count} + 64);
  Planner planner(instances);
  for (const Block& block : blocksFromTheMiddle(count / kFewestPerBlock + 1)) {
    if (instances.size() >= count) break;
    planner.fill(block);
  }
  instances.resize(count);
  return instances;
}

}  // namespace demo

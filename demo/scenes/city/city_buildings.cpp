#include "scenes/city/city_buildings.h"

#include <cmath>

#include "base/random.h"

namespace demo {
namespace {

constexpr float kTurn = 6.28318530718f;
constexpr float kFloor = 3.3f;  // as the pattern of windows in city.frag has it

Box centered(float width, float bottom, float top, float depth) {
  return {{-0.5f * width, bottom, -0.5f * depth}, {0.5f * width, top, 0.5f * depth}};
}

float wholeFloors(float height) { return std::round(height / kFloor) * kFloor; }

// A wall around the edge of a flat roof.
void addParapet(MeshBuilder& mesh, const Box& body, CityMaterial material) {
  constexpr float kThick = 0.35f, kHeight = 0.9f;
  const float bottom = body.high.y, top = bottom + kHeight;
  mesh.box({{body.low.x, bottom, body.low.z}, {body.high.x, top, body.low.z + kThick}}, material);
  mesh.box({{body.low.x, bottom, body.high.z - kThick}, {body.high.x, top, body.high.z}}, material);
  mesh.box({{body.low.x, bottom, body.low.z}, {body.low.x + kThick, top, body.high.z}}, material);
  mesh.box({{body.high.x - kThick, bottom, body.low.z}, {body.high.x, top, body.high.z}}, material);
}

// Air conditioning, stairs and tanks on a flat roof.
void addRoofClutter(MeshBuilder& mesh, const Box& body, uint32_t seed) {
  Random random(seed);
  const glm::vec3 size = body.high - body.low;
  const uint32_t count = 2 + random.below(4);
  for (uint32_t piece = 0; piece < count; ++piece) {
    glm::vec3 half, foot;
    half.z = random.range(0.06f, 0.16f) * size.z;
    half.y = random.range(1.0f, 3.2f);
    half.x = random.range(0.06f, 0.16f) * size.x;
    foot.z = random.range(-0.28f, 0.28f) * size.z;
    foot.y = body.high.y;
    foot.x = random.range(-0.28f, 0.28f) * size.x;
    mesh.box({{foot.x - half.x, foot.y, foot.z - half.z}, {foot.x + half.x, foot.y + half.y, foot.z + half.z}},
             random.unit() < 0.5f ? CityMaterial::Metal : CityMaterial::Roof);
  }
}

// Slabs that stand out of the facade, some floors apart.
void addLedges(MeshBuilder& mesh, const Box& body, uint32_t floors) {
  constexpr float kOut = 0.28f, kThick = 0.4f;
  const float step = kFloor * static_cast<float>(floors);
  for (float height = body.low.y + step; height < body.high.y - 1.0f; height += step)
    mesh.box(
        {{body.low.x - kOut, height - kThick, body.low.z - kOut}, {body.high.x + kOut, height, body.high.z + kOut}},
        CityMaterial::Roof);
}

// Columns up the facade.
void addFins(MeshBuilder& mesh, const Box& body, float pitch) {
  constexpr float kHalf = 0.16f, kOut = 0.4f;
  for (float x = body.low.x + pitch; x < body.high.x - 0.5f * pitch; x += pitch)
    mesh.box({{x - kHalf, body.low.y, body.low.z - kOut}, {x + kHalf, body.high.y, body.high.z + kOut}},
             CityMaterial::Metal);
  for (float z = body.low.z + pitch; z < body.high.z - 0.5f * pitch; z += pitch)
    mesh.box({{body.low.x - kOut, body.low.y, z - kHalf}, {body.high.x + kOut, body.high.y, z + kHalf}},
             CityMaterial::Metal);
}

void addMast(MeshBuilder& mesh, const glm::vec3& foot, float height) {
  mesh.cone(foot, 0.5f, 0.12f, height, 5, CityMaterial::Metal);
  const glm::vec3 top = foot + glm::vec3(0.0f, height, 0.0f);
  mesh.box({top - glm::vec3(0.5f), top + glm::vec3(0.5f)}, CityMaterial::Beacon);
}

// A tower of many sides.
void addRoundTower(MeshBuilder& mesh, float radius, float bottom, float top, uint32_t sides, CityMaterial facade) {
  std::vector<glm::vec2> outline(sides);
  for (uint32_t side = 0; side < sides; ++side) {
    const float angle = kTurn * (static_cast<float>(side) + 0.5f) / static_cast<float>(sides);
    outline[side] = radius * glm::vec2(std::cos(angle), std::sin(angle));
  }
  mesh.prism(outline, bottom, top, facade, CityMaterial::Roof);
}

struct Tower {
  uint32_t style;  // 0: one body; 1: with setbacks; 2: round; 3: a body with a higher core
  float width, depth, height;
  uint32_t sides;
  CityMaterial facade;
  bool hasFins, hasMast;
};

Tower chooseTower(uint32_t seed) {
  constexpr CityMaterial kFacades[] = {CityMaterial::GlassBlue, CityMaterial::GlassGreen, CityMaterial::GlassBronze,
                                       CityMaterial::GlassBlue, CityMaterial::Concrete,   CityMaterial::Stone,
                                       CityMaterial::Brick};
  Random random(seed * 7919u + 17u);
  Tower tower = {};
  tower.style = random.below(4);
  tower.width = random.range(15.0f, 21.0f);
  tower.depth = random.range(14.0f, 21.0f);
  tower.height = wholeFloors(42.0f + 118.0f * std::pow(random.unit(), 1.8f));
  tower.sides = 6 + 2 * random.below(4);
  tower.facade = kFacades[random.below(7)];
  tower.hasFins = random.unit() < 0.45f;
  tower.hasMast = tower.height > 100.0f || random.unit() < 0.15f;
  return tower;
}

std::vector<Box> towerBodies(const Tower& tower) {
  const float width = tower.width, depth = tower.depth, height = tower.height;
  if (tower.style == 1)
    return {centered(width, 0.0f, wholeFloors(0.5f * height), depth),
            centered(0.8f * width, wholeFloors(0.5f * height), wholeFloors(0.78f * height), 0.8f * depth),
            centered(0.58f * width, wholeFloors(0.78f * height), height, 0.58f * depth)};
  if (tower.style == 3)
    return {centered(width, 0.0f, wholeFloors(0.8f * height), depth),
            centered(0.4f * width, wholeFloors(0.8f * height), height, 0.9f * depth)};
  return {centered(width, 0.0f, height, depth)};
}

void addDetail(MeshBuilder& mesh, const Tower& tower, const std::vector<Box>& bodies, uint32_t seed, uint32_t lod) {
  for (const Box& body : bodies) {
    if (tower.style == 2) break;
    addParapet(mesh, body, CityMaterial::Roof);
    if (lod == 0 && tower.hasFins) addFins(mesh, body, 2.6f);
    if (lod == 0 && !tower.hasFins) addLedges(mesh, body, 4);
  }
  addRoofClutter(mesh, bodies.back(), seed);
}

struct Apartments {
  float height;
  CityMaterial facade;
  bool isPitched, hasBalconies;
};

Apartments chooseApartments(uint32_t seed) {
  constexpr CityMaterial kFacades[] = {CityMaterial::Brick, CityMaterial::Plaster, CityMaterial::PlasterWarm,
                                       CityMaterial::Stone, CityMaterial::Concrete};
  Random random(seed * 6151u + 5u);
  Apartments house = {};
  house.height = kFloor * static_cast<float>(4 + random.below(6));
  house.facade = kFacades[random.below(5)];
  house.isPitched = random.unit() < 0.35f;
  house.hasBalconies = random.unit() < 0.6f;
  return house;
}

void addBalconies(MeshBuilder& mesh, const Box& body) {
  constexpr float kOut = 1.1f;
  for (float height = body.low.y + 2.0f * kFloor; height < body.high.y - 1.0f; height += kFloor) {
    for (const float x : {-4.6f, 0.0f, 4.6f}) {
      mesh.box({{x - 1.3f, height - 0.2f, body.high.z}, {x + 1.3f, height, body.high.z + kOut}}, CityMaterial::Roof);
      mesh.box({{x - 1.3f, height, body.high.z + kOut - 0.08f}, {x + 1.3f, height + 0.95f, body.high.z + kOut}},
               CityMaterial::DarkMetal);
    }
  }
}

}  // namespace

TriangleMesh buildTower(uint32_t seed, uint32_t lod) {
  const Tower tower = chooseTower(seed);
  const std::vector<Box> bodies = towerBodies(tower);
  MeshBuilder mesh;
  if (tower.style == 2) {
    addRoundTower(mesh, 0.5f * tower.depth, 0.0f, tower.height, tower.sides, tower.facade);
  } else {
    for (const Box& body : bodies) mesh.box(body, tower.facade, CityMaterial::Roof);
  }
  if (lod < 3)
    mesh.box(centered(tower.width + 1.6f, 0.0f, 4.2f, tower.depth + 1.6f), CityMaterial::Shop, CityMaterial::Roof);
  if (lod < 2) addDetail(mesh, tower, bodies, seed, lod);
  if (tower.hasMast && lod < 3) addMast(mesh, {0.0f, tower.height, 0.0f}, 0.14f * tower.height);
  return mesh.take();
}

TriangleMesh buildApartments(uint32_t seed, uint32_t lod) {
  const Apartments house = chooseApartments(seed);
  const Box body = centered(14.6f, 0.0f, house.height, 11.5f);
  MeshBuilder mesh;
  mesh.box(body, house.facade, CityMaterial::Roof);
  if (house.isPitched) mesh.gable(body, 3.4f, lod < 3 ? 0.5f : 0.0f, CityMaterial::RoofTiles, house.facade);
  if (lod < 3) mesh.box({{-7.0f, 0.5f, 5.7f}, {7.0f, 3.0f, 5.95f}}, CityMaterial::Shop, CityMaterial::Roof);
  if (lod < 2 && !house.isPitched) {
    addParapet(mesh, body, CityMaterial::Roof);
    addRoofClutter(mesh, body, seed);
  }
  if (lod == 0 && house.hasBalconies) addBalconies(mesh, body);
  if (lod == 0) mesh.box({{-7.5f, 3.2f, 5.7f}, {7.5f, 3.45f, 6.9f}}, CityMaterial::DarkMetal);
  return mesh.take();
}

TriangleMesh buildHouse(uint32_t seed, uint32_t lod) {
  constexpr CityMaterial kFacades[] = {CityMaterial::Brick, CityMaterial::Plaster, CityMaterial::PlasterWarm};
  Random random(seed * 4099u + 3u);
  const CityMaterial facade = kFacades[random.below(3)];
  const float depth = random.range(6.5f, 8.0f), floors = static_cast<float>(1 + random.below(2));
  const Box body = centered(random.range(8.0f, 10.0f), 0.0f, kFloor * floors, depth);
  const float roof = random.range(2.4f, 4.0f);
  MeshBuilder mesh;
  mesh.box(body, facade, CityMaterial::Roof);
  mesh.gable(body, roof, lod < 3 ? 0.6f : 0.0f, CityMaterial::RoofTiles, facade);
  if (lod < 3) {
    const float x = random.range(-0.3f, 0.3f) * (body.high.x - body.low.x);
    mesh.box({{x - 0.5f, body.high.y, -1.0f}, {x + 0.5f, body.high.y + roof + 1.0f, 0.0f}}, CityMaterial::Brick);
  }
  if (lod < 2) {
    mesh.box({{-1.4f, 2.5f, body.high.z}, {1.4f, 2.7f, body.high.z + 1.6f}}, CityMaterial::RoofTiles);
    mesh.box({{-0.6f, 0.0f, body.high.z}, {0.6f, 2.2f, body.high.z + 0.08f}}, CityMaterial::DarkMetal);
    for (const float x : {-1.25f, 1.25f})
      mesh.cone({x, 0.0f, body.high.z + 1.4f}, 0.1f, 0.1f, 2.5f, 5, CityMaterial::Plaster);
  }
  return mesh.take();
}

TriangleMesh buildHall(uint32_t seed, uint32_t lod) {
  Random random(seed * 2053u + 11u);
  const float height = random.range(6.5f, 10.0f), teeth = static_cast<float>(3 + random.below(4));
  const Box body = centered(42.0f, 0.0f, height, 18.0f);
  MeshBuilder mesh;
  mesh.box(body, random.unit() < 0.5f ? CityMaterial::Metal : CityMaterial::Brick, CityMaterial::Roof);
  if (lod < 3) {
    // A saw of sheds whose steep sides are windows.
    const float step = 42.0f / teeth;
    for (float x = -21.0f; x < 20.5f; x += step) {
      const float next = x + step, top = height + 2.4f;
      mesh.quad({x, height, 9.0f}, {next, height, 9.0f}, {next, top, 9.0f}, {next - 0.1f, top, 9.0f},
                CityMaterial::Metal);
      mesh.quad({x, height, 9.0f}, {next, top, 9.0f}, {next, top, -9.0f}, {x, height, -9.0f}, CityMaterial::Roof);
      mesh.quad({next, height, 9.0f}, {next, height, -9.0f}, {next, top, -9.0f}, {next, top, 9.0f}, CityMaterial::Shop);
    }
  }
  if (lod < 2)
    for (const float x : {-14.0f, 0.0f, 14.0f})
      mesh.box({{x - 2.4f, 0.0f, 9.0f}, {x + 2.4f, 4.4f, 9.15f}}, CityMaterial::DarkMetal);
  return mesh.take();
}

}  // namespace demo

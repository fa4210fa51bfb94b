#include "scenes/city/city_meshes.h"

#include <algorithm>
#include <array>

#include "base/random.h"
#include "scenes/city/city_buildings.h"

namespace demo {
namespace {

// Indexed by CityMesh; 256 in all.
constexpr std::array<uint32_t, static_cast<size_t>(CityMesh::Count)> kCounts = {1, 1, 1, 93, 64, 40, 12, 20, 8, 16};

// A block: the streets around it up to their middles, and the pavement or lawn between them.
TriangleMesh buildGround(CityMaterial inside) {
  const float half = 0.5f * kBlockPitch, curb = 0.15f, lawn = kPavementHalf - 4.0f;
  MeshBuilder mesh;
  mesh.quad({-half, 0.0f, half}, {half, 0.0f, half}, {half, 0.0f, -half}, {-half, 0.0f, -half}, CityMaterial::Asphalt);
  mesh.box({{-kPavementHalf, 0.0f, -kPavementHalf}, {kPavementHalf, curb, kPavementHalf}}, CityMaterial::Paving);
  if (inside != CityMaterial::Paving) mesh.box({{-lawn, curb, -lawn}, {lawn, curb + 0.12f, lawn}}, inside);
  return mesh.take();
}

// The arm reaches over the street, towards +z.
TriangleMesh buildLamp(uint32_t lod) {
  MeshBuilder mesh;
  if (lod < 3) mesh.cone({0.0f, 0.0f, 0.0f}, 0.14f, 0.07f, kLampHeight, lod == 0 ? 8 : 4, CityMaterial::DarkMetal);
  if (lod < 2) mesh.box({{-0.05f, kLampHeight - 0.1f, 0.0f}, {0.05f, kLampHeight, 1.5f}}, CityMaterial::DarkMetal);
  mesh.box({{-0.20f, kLampHeight - 0.20f, 0.9f}, {0.20f, kLampHeight - 0.1f, 1.7f}}, CityMaterial::Lamp,
           CityMaterial::DarkMetal);
  mesh.quad({-0.2f, kLampHeight - 0.2f, 0.9f}, {0.2f, kLampHeight - 0.2f, 0.9f}, {0.2f, kLampHeight - 0.2f, 1.7f},
            {-0.2f, kLampHeight - 0.2f, 1.7f}, CityMaterial::Lamp);
  return mesh.take();
}

TriangleMesh buildTree(uint32_t seed) {
  Random random(seed * 1543u + 29u);
  const float height = random.range(5.0f, 9.5f), width = random.range(0.30f, 0.42f) * height;
  MeshBuilder mesh;
  mesh.cone({0.0f, 0.0f, 0.0f}, 0.05f * height, 0.02f * height, 0.6f * height, 7, CityMaterial::Bark);
  mesh.blob({0.0f, 0.66f * height, 0.0f}, {0.8f * width, 0.32f * height, 0.8f * width}, seed, CityMaterial::Leaves);
  const uint32_t count = 3 + random.below(3);
  for (uint32_t piece = 0; piece < count; ++piece) {
    glm::vec3 center;
    center.z = random.range(-0.6f, 0.6f) * width;
    center.y = random.range(0.45f, 0.72f) * height;
    center.x = random.range(-0.6f, 0.6f) * width;
    const float size = random.range(0.38f, 0.6f) * width;
    mesh.blob(center, {size, 0.85f * size, size}, seed * 16 + piece, CityMaterial::Leaves);
  }
  return mesh.take();
}

TriangleMesh buildConifer(uint32_t seed) {
  Random random(seed * 977u + 31u);
  const float height = random.range(7.0f, 13.0f), width = random.range(0.18f, 0.26f) * height;
  MeshBuilder mesh;
  mesh.cone({0.0f, 0.0f, 0.0f}, 0.03f * height, 0.02f * height, 0.2f * height, 6, CityMaterial::Bark);
  constexpr uint32_t kSkirts = 5;
  for (uint32_t skirt = 0; skirt < kSkirts; ++skirt) {
    const float up = static_cast<float>(skirt) / kSkirts;
    mesh.cone({0.0f, (0.10f + 0.80f * up) * height, 0.0f}, (1.0f - 0.82f * up) * width, 0.0f, 0.28f * height, 11,
              CityMaterial::Needles);
  }
  return mesh.take();
}

// The front is at +x.
TriangleMesh buildCar(uint32_t seed, uint32_t lod) {
  Random random(seed * 313u + 7u);
  const float length = random.range(3.9f, 5.0f), width = random.range(1.72f, 1.9f), waist = random.range(0.85f, 1.0f);
  const float roof = waist + random.range(0.5f, 0.95f), cabin = random.range(0.42f, 0.62f) * length;
  const float x = 0.5f * length, z = 0.5f * width, back = -0.5f * cabin - 0.06f * length, front = 0.5f * cabin;
  MeshBuilder mesh;
  mesh.box({{-x, 0.28f, -z}, {x, waist, z}}, CityMaterial::Paint);
  // The cabin narrows towards the roof.
  const glm::vec3 low[] = {{back - 0.25f, waist, z - 0.05f},
                           {front + 0.55f, waist, z - 0.05f},
                           {front + 0.55f, waist, 0.05f - z},
                           {back - 0.25f, waist, 0.05f - z}};
  const glm::vec3 high[] = {
      {back, roof, z - 0.25f}, {front, roof, z - 0.25f}, {front, roof, 0.25f - z}, {back, roof, 0.25f - z}};
  for (size_t side = 0; side < 4; ++side) {
    const size_t next = (side + 1) % 4;
    mesh.quad(low[side], low[next], high[next], high[side], CityMaterial::CarGlass);
  }
  mesh.quad(high[0], high[1], high[2], high[3], CityMaterial::Paint);
  for (const float side : {-1.0f, 1.0f}) {
    const float near = side * (z - 0.45f), far = side * (z - 0.08f);
    const float left = std::min(near, far), right = std::max(near, far);
    mesh.box({{x, 0.55f, left}, {x + 0.04f, 0.75f, right}}, CityMaterial::Headlight);
    mesh.box({{-x - 0.04f, 0.6f, left}, {-x, 0.8f, right}}, CityMaterial::TailLight);
    if (lod > 1) continue;
    for (const float axle : {-0.31f * length, 0.31f * length})
      mesh.box({{axle - 0.32f, 0.0f, std::min(side * (z - 0.2f), side * (z + 0.02f))},
                {axle + 0.32f, 0.62f, std::max(side * (z - 0.2f), side * (z + 0.02f))}},
               CityMaterial::Tyre);
  }
  return mesh.take();
}

template <typename Build>
void addLevels(MeshLibrary& library, uint32_t count, Build build) {
  for (uint32_t seed = 0; seed < count; ++seed) {
    const std::array<TriangleMesh, kLodCount> lods = {build(seed, 0u), build(seed, 1u), build(seed, 2u),
                                                      build(seed, 3u)};
    library.addLods(lods);
  }
}

uint32_t countOf(CityMesh kind) { return kCounts[static_cast<size_t>(kind)]; }

}  // namespace

MeshRange cityMeshes(CityMesh kind) {
  uint32_t first = 0;
  for (size_t earlier = 0; earlier < static_cast<size_t>(kind); ++earlier) first += kCounts[earlier];
  return {first, kind == CityMesh::Count ? 0 : countOf(kind)};
}

DrawGroups cityGroups() {
  // Indexed by CityMesh.
  constexpr std::array<uint32_t, kCounts.size()> kGroups = {0, 0, 3, 1, 1, 1, 1, 2, 2, 3};
  DrawGroups groups = {{"ground", "buildings", "plants", "lamps, cars"}, {}};
  for (size_t kind = 0; kind < kCounts.size(); ++kind)
    groups.ofMeshes.insert(groups.ofMeshes.end(), kCounts[kind], kGroups[kind]);
  return groups;
}

uint32_t cityMeshCount() { return cityMeshes(CityMesh::Count).first; }

MeshLibrary buildCityMeshes() {
  MeshLibrary library;
  for (const CityMaterial inside : {CityMaterial::Paving, CityMaterial::Lawn})
    addLevels(library, 1, [&](uint32_t, uint32_t) { return buildGround(inside); });
  addLevels(library, countOf(CityMesh::Lamp), [](uint32_t, uint32_t lod) { return buildLamp(lod); });
  addLevels(library, countOf(CityMesh::Tower), buildTower);
  addLevels(library, countOf(CityMesh::Apartments), buildApartments);
  addLevels(library, countOf(CityMesh::House), buildHouse);
  addLevels(library, countOf(CityMesh::Hall), buildHall);
  for (uint32_t seed = 0; seed < countOf(CityMesh::Tree); ++seed) {
    const TriangleMesh tree = buildTree(seed);
    library.add({&tree, 1});
  }
  for (uint32_t seed = 0; seed < countOf(CityMesh::Conifer); ++seed) {
    const TriangleMesh conifer = buildConifer(seed);
    library.add({&conifer, 1});
  }
  addLevels(library, countOf(CityMesh::Car), buildCar);
  return library;
}

}  // namespace demo

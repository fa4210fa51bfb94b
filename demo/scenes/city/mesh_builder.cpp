#include "scenes/city/mesh_builder.h"

#include <cmath>
#include <vector>

#include "base/random.h"

namespace demo {
namespace {

constexpr float kTurn = 6.28318530718f;
constexpr uint32_t kBlobRings = 9, kBlobSides = 14;

}  // namespace

uint32_t MeshBuilder::vertex(const glm::vec3& position, const glm::vec3& normal, CityMaterial material) {
  mesh_.positions.push_back(position);
  mesh_.normals.push_back(normal);
  mesh_.materials.push_back(static_cast<uint8_t>(material));
  return static_cast<uint32_t>(mesh_.positions.size()) - 1;
}

// The normal points to where the corners go counterclockwise.
void MeshBuilder::quad(const glm::vec3& a, const glm::vec3& b, const glm::vec3& c, const glm::vec3& d,
                       CityMaterial material) {
  const glm::vec3 normal = glm::normalize(glm::cross(c - a, d - b));
  const uint32_t first = vertex(a, normal, material);
  for (const glm::vec3& corner : {b, c, d}) vertex(corner, normal, material);
  mesh_.indices.insert(mesh_.indices.end(), {first, first + 1, first + 2, first, first + 2, first + 3});
}

void MeshBuilder::box(const Box& box, CityMaterial sides, CityMaterial top) {
  const glm::vec2 outline[] = {
      {box.low.x, box.low.z}, {box.low.x, box.high.z}, {box.high.x, box.high.z}, {box.high.x, box.low.z}};
  prism(outline, box.low.y, box.high.y, sides, top);
}

void MeshBuilder::prism(std::span<const glm::vec2> outline, float bottom, float top, CityMaterial sides,
                        CityMaterial cap) {
  float area = 0.0f;
  for (size_t corner = 0; corner < outline.size(); ++corner) {
    const glm::vec2 a = outline[corner], b = outline[(corner + 1) % outline.size()];
    area += a.x * b.y - b.x * a.y;
  }
  const size_t count = outline.size();
  // Seen from above with z towards the viewer, an outline of negative area is counterclockwise.
  const auto at = [&](size_t corner) { return outline[area < 0.0f ? corner % count : count - 1 - corner % count]; };
  for (size_t corner = 0; corner < count; ++corner) {
    const glm::vec2 a = at(corner), b = at(corner + 1);
    quad({a.x, bottom, a.y}, {b.x, bottom, b.y}, {b.x, top, b.y}, {a.x, top, a.y}, sides);
  }
  const auto first = static_cast<uint32_t>(mesh_.positions.size());
  for (size_t corner = 0; corner < count; ++corner) vertex({at(corner).x, top, at(corner).y}, {0.0f, 1.0f, 0.0f}, cap);
  for (uint32_t corner = 2; corner < count; ++corner)
    mesh_.indices.insert(mesh_.indices.end(), {first, first + corner - 1, first + corner});
}

void MeshBuilder::cone(const glm::vec3& foot, float radius, float topRadius, float height, uint32_t sides,
                       CityMaterial material) {
  const auto place = [&](uint32_t side, float at, float up) {
    const float angle = kTurn * static_cast<float>(side) / static_cast<float>(sides);
    return foot + glm::vec3(at * std::cos(angle), up, at * std::sin(angle));
  };
  for (uint32_t side = 0; side < sides; ++side)
    quad(place(side + 1, radius, 0.0f), place(side, radius, 0.0f), place(side, topRadius, height),
         place(side + 1, topRadius, height), material);
}

void MeshBuilder::gable(const Box& below, float height, float overhang, CityMaterial roof, CityMaterial walls) {
  const float eaves = below.high.y, ridge = eaves + height;
  const float middle = 0.5f * (below.low.z + below.high.z), half = 0.5f * (below.high.z - below.low.z);
  const float drop = height * overhang / half;
  const float left = below.low.x - overhang, right = below.high.x + overhang;
  const float front = below.high.z + overhang, back = below.low.z - overhang;
  quad({left, eaves - drop, front}, {right, eaves - drop, front}, {right, ridge, middle}, {left, ridge, middle}, roof);
  quad({right, eaves - drop, back}, {left, eaves - drop, back}, {left, ridge, middle}, {right, ridge, middle}, roof);
  for (const float x : {below.low.x, below.high.x}) {
    const float side = x == below.low.x ? -1.0f : 1.0f;
    const glm::vec3 normal(side, 0.0f, 0.0f);
    const uint32_t a = vertex({x, eaves, below.low.z}, normal, walls);
    const uint32_t b = vertex({x, eaves, below.high.z}, normal, walls);
    const uint32_t c = vertex({x, ridge, middle}, normal, walls);
    mesh_.indices.insert(mesh_.indices.end(), {a, b, c});
  }
}

void MeshBuilder::blob(const glm::vec3& center, const glm::vec3& radii, uint32_t seed, CityMaterial material) {
  Random random(seed);
  glm::vec3 lumps[6];
  for (glm::vec3& lump : lumps) {
    const float z = random.normal() + 0.01f, y = random.normal(), x = random.normal();
    lump = glm::normalize(glm::vec3(x, y, z));
  }
  const auto first = static_cast<uint32_t>(mesh_.positions.size());
  for (uint32_t ring = 0; ring <= kBlobRings; ++ring) {
    const float polar = 0.5f * kTurn * static_cast<float>(ring) / kBlobRings;
    for (uint32_t side = 0; side < kBlobSides; ++side) {
      const float angle = kTurn * static_cast<float>(side) / kBlobSides;
      const glm::vec3 way(std::sin(polar) * std::cos(angle), std::cos(polar), std::sin(polar) * std::sin(angle));
      float size = 0.88f;
      for (const glm::vec3& lump : lumps) size += 0.16f * std::pow(std::max(glm::dot(way, lump), 0.0f), 6.0f);
      vertex(center + radii * size * way, glm::normalize(way / radii), material);
    }
  }
  for (uint32_t ring = 0; ring < kBlobRings; ++ring) {
    for (uint32_t side = 0; side < kBlobSides; ++side) {
      const uint32_t next = (side + 1) % kBlobSides, a = first + ring * kBlobSides, b = a + kBlobSides;
      mesh_.indices.insert(mesh_.indices.end(), {a + side, a + next, b + next, a + side, b + next, b + side});
    }
  }
}

}  // namespace demo

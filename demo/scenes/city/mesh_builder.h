// Builds meshes of simple solids, each with a material. y points up.
#pragma once

#include <span>

#include "models/triangle_mesh.h"
#include "scenes/city/city_materials.h"

namespace demo {

struct Box {
  glm::vec3 low, high;
};

class MeshBuilder {
 public:
  // Adds all faces but the one below.
  void box(const Box& box, CityMaterial sides, CityMaterial top);
  void box(const Box& all, CityMaterial material) { box(all, material, material); }
  // outline holds x and z of the corners. It is convex, and may turn in either sense.
  void prism(std::span<const glm::vec2> outline, float bottom, float top, CityMaterial sides, CityMaterial cap);
  // Adds an upright cone, whose radius goes from one value to the other.
  void cone(const glm::vec3& foot, float radius, float topRadius, float height, uint32_t sides, CityMaterial material);
  // Adds a roof over a box's top, with the ridge along x.
  void gable(const Box& below, float height, float overhang, CityMaterial roof, CityMaterial walls);
  // Adds a lumpy ball with smooth normals.
  void blob(const glm::vec3& center, const glm::vec3& radii, uint32_t seed, CityMaterial material);
  void quad(const glm::vec3& a, const glm::vec3& b, const glm::vec3& c, const glm::vec3& d, CityMaterial material);

  TriangleMesh take() { return std::move(mesh_); }

 private:
  uint32_t vertex(const glm::vec3& position, const glm::vec3& normal, CityMaterial material);

  TriangleMesh mesh_;
};

}  // namespace demo

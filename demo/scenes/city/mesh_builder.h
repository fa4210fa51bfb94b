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
  // All faces but the one below.
  void box(const Box& box, CityMaterial sides, CityMaterial top);
  void box(const Box& all, CityMaterial material) { box(all, material, material); }
  // outline: x and z of the corners, convex, in either sense.
  void prism(std::span<const glm::vec2> outline, float bottom, float top, CityMaterial sides, CityMaterial cap);
  // Upright; the radius goes from one to the other.
  void cone(const glm::vec3& foot, float radius, float topRadius, float height, uint32_t sides, CityMaterial material);
  // A roof over a box's top, the ridge along x.
  void gable(const Box& below, float height, float overhang, CityMaterial roof, CityMaterial walls);
  // A lumpy ball, smoothly shaded.
  void blob(const glm::vec3& center, const glm::vec3& radii, uint32_t seed, CityMaterial material);
  void quad(const glm::vec3& a, const glm::vec3& b, const glm::vec3& c, const glm::vec3& d, CityMaterial material);

  TriangleMesh take() { return std::move(mesh_); }

 private:
  uint32_t vertex(const glm::vec3& position, const glm::vec3& normal, CityMaterial material);

  TriangleMesh mesh_;
};

}  // namespace demo

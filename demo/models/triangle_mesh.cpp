#include "models/triangle_mesh.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace demo {

// Computes in doubles, so that neither the largest nor the smallest floats leave their range.
double normalise(TriangleMesh& mesh) {
  glm::dvec3 low(INFINITY), high(-INFINITY);
  for (const glm::vec3& position : mesh.positions) {
    low = glm::min(low, glm::dvec3(position));
    high = glm::max(high, glm::dvec3(position));
  }
  const glm::dvec3 center = 0.5 * (low + high);
  double radius = 0.0;
  for (const glm::vec3& position : mesh.positions)
    radius = std::max(radius, glm::distance(glm::dvec3(position), center));
  const double scale = radius > 0.0 ? 1.0 / radius : 1.0;
  for (glm::vec3& position : mesh.positions) position = glm::vec3((glm::dvec3(position) - center) * scale);
  return radius;
}

void turnOutwards(TriangleMesh& mesh) {
  double volume = 0.0;
  for (size_t corner = 0; corner < mesh.indices.size(); corner += 3) {
    const auto place = [&](size_t turn) { return glm::dvec3(mesh.positions[mesh.indices[corner + turn]]); };
    volume += glm::dot(place(0), glm::cross(place(1), place(2)));
  }
  for (size_t corner = 0; volume < 0.0 && corner < mesh.indices.size(); corner += 3)
    std::swap(mesh.indices[corner + 1], mesh.indices[corner + 2]);
}

void smoothNormals(TriangleMesh& mesh) {
  std::fill(mesh.normals.begin(), mesh.normals.end(), glm::vec3(0.0f));
  for (size_t corner = 0; corner < mesh.indices.size(); corner += 3) {
    const uint32_t a = mesh.indices[corner], b = mesh.indices[corner + 1], c = mesh.indices[corner + 2];
    const glm::vec3 normal = glm::cross(mesh.positions[b] - mesh.positions[a], mesh.positions[c] - mesh.positions[a]);
    for (uint32_t index : {a, b, c}) mesh.normals[index] += normal;
  }
  for (glm::vec3& normal : mesh.normals) {
    const float length = glm::length(normal);
    normal = length > 0.0f ? normal / length : glm::vec3(0.0f, 1.0f, 0.0f);
  }
}

}  // namespace demo

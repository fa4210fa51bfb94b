// Defines triangle meshes in host memory.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <vector>

namespace demo {

struct TriangleMesh {
  std::vector<glm::vec3> positions;
  std::vector<glm::vec3> normals;
  std::vector<uint32_t> indices;
  std::vector<uint8_t> materials;  // of each vertex, below 128; empty: all 0

  size_t triangleCount() const { return indices.size() / 3; }
};

// Moves and scales the mesh into the sphere of radius 1 around the origin, and returns the radius that it had. Its
// positions must be finite. A mesh whose radius is 0 is only moved.
double normalise(TriangleMesh& mesh);

// Turns all triangles around if the mesh is inside out: if the volume that they enclose is negative.
void turnOutwards(TriangleMesh& mesh);

// Replaces the normals by the area-weighted average of the adjacent triangles.
void smoothNormals(TriangleMesh& mesh);

}  // namespace demo

// Triangle meshes, and model files read through assimp.
#pragma once

#include <cstdint>
#include <filesystem>
#include <glm/glm.hpp>
#include <vector>

namespace demo {

struct TriangleMesh {
  std::vector<glm::vec3> positions;
  std::vector<glm::vec3> normals;
  std::vector<uint32_t> indices;

  size_t triangleCount() const { return indices.size() / 3; }
};

// All triangles of the file as one mesh, with the transforms of its nodes applied. Throws Failure (ExitCode::BadInput)
// naming the file when it cannot be read or holds no triangle.
TriangleMesh readModel(const std::filesystem::path& file);

// Moves and scales the mesh into the sphere of radius 1 around the origin.
void normalise(TriangleMesh& mesh);

// Replaces the normals by the area-weighted average of the adjacent triangles.
void smoothNormals(TriangleMesh& mesh);

}  // namespace demo

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
  std::vector<uint8_t> materials;  // of each vertex, below 128; empty: all 0

  size_t triangleCount() const { return indices.size() / 3; }
};

constexpr size_t kMaxModelParts = 63;

struct Model {
  TriangleMesh whole;               // all triangles, with the transforms of the nodes applied
  std::vector<TriangleMesh> parts;  // the meshes of the file, the largest at most; none when it has only one
  size_t partCount = 0;             // of the file
};

// Throws Failure (ExitCode::BadInput) naming the file when it cannot be read, holds no triangle, has values that are
// not finite, or is too large.
Model readModel(const std::filesystem::path& file);

// Moves and scales the mesh into the sphere of radius 1 around the origin; returns the radius that it had.
float normalise(TriangleMesh& mesh);

// Replaces the normals by the area-weighted average of the adjacent triangles.
void smoothNormals(TriangleMesh& mesh);

}  // namespace demo

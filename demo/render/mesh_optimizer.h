// Calls meshoptimizer for meshes. A build without it takes them as they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "models/triangle_mesh.h"

namespace demo {

// Returns the indices of fewer triangles, whose surface deviates by `error` at most if that can be. Some triangles
// always remain, and at most 4 times as many as asked for.
std::vector<uint32_t> simplify(const TriangleMesh& mesh, size_t triangles, float error);

// Sorts triangles so that those which share vertices follow each other.
void reuseVertices(std::span<uint32_t> indices, size_t vertexCount);

// Sorts vertices of `stride` bytes in the order in which the indices name them. Returns how many are named at all.
size_t sortVertices(std::span<std::byte> vertices, size_t stride, std::span<uint32_t> indices);

// Floats x, y and z of each vertex, which begin so many bytes apart.
struct VertexPositions {
  const float* first;
  size_t count, stride;
};

// The most vertices and triangles of a cluster. Fewer triangles make narrower cones.
constexpr size_t kClusterVertices = 64, kClusterTriangles = 64;

// A piece of a mesh. Its sphere holds its vertices, and its cone is what SluCones describes.
struct ClusterShape {
  uint32_t indexCount;
  glm::vec4 sphere;
  glm::vec3 coneAxis;
  float coneCutoff;
};

// Returns why there is no sortIntoClusters(); NULL if there is.
const char* clusterRefusal();

// Sorts triangles into clusters, one behind the other. Triangles whose
// corners are seen counter-clockwise face the eye.
std::vector<ClusterShape> sortIntoClusters(std::span<uint32_t> indices, const VertexPositions& positions);

}  // namespace demo

#include "render/mesh_optimizer.h"

#include <meshoptimizer.h>

#include <algorithm>
#include <glm/gtc/type_ptr.hpp>

namespace demo {
namespace {

constexpr float kConeWeight = 0.9f;      // 0 makes round clusters, 1 flat ones
constexpr float kSphereSlack = 1.0001f;  // which holds what rounding leaves outside

std::vector<uint32_t> largestTriangles(const TriangleMesh& mesh, size_t count) {
  struct Triangle {
    float area;  // any measure that grows with it
    size_t firstCorner;
  };
  std::vector<Triangle> triangles;
  for (size_t corner = 0; corner < mesh.indices.size(); corner += 3) {
    const auto place = [&](size_t turn) { return mesh.positions[mesh.indices[corner + turn]]; };
    const glm::vec3 normal = glm::cross(place(1) - place(0), place(2) - place(0));
    triangles.push_back({glm::dot(normal, normal), corner});
  }
  count = std::min(count, triangles.size());
  std::nth_element(triangles.begin(), triangles.begin() + static_cast<ptrdiff_t>(count), triangles.end(),
                   [](const Triangle& a, const Triangle& b) { return a.area > b.area; });
  std::vector<uint32_t> indices;
  for (size_t triangle = 0; triangle < count; ++triangle) {
    const uint32_t* corners = &mesh.indices[triangles[triangle].firstCorner];
    indices.insert(indices.end(), corners, corners + 3);
  }
  return indices;
}

}  // namespace

std::vector<uint32_t> simplify(const TriangleMesh& mesh, size_t triangles, float error) {
  if (mesh.triangleCount() <= triangles) return mesh.indices;
  std::vector<uint32_t> indices(mesh.indices.size());
  const float* positions = &mesh.positions[0].x;
  indices.resize(meshopt_simplify(indices.data(), mesh.indices.data(), mesh.indices.size(), positions,
                                  mesh.positions.size(), sizeof(glm::vec3), triangles * 3, error, 0, nullptr));
  if (!indices.empty() && indices.size() <= triangles * 6) return indices;
  // Models of many loose parts stop early, because their borders are kept; the sloppy form ignores topology. Either may
  // find nothing left of so few triangles: then the sloppy form gets more.
  for (size_t allowed = triangles; allowed <= 4 * triangles; allowed *= 2) {
    indices.resize(mesh.indices.size());
    indices.resize(meshopt_simplifySloppy(indices.data(), mesh.indices.data(), mesh.indices.size(), positions,
                                          mesh.positions.size(), sizeof(glm::vec3), allowed * 3, 1.0f, nullptr));
    if (!indices.empty()) return indices;
  }
  return largestTriangles(mesh, triangles);
}

void reuseVertices(std::span<uint32_t> indices, size_t vertexCount) {
  meshopt_optimizeVertexCache(indices.data(), indices.data(), indices.size(), vertexCount);
}

size_t sortVertices(std::span<std::byte> vertices, size_t stride, std::span<uint32_t> indices) {
  return meshopt_optimizeVertexFetch(vertices.data(), indices.data(), indices.size(), vertices.data(),
                                     vertices.size() / stride, stride);
}

const char* clusterRefusal() { return nullptr; }

std::vector<ClusterShape> sortIntoClusters(std::span<uint32_t> indices, const VertexPositions& positions) {
  const size_t most = meshopt_buildMeshletsBound(indices.size(), kClusterVertices, kClusterTriangles);
  std::vector<meshopt_Meshlet> meshlets(most);
  std::vector<uint32_t> vertices(most * kClusterVertices);
  std::vector<unsigned char> corners(most * kClusterTriangles * 3);
  meshlets.resize(meshopt_buildMeshlets(meshlets.data(), vertices.data(), corners.data(), indices.data(),
                                        indices.size(), positions.first, positions.count, positions.stride,
                                        kClusterVertices, kClusterTriangles, kConeWeight));
  std::vector<ClusterShape> shapes;
  size_t sorted = 0;
  for (const meshopt_Meshlet& meshlet : meshlets) {
    const uint32_t* own = &vertices[meshlet.vertex_offset];
    const unsigned char* triangles = &corners[meshlet.triangle_offset];
    const meshopt_Bounds bounds = meshopt_computeMeshletBounds(own, triangles, meshlet.triangle_count, positions.first,
                                                               positions.count, positions.stride);
    const uint32_t indexCount = meshlet.triangle_count * 3;
    shapes.push_back({indexCount,
                      {glm::make_vec3(bounds.center), bounds.radius * kSphereSlack},
                      glm::make_vec3(bounds.cone_axis),
                      bounds.cone_cutoff});
    for (uint32_t corner = 0; corner < indexCount; ++corner) indices[sorted++] = own[triangles[corner]];
  }
  return shapes;
}

}  // namespace demo

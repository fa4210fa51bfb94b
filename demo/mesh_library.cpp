#include "mesh_library.h"

#include <meshoptimizer.h>

#include <algorithm>
#include <cmath>

namespace demo {
namespace {

// Triangles per LOD, at most.
constexpr size_t kLodTriangles[kLodCount] = {14000, 2600, 480, 110};
// How far a simplified surface may deviate, in mesh radii; a LOD that would deviate more keeps more triangles.
constexpr float kLodErrors[kLodCount] = {0.01f, 0.03f, 0.08f, 0.25f};

std::vector<uint32_t> simplify(const TriangleMesh& mesh, size_t triangles, float error) {
  if (mesh.triangleCount() <= triangles) return mesh.indices;
  std::vector<uint32_t> indices(mesh.indices.size());
  const float* positions = &mesh.positions[0].x;
  indices.resize(meshopt_simplify(indices.data(), mesh.indices.data(), mesh.indices.size(), positions,
                                  mesh.positions.size(), sizeof(glm::vec3), triangles * 3, error, 0, nullptr));
  // Models of many loose parts stop early, because their borders are kept; the sloppy form ignores topology. It may
  // find nothing left of so few triangles: then it gets more.
  for (size_t allowed = triangles; indices.size() > allowed * 6; allowed *= 2) {
    std::vector<uint32_t> sloppy(mesh.indices.size());
    sloppy.resize(meshopt_simplifySloppy(sloppy.data(), mesh.indices.data(), mesh.indices.size(), positions,
                                         mesh.positions.size(), sizeof(glm::vec3), allowed * 3, 1.0f, nullptr));
    if (!sloppy.empty()) return sloppy;
  }
  return indices;
}

MeshVertex pack(const glm::vec3& position, const glm::vec3& normal) {
  const glm::vec3 scaled = glm::round(glm::clamp(normal, -1.0f, 1.0f) * 127.0f);
  return {position, {static_cast<int8_t>(scaled.x), static_cast<int8_t>(scaled.y), static_cast<int8_t>(scaled.z), 0}};
}

}  // namespace

void MeshLibrary::add(std::span<const TriangleMesh> sources) {
  LodMesh mesh;
  float radius = 0.0f;
  size_t lod = 0;
  for (size_t source = 0; source < sources.size(); ++source) {
    const TriangleMesh& triangles = sources[source];
    // The LODs that this source serves share its vertices.
    std::vector<uint32_t> indices;
    for (; lod < kLodCount; ++lod) {
      if (source + 1 < sources.size() && sources[source + 1].triangleCount() >= kLodTriangles[lod]) break;
      std::vector<uint32_t> part = simplify(triangles, kLodTriangles[lod], kLodErrors[lod]);
      meshopt_optimizeVertexCache(part.data(), part.data(), part.size(), triangles.positions.size());
      mesh.lods[lod].indexCount = static_cast<uint32_t>(part.size());
      mesh.lods[lod].firstIndex = static_cast<uint32_t>(indexData_.size() + indices.size());
      mesh.lods[lod].vertexOffset = static_cast<int32_t>(vertexData_.size());
      indices.insert(indices.end(), part.begin(), part.end());
    }
    std::vector<MeshVertex> vertices(triangles.positions.size());
    for (size_t vertex = 0; vertex < vertices.size(); ++vertex)
      vertices[vertex] = pack(triangles.positions[vertex], triangles.normals[vertex]);
    vertices.resize(meshopt_optimizeVertexFetch(vertices.data(), indices.data(), indices.size(), vertices.data(),
                                                vertices.size(), sizeof(MeshVertex)));
    for (const MeshVertex& vertex : vertices) radius = std::max(radius, glm::length(vertex.position));
    vertexData_.insert(vertexData_.end(), vertices.begin(), vertices.end());
    indexData_.insert(indexData_.end(), indices.begin(), indices.end());
  }
  mesh.sphere = glm::vec4(0.0f, 0.0f, 0.0f, radius * 1.0001f);
  meshes_.push_back(mesh);
}

void MeshLibrary::upload(const Device& device) {
  vertexBuffer_ = Buffer(device, vertexData_.size() * sizeof(MeshVertex), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT,
                         Memory::Device, "mesh vertices");
  indexBuffer_ = Buffer(device, indexData_.size() * sizeof(uint32_t), VK_BUFFER_USAGE_INDEX_BUFFER_BIT, Memory::Device,
                        "mesh indices");
  demo::upload(device, vertexBuffer_, vertexData_);
  demo::upload(device, indexBuffer_, indexData_);
}

}  // namespace demo

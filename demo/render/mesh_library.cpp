#include "render/mesh_library.h"

#include <algorithm>
#include <cmath>

#include "render/mesh_optimizer.h"

namespace demo {
namespace {

// Triangles per LOD, at most.
constexpr size_t kLodTriangles[kLodCount] = {14000, 2600, 480, 110};
// A simplified surface may deviate this far, in mesh radii. A LOD that would deviate more keeps more triangles.
constexpr float kLodErrors[kLodCount] = {0.01f, 0.03f, 0.08f, 0.25f};

MeshVertex pack(const TriangleMesh& mesh, size_t vertex) {
  const glm::vec3 scaled = glm::round(glm::clamp(mesh.normals[vertex], -1.0f, 1.0f) * 127.0f);
  const auto material = static_cast<int8_t>(mesh.materials.empty() ? 0 : mesh.materials[vertex]);
  return {mesh.positions[vertex],
          {static_cast<int8_t>(scaled.x), static_cast<int8_t>(scaled.y), static_cast<int8_t>(scaled.z), material}};
}

}  // namespace

void MeshLibrary::add(std::span<const TriangleMesh> sources) {
  LodMesh mesh;
  const size_t firstVertex = vertexData_.size();
  size_t first = 0;
  for (size_t source = 0; source < sources.size(); ++source) {
    const TriangleMesh& triangles = sources[source];
    // The LODs that this source serves share its vertices.
    std::vector<std::vector<uint32_t>> lods;
    for (size_t lod = first; lod < kLodCount; ++lod) {
      if (source + 1 < sources.size() && sources[source + 1].triangleCount() >= kLodTriangles[lod]) break;
      lods.push_back(simplify(triangles, kLodTriangles[lod], kLodErrors[lod]));
    }
    append(triangles, lods, std::span(mesh.lods).subspan(first, lods.size()));
    first += lods.size();
  }
  finish(mesh, firstVertex);
}

void MeshLibrary::addLods(std::span<const TriangleMesh, kLodCount> lods) {
  LodMesh mesh;
  const size_t firstVertex = vertexData_.size();
  for (size_t lod = 0; lod < kLodCount; ++lod) {
    std::vector<uint32_t> indices = lods[lod].indices;
    append(lods[lod], {&indices, 1}, {&mesh.lods[lod], 1});
  }
  finish(mesh, firstVertex);
}

void MeshLibrary::finish(LodMesh mesh, size_t firstVertex) {
  mesh.sphere = sphereFrom(firstVertex);
  meshes_.push_back(mesh);
  uint32_t materials = 0;
  for (const MeshVertex& vertex : std::span(vertexData_).subspan(firstVertex))
    materials |= 1u << (static_cast<uint32_t>(vertex.normal[3]) % 32);
  materials_.push_back(materials);
}

void MeshLibrary::append(const TriangleMesh& source, std::span<std::vector<uint32_t>> lods,
                         std::span<LodRange> ranges) {
  std::vector<uint32_t> indices;
  for (size_t lod = 0; lod < lods.size(); ++lod) {
    std::vector<uint32_t>& part = lods[lod];
    reuseVertices(part, source.positions.size());
    ranges[lod].indexCount = static_cast<uint32_t>(part.size());
    ranges[lod].firstIndex = static_cast<uint32_t>(indexData_.size() + indices.size());
    ranges[lod].vertexOffset = static_cast<int32_t>(vertexData_.size());
    indices.insert(indices.end(), part.begin(), part.end());
  }
  std::vector<MeshVertex> vertices(source.positions.size());
  for (size_t vertex = 0; vertex < vertices.size(); ++vertex) vertices[vertex] = pack(source, vertex);
  vertices.resize(sortVertices(std::as_writable_bytes(std::span(vertices)), sizeof(MeshVertex), indices));
  vertexData_.insert(vertexData_.end(), vertices.begin(), vertices.end());
  indexData_.insert(indexData_.end(), indices.begin(), indices.end());
}

glm::vec4 MeshLibrary::sphereFrom(size_t firstVertex) const {
  const auto vertices = std::span(vertexData_).subspan(firstVertex);
  glm::vec3 low(INFINITY), high(-INFINITY);
  for (const MeshVertex& vertex : vertices) {
    low = glm::min(low, vertex.position);
    high = glm::max(high, vertex.position);
  }
  const glm::vec3 center = 0.5f * (low + high);
  float radius = 0.0f;
  for (const MeshVertex& vertex : vertices) radius = std::max(radius, glm::distance(vertex.position, center));
  return {center, radius * 1.0001f};
}

void MeshLibrary::setGroups(std::span<const uint32_t> groups) {
  for (size_t mesh = 0; mesh < meshes_.size(); ++mesh) meshes_[mesh].group = groups[mesh];
}

ClusterTable MeshLibrary::cutIntoClusters() {
  ClusterTable table;
  for (const LodMesh& mesh : meshes_) {
    for (const LodRange& lod : mesh.lods) {
      const auto first = static_cast<uint32_t>(table.clusters.size());
      const MeshVertex* vertices = &vertexData_[static_cast<size_t>(lod.vertexOffset)];
      const std::span<uint32_t> indices = std::span(indexData_).subspan(lod.firstIndex, lod.indexCount);
      const size_t vertexCount = indices.empty() ? 0 : *std::ranges::max_element(indices) + size_t{1};
      uint32_t firstIndex = lod.firstIndex;
      for (const ClusterShape& shape :
           sortIntoClusters(indices, {&vertices->position.x, vertexCount, sizeof(MeshVertex)})) {
        table.clusters.push_back(
            {shape.sphere, shape.coneAxis, shape.coneCutoff, shape.indexCount, firstIndex, lod.vertexOffset, 0});
        firstIndex += shape.indexCount;
      }
      table.ofLods.push_back({first, static_cast<uint32_t>(table.clusters.size()) - first});
    }
  }
  return table;
}

void MeshLibrary::bind(VkCommandBuffer commands) const {
  const VkBuffer vertices = vertexBuffer_.get();
  const VkDeviceSize offset = 0;
  vkCmdBindVertexBuffers(commands, 0, 1, &vertices, &offset);
  vkCmdBindIndexBuffer(commands, indexBuffer_.get(), 0, VK_INDEX_TYPE_UINT32);
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

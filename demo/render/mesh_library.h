// Holds meshes with levels of detail in one vertex and one index buffer, ready for indirect draws.
#pragma once

#include <span>
#include <vector>

#include "models/triangle_mesh.h"
#include "shaders/meshlets.h"
#include "vulkan/resources.h"

namespace demo {

constexpr uint32_t kLodCount = 4;

struct MeshVertex {
  glm::vec3 position;
  int8_t normal[4];  // signed normalised; w: the material
};
static_assert(sizeof(MeshVertex) == 16);

struct LodRange {
  uint32_t indexCount = 0;
  uint32_t firstIndex = 0;
  int32_t vertexOffset = 0;
};

// An element of the table of meshes, which a plan reads.
struct LodMesh {
  glm::vec4 sphere = {};  // center, radius: bounds every LOD
  LodRange lods[kLodCount];
  uint32_t lodCount = kLodCount;
  uint32_t lodMask = ~0u;  // LODs that are resident
  uint32_t group = 0;      // of draws
  uint32_t reserved = 0;
};
static_assert(sizeof(LodMesh) == 80);

// A piece of a LOD that is culled and drawn by itself. As an element of a stream it is its own bounds and cone, and as
// one of a table it says what draws it.
struct Cluster {
  glm::vec4 sphere;    // center, radius
  glm::vec3 coneAxis;  // of all triangles' normals, as SluCones says
  float coneCutoff;
  uint32_t indexCount, firstIndex;
  int32_t vertexOffset;
  uint32_t reserved;
};
static_assert(sizeof(Cluster) == 48);

struct ClusterTable {
  std::vector<Cluster> clusters;
  std::vector<MeshletRange> ofLods;  // by mesh and LOD
};

class MeshLibrary {
 public:
  // Adds a mesh. sources are versions of it, the finest first. Each LOD is simplified from the coarsest source that has
  // enough triangles.
  void add(std::span<const TriangleMesh> sources);
  // Adds a mesh whose LODs are these.
  void addLods(std::span<const TriangleMesh, kLodCount> lods);

  // Sets the groups of draws of all meshes.
  void setGroups(std::span<const uint32_t> groups);

  // Cuts all LODs into clusters. It sorts the triangles of each LOD, so that those of a cluster lie side by side.
  ClusterTable cutIntoClusters();

  // Copies everything to the device. Call it after the last add.
  void upload(const Device& device);

  const std::vector<LodMesh>& meshes() const { return meshes_; }
  const std::vector<uint32_t>& indexData() const { return indexData_; }
  VkDeviceAddress vertexAddress() const { return vertexBuffer_.address(); }
  // Returns a bit for each of the first 32 materials that the mesh has.
  uint32_t materials(size_t mesh) const { return materials_[mesh]; }
  // Binds vertices and indices for draws.
  void bind(VkCommandBuffer commands) const;

 private:
  // lods are indices into the source's vertices.
  void append(const TriangleMesh& source, std::span<std::vector<uint32_t>> lods, std::span<LodRange> ranges);
  // Returns the bounding sphere of the vertices from firstVertex on.
  glm::vec4 sphereFrom(size_t firstVertex) const;

  // Adds a mesh whose vertices are those from firstVertex on.
  void finish(LodMesh mesh, size_t firstVertex);

  std::vector<LodMesh> meshes_;
  std::vector<uint32_t> materials_;  // by mesh
  std::vector<MeshVertex> vertexData_;
  std::vector<uint32_t> indexData_;
  Buffer vertexBuffer_;
  Buffer indexBuffer_;
};

}  // namespace demo

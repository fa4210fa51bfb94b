// Cuts the levels of detail of a library's meshes into meshlets, in buffers that mesh shaders read.
#pragma once

#include "render/mesh_library.h"
#include "shaders/meshlets.h"

namespace demo {

// Meshlets in the order of their triangles. A triangle is three numbers of a byte each, from the lowest byte on, within
// the vertices of its meshlet.
struct MeshletData {
  std::vector<Meshlet> meshlets;
  std::vector<uint32_t> vertices;  // by place in the list: numbers of vertices of the library
  std::vector<uint32_t> triangles;
};

// Adds the triangles to the data, whose vertices are `indices` and vertexOffset in addition, and returns their meshlets.
// A meshlet ends where the next triangle would exceed kMeshletVertices or kMeshletTriangles.
MeshletRange addMeshlets(MeshletData& data, std::span<const uint32_t> indices, int32_t vertexOffset);

class Meshlets {
 public:
  Meshlets(const Device& device, const MeshLibrary& library);

  // Return buffers: a MeshletRange for each mesh and level of detail, and the elements of MeshletData.
  const Buffer& ranges() const { return ranges_; }
  const Buffer& meshlets() const { return meshlets_; }
  const Buffer& vertices() const { return vertices_; }
  const Buffer& triangles() const { return triangles_; }

  // Returns the most meshlets of a level of detail.
  uint32_t mostOfLod() const { return mostOfLod_; }

 private:
  Buffer ranges_, meshlets_, vertices_, triangles_;
  uint32_t mostOfLod_ = 0;
};

}  // namespace demo

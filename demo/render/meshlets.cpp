#include "render/meshlets.h"

#include <algorithm>
#include <array>

namespace demo {

MeshletRange addMeshlets(MeshletData& data, std::span<const uint32_t> indices, int32_t vertexOffset) {
  const auto first = static_cast<uint32_t>(data.meshlets.size());
  const auto begin = [&] {
    data.meshlets.push_back(
        {static_cast<uint32_t>(data.vertices.size()), 0, static_cast<uint32_t>(data.triangles.size()), 0});
  };
  const auto numberOf = [&](uint32_t vertex) {
    const std::span<const uint32_t> own = std::span(data.vertices).subspan(data.meshlets.back().firstVertex);
    return static_cast<uint32_t>(std::ranges::find(own, vertex) - own.begin());
  };
  for (size_t triangle = 0; triangle + 3 <= indices.size(); triangle += 3) {
    std::array<uint32_t, 3> corners;
    for (size_t corner = 0; corner < 3; ++corner)
      corners[corner] = indices[triangle + corner] + static_cast<uint32_t>(vertexOffset);
    if (triangle == 0) begin();
    // A vertex that a triangle names twice counts twice, which may end a meshlet early.
    const auto isNew = [&](uint32_t vertex) { return numberOf(vertex) == data.meshlets.back().vertexCount; };
    const auto added = static_cast<uint32_t>(std::ranges::count_if(corners, isNew));
    if (data.meshlets.back().vertexCount + added > kMeshletVertices ||
        data.meshlets.back().triangleCount == kMeshletTriangles)
      begin();
    Meshlet& meshlet = data.meshlets.back();
    uint32_t packed = 0;
    for (size_t corner = 0; corner < 3; ++corner) {
      const uint32_t number = numberOf(corners[corner]);
      if (number == meshlet.vertexCount) {
        data.vertices.push_back(corners[corner]);
        ++meshlet.vertexCount;
      }
      packed |= number << (8 * corner);
    }
    data.triangles.push_back(packed);
    ++meshlet.triangleCount;
  }
  return {first, static_cast<uint32_t>(data.meshlets.size()) - first};
}

Meshlets::Meshlets(const Device& device, const MeshLibrary& library) {
  MeshletData data;
  std::vector<MeshletRange> ranges;
  for (const LodMesh& mesh : library.meshes()) {
    for (const LodRange& lod : mesh.lods) {
      const std::span<const uint32_t> indices = std::span(library.indexData()).subspan(lod.firstIndex, lod.indexCount);
      ranges.push_back(addMeshlets(data, indices, lod.vertexOffset));
      mostOfLod_ = std::max(mostOfLod_, ranges.back().count);
    }
  }
  const auto fill = [&](Buffer& buffer, const auto& elements, const char* name) {
    buffer = Buffer(device, elements.size() * sizeof(elements[0]), 0, Memory::Device, name);
    upload(device, buffer, elements);
  };
  fill(ranges_, ranges, "meshlets of meshes");
  fill(meshlets_, data.meshlets, "meshlets");
  fill(vertices_, data.vertices, "meshlet vertices");
  fill(triangles_, data.triangles, "meshlet triangles");
}

}  // namespace demo

// Builds all meshes of the city, kind by kind, with their levels of detail.
#pragma once

#include "frame/compaction.h"
#include "render/mesh_library.h"

namespace demo {

enum class CityMesh : uint8_t { Street, Park, Lamp, Tower, Apartments, House, Hall, Tree, Conifer, Car, Count };

// The meshes of a kind lie behind each other in the library.
struct MeshRange {
  uint32_t first, count;
};

MeshRange cityMeshes(CityMesh kind);
uint32_t cityMeshCount();  // of all kinds
MeshLibrary buildCityMeshes();
// Returns which meshes are drawn by one state of the pipeline: those that look alike.
DrawGroups cityGroups();

}  // namespace demo

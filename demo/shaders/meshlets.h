// Layouts of meshlets, which mesh shaders draw: pieces of a mesh's level of detail, small enough for a workgroup.
#ifndef DEMO_MESHLETS_H
#define DEMO_MESHLETS_H

#include "shared.h"

#ifdef __cplusplus
namespace demo {
#endif

const uint kMeshletVertices = 64u;    // at most
const uint kMeshletTriangles = 124u;  // at most
const uint kTaskRecords = 32u;        // kept records that a task workgroup takes

struct Meshlet {
  uint firstVertex;  // in the list of vertices
  uint vertexCount;
  uint firstTriangle;
  uint triangleCount;
};

// The meshlets of a level of detail.
struct MeshletRange {
  uint first;
  uint count;
};

#ifdef __cplusplus
static_assert(sizeof(Meshlet) == 16 && sizeof(MeshletRange) == 8);
}  // namespace demo
#endif

#endif

// Places the instances of the asteroid belt, and shapes its rocks. The result is the same on every machine.
#pragma once

#include <span>
#include <vector>

#include "models/triangle_mesh.h"
#include "shaders/shared.h"

namespace demo {

// A mesh of the belt and how often it appears, relative to the others.
struct BeltMesh {
  float frequency;
  float size;  // relative to a rock of the same draw
};

std::vector<MeshInstance> placeBelt(uint32_t count, std::span<const BeltMesh> meshes);

// Squashes and dents a rock into another one. The same seed does the same to a coarser version of the rock.
void reshapeRock(TriangleMesh& mesh, uint32_t seed);

}  // namespace demo

// Reads a model file with assimp into one flat list of triangles.
#pragma once

#include <filesystem>

#include "models/triangle_mesh.h"

namespace Assimp {
class Importer;
}

namespace demo {

constexpr uint32_t kMaxTriangles = 1200000;    // of a file, with those that its nodes repeat: more take too long
constexpr uint32_t kMaxFileMeshes = 1u << 14;  // assimp takes time by their square
constexpr uint32_t kMaxNodes = 1u << 20;

// A mesh of the file as a part of the whole, at the first node that places it.
struct ModelPart {
  uint32_t firstVertex, vertexCount, firstIndex, indexCount;
};

struct ModelImport {
  TriangleMesh whole;  // the transforms of the nodes are applied, and every vertex is a triangle's
  std::vector<ModelPart> parts;
};

// Reads a file with the importer and returns its triangles. Throws Failure with a sentence whose subject is the file.
// On some files assimp or the importer's destructor crashes, hangs or takes all memory; model_process.h contains that.
ModelImport importModel(Assimp::Importer& importer, const std::filesystem::path& file);

}  // namespace demo

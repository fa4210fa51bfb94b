// Reads a model file with assimp into one flat list of triangles.
#pragma once

#include <assimp/Importer.hpp>
#include <filesystem>

#include "models/triangle_mesh.h"

namespace demo {

constexpr uint32_t kMaxTriangles = 1200000;    // of a file, with those that its nodes repeat: more take too long
constexpr uint32_t kMaxFileMeshes = 1u << 14;  // assimp takes time by their square
constexpr uint32_t kMaxNodes = 1u << 20;

// The part of the whole that a mesh of the file became, at the first node that places it.
struct ModelPart {
  uint32_t firstVertex, vertexCount, firstIndex, indexCount;
};

struct ModelImport {
  TriangleMesh whole;  // the transforms of the nodes are applied, and every vertex is a triangle's
  std::vector<ModelPart> parts;
};

// Reads a file into the importer and its triangles from there. Throws Failure with a sentence whose subject is the
// file. Assimp crashes, hangs or takes all memory on some files, and so does the importer's destructor: model_process.h
// contains that.
ModelImport importModel(Assimp::Importer& importer, const std::filesystem::path& file);

}  // namespace demo

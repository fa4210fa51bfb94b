// Reads a model file that the user names, checks it, and cuts it into parts.
#pragma once

#include <filesystem>

#include "models/model_import.h"

namespace demo {

constexpr size_t kMaxModelParts = 63;

struct Model {
  TriangleMesh whole;               // all triangles, with the transforms of the nodes applied
  std::vector<TriangleMesh> parts;  // the meshes of the file, the largest at most; none when it has only one
  size_t partCount = 0;             // of the file
};

// Throws Failure (Cause::BadInput) with a sentence that names the file when it cannot be read, has no triangle with
// an area, has values that are not finite, or is too large.
Model readModel(const std::filesystem::path& file);

// Checks what an importer returned, which may be anything. Throws Failure with a sentence whose subject is the file.
Model makeModel(ModelImport import);

}  // namespace demo

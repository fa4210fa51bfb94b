#include "models/model_file.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "base/failure.h"
#include "models/model_process.h"

namespace demo {
namespace {

bool isFinite(const glm::vec3& vector) {
  return std::isfinite(vector.x) && std::isfinite(vector.y) && std::isfinite(vector.z);
}

void require(bool isRight, const char* what) {
  if (!isRight) failInput("cannot be read: the importer returned ", what, "; export it again or in another format");
}

bool lies(const ModelPart& part, const TriangleMesh& whole) {
  return uint64_t{part.firstVertex} + part.vertexCount <= whole.positions.size() &&
         uint64_t{part.firstIndex} + part.indexCount <= whole.indices.size();
}

void checkPart(const ModelPart& part, const TriangleMesh& whole) {
  require(part.indexCount && part.indexCount % 3 == 0 && lies(part, whole), "a part that lies outside of the whole");
  for (uint32_t corner = 0; corner < part.indexCount; ++corner)
    require(whole.indices[part.firstIndex + corner] - part.firstVertex < part.vertexCount,
            "a part with an index out of range");
}

void checkImport(const ModelImport& import) {
  const TriangleMesh& whole = import.whole;
  require(!whole.indices.empty() && whole.indices.size() % 3 == 0, "no whole triangles");
  require(whole.triangleCount() <= kMaxTriangles, "too many triangles");
  require(whole.normals.size() == whole.positions.size(), "another number of normals than of vertices");
  for (const uint32_t index : whole.indices) require(index < whole.positions.size(), "an index out of range");
  for (const glm::vec3& position : whole.positions) require(isFinite(position), "a vertex that is not finite");
  for (const glm::vec3& normal : whole.normals) require(isFinite(normal), "a normal that is not finite");
  uint64_t cornerCount = 0;
  for (const ModelPart& part : import.parts) {
    checkPart(part, whole);
    cornerCount += part.indexCount;
  }
  require(cornerCount <= whole.indices.size(), "parts that overlap");
}

// Computes in doubles, which hold the products of the largest and of the smallest floats.
bool hasArea(const TriangleMesh& mesh) {
  for (size_t corner = 0; corner < mesh.indices.size(); corner += 3) {
    const auto place = [&](size_t turn) { return glm::dvec3(mesh.positions[mesh.indices[corner + turn]]); };
    if (glm::cross(place(1) - place(0), place(2) - place(0)) != glm::dvec3(0.0)) return true;
  }
  return false;
}

TriangleMesh cutOut(const TriangleMesh& whole, const ModelPart& part) {
  const auto cut = [](const auto& all, uint32_t first, uint32_t count) {
    using Vector = std::decay_t<decltype(all)>;
    return Vector(all.begin() + first, all.begin() + first + count);
  };
  TriangleMesh mesh;
  mesh.positions = cut(whole.positions, part.firstVertex, part.vertexCount);
  mesh.normals = cut(whole.normals, part.firstVertex, part.vertexCount);
  mesh.indices = cut(whole.indices, part.firstIndex, part.indexCount);
  for (uint32_t& index : mesh.indices) index -= part.firstVertex;
  return mesh;
}

void checkKind(const std::filesystem::path& file) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(file, error);
  if (!std::filesystem::exists(status)) failInput("does not exist or cannot be reached");
  if (std::filesystem::is_directory(status)) failInput("is a directory; name a file in it");
  if (!std::filesystem::is_regular_file(status)) failInput("is not a regular file; copy it into one");
  if (std::filesystem::file_size(file, error) == 0) failInput("is empty");
}

}  // namespace

Model makeModel(ModelImport import) {
  checkImport(import);
  if (!hasArea(import.whole)) failInput("has no triangles with an area, so nothing to draw");
  Model model;
  model.whole = std::move(import.whole);
  std::vector<ModelPart>& parts = import.parts;
  model.partCount = parts.size();
  if (parts.size() < 2) return model;
  std::stable_sort(parts.begin(), parts.end(),
                   [](const ModelPart& a, const ModelPart& b) { return a.indexCount > b.indexCount; });
  parts.resize(std::min(parts.size(), kMaxModelParts));
  for (const ModelPart& part : parts) model.parts.push_back(cutOut(model.whole, part));
  return model;
}

Model readModel(const std::filesystem::path& file) {
  try {
    checkKind(file);
    return makeModel(importContained(file));
  } catch (const Failure& failure) {
    throw Failure(failure.cause(), sentence("model file ", file.string(), ' ', failure.what()));
  }
}

}  // namespace demo

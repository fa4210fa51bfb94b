#include "model_file.h"

#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <algorithm>
#include <assimp/Importer.hpp>
#include <cctype>
#include <cmath>
#include <fstream>
#include <type_traits>

#include "failure.h"

namespace demo {
namespace {

constexpr uint64_t kMaxFileBytes = uint64_t{512} << 20;
constexpr size_t kMaxIndices = 3u << 26;  // 67 million triangles: indices and their byte offsets stay in 32 bits
constexpr unsigned kMaxFileMeshes = 1u << 14;
constexpr size_t kMaxPlacements = 1u << 20;  // of meshes by nodes
constexpr float kSmoothingAngle = 70.0f;     // degrees, for files without normals
constexpr unsigned kProcessing = aiProcess_RemoveComponent | aiProcess_Triangulate | aiProcess_SortByPType |
                                 aiProcess_GenSmoothNormals | aiProcess_JoinIdenticalVertices |
                                 aiProcess_FindDegenerates;

glm::vec3 toVec3(const aiVector3D& vector) { return {vector.x, vector.y, vector.z}; }

bool isFinite(const glm::vec3& vector) {
  return std::isfinite(vector.x) && std::isfinite(vector.y) && std::isfinite(vector.z);
}

bool isFinite(const aiMatrix4x4& matrix) {
  for (unsigned row = 0; row < 4; ++row)
    for (unsigned column = 0; column < 4; ++column)
      if (!std::isfinite(matrix[row][column])) return false;
  return true;
}

// What of the whole came of a mesh of the file, where a node placed it first.
struct Part {
  size_t firstVertex, endVertex, firstIndex, endIndex;
  size_t indexCount() const { return endIndex - firstIndex; }
};

TriangleMesh cutOut(const TriangleMesh& whole, const Part& part) {
  const auto cut = [](const auto& all, size_t begin, size_t end) {
    using Vector = std::decay_t<decltype(all)>;
    return Vector(all.begin() + static_cast<ptrdiff_t>(begin), all.begin() + static_cast<ptrdiff_t>(end));
  };
  TriangleMesh mesh;
  mesh.positions = cut(whole.positions, part.firstVertex, part.endVertex);
  mesh.normals = cut(whole.normals, part.firstVertex, part.endVertex);
  mesh.indices = cut(whole.indices, part.firstIndex, part.endIndex);
  for (uint32_t& index : mesh.indices) index -= static_cast<uint32_t>(part.firstVertex);
  return mesh;
}

// Walks the nodes of a file and collects its triangles.
class Reader {
 public:
  Reader(const aiScene& scene, std::string file)
      : scene_(scene), file_(std::move(file)), isPlaced_(scene.mNumMeshes, false) {}

  Model read() {
    // A file may nest its nodes deeper than functions can call each other.
    if (scene_.mRootNode) pending_.push_back({scene_.mRootNode, aiMatrix4x4()});
    while (!pending_.empty()) {
      const Placed placed = pending_.back();
      pending_.pop_back();
      appendNode(placed);
    }
    if (model_.whole.indices.empty()) failInput("model file ", file_, " holds no triangles");
    for (const glm::vec3& position : model_.whole.positions)
      if (!isFinite(position)) failInput("model file ", file_, " holds a vertex that is not finite");
    cutParts();
    return std::move(model_);
  }

 private:
  struct Placed {
    const aiNode* node;
    aiMatrix4x4 parent;
  };

  void appendNode(const Placed& placed) {
    const aiNode& node = *placed.node;
    const aiMatrix4x4 transform = placed.parent * node.mTransformation;
    if (!isFinite(transform))
      failInput("model file ", file_, ": the transform of node '", node.mName.C_Str(), "' is not finite");
    for (unsigned mesh = 0; mesh < node.mNumMeshes; ++mesh) place(node.mMeshes[mesh], transform);
    for (unsigned child = node.mNumChildren; child-- > 0;) pending_.push_back({node.mChildren[child], transform});
  }

  void place(unsigned mesh, const aiMatrix4x4& transform) {
    const Part before = {model_.whole.positions.size(), 0, model_.whole.indices.size(), 0};
    append(*scene_.mMeshes[mesh], transform);
    if (model_.whole.indices.size() > kMaxIndices || ++placementCount_ > kMaxPlacements)
      failInput("model file ", file_, " holds more than ", kMaxIndices / 3, " triangles or ", kMaxPlacements, " nodes");
    const Part part = {before.firstVertex, model_.whole.positions.size(), before.firstIndex,
                       model_.whole.indices.size()};
    if (!isPlaced_[mesh] && part.indexCount()) parts_.push_back(part);
    isPlaced_[mesh] = true;
  }

  void append(const aiMesh& source, const aiMatrix4x4& transform) {
    if (!(source.mPrimitiveTypes & aiPrimitiveType_TRIANGLE)) return;
    TriangleMesh& mesh = model_.whole;
    aiMatrix3x3 normalTransform(transform);
    const bool mirrored = normalTransform.Determinant() < 0.0f;
    normalTransform.Inverse().Transpose();
    const auto first = static_cast<uint32_t>(mesh.positions.size());
    for (unsigned vertex = 0; vertex < source.mNumVertices; ++vertex) {
      mesh.positions.push_back(toVec3(transform * source.mVertices[vertex]));
      const glm::vec3 normal =
          source.HasNormals() ? toVec3(normalTransform * source.mNormals[vertex]) : glm::vec3(0.0f, 1.0f, 0.0f);
      const float length = glm::length(normal);
      mesh.normals.push_back(length > 0.0f ? normal / length : glm::vec3(0.0f, 1.0f, 0.0f));
    }
    for (unsigned face = 0; face < source.mNumFaces; ++face) {
      if (source.mFaces[face].mNumIndices != 3) continue;
      const unsigned* corner = source.mFaces[face].mIndices;
      mesh.indices.insert(mesh.indices.end(),
                          {first + corner[0], first + corner[mirrored ? 2 : 1], first + corner[mirrored ? 1 : 2]});
    }
  }

  void cutParts() {
    model_.partCount = parts_.size();
    if (parts_.size() < 2) return;
    std::stable_sort(parts_.begin(), parts_.end(),
                     [](const Part& a, const Part& b) { return a.indexCount() > b.indexCount(); });
    parts_.resize(std::min(parts_.size(), kMaxModelParts));
    for (const Part& part : parts_) model_.parts.push_back(cutOut(model_.whole, part));
  }

  const aiScene& scene_;
  std::string file_;
  std::vector<Placed> pending_;
  std::vector<bool> isPlaced_;  // by mesh of the file
  std::vector<Part> parts_;
  size_t placementCount_ = 0;
  Model model_;
};

[[noreturn]] void failForMeshes(const std::filesystem::path& file, uint64_t count) {
  failInput("model file ", file.string(), " holds ", count, " parts, more than the ", kMaxFileMeshes,
            " that can be read soon; merge them");
}

// Assimp takes time by the square of the objects, groups and materials of an OBJ file, so they are counted before.
void checkObjParts(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  uint64_t count = 0;
  for (std::string line; std::getline(stream, line);)
    count += line.starts_with("o ") || line.starts_with("g ") || line.starts_with("usemtl ");
  if (count > kMaxFileMeshes) failForMeshes(file, count);
}

void checkFile(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) {
    if (std::filesystem::exists(file, error)) failInput("model file ", file.string(), " is not a regular file");
    failInput("model file ", file.string(), " does not exist or cannot be reached");
  }
  const uint64_t bytes = std::filesystem::file_size(file, error);
  if (bytes == 0) failInput("model file ", file.string(), " is empty");
  if (bytes > kMaxFileBytes)
    failInput("model file ", file.string(), " has more than ", kMaxFileBytes >> 20, " MiB, which would take minutes");
  std::string extension = file.extension().string();
  for (char& letter : extension) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  if (extension == ".obj") checkObjParts(file);
}

}  // namespace

Model readModel(const std::filesystem::path& file) {
  checkFile(file);
  Assimp::Importer importer;
  importer.SetPropertyInteger(AI_CONFIG_PP_SBP_REMOVE, aiPrimitiveType_POINT | aiPrimitiveType_LINE);
  importer.SetPropertyInteger(AI_CONFIG_PP_RVC_FLAGS, aiComponent_TANGENTS_AND_BITANGENTS | aiComponent_COLORS |
                                                          aiComponent_TEXCOORDS | aiComponent_BONEWEIGHTS |
                                                          aiComponent_ANIMATIONS | aiComponent_TEXTURES |
                                                          aiComponent_LIGHTS | aiComponent_CAMERAS);
  importer.SetPropertyFloat(AI_CONFIG_PP_GSN_MAX_SMOOTHING_ANGLE, kSmoothingAngle);
  const aiScene* scene = importer.ReadFile(file.string(), 0);
  if (scene && scene->mNumMeshes > kMaxFileMeshes) failForMeshes(file, scene->mNumMeshes);
  if (scene) scene = importer.ApplyPostProcessing(kProcessing);
  if (!scene) failInput("model file ", file.string(), " cannot be read: ", importer.GetErrorString());
  return Reader(*scene, file.string()).read();
}

float normalise(TriangleMesh& mesh) {
  glm::vec3 low(INFINITY), high(-INFINITY);
  for (uint32_t index : mesh.indices) {
    low = glm::min(low, mesh.positions[index]);
    high = glm::max(high, mesh.positions[index]);
  }
  const glm::vec3 center = 0.5f * low + 0.5f * high;
  float radius = 0.0f;
  for (uint32_t index : mesh.indices) radius = std::max(radius, glm::distance(mesh.positions[index], center));
  const float scale = radius > 0.0f && std::isfinite(1.0f / radius) ? 1.0f / radius : 1.0f;
  for (glm::vec3& position : mesh.positions) position = (position - center) * scale;
  return radius;
}

void smoothNormals(TriangleMesh& mesh) {
  std::fill(mesh.normals.begin(), mesh.normals.end(), glm::vec3(0.0f));
  for (size_t corner = 0; corner < mesh.indices.size(); corner += 3) {
    const uint32_t a = mesh.indices[corner], b = mesh.indices[corner + 1], c = mesh.indices[corner + 2];
    const glm::vec3 normal = glm::cross(mesh.positions[b] - mesh.positions[a], mesh.positions[c] - mesh.positions[a]);
    for (uint32_t index : {a, b, c}) mesh.normals[index] += normal;
  }
  for (glm::vec3& normal : mesh.normals) {
    const float length = glm::length(normal);
    normal = length > 0.0f ? normal / length : glm::vec3(0.0f, 1.0f, 0.0f);
  }
}

}  // namespace demo

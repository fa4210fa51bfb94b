#include "model_file.h"

#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <algorithm>
#include <assimp/Importer.hpp>
#include <cmath>

#include "failure.h"

namespace demo {
namespace {

constexpr size_t kMaxIndices = 3u << 26;  // 67 million triangles: indices and their byte offsets stay in 32 bits
constexpr float kSmoothingAngle = 70.0f;  // degrees, for files without normals

glm::vec3 toVec3(const aiVector3D& vector) { return {vector.x, vector.y, vector.z}; }

void appendMesh(const aiMesh& source, const aiMatrix4x4& transform, TriangleMesh& mesh) {
  if (!(source.mPrimitiveTypes & aiPrimitiveType_TRIANGLE)) return;
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

void appendNode(const aiScene& scene, const aiNode& node, const aiMatrix4x4& parent, TriangleMesh& mesh) {
  const aiMatrix4x4 transform = parent * node.mTransformation;
  for (unsigned part = 0; part < node.mNumMeshes; ++part) {
    appendMesh(*scene.mMeshes[node.mMeshes[part]], transform, mesh);
    if (mesh.indices.size() > kMaxIndices) return;
  }
  for (unsigned child = 0; child < node.mNumChildren; ++child)
    appendNode(scene, *node.mChildren[child], transform, mesh);
}

}  // namespace

TriangleMesh readModel(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) {
    if (std::filesystem::exists(file, error)) failInput("model file ", file.string(), " is not a regular file");
    failInput("model file ", file.string(), " does not exist or cannot be reached");
  }
  if (std::filesystem::file_size(file, error) == 0) failInput("model file ", file.string(), " is empty");

  Assimp::Importer importer;
  importer.SetPropertyInteger(AI_CONFIG_PP_SBP_REMOVE, aiPrimitiveType_POINT | aiPrimitiveType_LINE);
  importer.SetPropertyInteger(AI_CONFIG_PP_RVC_FLAGS, aiComponent_TANGENTS_AND_BITANGENTS | aiComponent_COLORS |
                                                          aiComponent_TEXCOORDS | aiComponent_BONEWEIGHTS |
                                                          aiComponent_ANIMATIONS | aiComponent_TEXTURES |
                                                          aiComponent_LIGHTS | aiComponent_CAMERAS);
  importer.SetPropertyFloat(AI_CONFIG_PP_GSN_MAX_SMOOTHING_ANGLE, kSmoothingAngle);
  const aiScene* scene = importer.ReadFile(
      file.string(), aiProcess_RemoveComponent | aiProcess_Triangulate | aiProcess_SortByPType |
                         aiProcess_GenSmoothNormals | aiProcess_JoinIdenticalVertices | aiProcess_FindDegenerates);
  if (!scene) failInput("model file ", file.string(), " cannot be read: ", importer.GetErrorString());

  TriangleMesh mesh;
  if (scene->mRootNode) appendNode(*scene, *scene->mRootNode, aiMatrix4x4(), mesh);
  if (mesh.indices.empty()) failInput("model file ", file.string(), " holds no triangles");
  if (mesh.indices.size() > kMaxIndices)
    failInput("model file ", file.string(), " holds more than ", kMaxIndices / 3, " triangles");
  for (const glm::vec3& position : mesh.positions)
    if (!std::isfinite(position.x) || !std::isfinite(position.y) || !std::isfinite(position.z))
      failInput("model file ", file.string(), " holds a vertex that is not finite");
  return mesh;
}

void normalise(TriangleMesh& mesh) {
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

#include "models/model_import.h"

#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <meshoptimizer.h>

#include <assimp/Importer.hpp>
#include <cctype>
#include <cmath>
#include <fstream>
#include <limits>
#include <optional>

#include "base/failure.h"

namespace demo {
namespace {

constexpr size_t kMaxAssimpBytes = 300;   // of what assimp says
constexpr float kSmoothingAngle = 70.0f;  // degrees, for files without normals
// Each further step is one more that may fail: vertices are joined here, and lines and points left out.
constexpr unsigned kProcessing = aiProcess_Triangulate | aiProcess_GenSmoothNormals;

[[noreturn]] void failForMeshes(uint64_t count) {
  failInput("has ", count, " parts, more than the ", kMaxFileMeshes, " that can be read soon; merge them");
}

// Importers and post-processing take time by the square of the objects, groups and materials of an OBJ file.
void checkObjParts(std::istream& stream) {
  uint64_t count = 0;
  for (std::string line; std::getline(stream, line);)
    count += line.starts_with("o ") || line.starts_with("g ") || line.starts_with("usemtl ");
  if (count > kMaxFileMeshes) failForMeshes(count);
}

void checkFile(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) failInput("cannot be opened; check its permissions");
  std::string extension = file.extension().string();
  for (char& letter : extension) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  if (extension == ".obj") checkObjParts(stream);
}

// Post-processing uses indices and the kinds of faces unchecked, and some importers set them wrongly.
void checkFaces(aiMesh& mesh) {
  mesh.mPrimitiveTypes = 0;
  for (unsigned face = 0; face < mesh.mNumFaces; ++face) {
    const unsigned count = mesh.mFaces[face].mNumIndices;
    for (unsigned corner = 0; corner < count; ++corner)
      if (const unsigned index = mesh.mFaces[face].mIndices[corner]; index >= mesh.mNumVertices)
        failInput("is damaged: a face has vertex ", index, " of ", mesh.mNumVertices, "; export it again");
    if (count) mesh.mPrimitiveTypes |= AI_PRIMITIVE_TYPE_FOR_N_INDICES(count);
  }
}

void checkMeshes(const aiScene& scene) {
  if (scene.mNumMeshes > kMaxFileMeshes) failForMeshes(scene.mNumMeshes);
  unsigned types = 0;
  for (unsigned mesh = 0; mesh < scene.mNumMeshes; ++mesh) {
    checkFaces(*scene.mMeshes[mesh]);
    types |= scene.mMeshes[mesh]->mPrimitiveTypes;
  }
  if (!(types & (aiPrimitiveType_TRIANGLE | aiPrimitiveType_POLYGON)))
    failInput("has no triangles, so nothing to draw");
}

glm::dvec3 toVec3(const aiVector3D& vector) { return {vector.x, vector.y, vector.z}; }

glm::dmat4 toMat4(const aiMatrix4x4& matrix) {
  glm::dmat4 result;
  for (unsigned row = 0; row < 4; ++row)
    for (unsigned column = 0; column < 4; ++column)
      result[static_cast<int>(column)][static_cast<int>(row)] = matrix[row][column];
  return result;
}

bool isFinite(const glm::dmat4& matrix) {
  for (int column = 0; column < 4; ++column)
    for (int row = 0; row < 4; ++row)
      if (!std::isfinite(matrix[column][row])) return false;
  return true;
}

glm::vec3 toFloats(const glm::dvec3& position) {
  for (int axis = 0; axis < 3; ++axis)
    if (!(std::abs(position[axis]) <= double{std::numeric_limits<float>::max()}))
      failInput("has a vertex that is not finite or too far away for a float; repair it and export it again");
  return glm::vec3(position);
}

glm::vec3 toNormal(const glm::dvec3& direction) {
  const double length = glm::length(direction);
  return length > 0.0 && std::isfinite(length) ? glm::vec3(direction / length) : glm::vec3(0.0f, 1.0f, 0.0f);
}

// The triangles of a mesh. Vertices that look the same become one, and those that no triangle has are left out.
struct LocalMesh {
  std::vector<aiVector3D> positions, normals;
  std::vector<uint32_t> indices;
};

LocalMesh joinVertices(const aiMesh& source) {
  LocalMesh mesh;
  for (unsigned face = 0; face < source.mNumFaces; ++face)
    if (const aiFace& corners = source.mFaces[face]; corners.mNumIndices == 3)
      mesh.indices.insert(mesh.indices.end(), corners.mIndices, corners.mIndices + 3);
  if (mesh.indices.empty()) return mesh;

  // Normals that are drawn as the same are the same.
  struct Rounded {
    int8_t x, y, z, zero;
  };
  std::vector<Rounded> rounded(source.mNumVertices);
  for (unsigned vertex = 0; source.HasNormals() && vertex < source.mNumVertices; ++vertex) {
    const glm::vec3 normal = glm::round(toNormal(toVec3(source.mNormals[vertex])) * 127.0f);
    rounded[vertex] = {static_cast<int8_t>(normal.x), static_cast<int8_t>(normal.y), static_cast<int8_t>(normal.z), 0};
  }
  const meshopt_Stream streams[] = {{source.mVertices, sizeof(aiVector3D), sizeof(aiVector3D)},
                                    {rounded.data(), sizeof(Rounded), sizeof(Rounded)}};
  std::vector<uint32_t> remap(source.mNumVertices);
  mesh.positions.resize(meshopt_generateVertexRemapMulti(remap.data(), mesh.indices.data(), mesh.indices.size(),
                                                         source.mNumVertices, streams, std::size(streams)));
  meshopt_remapVertexBuffer(mesh.positions.data(), source.mVertices, source.mNumVertices, sizeof(aiVector3D),
                            remap.data());
  if (source.HasNormals()) {
    mesh.normals.resize(mesh.positions.size());
    meshopt_remapVertexBuffer(mesh.normals.data(), source.mNormals, source.mNumVertices, sizeof(aiVector3D),
                              remap.data());
  }
  meshopt_remapIndexBuffer(mesh.indices.data(), mesh.indices.data(), mesh.indices.size(), remap.data());
  return mesh;
}

// Walks the nodes of a file and collects its triangles.
class Reader {
 public:
  explicit Reader(const aiScene& scene) : scene_(scene), meshes_(scene.mNumMeshes) {}

  ModelImport read() {
    // A file may nest its nodes deeper than functions can call each other.
    if (scene_.mRootNode) pending_.push_back({scene_.mRootNode, glm::dmat4(1.0)});
    for (uint32_t nodeCount = 0; !pending_.empty(); ++nodeCount) {
      if (nodeCount == kMaxNodes) failInput("has more than ", kMaxNodes, " nodes, or one that contains itself");
      const Placed placed = pending_.back();
      pending_.pop_back();
      appendNode(placed);
    }
    if (model_.whole.indices.empty()) failInput("has no triangles that a node places, so nothing to draw");
    return std::move(model_);
  }

 private:
  struct Placed {
    const aiNode* node;
    glm::dmat4 parent;
  };

  void appendNode(const Placed& placed) {
    const aiNode& node = *placed.node;
    const glm::dmat4 transform = placed.parent * toMat4(node.mTransformation);
    if (!isFinite(transform))
      failInput("is damaged: the transform of node '", node.mName.C_Str(), "' is not finite; export it again");
    for (unsigned mesh = 0; mesh < node.mNumMeshes; ++mesh) place(node.mMeshes[mesh], transform);
    for (unsigned child = node.mNumChildren; child-- > 0;)  // assimp's importer of RAW files counts some that are NULL
      if (node.mChildren[child]) pending_.push_back({node.mChildren[child], transform});
  }

  void place(unsigned index, const glm::dmat4& transform) {
    if (index >= scene_.mNumMeshes)
      failInput("is damaged: a node has mesh ", index, " of ", scene_.mNumMeshes, "; export it again");
    std::optional<LocalMesh>& mesh = meshes_[index];
    const bool isFirst = !mesh;
    if (isFirst) mesh = joinVertices(*scene_.mMeshes[index]);
    if (mesh->indices.empty()) return;
    const ModelPart part = append(*mesh, transform);
    if (isFirst) model_.parts.push_back(part);
  }

  ModelPart append(const LocalMesh& source, const glm::dmat4& transform) {
    TriangleMesh& whole = model_.whole;
    if (whole.indices.size() + source.indices.size() > 3 * size_t{kMaxTriangles})
      failInput("has more than ", kMaxTriangles, " triangles; simplify it");
    const ModelPart part = {static_cast<uint32_t>(whole.positions.size()),
                            static_cast<uint32_t>(source.positions.size()), static_cast<uint32_t>(whole.indices.size()),
                            static_cast<uint32_t>(source.indices.size())};
    const glm::dmat3 linear(transform);
    const bool mirrored = glm::determinant(linear) < 0.0;
    const glm::dmat3 normalTransform = glm::transpose(glm::inverse(linear));
    for (const aiVector3D& position : source.positions)
      whole.positions.push_back(toFloats(glm::dvec3(transform * glm::dvec4(toVec3(position), 1.0))));
    for (const aiVector3D& normal : source.normals) whole.normals.push_back(toNormal(normalTransform * toVec3(normal)));
    whole.normals.resize(whole.positions.size(), glm::vec3(0.0f, 1.0f, 0.0f));
    for (size_t corner = 0; corner < source.indices.size(); corner += 3) {
      const uint32_t* corners = &source.indices[corner];
      for (const int turn : {0, mirrored ? 2 : 1, mirrored ? 1 : 2})
        whole.indices.push_back(part.firstVertex + corners[turn]);
    }
    return part;
  }

  const aiScene& scene_;
  std::vector<std::optional<LocalMesh>> meshes_;  // those of the file that a node has placed
  std::vector<Placed> pending_;
  ModelImport model_;
};

// Assimp keeps what its code threw. Counts that lie end as these; std::bad_alloc itself may, too.
[[noreturn]] void failAsImporter(const Assimp::Importer& importer) {
  if (const std::exception_ptr thrown = importer.GetException()) {
    try {
      std::rethrow_exception(thrown);
    } catch (const std::length_error&) {
      throw std::bad_alloc();
    } catch (const std::bad_alloc&) {
      throw;
    } catch (...) {
    }
  }
  const std::string reason = std::string(importer.GetErrorString()).substr(0, kMaxAssimpBytes);
  if (reason.starts_with("No suitable reader"))
    failInput("is of no format that assimp reads; export it as glTF or OBJ");
  failInput("cannot be read: ", reason, "; export it again or in another format");
}

}  // namespace

ModelImport importModel(Assimp::Importer& importer, const std::filesystem::path& file) {
  checkFile(file);
  importer.SetPropertyFloat(AI_CONFIG_PP_GSN_MAX_SMOOTHING_ANGLE, kSmoothingAngle);
  const aiScene* scene = importer.ReadFile(file.string(), 0);
  if (!scene) failAsImporter(importer);
  checkMeshes(*scene);
  scene = importer.ApplyPostProcessing(kProcessing);
  if (!scene) failAsImporter(importer);
  return Reader(*scene).read();
}

}  // namespace demo

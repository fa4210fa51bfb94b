#include "scenes/belt_scene.h"

#include <algorithm>

#include "base/failure.h"
#include "models/model_file.h"
#include "render/mesh_optimizer.h"

namespace demo {
namespace {

constexpr uint32_t kRockCount = 4;
constexpr DetailLimits kLimits = {430.0f, 1.6f, {9.0f, 26.0f, 75.0f}};
constexpr float kModelSize = 1.2f, kMinPartSize = 0.15f;  // of a model, and of its parts relative to it

// Around the planet: from above onto the belt, through it, and out again.
constexpr PathPoint kPath[] = {
    {{-20.0f, 62.0f, 318.0f}, {10.0f, -12.0f, 0.0f}}, {{18.0f, 26.0f, 262.0f}, {30.0f, -4.0f, 0.0f}},
    {{48.0f, 6.5f, 214.0f}, {70.0f, 0.0f, 20.0f}},    {{74.0f, 2.2f, 190.0f}, {110.0f, 4.0f, 20.0f}},
    {{104.0f, 1.6f, 166.0f}, {150.0f, 2.0f, 0.0f}},   {{134.0f, 3.0f, 132.0f}, {120.0f, 8.0f, -120.0f}},
    {{160.0f, 7.0f, 84.0f}, {60.0f, 10.0f, -190.0f}}, {{176.0f, 20.0f, 22.0f}, {-20.0f, 0.0f, -120.0f}},
};

TriangleMesh readNormalised(const std::filesystem::path& file) {
  TriangleMesh mesh = readModel(file).whole;
  normalise(mesh);
  return mesh;
}

}  // namespace

BeltScene::BeltScene(const SceneInfo& info)
    : device_(info.device), hasClusters_(info.hasClusters), backdrop_(info.device, info.renderer, true) {
  if (const char* refusal = hasClusters_ ? clusterRefusal() : nullptr) failInput("--clusters: ", refusal);
  if (info.model.empty())
    addOwnModels(info.models);
  else
    addModel(info.model);
}

Camera BeltScene::camera(float place) const {
  const PathPoint point = pointOnPath(kPath, place);
  return {point.eye, point.target, 0.82f, 0.05f};
}

SluView BeltScene::view(const Camera& camera, const FrameConstants& constants) const {
  return viewOf(camera, constants, kLimits);
}

void BeltScene::addOwnModels(const std::filesystem::path& folder) {
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error))
    failInput("model folder ", folder.string(), " does not exist (package glmark2-data); --models names another one, ",
              "--model FILE uses a model of your own");
  const TriangleMesh fine = readNormalised(folder / "asteroid-high.3ds");
  const TriangleMesh coarse = readNormalised(folder / "asteroid-low.3ds");
  for (uint32_t rock = 0; rock < kRockCount; ++rock) {
    TriangleMesh versions[] = {fine, coarse};
    for (TriangleMesh& version : versions) {
      if (rock) reshapeRock(version, rock);
      smoothNormals(version);
    }
    addMesh(versions, {1.0f, 1.0f});
  }
  for (const char* name : {"bunny.obj", "cat.3ds", "horse.3ds"}) {
    TriangleMesh version[] = {readNormalised(folder / name)};
    addMesh(version, {0.16f, 1.5f});
  }
}

void BeltScene::addModel(const std::filesystem::path& file) {
  Model model = readModel(file);
  const double radius = normalise(model.whole);
  addMesh({&model.whole, 1}, {1.0f, kModelSize});
  for (TriangleMesh& part : model.parts) {
    const auto share = static_cast<float>(normalise(part) / radius);
    addMesh({&part, 1}, {1.0f / static_cast<float>(model.parts.size()), kModelSize * std::max(share, kMinPartSize)});
  }
  if (model.parts.empty()) return;
  modelNote_ = sentence("; ", file.filename().string(), " whole, and in parts");
  if (model.parts.size() < model.partCount)
    modelNote_ += sentence(", the ", model.parts.size(), " largest of ", model.partCount);
}

// Clusters are drawn without back faces.
void BeltScene::addMesh(std::span<TriangleMesh> versions, BeltMesh share) {
  if (hasClusters_) std::ranges::for_each(versions, turnOutwards);
  meshes_.add(versions);
  shares_.push_back(share);
}

}  // namespace demo

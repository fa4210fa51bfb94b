// Scene asteroids: instances culled and sorted into buckets by mesh and level of detail, drawn with one indirect call,
// or by mesh shaders.
#include <algorithm>
#include <optional>

#include "base/failure.h"
#include "frame/mesh_instances.h"
#include "inspect/picker.h"
#include "models/model_file.h"
#include "scenes/backdrop.h"
#include "scenes/belt.h"
#include "scenes/scenes.h"
#include "spirv/scenes/rock.frag.h"
#include "spirv/scenes/rock.mesh.h"
#include "spirv/scenes/rock.task.h"
#include "spirv/scenes/rock.vert.h"
#include "spirv/scenes/rock_pick.mesh.h"
#include "spirv/scenes/rock_pick.vert.h"

namespace demo {
namespace {

constexpr uint32_t kRockCount = 4;
constexpr VkShaderStageFlags kStages = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;
constexpr DetailLimits kLimits = {430.0f, 1.6f, {9.0f, 26.0f, 75.0f}};
constexpr float kModelSize = 1.2f, kMinPartSize = 0.15f;  // of a model, and of its parts relative to it

// Around the planet: from above onto the belt, through it, and out again.
constexpr PathPoint kPath[] = {
    {{-20.0f, 62.0f, 318.0f}, {10.0f, -12.0f, 0.0f}}, {{18.0f, 26.0f, 262.0f}, {30.0f, -4.0f, 0.0f}},
    {{48.0f, 6.5f, 214.0f}, {70.0f, 0.0f, 20.0f}},    {{74.0f, 2.2f, 190.0f}, {110.0f, 4.0f, 20.0f}},
    {{104.0f, 1.6f, 166.0f}, {150.0f, 2.0f, 0.0f}},   {{134.0f, 3.0f, 132.0f}, {120.0f, 8.0f, -120.0f}},
    {{160.0f, 7.0f, 84.0f}, {60.0f, 10.0f, -190.0f}}, {{176.0f, 20.0f, 22.0f}, {-20.0f, 0.0f, -120.0f}},
};

struct Push {
  VkDeviceAddress frame, instances, indices;
};

TriangleMesh readNormalised(const std::filesystem::path& file) {
  TriangleMesh mesh = readModel(file).whole;
  normalise(mesh);
  return mesh;
}

class Asteroids final : public Scene {
 public:
  explicit Asteroids(const SceneInfo& info) : device_(info.device), backdrop_(info.device, info.renderer, true) {
    if (info.model.empty())
      addOwnModels(info.models);
    else
      addModel(info.model);
    const std::vector<MeshInstance> placed = placeBelt(info.instanceCount, shares_);
    MeshInstancesInfo instances = meshInstancesInfo(info, placed);
    instances.hasMeshlets = true;
    instances_.emplace(instances, std::move(meshes_));
    createPipeline(info.renderer);
  }

  const CompactionRequest& compaction() const override { return instances_->compaction(); }

  std::string description() const override { return instances_->description() + modelNote_; }

  Camera camera(float place) const override {
    const PathPoint point = pointOnPath(kPath, place);
    return {point.eye, point.target, 0.82f, 0.05f};
  }

  SluView view(const Camera& camera, const FrameConstants& constants) const override {
    return viewOf(camera, constants, kLimits);
  }

  void drawBackdrop(VkCommandBuffer commands, VkDeviceAddress frameConstants) const override {
    backdrop_.draw(commands, frameConstants);
  }

  void draw(VkCommandBuffer commands, VkDeviceAddress frameConstants, const Kept& kept) const override {
    drawWith(kept.drawsMeshTasks() ? meshPipeline_ : pipeline_, commands, frameConstants, kept);
  }

  bool canPick() const override { return true; }

  void drawForPicking(VkCommandBuffer commands, VkDeviceAddress frameConstants, const Kept& kept) const override {
    drawWith(kept.drawsMeshTasks() ? meshPickPipeline_ : pickPipeline_, commands, frameConstants, kept);
  }

 private:
  void drawWith(VkPipeline pipeline, VkCommandBuffer commands, VkDeviceAddress frameConstants, const Kept& kept) const {
    if (kept.drawsMeshTasks()) {
      vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
      instances_->drawMeshTasks(commands, meshLayout_, frameConstants, kept);
      return;
    }
    const Push push = {frameConstants, instances_->records(), kept.buffer(Channel::Indices)->address()};
    bindGraphics(commands, pipeline, layout_, kStages, push);
    instances_->draw(commands, kept);
  }

  void addOwnModels(const std::filesystem::path& folder) {
    std::error_code error;
    if (!std::filesystem::is_directory(folder, error))
      failInput("model folder ", folder.string(),
                " does not exist (package glmark2-data); --models names another one, ",
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
      const TriangleMesh version[] = {readNormalised(folder / name)};
      addMesh(version, {0.16f, 1.5f});
    }
  }

  // The model as one piece, and its parts as debris around it.
  void addModel(const std::filesystem::path& file) {
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

  void addMesh(std::span<const TriangleMesh> versions, BeltMesh share) {
    meshes_.add(versions);
    shares_.push_back(share);
  }

  void createPipeline(const Renderer& renderer) {
    layout_ = createPipelineLayout(device_, kStages, sizeof(Push));
    GraphicsPipelineInfo info = renderer.pipelineInfo(rock_vert, rock_frag, layout_);
    instances_->describeVertices(info);
    pipeline_ = createGraphicsPipeline(device_, info, "rocks");

    GraphicsPipelineInfo pickInfo = info;
    pickInfo.vertexCode = rock_pick_vert;
    pickInfo.attributes.resize(1);
    pickPipeline_ = createPickPipeline(device_, pickInfo, "rocks");
    if (!device_.meshShaders()) return;

    meshLayout_ = createPipelineLayout(device_, MeshInstances::kMeshTaskStages, sizeof(MeshInstances::MeshTaskPush));
    info.layout = meshLayout_;
    info.taskCode = rock_task;
    info.vertexCode = rock_mesh;
    meshPipeline_ = createGraphicsPipeline(device_, info, "rocks, meshlets");
    info.vertexCode = rock_pick_mesh;
    meshPickPipeline_ = createPickPipeline(device_, info, "rocks, meshlets");
  }

  const Device& device_;
  Backdrop backdrop_;
  MeshLibrary meshes_;  // until the instances take it
  std::vector<BeltMesh> shares_;
  std::string modelNote_;
  std::optional<MeshInstances> instances_;
  UniquePipelineLayout layout_, meshLayout_;
  UniquePipeline pipeline_, pickPipeline_;
  UniquePipeline meshPipeline_, meshPickPipeline_;  // if the device has mesh shaders
};

}  // namespace

std::unique_ptr<Scene> createAsteroids(const SceneInfo& info) { return std::make_unique<Asteroids>(info); }

}  // namespace demo

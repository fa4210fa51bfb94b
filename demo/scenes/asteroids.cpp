// Scene asteroids: instances culled and sorted into buckets by mesh and level of detail, drawn with one indirect call,
// or by mesh shaders.
#include <optional>

#include "frame/mesh_instances.h"
#include "inspect/picker.h"
#include "scenes/belt_scene.h"
#include "spirv/scenes/rock.frag.h"
#include "spirv/scenes/rock.mesh.h"
#include "spirv/scenes/rock.task.h"
#include "spirv/scenes/rock.vert.h"
#include "spirv/scenes/rock_pick.mesh.h"
#include "spirv/scenes/rock_pick.vert.h"

namespace demo {
namespace {

class Asteroids final : public BeltScene {
 public:
  explicit Asteroids(const SceneInfo& info) : BeltScene(info) {
    const std::vector<MeshInstance> placed = placeBelt(info.instanceCount, shares_);
    MeshInstancesInfo instances = meshInstancesInfo(info, placed);
    instances.hasMeshlets = true;
    instances_.emplace(instances, std::move(meshes_));
    createPipeline(info.renderer);
  }

  const CompactionRequest& compaction() const override { return instances_->compaction(); }

  std::string description() const override { return instances_->description() + modelNote_; }

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

  std::optional<MeshInstances> instances_;
  UniquePipelineLayout layout_, meshLayout_;
  UniquePipeline pipeline_, pickPipeline_;
  UniquePipeline meshPipeline_, meshPickPipeline_;  // if the device has mesh shaders
};

}  // namespace

std::unique_ptr<Scene> createAsteroids(const SceneInfo& info) {
  return info.hasClusters ? createAsteroidClusters(info) : std::make_unique<Asteroids>(info);
}

}  // namespace demo

// Scene asteroids in clusters: those that face away are dropped, too. The others are drawn as ranges of indices, without
// back faces, with one indirect call.
#include <optional>

#include "frame/cluster_instances.h"
#include "scenes/belt_scene.h"
#include "spirv/scenes/rock.frag.h"
#include "spirv/scenes/rock_cluster.vert.h"

namespace demo {
namespace {

// Instances of at least these scales have LOD 0 and LOD 1, and others LOD 2.
constexpr float kLodScales[] = {1.0f, 0.4f};

// A level of detail that changed with the distance would be chosen for each cluster by itself, and leave gaps between
// two levels. So an instance has the one of its size.
std::vector<uint32_t> lodsOf(std::span<const MeshInstance> instances) {
  std::vector<uint32_t> lods;
  for (const MeshInstance& instance : instances) {
    uint32_t lod = 0;
    for (const float least : kLodScales) lod += instance.scale < least;
    lods.push_back(lod);
  }
  return lods;
}

class AsteroidClusters final : public BeltScene {
 public:
  explicit AsteroidClusters(const SceneInfo& info) : BeltScene(info) {
    const std::vector<MeshInstance> placed = placeBelt(info.instanceCount, shares_);
    instances_.emplace(meshInstancesInfo(info, placed), lodsOf(placed), std::move(meshes_));
    layout_ = createPipelineLayout(device_, kStages, sizeof(Push));
    GraphicsPipelineInfo pipeline = info.renderer.pipelineInfo(rock_cluster_vert, rock_frag, layout_);
    instances_->describeVertices(pipeline);
    pipeline.cullsBackFaces = true;
    pipeline_ = createGraphicsPipeline(device_, pipeline, "rocks, clusters");
  }

  const CompactionRequest& compaction() const override { return instances_->compaction(); }

  std::string description() const override { return instances_->description() + modelNote_; }

  void draw(VkCommandBuffer commands, VkDeviceAddress frameConstants, const Kept& kept) const override {
    bind(commands, frameConstants);
    instances_->draw(commands, kept);
  }

  void drawWhole(VkCommandBuffer commands, VkDeviceAddress frameConstants) const override {
    bind(commands, frameConstants);
    instances_->drawWhole(commands);
  }

 private:
  void bind(VkCommandBuffer commands, VkDeviceAddress frameConstants) const {
    const Push push = {frameConstants, instances_->instances(), instances_->records()};
    bindGraphics(commands, pipeline_, layout_, kStages, push);
  }

  std::optional<ClusterInstances> instances_;
  UniquePipelineLayout layout_;
  UniquePipeline pipeline_;
};

}  // namespace

std::unique_ptr<Scene> createAsteroidClusters(const SceneInfo& info) {
  return std::make_unique<AsteroidClusters>(info);
}

}  // namespace demo

// Scene city: hundreds of meshes with materials at dusk, so that there are a thousand buckets, drawn with one call.
#include <cstdint>

#include "base/failure.h"
#include "frame/mesh_instances.h"
#include "inspect/picker.h"
#include "scenes/city/city_materials.h"
#include "scenes/city/city_meshes.h"
#include "scenes/city/city_plan.h"
#include "scenes/scenes.h"
#include "spirv/scenes/backdrop.vert.h"
#include "spirv/scenes/city.frag.h"
#include "spirv/scenes/city.vert.h"
#include "spirv/scenes/dusk.frag.h"
#include "spirv/scenes/rock_pick.vert.h"

namespace demo {
namespace {

constexpr VkShaderStageFlags kStages = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;
constexpr DetailLimits kLimits = {2600.0f, 2.0f, {90.0f, 260.0f, 700.0f}};

// Over the roofs towards the sunset, down into a street, along it, and up between the towers.
constexpr PathPoint kPath[] = {
    {{270.0f, 128.0f, 440.0f}, {30.0f, 40.0f, 0.0f}},  {{130.0f, 74.0f, 350.0f}, {20.0f, 40.0f, -40.0f}},
    {{44.0f, 40.0f, 262.0f}, {32.0f, 24.0f, -60.0f}},  {{36.0f, 9.0f, 150.0f}, {36.0f, 14.0f, -100.0f}},
    {{36.0f, 4.0f, 60.0f}, {38.0f, 15.0f, -160.0f}},   {{36.0f, 5.0f, -20.0f}, {34.0f, 24.0f, -220.0f}},
    {{36.0f, 46.0f, -90.0f}, {60.0f, 40.0f, -300.0f}}, {{36.0f, 150.0f, -150.0f}, {150.0f, 50.0f, -460.0f}},
};

struct Push {
  VkDeviceAddress frame, instances, indices, materials;
};

class City final : public Scene {
 public:
  explicit City(const SceneInfo& info)
      : instances_(meshInstancesInfo(info, placeCity(info.instanceCount)), buildCityMeshes()) {
    const std::span<const Material> materials = cityMaterials();
    materials_ = Buffer(info.device, materials.size_bytes(), 0, Memory::Device, "materials");
    upload(info.device, materials_, std::as_bytes(materials));
    createPipelines(info.device, info.renderer);
  }

  const CompactionRequest& compaction() const override { return instances_.compaction(); }

  std::string description() const override {
    return sentence(instances_.description(), ", ", compaction().buckets.size(), " buckets, ", cityMaterials().size(),
                    " materials");
  }

  Camera camera(float place) const override {
    const PathPoint point = pointOnPath(kPath, place);
    return {point.eye, point.target, 0.90f, 0.2f};
  }

  SluView view(const Camera& camera, const FrameConstants& constants) const override {
    return viewOf(camera, constants, kLimits);
  }

  void draw(VkCommandBuffer commands, VkDeviceAddress frameConstants, const Compaction& kept) const override {
    bind(skyPipeline_, commands, frameConstants, kept);
    vkCmdDraw(commands, 3, 1, 0, 0);
    bind(pipeline_, commands, frameConstants, kept);
    instances_.draw(commands, kept);
  }

  bool canPick() const override { return true; }

  void drawForPicking(VkCommandBuffer commands, VkDeviceAddress frameConstants, const Compaction& kept) const override {
    bind(pickPipeline_, commands, frameConstants, kept);
    instances_.draw(commands, kept);
  }

 private:
  void bind(VkPipeline pipeline, VkCommandBuffer commands, VkDeviceAddress frameConstants,
            const Compaction& kept) const {
    const Push push = {frameConstants, instances_.records(), kept.buffer(Channel::Indices)->address(),
                       materials_.address()};
    bindGraphics(commands, pipeline, layout_, kStages, push);
  }

  void createPipelines(const Device& device, const Renderer& renderer) {
    layout_ = createPipelineLayout(device, kStages, sizeof(Push));
    GraphicsPipelineInfo info = renderer.pipelineInfo(backdrop_vert, dusk_frag, layout_);
    info.depthTest = false;
    info.depthWrite = false;
    skyPipeline_ = createGraphicsPipeline(device, info, "dusk");
    info.vertexCode = city_vert;
    info.fragmentCode = city_frag;
    info.depthTest = true;
    info.depthWrite = true;
    instances_.describeVertices(info);
    pipeline_ = createGraphicsPipeline(device, info, "city");

    info.vertexCode = rock_pick_vert;
    info.attributes.resize(1);
    pickPipeline_ = createPickPipeline(device, info, "city");
  }

  MeshInstances instances_;
  Buffer materials_;
  UniquePipelineLayout layout_;
  UniquePipeline skyPipeline_;
  UniquePipeline pipeline_, pickPipeline_;
};

}  // namespace

std::unique_ptr<Scene> createCity(const SceneInfo& info) { return std::make_unique<City>(info); }

}  // namespace demo

// Scene city: hundreds of meshes with materials, so that there are a thousand buckets, drawn with one call. A low sun
// casts shadows: its cascades are views of the frame that culls for the camera.
#include <cstdint>

#include "base/failure.h"
#include "frame/mesh_instances.h"
#include "inspect/picker.h"
#include "render/cascades.h"
#include "render/shadow_maps.h"
#include "scenes/city/city_materials.h"
#include "scenes/city/city_meshes.h"
#include "scenes/city/city_plan.h"
#include "scenes/scenes.h"
#include "shaders/scenes/city_sun.h"
#include "spirv/scenes/backdrop.vert.h"
#include "spirv/scenes/city.frag.h"
#include "spirv/scenes/city.vert.h"
#include "spirv/scenes/city_shadow.vert.h"
#include "spirv/scenes/dusk.frag.h"
#include "spirv/scenes/rock_pick.vert.h"

namespace demo {
namespace {

constexpr VkShaderStageFlags kStages = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;
constexpr DetailLimits kLimits = {2600.0f, 2.0f, {90.0f, 260.0f, 700.0f}};
constexpr float kShadowReach = 900.0f;
constexpr float kTallest = 200.0f;  // towers of 160 m with masts, scaled

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

struct ShadowPush {
  VkDeviceAddress frame, instances, indices;
  uint32_t cascade;
  uint32_t reserved = 0;
};

class City final : public Scene {
 public:
  explicit City(const SceneInfo& info)
      : instances_(meshInstancesInfo(info, placeCity(info.instanceCount), 1 + kCascadeCount), buildCityMeshes()),
        shadows_(info.device) {
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

  void completeConstants(FrameConstants& constants) const override {
    fitCascades(constants, {kCitySun, kShadowReach, kTallest});
  }

  SluView view(const Camera& camera, const FrameConstants& constants) const override {
    return viewOf(camera, constants, kLimits);
  }

  std::vector<SluView> views(const Camera& camera, const FrameConstants& constants) const override {
    std::vector<SluView> views = {view(camera, constants)};
    for (const Cascade& cascade : constants.cascades) views.push_back(viewOf(cascade, views.front()));
    return views;
  }

  bool castsShadows() const override { return true; }

  void drawShadows(VkCommandBuffer commands, VkDeviceAddress frameConstants, const Compaction& kept) const override {
    for (uint32_t cascade = 0; cascade < kCascadeCount; ++cascade) {
      shadows_.begin(commands, cascade);
      const ShadowPush push = {frameConstants, instances_.records(), kept.buffer(Channel::Indices)->address(), cascade};
      bindGraphics(commands, shadowPipeline_, shadowLayout_, VK_SHADER_STAGE_VERTEX_BIT, push);
      instances_.draw(commands, kept, 1 + cascade);
      shadows_.end(commands);
    }
  }

  void draw(VkCommandBuffer commands, VkDeviceAddress frameConstants, const Compaction& kept) const override {
    bind(skyPipeline_, commands, frameConstants, kept);
    vkCmdDraw(commands, 3, 1, 0, 0);
    bind(pipeline_, commands, frameConstants, kept);
    const VkDescriptorSet maps = shadows_.set().get();
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout_, 0, 1, &maps, 0, nullptr);
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
    layout_ = createPipelineLayout(device, kStages, sizeof(Push), shadows_.set().layout());
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

    shadowLayout_ = createPipelineLayout(device, VK_SHADER_STAGE_VERTEX_BIT, sizeof(ShadowPush));
    GraphicsPipelineInfo shadowInfo = shadows_.pipelineInfo(city_shadow_vert, shadowLayout_);
    instances_.describeVertices(shadowInfo);
    shadowInfo.attributes.resize(1);
    shadowPipeline_ = createGraphicsPipeline(device, shadowInfo, "city, shadows");
  }

  MeshInstances instances_;
  ShadowMaps shadows_;
  Buffer materials_;
  UniquePipelineLayout layout_, shadowLayout_;
  UniquePipeline skyPipeline_, shadowPipeline_;
  UniquePipeline pipeline_, pickPipeline_;
};

}  // namespace

std::unique_ptr<Scene> createCity(const SceneInfo& info) { return std::make_unique<City>(info); }

}  // namespace demo

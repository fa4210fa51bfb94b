// Scene city: hundreds of meshes with materials, so that there are a thousand buckets, drawn with one call. A low sun
// casts shadows: its cascades are views of the frame that culls for the camera. Districts come and go with the camera,
// by writes into the records and into the table of meshes.
#include <algorithm>
#include <cstdint>

#include "base/failure.h"
#include "frame/mesh_instances.h"
#include "inspect/picker.h"
#include "render/cascades.h"
#include "render/shadow_maps.h"
#include "scenes/city/city_districts.h"
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
constexpr DetailLimits kLimits = {kCityDistance, 2.0f, {90.0f, 260.0f, 700.0f}};
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

MeshInstancesInfo pooledInstances(const SceneInfo& info, const CityDistricts& districts) {
  MeshInstancesInfo result = meshInstancesInfo(info, districts.instances(), 1 + kCascadeCount);
  result.recordCount = districts.pageCount() * CityDistricts::kPageRecords;
  result.groups = cityGroups();
  return result;
}

class City final : public Scene {
 public:
  explicit City(const SceneInfo& info)
      : districts_(placeCity(info.instanceCount), cityMeshCount(), {info.residentDistance, kLimits.lodDistances}),
        instances_(pooledInstances(info, districts_), buildCityMeshes()),
        writes_(info.device),
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

  bool streams() const override { return true; }

  // A page that a district takes or gives back is written whole.
  void stream(VkCommandBuffer commands, uint32_t slot, const glm::vec3& eye) override {
    const CityDistricts::Changes changes = districts_.update(eye);
    for (const uint32_t page : changes.pages)
      instances_.writeRecords(writes_, page * CityDistricts::kPageRecords, pageRecords(page));
    for (const uint32_t mesh : changes.meshes) instances_.writeMesh(writes_, mesh, districts_.lodMask(mesh));
    writes_.record(commands, slot);
  }

  std::optional<DistrictCounts> districtCounts() const override { return districts_.counts(); }

  // Finds the first page and the first row that are not what the districts say.
  std::vector<std::string> checkSimulation(const PerChannel<std::span<std::byte>>& inputs,
                                           float /*time*/) const override {
    std::vector<std::string> differences;
    const auto isAt = [](std::span<const std::byte> all, size_t offset, std::span<const std::byte> part) {
      return std::ranges::equal(all.subspan(offset, part.size()), part);
    };
    uint32_t page = 0, mesh = 0;
    for (size_t offset = 0; page < districts_.pageCount(); ++page) {
      const std::vector<std::byte> expected = instances_.recordBytes(pageRecords(page));
      if (!inputs[Channel::Records].empty() && !isAt(inputs[Channel::Records], offset, expected)) break;
      offset += expected.size();
    }
    if (page < districts_.pageCount())
      differences.push_back(sentence("records: page ", page, " is not what its district has there"));
    for (; mesh < instances_.meshCount(); ++mesh) {
      const LodMesh row = instances_.meshRow(mesh, districts_.lodMask(mesh));
      if (!isAt(inputs[Channel::Meshes], mesh * sizeof(row), std::as_bytes(std::span(&row, 1)))) break;
    }
    if (mesh < instances_.meshCount())
      differences.push_back(sentence("table of meshes: row ", mesh, " is not what the resident districts need"));
    return differences;
  }

  bool castsShadows() const override { return true; }

  void drawShadows(VkCommandBuffer commands, VkDeviceAddress frameConstants, const Kept& kept) const override {
    for (uint32_t cascade = 0; cascade < kCascadeCount; ++cascade) {
      shadows_.begin(commands, cascade);
      const ShadowPush push = {frameConstants, instances_.records(), kept.buffer(Channel::Indices)->address(), cascade};
      bindGraphics(commands, shadowPipeline_, shadowLayout_, VK_SHADER_STAGE_VERTEX_BIT, push);
      instances_.draw(commands, kept, 1 + cascade);
      shadows_.end(commands);
    }
  }

  void drawBackdrop(VkCommandBuffer commands, VkDeviceAddress frameConstants) const override {
    const Push push = {frameConstants, 0, 0, 0};
    bindGraphics(commands, skyPipeline_, layout_, kStages, push);
    vkCmdDraw(commands, 3, 1, 0, 0);
  }

  void draw(VkCommandBuffer commands, VkDeviceAddress frameConstants, const Kept& kept) const override {
    bind(pipeline_, commands, frameConstants, kept);
    const VkDescriptorSet maps = shadows_.set().get();
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout_, 0, 1, &maps, 0, nullptr);
    instances_.draw(commands, kept, 0, [&](uint32_t group) {
      if (kept.hasGroups()) vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, groupPipelines_[group]);
    });
  }

  bool canPick() const override { return true; }

  void drawForPicking(VkCommandBuffer commands, VkDeviceAddress frameConstants, const Kept& kept) const override {
    bind(pickPipeline_, commands, frameConstants, kept);
    instances_.draw(commands, kept);
  }

 private:
  std::vector<MeshInstance> pageRecords(uint32_t page) const {
    const std::span<const MeshInstance> instances = districts_.page(page);
    std::vector<MeshInstance> records(instances.begin(), instances.end());
    records.resize(CityDistricts::kPageRecords, MeshInstances::nobody());
    return records;
  }

  void bind(VkPipeline pipeline, VkCommandBuffer commands, VkDeviceAddress frameConstants, const Kept& kept) const {
    const Push push = {frameConstants, instances_.records(), kept.buffer(Channel::Indices)->address(),
                       materials_.address()};
    bindGraphics(commands, pipeline, layout_, kStages, push);
  }

  // Returns a bit for each pattern of the materials of a group.
  uint32_t patternsOf(const DrawGroups& groups, uint32_t group) const {
    uint32_t materials = 0, patterns = 0;
    for (size_t mesh = 0; mesh < groups.ofMeshes.size(); ++mesh)
      if (groups.ofMeshes[mesh] == group) materials |= instances_.meshes().materials(mesh);
    for (size_t material = 0; material < cityMaterials().size(); ++material)
      if (materials >> material & 1u) patterns |= 1u << cityMaterials()[material].pattern;
    return patterns;
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
    info.fragmentVariant = ~0u;
    pipeline_ = createGraphicsPipeline(device, info, "city");
    const DrawGroups& groups = instances_.compaction().groups;
    for (uint32_t group = 0; group < groups.names.size(); ++group) {
      info.fragmentVariant = patternsOf(groups, group);
      groupPipelines_.push_back(createGraphicsPipeline(device, info, sentence("city, ", groups.names[group])));
    }

    info.vertexCode = rock_pick_vert;
    info.attributes.resize(1);
    pickPipeline_ = createPickPipeline(device, info, "city");

    shadowLayout_ = createPipelineLayout(device, VK_SHADER_STAGE_VERTEX_BIT, sizeof(ShadowPush));
    GraphicsPipelineInfo shadowInfo = shadows_.pipelineInfo(city_shadow_vert, shadowLayout_);
    instances_.describeVertices(shadowInfo);
    shadowInfo.attributes.resize(1);
    shadowPipeline_ = createGraphicsPipeline(device, shadowInfo, "city, shadows");
  }

  CityDistricts districts_;
  MeshInstances instances_;
  FrameWrites writes_;
  ShadowMaps shadows_;
  Buffer materials_;
  UniquePipelineLayout layout_, shadowLayout_;
  UniquePipeline skyPipeline_, shadowPipeline_;
  UniquePipeline pipeline_, pickPipeline_;
  std::vector<UniquePipeline> groupPipelines_;  // as pipeline_, without what the group does not need
};

}  // namespace

std::unique_ptr<Scene> createCity(const SceneInfo& info) { return std::make_unique<City>(info); }

}  // namespace demo

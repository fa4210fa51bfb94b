// Scene asteroids: instances culled and sorted into buckets by mesh and level of detail, drawn with one indirect call.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "backdrop.h"
#include "belt.h"
#include "failure.h"
#include "mesh_library.h"
#include "pick.frag.h"
#include "picker.h"
#include "pipelines.h"
#include "rock.frag.h"
#include "rock.vert.h"
#include "rock_pick.vert.h"
#include "scene.h"

namespace demo {
namespace {

constexpr uint32_t kRockCount = 4;
constexpr VkShaderStageFlags kStages = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;
constexpr float kMaxDistance = 430.0f;
constexpr float kMinPixels = 1.6f;  // diameter
// Seen from farther than these, in units of the scene, an instance takes the next LOD.
constexpr float kLodDistances[kLodCount - 1] = {9.0f, 26.0f, 75.0f};

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
  TriangleMesh mesh = readModel(file);
  normalise(mesh);
  return mesh;
}

class Asteroids final : public Scene {
 public:
  explicit Asteroids(const SceneInfo& info)
      : device_(info.device), drawCount_(info.options.drawCount), backdrop_(info.device, info.renderer, true) {
    if (info.options.model.empty())
      addOwnModels(info.options.models);
    else
      addModel(info.options.model);
    meshes_.upload(device_);
    createRecords(info);
    createRequest(info.options.capacityScale);
    createPipeline(info.renderer);
  }

  const CompactionRequest& compaction() const override { return request_; }

  std::string description() const override {
    return sentence(request_.plan.maxRecordCount, " instances of ", meshes_.meshes().size(), " meshes, ",
                    request_.buckets.size(), " buckets");
  }

  Camera camera(float place) const override {
    const PathPoint point = pointOnPath(kPath, place);
    return {point.eye, point.target, 0.82f, 0.05f};
  }

  SluView view(const Camera& camera, const FrameConstants& constants) const override {
    SluView view = viewOf(camera, constants, kMinPixels);
    view.maxDistance = kMaxDistance;
    std::copy(std::begin(kLodDistances), std::end(kLodDistances), view.lodDistances);
    return view;
  }

  void draw(VkCommandBuffer commands, VkDeviceAddress frameConstants, const Compaction& kept) const override {
    backdrop_.draw(commands, frameConstants);
    drawWith(pipeline_, commands, frameConstants, kept);
  }

  bool canPick() const override { return true; }

  void drawForPicking(VkCommandBuffer commands, VkDeviceAddress frameConstants, const Compaction& kept) const override {
    drawWith(pickPipeline_, commands, frameConstants, kept);
  }

 private:
  void drawWith(VkPipeline pipeline, VkCommandBuffer commands, VkDeviceAddress frameConstants,
                const Compaction& kept) const {
    const Push push = {frameConstants, records_.address(), kept.buffer(Channel::Indices)->address()};
    const VkBuffer vertices = meshes_.vertices();
    const VkDeviceSize offset = 0;
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdPushConstants(commands, layout_, kStages, 0, sizeof(push), &push);
    vkCmdBindVertexBuffers(commands, 0, 1, &vertices, &offset);
    vkCmdBindIndexBuffer(commands, meshes_.indices(), 0, VK_INDEX_TYPE_UINT32);
    drawKept(commands, kept);
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

  void addModel(const std::filesystem::path& file) {
    const TriangleMesh version[] = {readNormalised(file)};
    addMesh(version, {1.0f, 1.2f});
  }

  void addMesh(std::span<const TriangleMesh> versions, BeltMesh share) {
    meshes_.add(versions);
    shares_.push_back(share);
  }

  void createRecords(const SceneInfo& info) {
    const std::vector<Asteroid> instances = placeBelt(info.options.instanceCount, shares_);
    meshCounts_.assign(shares_.size(), 0);
    for (const Asteroid& instance : instances) ++meshCounts_[instance.mesh];
    std::vector<glm::vec4> spheres;
    for (const LodMesh& mesh : meshes_.meshes()) spheres.push_back(mesh.sphere);

    const Memory memory = inputMemory(info.route);
    records_ = Buffer(device_, instances.size() * sizeof(Asteroid), 0, memory, "instances");
    spheres_ = Buffer(device_, spheres.size() * sizeof(glm::vec4), 0, memory, "mesh bounds");
    upload(device_, records_, instances);
    upload(device_, spheres_, spheres);
  }

  void createRequest(double capacityScale) {
    SluPlanCreateInfo& plan = request_.plan;
    plan = SLU_INIT(PLAN_CREATE_INFO, SluPlanCreateInfo);
    plan.recordStride = sizeof(Asteroid);
    plan.maxRecordCount = static_cast<uint32_t>(records_.size() / sizeof(Asteroid));
    plan.maxViewCount = 1;
    plan.live.test = SLU_LIVE_ALWAYS;
    plan.cullFlags = SLU_CULL_DISTANCE_BIT | SLU_CULL_FRUSTUM_BIT | SLU_CULL_SIZE_BIT;
    plan.bounds.source = SLU_SPHERE_PER_KEY;
    plan.bounds.stride = sizeof(glm::vec4);
    plan.bounds.transformFlags = SLU_TRANSFORM_POSITION_BIT | SLU_TRANSFORM_SCALE_BIT | SLU_TRANSFORM_ROTATION_BIT;
    plan.bounds.positionOffset = offsetof(Asteroid, position);
    plan.bounds.scaleOffset = offsetof(Asteroid, scale);
    plan.bounds.rotationOffset = offsetof(Asteroid, rotation);
    plan.key.keyCount = static_cast<uint32_t>(meshes_.meshes().size());
    plan.key.offset = offsetof(Asteroid, mesh);
    plan.key.lodCount = kLodCount;
    plan.outputs = SLU_OUTPUT_INDICES_BIT | SLU_OUTPUT_DRAWS_BIT | SLU_OUTPUT_DRAW_COUNTS_BIT |
                   SLU_OUTPUT_STATISTICS_BIT | SLU_OUTPUT_BUCKET_COUNTS_BIT;
    plan.draws.type = SLU_DRAW_INDEXED_INSTANCES;
    plan.draws.stride = sizeof(VkDrawIndexedIndirectCommand);
    plan.draws.flags = SLU_DRAWS_SKIP_EMPTY_BIT;

    // Each instance of a mesh may be in any of its LODs.
    for (size_t mesh = 0; mesh < meshCounts_.size(); ++mesh) {
      for (const LodRange& lod : meshes_.meshes()[mesh].lods) {
        SluBucket bucket = {};
        bucket.capacity = static_cast<uint32_t>(std::floor(meshCounts_[mesh] * capacityScale));
        bucket.draw.elementCount = lod.indexCount;
        bucket.draw.firstElement = lod.firstIndex;
        bucket.draw.vertexOffset = lod.vertexOffset;
        request_.buckets.push_back(bucket);
        request_.sufficientCapacities.push_back(meshCounts_[mesh]);
      }
    }
    request_.inputs[Channel::Records] = &records_;
    request_.inputs[Channel::Spheres] = &spheres_;
    request_.viewDependent = true;
  }

  void createPipeline(const Renderer& renderer) {
    layout_ = createPipelineLayout(device_, kStages, sizeof(Push));
    GraphicsPipelineInfo info = {.vertexCode = rock_vert,
                                 .fragmentCode = rock_frag,
                                 .layout = layout_,
                                 .renderPass = renderer.renderPass(),
                                 .samples = renderer.samples()};
    info.vertexStride = sizeof(MeshVertex);
    info.attributes = {{0, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(MeshVertex, position)},
                       {1, 0, VK_FORMAT_R8G8B8A8_SNORM, offsetof(MeshVertex, normal)}};
    pipeline_ = createGraphicsPipeline(device_, info, "rocks");

    const UniqueRenderPass pickPass = createPickPass(device_);
    info.vertexCode = rock_pick_vert;
    info.fragmentCode = pick_frag;
    info.renderPass = pickPass;
    info.samples = kPickSamples;
    info.attributes.resize(1);
    pickPipeline_ = createGraphicsPipeline(device_, info, "rocks, picking");
  }

  // One call for all buckets. Without a draw count on the GPU the commands behind the last are zeros and draw nothing.
  void drawKept(VkCommandBuffer commands, const Compaction& kept) const {
    const VkBuffer draws = kept.buffer(Channel::Draws)->get();
    constexpr uint32_t kStride = sizeof(VkDrawIndexedIndirectCommand);
    const uint32_t count = kept.bucketCount();
    if (drawCount_ && device_.drawIndirectCount()) {
      vkCmdDrawIndexedIndirectCount(commands, draws, 0, kept.buffer(Channel::DrawCounts)->get(), 0, count, kStride);
    } else if (device_.multiDrawIndirect()) {
      vkCmdDrawIndexedIndirect(commands, draws, 0, count, kStride);
    } else {
      for (uint32_t draw = 0; draw < count; ++draw)
        vkCmdDrawIndexedIndirect(commands, draws, draw * kStride, 1, kStride);
    }
  }

  const Device& device_;
  bool drawCount_;
  Backdrop backdrop_;
  MeshLibrary meshes_;
  std::vector<BeltMesh> shares_;
  std::vector<uint32_t> meshCounts_;
  Buffer records_;
  Buffer spheres_;
  CompactionRequest request_;
  UniquePipelineLayout layout_;
  UniquePipeline pipeline_, pickPipeline_;
};

}  // namespace

std::unique_ptr<Scene> createAsteroids(const SceneInfo& info) { return std::make_unique<Asteroids>(info); }

}  // namespace demo

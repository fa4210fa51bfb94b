// Scene points: a vertex buffer of particles of which most are dead; the living are packed and drawn as vertices.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>

#include "base/failure.h"
#include "inspect/picker.h"
#include "scenes/backdrop.h"
#include "scenes/particle_check.h"
#include "scenes/particles.h"
#include "scenes/scenes.h"
#include "spirv/scenes/particle.frag.h"
#include "spirv/scenes/particle.vert.h"
#include "spirv/scenes/particle_pick.vert.h"
#include "spirv/scenes/particles.comp.h"
#include "vulkan/pipelines.h"

namespace demo {
namespace {

constexpr VkShaderStageFlags kDrawStages = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;
constexpr uint32_t kGroupSize = 256;   // local size of particles.comp
constexpr uint32_t kMaxGroups = 4096;  // more particles than these cover are taken in turns
constexpr float kMaxPointPixels = 256.0f;

// Around the galaxy: in from afar, over its disc, and down to the rim.
constexpr PathPoint kPath[] = {
    {{-10.0f, 62.0f, 96.0f}, {0.0f, -4.0f, 0.0f}}, {{34.0f, 46.0f, 74.0f}, {0.0f, -4.0f, 0.0f}},
    {{62.0f, 30.0f, 40.0f}, {0.0f, -3.0f, 0.0f}},  {{66.0f, 19.0f, -6.0f}, {0.0f, -1.0f, 0.0f}},
    {{46.0f, 10.0f, -40.0f}, {0.0f, 2.0f, 0.0f}},  {{12.0f, 6.0f, -54.0f}, {0.0f, 3.0f, 0.0f}},
};

struct SimulatePush {
  VkDeviceAddress frame, particles, liveCount;
  uint32_t particleCount, reserved;
};

struct DrawPush {
  VkDeviceAddress frame, indices;
  float maxPointSize, reserved;
};

class Points final : public Scene {
 public:
  explicit Points(const SceneInfo& info)
      : device_(info.device),
        count_(info.instanceCount),
        inCuda_(info.route == SLU_ROUTE_CUDA && info.mayUseCuda),
        backdrop_(info.device, info.renderer, false) {
    records_ = Buffer(device_, uint64_t{count_} * sizeof(Particle), 0, inputMemory(info.route), "particles");
    liveCount_ = Buffer(device_, sizeof(uint32_t), 0, inputMemory(info.route), "live count");
    createRequest();
    createPipelines(info.renderer);
    const float largest = device_.properties().limits.pointSizeRange[1];
    maxPointSize_ = device_.largePoints() ? std::min(largest, kMaxPointPixels) : 1.0f;
  }

  const CompactionRequest& compaction() const override { return request_; }

  std::string description() const override {
    return sentence(count_, " particles at most, alive ones drawn as vertices");
  }

  Camera camera(float place) const override {
    const PathPoint point = pointOnPath(kPath, place);
    return {point.eye, point.target, 0.80f, 0.1f};
  }

  // The more particles, the fainter and smaller each.
  void completeConstants(FrameConstants& constants) const override {
    const float share = 300000.0f / static_cast<float>(count_);
    constants.particles.x = std::clamp(std::pow(share, 0.75f), 0.004f, 6.0f);
    constants.particles.y = std::clamp(std::pow(share, 0.12f), 0.5f, 1.6f) / constants.right.w;
  }

  // Nothing is culled: only the dead are left out.
  SluView view(const Camera& camera, const FrameConstants& constants) const override {
    return viewOf(camera, constants, 0.0f);
  }

  bool simulates() const override { return !inCuda_; }

  void simulate(VkCommandBuffer commands, VkDeviceAddress frameConstants) const override {
    const SimulatePush push = {frameConstants, records_.address(), liveCount_.address(), count_, 0};
    bindCompute(commands, simulatePipeline_, simulateLayout_, push);
    vkCmdDispatch(commands, std::min((count_ + kGroupSize - 1) / kGroupSize, kMaxGroups), 1, 1);
  }

#ifdef SLUICE_CUDA
  bool simulatesInCuda() const override { return inCuda_; }

  void simulateInCuda(const Compaction& compaction, float time) const override {
    enqueueParticles(compaction.cudaPointer(Channel::Records), compaction.cudaPointer(Channel::LiveCount), count_,
                     time);
  }
#endif

  std::vector<std::string> checkSimulation(const PerChannel<std::span<std::byte>>& inputs, float time) const override {
    uint32_t inUse = 0;
    std::memcpy(&inUse, inputs[Channel::LiveCount].data(), sizeof(inUse));
    const auto* particles = reinterpret_cast<const Particle*>(inputs[Channel::Records].data());
    return checkParticles({particles, count_}, inUse, time);
  }

  void drawBackdrop(VkCommandBuffer commands, VkDeviceAddress frameConstants) const override {
    backdrop_.draw(commands, frameConstants);
  }

  void draw(VkCommandBuffer commands, VkDeviceAddress frameConstants, const Kept& kept) const override {
    drawWith(drawPipeline_, commands, frameConstants, kept);
  }

  bool canPick() const override { return true; }

  void drawForPicking(VkCommandBuffer commands, VkDeviceAddress frameConstants, const Kept& kept) const override {
    drawWith(pickPipeline_, commands, frameConstants, kept);
  }

 private:
  void drawWith(VkPipeline pipeline, VkCommandBuffer commands, VkDeviceAddress frameConstants, const Kept& kept) const {
    const DrawPush push = {frameConstants, kept.buffer(Channel::Indices)->address(), maxPointSize_, 0.0f};
    const VkBuffer vertices = kept.buffer(Channel::KeptRecords)->get();
    const VkDeviceSize offset = 0;
    bindGraphics(commands, pipeline, drawLayout_, kDrawStages, push);
    vkCmdBindVertexBuffers(commands, 0, 1, &vertices, &offset);
    vkCmdDrawIndirect(commands, kept.buffer(Channel::Draws)->get(), 0, 1, sizeof(VkDrawIndirectCommand));
  }

  void createRequest() {
    SluPlanCreateInfo& plan = request_.plan;
    plan = SLU_INIT(PLAN_CREATE_INFO, SluPlanCreateInfo);
    plan.recordStride = sizeof(Particle);
    plan.maxRecordCount = count_;
    plan.maxViewCount = 1;
    plan.live.test = SLU_LIVE_POSITIVE_FLOAT;
    plan.live.offset = offsetof(Particle, life);
    plan.outputs = SLU_OUTPUT_INDICES_BIT | SLU_OUTPUT_RECORDS_BIT | SLU_OUTPUT_DRAWS_BIT | SLU_OUTPUT_STATISTICS_BIT |
                   SLU_OUTPUT_BUCKET_COUNTS_BIT;
    plan.draws.type = SLU_DRAW_VERTICES;
    plan.draws.stride = sizeof(VkDrawIndirectCommand);

    SluBucket bucket = {};
    bucket.capacity = count_;
    bucket.draw.elementCount = 1;
    bucket.draw.instanceCount = 1;
    request_.buckets = {bucket};
    request_.sufficientCapacities = {count_};
    request_.inputs[Channel::Records] = &records_;
    request_.inputs[Channel::LiveCount] = &liveCount_;
  }

  void createPipelines(const Renderer& renderer) {
    simulateLayout_ = createPipelineLayout(device_, VK_SHADER_STAGE_COMPUTE_BIT, sizeof(SimulatePush));
    simulatePipeline_ = createComputePipeline(device_, simulateLayout_, particles_comp, "particles");
    drawLayout_ = createPipelineLayout(device_, kDrawStages, sizeof(DrawPush));
    GraphicsPipelineInfo info = renderer.pipelineInfo(particle_vert, particle_frag, drawLayout_);
    info.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
    info.vertexStride = sizeof(Particle);
    info.attributes = {{0, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(Particle, position)},
                       {1, 0, VK_FORMAT_R32_SFLOAT, offsetof(Particle, life)},
                       {2, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(Particle, velocity)},
                       {3, 0, VK_FORMAT_R8G8B8A8_UNORM, offsetof(Particle, colour)}};
    info.depthWrite = false;
    info.blend = Blend::Additive;
    drawPipeline_ = createGraphicsPipeline(device_, info, "points");

    info.vertexCode = particle_pick_vert;
    info.attributes = {{0, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(Particle, position)},
                       {1, 0, VK_FORMAT_R8G8B8A8_UNORM, offsetof(Particle, colour)}};
    pickPipeline_ = createPickPipeline(device_, info, "points");
  }

  const Device& device_;
  uint32_t count_;
  bool inCuda_;  // --benchmark compares the routes' compaction alone, so that the shader simulates for each
  Backdrop backdrop_;
  Buffer records_;
  Buffer liveCount_;  // particles in use; the simulation changes it
  CompactionRequest request_;
  UniquePipelineLayout simulateLayout_, drawLayout_;
  UniquePipeline simulatePipeline_, drawPipeline_, pickPipeline_;
  float maxPointSize_ = 1.0f;
};

}  // namespace

std::unique_ptr<Scene> createPoints(const SceneInfo& info) { return std::make_unique<Points>(info); }

}  // namespace demo

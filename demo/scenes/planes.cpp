// Scene planes: a stack of blended panes drawn in the order of the output, most of them dead, others every moment.
#include <algorithm>
#include <cmath>
#include <cstddef>

#include "base/failure.h"
#include "scenes/backdrop.h"
#include "scenes/scenes.h"
#include "spirv/scenes/pane.frag.h"
#include "spirv/scenes/pane.vert.h"
#include "spirv/scenes/panes.comp.h"
#include "vulkan/pipelines.h"

namespace demo {
namespace {

constexpr VkShaderStageFlags kDrawStages = VK_SHADER_STAGE_VERTEX_BIT;
constexpr uint32_t kGroupSize = 256;   // local size of panes.comp
constexpr uint32_t kMaxGroups = 4096;  // more panes than these cover are taken in turns
constexpr uint32_t kCorners = 4;
// At most this many are seen at once on average, however many records there are. The rest are dead.
constexpr float kLivingPanes = 480.0f;
constexpr float kMaxLivingShare = 0.6f;

// The camera stays in front of the stack, since the records lie from its far end to its near one.
constexpr PathPoint kPath[] = {
    {{-26.0f, 9.0f, 56.0f}, {0.0f, 0.0f, 0.0f}},
    {{-8.0f, 4.0f, 60.0f}, {0.0f, 0.0f, 0.0f}},
    {{14.0f, 6.0f, 58.0f}, {0.0f, 0.0f, 0.0f}},
    {{28.0f, 14.0f, 52.0f}, {0.0f, 0.0f, 0.0f}},
};

struct SimulatePush {
  VkDeviceAddress frame, panes;
  uint32_t paneCount;
  float livingShare;
};

struct DrawPush {
  VkDeviceAddress frame, panes;
};

class Planes final : public Scene {
 public:
  explicit Planes(const SceneInfo& info)
      : device_(info.device), count_(info.instanceCount), backdrop_(info.device, info.renderer, false) {
    records_ = Buffer(device_, uint64_t{count_} * sizeof(Pane), 0, inputMemory(info.route), "panes");
    createRequest();
    createPipelines(info.renderer);
  }

  const CompactionRequest& compaction() const override { return request_; }

  std::string description() const override {
    return sentence(count_, " blended panes, the living drawn in the order of the output");
  }

  Camera camera(float place) const override {
    const PathPoint point = pointOnPath(kPath, place);
    return {point.eye, point.target, 0.80f, 0.1f};
  }

  SluView view(const Camera& camera, const FrameConstants& constants) const override {
    return viewOf(camera, constants, 0.0f);
  }

  bool simulates() const override { return true; }

  void simulate(VkCommandBuffer commands, VkDeviceAddress frameConstants) const override {
    const float share = std::min(kLivingPanes / static_cast<float>(count_), kMaxLivingShare);
    const SimulatePush push = {frameConstants, records_.address(), count_, share};
    bindCompute(commands, simulatePipeline_, simulateLayout_, push);
    vkCmdDispatch(commands, std::min((count_ + kGroupSize - 1) / kGroupSize, kMaxGroups), 1, 1);
  }

  void drawBackdrop(VkCommandBuffer commands, VkDeviceAddress frameConstants) const override {
    backdrop_.draw(commands, frameConstants);
  }

  void draw(VkCommandBuffer commands, VkDeviceAddress frameConstants, const Kept& kept) const override {
    const DrawPush push = {frameConstants, kept.buffer(Channel::KeptRecords)->address()};
    bindGraphics(commands, drawPipeline_, drawLayout_, kDrawStages, push);
    vkCmdDrawIndirect(commands, kept.buffer(Channel::Draws)->get(), 0, 1, sizeof(VkDrawIndirectCommand));
  }

 private:
  void createRequest() {
    SluPlanCreateInfo& plan = request_.plan;
    plan = SLU_INIT(PLAN_CREATE_INFO, SluPlanCreateInfo);
    plan.recordStride = sizeof(Pane);
    plan.maxRecordCount = count_;
    plan.maxViewCount = 1;
    plan.live.test = SLU_LIVE_POSITIVE_FLOAT;
    plan.live.offset = offsetof(Pane, life);
    plan.cullFlags = SLU_CULL_FRUSTUM_BIT;
    plan.bounds.source = SLU_BOUNDS_IN_RECORD;
    plan.bounds.offset = offsetof(Pane, center);
    plan.outputs =
        SLU_OUTPUT_RECORDS_BIT | SLU_OUTPUT_DRAWS_BIT | SLU_OUTPUT_STATISTICS_BIT | SLU_OUTPUT_BUCKET_COUNTS_BIT;
    plan.draws.type = SLU_DRAW_INSTANCES;
    plan.draws.stride = sizeof(VkDrawIndirectCommand);

    SluBucket bucket = {};
    bucket.capacity = count_;
    bucket.draw.elementCount = kCorners;
    request_.buckets = {bucket};
    request_.sufficientCapacities = {count_};
    request_.inputs[Channel::Records] = &records_;
    request_.viewDependent = true;
  }

  void createPipelines(const Renderer& renderer) {
    simulateLayout_ = createPipelineLayout(device_, VK_SHADER_STAGE_COMPUTE_BIT, sizeof(SimulatePush));
    simulatePipeline_ = createComputePipeline(device_, simulateLayout_, panes_comp, "panes");
    drawLayout_ = createPipelineLayout(device_, kDrawStages, sizeof(DrawPush));
    GraphicsPipelineInfo info = renderer.pipelineInfo(pane_vert, pane_frag, drawLayout_);
    info.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
    info.depthTest = false;
    info.depthWrite = false;
    info.blend = Blend::Over;
    drawPipeline_ = createGraphicsPipeline(device_, info, "planes");
  }

  const Device& device_;
  uint32_t count_;
  Backdrop backdrop_;
  Buffer records_;
  CompactionRequest request_;
  UniquePipelineLayout simulateLayout_, drawLayout_;
  UniquePipeline simulatePipeline_, drawPipeline_;
};

}  // namespace

std::unique_ptr<Scene> createPlanes(const SceneInfo& info) { return std::make_unique<Planes>(info); }

}  // namespace demo

#include "inspect/ghosts.h"

#include <algorithm>

#include "spirv/inspect/ghost.frag.h"
#include "spirv/inspect/ghost.vert.h"

namespace demo {
namespace {

constexpr VkShaderStageFlags kStages = VK_SHADER_STAGE_VERTEX_BIT;
constexpr float kMaxPointPixels = 192.0f;

struct Push {
  VkDeviceAddress frame, tests, records, meshes, flags, liveCount;
  uint32_t shownOutcomes;
  float maxPointSize;
};

}  // namespace

Ghosts::Ghosts(const Device& device, const Renderer& renderer)
    : maxPointSize_(device.largePoints() ? std::min(device.properties().limits.pointSizeRange[1], kMaxPointPixels)
                                         : 1.0f),
      layout_(createPipelineLayout(device, kStages, sizeof(Push))) {
  GraphicsPipelineInfo info = renderer.pipelineInfo(ghost_vert, ghost_frag, layout_);
  info.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
  info.depthWrite = false;
  info.blend = Blend::Over;
  pipeline_ = createGraphicsPipeline(device, info, "ghosts");
  info.depthTest = false;
  throughPipeline_ = createGraphicsPipeline(device, info, "ghosts, through what is nearer");
}

void Ghosts::draw(VkCommandBuffer commands, VkDeviceAddress frameConstants, const TestedRecords& tested,
                  uint32_t shownOutcomes, bool isThrough) const {
  const Push push = {frameConstants, tested.tests,     tested.records, tested.meshes,
                     tested.flags,   tested.liveCount, shownOutcomes,  maxPointSize_};
  bindGraphics(commands, isThrough ? throughPipeline_ : pipeline_, layout_, kStages, push);
  vkCmdDraw(commands, tested.count, 1, 0, 0);
}

}  // namespace demo

#include "inspect/frustum_lines.h"

#include "spirv/inspect/line.frag.h"
#include "spirv/inspect/line.vert.h"

namespace demo {
namespace {

constexpr VkShaderStageFlags kStages = VK_SHADER_STAGE_VERTEX_BIT;
constexpr uint32_t kVertexCount = 40;  // four edges, and four rectangles of four

struct Push {
  glm::vec4 eye, right, up, forward, style;
  VkDeviceAddress frame;
};

}  // namespace

FrustumLines::FrustumLines(const Device& device, const Renderer& renderer)
    : layout_(createPipelineLayout(device, kStages, sizeof(Push))) {
  GraphicsPipelineInfo info = renderer.pipelineInfo(line_vert, line_frag, layout_);
  info.topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
  info.depthWrite = false;
  pipeline_ = createGraphicsPipeline(device, info, "frustum lines");
}

void FrustumLines::draw(VkCommandBuffer commands, VkDeviceAddress frameConstants, const FrameConstants& frustum,
                        const LineStyle& style) const {
  const Push push = {frustum.eye,   frustum.right, frustum.up, frustum.forward, glm::vec4(style.light, style.reach),
                     frameConstants};
  bindGraphics(commands, pipeline_, layout_, kStages, push);
  vkCmdDraw(commands, kVertexCount, 1, 0, 0);
}

}  // namespace demo

#include "scenes/backdrop.h"

#include "spirv/scenes/backdrop.frag.h"
#include "spirv/scenes/backdrop.vert.h"

namespace demo {
namespace {

constexpr VkShaderStageFlags kStages = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;

struct Push {
  VkDeviceAddress frame;
  uint32_t hasPlanet;
  uint32_t reserved;
};

}  // namespace

Backdrop::Backdrop(const Device& device, const Renderer& renderer, bool hasPlanet)
    : layout_(createPipelineLayout(device, kStages, sizeof(Push))), hasPlanet_(hasPlanet) {
  GraphicsPipelineInfo info = renderer.pipelineInfo(backdrop_vert, backdrop_frag, layout_);
  info.depthTest = false;
  pipeline_ = createGraphicsPipeline(device, info, "backdrop");
}

void Backdrop::draw(VkCommandBuffer commands, VkDeviceAddress frameConstants) const {
  const Push push = {frameConstants, hasPlanet_, 0};
  bindGraphics(commands, pipeline_, layout_, kStages, push);
  vkCmdDraw(commands, 3, 1, 0, 0);
}

}  // namespace demo

#include "inspect/pyramid_inset.h"

#include <algorithm>

#include "spirv/inspect/pyramid.frag.h"
#include "spirv/inspect/pyramid.vert.h"

namespace demo {
namespace {

constexpr VkShaderStageFlags kStages = VK_SHADER_STAGE_FRAGMENT_BIT;
constexpr float kFarDistance = 2000.0f;

struct Push {
  VkDeviceAddress pyramid;
  float corner[2];
  float size[2];
  float nearDistance, farDistance;
  uint32_t level;
  uint32_t reserved;
};

// The lower left corner; the inset from above has the right one.
VkRect2D placeIn(VkExtent2D picture) {
  const uint32_t width = std::max(picture.width / 3, 1u), height = std::max(picture.height / 3, 1u);
  const uint32_t margin = std::min(picture.width, picture.height) / 40;
  return {{static_cast<int32_t>(margin), static_cast<int32_t>(picture.height - height - margin)}, {width, height}};
}

void setArea(VkCommandBuffer commands, const VkRect2D& area) {
  const VkViewport viewport = {static_cast<float>(area.offset.x),
                               static_cast<float>(area.offset.y),
                               static_cast<float>(area.extent.width),
                               static_cast<float>(area.extent.height),
                               0.0f,
                               1.0f};
  vkCmdSetViewport(commands, 0, 1, &viewport);
  vkCmdSetScissor(commands, 0, 1, &area);
}

}  // namespace

PyramidInset::PyramidInset(const Device& device, const Renderer& renderer)
    : extent_(renderer.extent()), layout_(createPipelineLayout(device, kStages, sizeof(Push))) {
  GraphicsPipelineInfo info = renderer.pipelineInfo(pyramid_vert, pyramid_frag, layout_);
  info.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
  info.depthTest = false;
  pipeline_ = createGraphicsPipeline(device, info, "pyramid");
}

void PyramidInset::draw(VkCommandBuffer commands, const Buffer& pyramid, uint32_t level, float nearDistance) const {
  const VkRect2D area = placeIn(extent_);
  const Push push = {pyramid.address(),
                     {static_cast<float>(area.offset.x), static_cast<float>(area.offset.y)},
                     {static_cast<float>(area.extent.width), static_cast<float>(area.extent.height)},
                     nearDistance,
                     kFarDistance,
                     level,
                     0};
  setArea(commands, area);
  bindGraphics(commands, pipeline_, layout_, kStages, push);
  vkCmdDraw(commands, 4, 1, 0, 0);
  setArea(commands, {{0, 0}, extent_});
}

}  // namespace demo

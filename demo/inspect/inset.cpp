#include "inspect/inset.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace demo {
namespace {

constexpr int kPathSamples = 32;
constexpr float kMargin = 1.08f;         // around what is to be seen
constexpr float kHalfHeight = 20000.0f;  // of the slab that is seen, in units of the scene
constexpr glm::vec3 kCullingLight = {1.0f, 0.55f, 0.08f};
constexpr glm::vec3 kRenderLight = {2.0f, 0.0f, 0.5f};
constexpr float kRenderReach = 0.3f;  // of the mark of the render camera, in half widths
constexpr VkClearColorValue kFrame = {{0.09f, 0.11f, 0.15f, 1.0f}};
constexpr VkClearColorValue kGround = {{0.006f, 0.008f, 0.014f, 1.0f}};

float fromMiddle(const glm::vec3& place) { return std::max(std::abs(place.x), std::abs(place.z)); }

float reachOfPath(const Scene& scene) {
  float reach = 1.0f;
  for (int sample = 0; sample <= kPathSamples; ++sample)
    reach = std::max(reach, fromMiddle(scene.camera(static_cast<float>(sample) / kPathSamples).eye));
  return reach;
}

// The projection is parallel to y, with x to the right and z down. Depth is 1 at the top and 0 at the bottom.
FrameConstants fromAbove(float halfWidth, uint32_t pixels) {
  FrameConstants constants = {};
  constants.viewProjection[0][0] = 1.0f / halfWidth;
  constants.viewProjection[2][1] = 1.0f / halfWidth;
  constants.viewProjection[1][2] = 0.5f / kHalfHeight;
  constants.viewProjection[3][2] = 0.5f;
  constants.viewProjection[3][3] = 1.0f;
  const auto side = static_cast<float>(pixels);
  constants.right = {halfWidth, 0.0f, 0.0f, 2.0f * halfWidth / side};
  constants.viewport = {side, side, 1.0f / side, 1.0f / side};
  return constants;
}

void clear(VkCommandBuffer commands, const VkRect2D& area, const VkClearColorValue& color) {
  VkClearAttachment attachments[2] = {};
  attachments[0].aspectMask = VK_IMAGE_ASPECT_COLOR_BIT;
  attachments[0].clearValue.color = color;
  attachments[1].aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT;
  const VkClearRect rectangle = {area, 0, 1};
  vkCmdClearAttachments(commands, 2, attachments, 1, &rectangle);
}

}  // namespace

VkRect2D insetPlace(VkExtent2D picture) {
  const uint32_t shorter = std::min(picture.width, picture.height);
  const uint32_t side = std::max(shorter * 2 / 5, 1u), margin = shorter / 40;
  return {{static_cast<int32_t>(picture.width - side - margin), static_cast<int32_t>(picture.height - side - margin)},
          {side, side}};
}

Inset::Inset(const Device& device, const Renderer& renderer, const Scene& scene)
    : extent_(renderer.extent()), reach_(reachOfPath(scene)) {
  for (Slot& slot : slots_)
    slot.constants = Buffer(device, sizeof(FrameConstants), 0, Memory::Upload, "constants from above");
}

void Inset::update(uint32_t slot, const FrameConstants& render, const FrameConstants& culling) {
  Slot& current = slots_[slot];
  current.render = render;
  current.culling = culling;
  current.halfWidth = kMargin * std::max({reach_, fromMiddle(render.eye), fromMiddle(culling.eye)});
  const FrameConstants constants = fromAbove(current.halfWidth, insetPlace(extent_).extent.width);
  std::memcpy(current.constants.mapped(), &constants, sizeof(constants));
}

void Inset::draw(VkCommandBuffer commands, uint32_t slot, const Ghosts& ghosts, const FrustumLines& lines,
                 const TestedRecords& tested) const {
  const Slot& current = slots_[slot];
  const VkRect2D area = insetPlace(extent_);
  clear(commands, area, kFrame);
  VkRect2D inner = area;
  if (area.extent.width > 4)
    inner = {{area.offset.x + 1, area.offset.y + 1}, {area.extent.width - 2, area.extent.height - 2}};
  clear(commands, inner, kGround);
  const VkViewport viewport = {static_cast<float>(area.offset.x),
                               static_cast<float>(area.offset.y),
                               static_cast<float>(area.extent.width),
                               static_cast<float>(area.extent.height),
                               0.0f,
                               1.0f};
  vkCmdSetViewport(commands, 0, 1, &viewport);
  vkCmdSetScissor(commands, 0, 1, &inner);
  const VkDeviceAddress constants = current.constants.address();
  ghosts.draw(commands, constants, tested, Ghosts::kDropped);
  ghosts.draw(commands, constants, tested, Ghosts::kKept);
  lines.draw(commands, constants, current.culling, {kCullingLight, kFrustumReach});
  lines.draw(commands, constants, current.render, {kRenderLight, kRenderReach * current.halfWidth});
}

}  // namespace demo

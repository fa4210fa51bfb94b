#include "render/shadow_maps.h"

#include "base/failure.h"
#include "shaders/shared.h"
#include "vulkan/render_pass.h"

namespace demo {
namespace {

constexpr VkFormat kFormat = VK_FORMAT_D32_SFLOAT;
constexpr VkExtent2D kExtent = {kShadowMapSide, kShadowMapSide};

}  // namespace

ShadowMaps::ShadowMaps(const Device& device)
    : maps_(device,
            {.format = kFormat,
             .extent = kExtent,
             .layerCount = kCascadeCount,
             .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT,
             .aspect = VK_IMAGE_ASPECT_DEPTH_BIT},
            "shadow maps") {
  createPass(device);
  for (uint32_t cascade = 0; cascade < kCascadeCount; ++cascade) {
    const VkImageView view = maps_.layerView(cascade);
    framebuffers_.push_back(createFramebuffer(device, pass_, {&view, 1}, kExtent, sentence("shadow map ", cascade)));
  }
  createSampler(device);
  set_ =
      TextureSet(device, sampler_, maps_.arrayView(), VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL, "shadow maps");
}

void ShadowMaps::createPass(const Device& device) {
  const VkAttachmentDescription map =
      attachmentOf(kFormat, VK_SAMPLE_COUNT_1_BIT, VK_ATTACHMENT_LOAD_OP_CLEAR, VK_ATTACHMENT_STORE_OP_STORE,
                   VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL);
  const VkAttachmentReference depth = {0, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL};
  VkSubpassDescription subpass = {};
  subpass.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS;
  subpass.pDepthStencilAttachment = &depth;
  constexpr VkPipelineStageFlags kDepthStages =
      VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT;
  constexpr VkAccessFlags kWrite = VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;
  const VkSubpassDependency dependencies[] = {
      // The last frame's pass wrote the map, and its scene read it.
      beforePass({kDepthStages | VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, kWrite},
                 {kDepthStages, VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT | kWrite}),
      afterPass({kDepthStages, kWrite}, {VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT})};
  pass_ = createRenderPass(device, {&map, 1}, subpass, dependencies, "shadows");
}

// Shaders filter by themselves, because not every device filters depths.
void ShadowMaps::createSampler(const Device& device) {
  VkSamplerCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO;
  info.magFilter = info.minFilter = VK_FILTER_NEAREST;
  info.addressModeU = info.addressModeV = info.addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  info.compareEnable = VK_TRUE;
  info.compareOp = VK_COMPARE_OP_GREATER_OR_EQUAL;
  VkSampler sampler = VK_NULL_HANDLE;
  check(vkCreateSampler(device.get(), &info, nullptr, &sampler), "vkCreateSampler");
  device.setName(VK_OBJECT_TYPE_SAMPLER, sampler, "shadow maps");
  sampler_ = {device.get(), sampler};
}

GraphicsPipelineInfo ShadowMaps::pipelineInfo(const Shader& vertexCode, VkPipelineLayout layout) const {
  return {.vertexCode = vertexCode,
          .fragmentCode = {},
          .layout = layout,
          .renderPass = pass_,
          .samples = VK_SAMPLE_COUNT_1_BIT};
}

void ShadowMaps::begin(VkCommandBuffer commands, uint32_t cascade) const {
  VkClearValue clear = {};
  clear.depthStencil.depth = 0.0f;  // behind all that casts a shadow
  VkRenderPassBeginInfo begin{};
  begin.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO;
  begin.renderPass = pass_;
  begin.framebuffer = framebuffers_[cascade];
  begin.renderArea.extent = kExtent;
  begin.clearValueCount = 1;
  begin.pClearValues = &clear;
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  constexpr auto kSide = static_cast<float>(kShadowMapSide);
  const VkViewport viewport = {0.0f, 0.0f, kSide, kSide, 0.0f, 1.0f};
  const VkRect2D scissor = {{0, 0}, kExtent};
  vkCmdSetViewport(commands, 0, 1, &viewport);
  vkCmdSetScissor(commands, 0, 1, &scissor);
}

void ShadowMaps::end(VkCommandBuffer commands) const { vkCmdEndRenderPass(commands); }

}  // namespace demo

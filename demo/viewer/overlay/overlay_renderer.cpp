#include "viewer/overlay/overlay_renderer.h"

#include <imgui.h>

#include <algorithm>
#include <cstring>

#include "hosting/label.h"
#include "spirv/overlay/overlay.frag.h"
#include "spirv/overlay/overlay.vert.h"
#include "vulkan/render_pass.h"

namespace demo {
namespace {

// Maps the units of Dear ImGui to clip space.
struct Push {
  float scale[2], offset[2];
};

// Doubles the size at least, so that a growing list rarely needs a new buffer.
void ensureSize(const Device& device, Buffer& buffer, uint64_t bytes, VkBufferUsageFlags usage, const char* name) {
  if (buffer.size() < bytes) buffer = Buffer(device, std::max(bytes, 2 * buffer.size()), usage, Memory::Upload, name);
}

}  // namespace

OverlayRenderer::OverlayRenderer(const Device& device) : device_(device) {
  createRenderPass();
  createFont();
  set_ = TextureSet(device_, sampler_, font_.view(), VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, "font");
  createPipeline();
}

void OverlayRenderer::createRenderPass() {
  const VkAttachmentDescription picture =
      attachmentOf(VK_FORMAT_R8G8B8A8_UNORM, VK_SAMPLE_COUNT_1_BIT, VK_ATTACHMENT_LOAD_OP_LOAD,
                   VK_ATTACHMENT_STORE_OP_STORE, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_GENERAL);
  const VkAttachmentReference reference = {0, VK_IMAGE_LAYOUT_GENERAL};
  VkSubpassDescription subpass = {};
  subpass.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS;
  subpass.colorAttachmentCount = 1;
  subpass.pColorAttachments = &reference;
  const VkSubpassDependency dependencies[] = {
      beforePass({VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT},
                 {VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                  VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT}),
      afterPass({VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT},
                {VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT})};
  renderPass_ = demo::createRenderPass(device_, {&picture, 1}, subpass, dependencies, "overlay");
}

void OverlayRenderer::createFont() {
  unsigned char* pixels = nullptr;
  int width = 0, height = 0;
  ImGui::GetIO().Fonts->GetTexDataAsAlpha8(&pixels, &width, &height);
  const VkExtent2D extent = {static_cast<uint32_t>(width), static_cast<uint32_t>(height)};
  font_ = Image(device_,
                {.format = VK_FORMAT_R8_UNORM,
                 .extent = extent,
                 .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT},
                "font");
  uploadImage(device_, font_, extent, std::as_bytes(std::span(pixels, size_t{extent.width} * extent.height)));
  sampler_ = createSampler(device_);
}

void OverlayRenderer::createPipeline() {
  layout_ = createPipelineLayout(device_, VK_SHADER_STAGE_VERTEX_BIT, sizeof(Push), set_.layout());
  GraphicsPipelineInfo info = {.vertexCode = overlay_vert,
                               .fragmentCode = overlay_frag,
                               .layout = layout_,
                               .renderPass = renderPass_,
                               .samples = VK_SAMPLE_COUNT_1_BIT};
  info.vertexStride = sizeof(ImDrawVert);
  info.attributes = {{0, 0, VK_FORMAT_R32G32_SFLOAT, offsetof(ImDrawVert, pos)},
                     {1, 0, VK_FORMAT_R32G32_SFLOAT, offsetof(ImDrawVert, uv)},
                     {2, 0, VK_FORMAT_R8G8B8A8_UNORM, offsetof(ImDrawVert, col)}};
  info.depthTest = false;
  info.depthWrite = false;
  info.blend = Blend::Over;
  pipeline_ = createGraphicsPipeline(device_, info, "overlay");
}

void OverlayRenderer::setTarget(const Renderer& renderer) {
  const VkImageView view = renderer.pictureView();
  extent_ = renderer.extent();
  framebuffer_ = createFramebuffer(device_, renderPass_, {&view, 1}, extent_, "overlay");
}

void OverlayRenderer::record(VkCommandBuffer commands, uint32_t slot, const ImDrawData& data) {
  Geometry& geometry = geometry_[slot];
  if (!data.TotalVtxCount) return;
  const Label label(device_, commands, "overlay");
  fill(geometry, data);

  VkRenderPassBeginInfo begin{};
  begin.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO;
  begin.renderPass = renderPass_;
  begin.framebuffer = framebuffer_;
  begin.renderArea.extent = extent_;
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  const VkViewport viewport = {0.0f, 0.0f, static_cast<float>(extent_.width), static_cast<float>(extent_.height),
                               0.0f, 1.0f};
  vkCmdSetViewport(commands, 0, 1, &viewport);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline_);
  const VkDescriptorSet font = set_.get();
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout_, 0, 1, &font, 0, nullptr);
  const Push push = {
      {2.0f / data.DisplaySize.x, 2.0f / data.DisplaySize.y},
      {-1.0f - 2.0f * data.DisplayPos.x / data.DisplaySize.x, -1.0f - 2.0f * data.DisplayPos.y / data.DisplaySize.y}};
  vkCmdPushConstants(commands, layout_, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(push), &push);
  const VkBuffer vertices = geometry.vertices.get();
  const VkDeviceSize offset = 0;
  vkCmdBindVertexBuffers(commands, 0, 1, &vertices, &offset);
  vkCmdBindIndexBuffer(commands, geometry.indices.get(), 0,
                       sizeof(ImDrawIdx) == 2 ? VK_INDEX_TYPE_UINT16 : VK_INDEX_TYPE_UINT32);
  drawLists(commands, data);
  vkCmdEndRenderPass(commands);
}

void OverlayRenderer::fill(Geometry& geometry, const ImDrawData& data) const {
  ensureSize(device_, geometry.vertices, static_cast<uint64_t>(data.TotalVtxCount) * sizeof(ImDrawVert),
             VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, "overlay vertices");
  ensureSize(device_, geometry.indices, static_cast<uint64_t>(data.TotalIdxCount) * sizeof(ImDrawIdx),
             VK_BUFFER_USAGE_INDEX_BUFFER_BIT, "overlay indices");
  std::byte* vertices = geometry.vertices.mapped();
  std::byte* indices = geometry.indices.mapped();
  for (int index = 0; index < data.CmdListsCount; ++index) {
    const ImDrawList& list = *data.CmdLists[index];
    const size_t vertexBytes = static_cast<size_t>(list.VtxBuffer.size_in_bytes());
    const size_t indexBytes = static_cast<size_t>(list.IdxBuffer.size_in_bytes());
    std::memcpy(vertices, list.VtxBuffer.Data, vertexBytes);
    std::memcpy(indices, list.IdxBuffer.Data, indexBytes);
    vertices += vertexBytes;
    indices += indexBytes;
  }
}

void OverlayRenderer::drawLists(VkCommandBuffer commands, const ImDrawData& data) const {
  uint32_t firstIndex = 0, firstVertex = 0;
  const auto pixel = [](float units, float origin, float scale, uint32_t side) {
    return static_cast<int32_t>(std::clamp((units - origin) * scale, 0.0f, static_cast<float>(side)));
  };
  for (int index = 0; index < data.CmdListsCount; ++index) {
    const ImDrawList& list = *data.CmdLists[index];
    for (const ImDrawCmd& command : list.CmdBuffer) {
      const ImVec2 origin = data.DisplayPos, scale = data.FramebufferScale;
      const int32_t left = pixel(command.ClipRect.x, origin.x, scale.x, extent_.width);
      const int32_t top = pixel(command.ClipRect.y, origin.y, scale.y, extent_.height);
      const int32_t right = pixel(command.ClipRect.z, origin.x, scale.x, extent_.width);
      const int32_t bottom = pixel(command.ClipRect.w, origin.y, scale.y, extent_.height);
      if (command.UserCallback || right <= left || bottom <= top) continue;
      const VkRect2D scissor = {{left, top},
                                {static_cast<uint32_t>(right - left), static_cast<uint32_t>(bottom - top)}};
      vkCmdSetScissor(commands, 0, 1, &scissor);
      vkCmdDrawIndexed(commands, command.ElemCount, 1, firstIndex + command.IdxOffset,
                       static_cast<int32_t>(firstVertex + command.VtxOffset), 0);
    }
    firstIndex += static_cast<uint32_t>(list.IdxBuffer.Size);
    firstVertex += static_cast<uint32_t>(list.VtxBuffer.Size);
  }
}

}  // namespace demo

#include "inspect/picker.h"

#include <cstring>

#include "spirv/inspect/pick.frag.h"
#include "vulkan/render_pass.h"

namespace demo {
namespace {

constexpr VkFormat kRecordFormat = VK_FORMAT_R32G32_UINT;
constexpr VkFormat kDepthFormat = VK_FORMAT_D32_SFLOAT;
constexpr VkSampleCountFlagBits kPickSamples = VK_SAMPLE_COUNT_1_BIT;
constexpr uint32_t kNobody = ~0u;  // no record has this index: there are SLU_MAX_RECORDS at most

UniqueRenderPass createPickPass(const Device& device) {
  const VkAttachmentDescription attachments[] = {
      attachmentOf(kRecordFormat, kPickSamples, VK_ATTACHMENT_LOAD_OP_CLEAR, VK_ATTACHMENT_STORE_OP_STORE,
                   VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL),
      attachmentOf(kDepthFormat, kPickSamples, VK_ATTACHMENT_LOAD_OP_CLEAR, VK_ATTACHMENT_STORE_OP_DONT_CARE,
                   VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL)};
  const VkAttachmentReference color = {0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
  const VkAttachmentReference depth = {1, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL};
  VkSubpassDescription subpass = {};
  subpass.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS;
  subpass.colorAttachmentCount = 1;
  subpass.pColorAttachments = &color;
  subpass.pDepthStencilAttachment = &depth;

  constexpr VkPipelineStageFlags kAttachmentStages = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT |
                                                     VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT |
                                                     VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT;
  const VkSubpassDependency dependencies[] = {
      // The last pick's pass wrote the attachments, and its result was copied.
      beforePass(
          {kAttachmentStages | VK_PIPELINE_STAGE_TRANSFER_BIT,
           VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT},
          {kAttachmentStages, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT |
                                  VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT}),
      afterPass({VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT},
                {VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT})};
  return createRenderPass(device, attachments, subpass, dependencies, "pick");
}

}  // namespace

UniquePipeline createPickPipeline(const Device& device, GraphicsPipelineInfo info, const std::string& name) {
  const UniqueRenderPass pass = createPickPass(device);
  info.fragmentCode = pick_frag;
  info.renderPass = pass;
  info.samples = kPickSamples;
  info.depthTest = true;
  info.depthWrite = true;
  info.blend = Blend::None;
  return createGraphicsPipeline(device, info, name + ", picking");
}

Picker::Picker(const Device& device)
    : pass_(createPickPass(device)),
      records_(device,
               {.format = kRecordFormat,
                .extent = {1, 1},
                .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT},
               "picked record"),
      depth_(device,
             {.format = kDepthFormat,
              .extent = {1, 1},
              .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT,
              .aspect = VK_IMAGE_ASPECT_DEPTH_BIT},
             "pick depth") {
  const VkImageView views[] = {records_.view(), depth_.view()};
  framebuffer_ = createFramebuffer(device, pass_, views, {1, 1}, "pick");
  for (Buffer& result : results_) result = Buffer(device, sizeof(PickedRecord), 0, Memory::Readback, "pick result");
}

void Picker::record(VkCommandBuffer commands, uint32_t slot, glm::uvec2 pixel, VkExtent2D extent,
                    const std::function<void()>& draw) const {
  VkClearValue clear[2] = {};
  clear[0].color.uint32[0] = kNobody;
  clear[1].depthStencil.depth = 0.0f;  // reversed z: the far end
  VkRenderPassBeginInfo begin{};
  begin.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO;
  begin.renderPass = pass_;
  begin.framebuffer = framebuffer_;
  begin.renderArea.extent = {1, 1};
  begin.clearValueCount = 2;
  begin.pClearValues = clear;
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  // The viewport is the whole picture, moved so that the pixel falls on the only one of the framebuffer.
  const VkViewport viewport = {-static_cast<float>(pixel.x),
                               -static_cast<float>(pixel.y),
                               static_cast<float>(extent.width),
                               static_cast<float>(extent.height),
                               0.0f,
                               1.0f};
  const VkRect2D scissor = {{0, 0}, {1, 1}};
  vkCmdSetViewport(commands, 0, 1, &viewport);
  vkCmdSetScissor(commands, 0, 1, &scissor);
  draw();
  vkCmdEndRenderPass(commands);

  VkBufferImageCopy region = {};
  region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  region.imageExtent = {1, 1, 1};
  vkCmdCopyImageToBuffer(commands, records_.get(), VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, results_[slot].get(), 1,
                         &region);
  memoryBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
                VK_ACCESS_HOST_READ_BIT);
}

std::optional<PickedRecord> Picker::read(uint32_t slot) const {
  PickedRecord record;
  std::memcpy(&record, results_[slot].mapped(), sizeof(record));
  return record.index == kNobody ? std::nullopt : std::optional(record);
}

}  // namespace demo

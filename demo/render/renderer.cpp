#include "render/renderer.h"

#include <span>

#include "base/failure.h"
#include "vulkan/render_pass.h"

namespace demo {
namespace {

constexpr VkFormat kColorFormat = VK_FORMAT_R16G16B16A16_SFLOAT;
constexpr VkFormat kDepthFormat = VK_FORMAT_D32_SFLOAT;

VkSampleCountFlagBits chooseSamples(const VkPhysicalDeviceLimits& limits) {
  const VkSampleCountFlags both = limits.framebufferColorSampleCounts & limits.framebufferDepthSampleCounts;
  return both & VK_SAMPLE_COUNT_4_BIT ? VK_SAMPLE_COUNT_4_BIT : VK_SAMPLE_COUNT_1_BIT;
}

VkExtent2D checkExtent(const Device& device, VkExtent2D extent) {
  const VkPhysicalDeviceLimits& limits = device.properties().limits;
  if (extent.width > limits.maxFramebufferWidth || extent.height > limits.maxFramebufferHeight ||
      extent.width > limits.maxImageDimension2D || extent.height > limits.maxImageDimension2D)
    failInput("--size: ", extent.width, 'x', extent.height, " is more than the device draws (",
              limits.maxFramebufferWidth, 'x', limits.maxFramebufferHeight, ")");
  return extent;
}

// The color, the depth, and if the color is multisampled what it is resolved to.
using Attachments = std::array<VkAttachmentDescription, 3>;

// The backdrop covers every pixel, so nothing of the last picture is loaded.
Attachments attachmentsOf(ScenePart part, VkSampleCountFlagBits samples) {
  const bool isFirst = part == ScenePart::First, isRest = part == ScenePart::Rest;
  const bool keepsDepth = isFirst || part == ScenePart::WholeKeepsDepth;
  const bool multisampled = samples != VK_SAMPLE_COUNT_1_BIT;
  constexpr VkImageLayout kColorLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                          kReadLayout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL;
  const VkAttachmentDescription resolved =
      attachmentOf(kColorFormat, VK_SAMPLE_COUNT_1_BIT, VK_ATTACHMENT_LOAD_OP_DONT_CARE, VK_ATTACHMENT_STORE_OP_STORE,
                   VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
  VkAttachmentDescription color =
      attachmentOf(kColorFormat, samples, VK_ATTACHMENT_LOAD_OP_DONT_CARE, VK_ATTACHMENT_STORE_OP_DONT_CARE,
                   VK_IMAGE_LAYOUT_UNDEFINED, kColorLayout);
  if (!multisampled && !isFirst) color = resolved;
  if (isFirst) color.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
  if (isRest) {
    color.loadOp = VK_ATTACHMENT_LOAD_OP_LOAD;
    color.initialLayout = kColorLayout;
  }
  const VkAttachmentDescription depth =
      attachmentOf(kDepthFormat, samples, isRest ? VK_ATTACHMENT_LOAD_OP_LOAD : VK_ATTACHMENT_LOAD_OP_CLEAR,
                   keepsDepth ? VK_ATTACHMENT_STORE_OP_STORE : VK_ATTACHMENT_STORE_OP_DONT_CARE,
                   isRest ? kReadLayout : VK_IMAGE_LAYOUT_UNDEFINED,
                   keepsDepth ? kReadLayout : VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL);
  return {color, depth, resolved};
}

Image createColor(const Device& device, VkExtent2D extent, VkSampleCountFlagBits samples) {
  if (samples == VK_SAMPLE_COUNT_1_BIT) return {};
  return Image(
      device,
      {.format = kColorFormat, .extent = extent, .samples = samples, .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT},
      "scene color");
}

}  // namespace

Renderer::Renderer(const Device& device, VkExtent2D extent)
    : extent_(checkExtent(device, extent)),
      samples_(chooseSamples(device.properties().limits)),
      color_(createColor(device, extent, samples_)),
      depth_(device,
             {.format = kDepthFormat,
              .extent = extent,
              .samples = samples_,
              .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT,
              .aspect = VK_IMAGE_ASPECT_DEPTH_BIT},
             "scene depth"),
      resolved_(device,
                {.format = kColorFormat,
                 .extent = extent,
                 .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT},
                "scene resolved"),
      post_(device, extent, resolved_.view()) {
  createRenderPasses(device);
  const bool multisampled = samples_ != VK_SAMPLE_COUNT_1_BIT;
  const VkImageView views[] = {multisampled ? color_.view() : resolved_.view(), depth_.view(), resolved_.view()};
  framebuffer_ =
      createFramebuffer(device, renderPasses_.front(), std::span(views, multisampled ? 3 : 2), extent, "scene");
}

VkFormat Renderer::depthFormat() const { return kDepthFormat; }

void Renderer::createRenderPasses(const Device& device) {
  const VkAttachmentReference colorReference = {0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
  const VkAttachmentReference depthReference = {1, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL};
  const VkAttachmentReference resolveReference = {2, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
  VkSubpassDescription subpass = {};
  subpass.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS;
  subpass.colorAttachmentCount = 1;
  subpass.pColorAttachments = &colorReference;
  const bool multisampled = samples_ != VK_SAMPLE_COUNT_1_BIT;
  subpass.pResolveAttachments = multisampled ? &resolveReference : nullptr;
  subpass.pDepthStencilAttachment = &depthReference;

  constexpr VkPipelineStageFlags kDepthStages =
      VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT;
  constexpr VkAccessFlags kAttachmentAccess =
      VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT |
      VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;
  const VkSubpassDependency dependencies[] = {
      // The last pass wrote the attachments. Post-processing read the resolved one, and a pyramid's build the depth.
      beforePass({VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT | kDepthStages | VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                  VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT},
                 {VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT | kDepthStages, kAttachmentAccess}),
      afterPass({VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT | VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT,
                 VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT},
                {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT})};

  for (size_t part = 0; part < kScenePartCount; ++part) {
    const Attachments attachments = attachmentsOf(static_cast<ScenePart>(part), samples_);
    renderPasses_[part] = demo::createRenderPass(device, std::span(attachments).first(multisampled ? 3 : 2), subpass,
                                                 dependencies, "scene");
  }
}

void Renderer::beginScene(VkCommandBuffer commands, ScenePart part) const {
  VkClearValue clear[2] = {};
  clear[1].depthStencil.depth = 0.0f;  // reversed z: the far end
  VkRenderPassBeginInfo begin{};
  begin.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO;
  begin.renderPass = renderPasses_[static_cast<size_t>(part)];
  begin.framebuffer = framebuffer_;
  begin.renderArea.extent = extent_;
  begin.clearValueCount = 2;
  begin.pClearValues = clear;
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  const VkViewport viewport = {0.0f, 0.0f, static_cast<float>(extent_.width), static_cast<float>(extent_.height),
                               0.0f, 1.0f};
  const VkRect2D scissor = {{0, 0}, extent_};
  vkCmdSetViewport(commands, 0, 1, &viewport);
  vkCmdSetScissor(commands, 0, 1, &scissor);
}

void Renderer::endScene(VkCommandBuffer commands) const { vkCmdEndRenderPass(commands); }

void Renderer::copyPicture(VkCommandBuffer commands, const Buffer& destination) const {
  VkBufferImageCopy region = {};
  region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  region.imageExtent = {extent_.width, extent_.height, 1};
  memoryBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT);
  vkCmdCopyImageToBuffer(commands, post_.image(), VK_IMAGE_LAYOUT_GENERAL, destination.get(), 1, &region);
  memoryBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
                VK_ACCESS_HOST_READ_BIT);
}

}  // namespace demo

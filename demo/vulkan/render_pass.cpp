#include "vulkan/render_pass.h"

namespace demo {
namespace {

VkSubpassDependency dependency(uint32_t sourcePass, const PassAccess& source, uint32_t destinationPass,
                               const PassAccess& destination) {
  VkSubpassDependency info = {};
  info.srcSubpass = sourcePass;
  info.dstSubpass = destinationPass;
  info.srcStageMask = source.stages;
  info.dstStageMask = destination.stages;
  info.srcAccessMask = source.access;
  info.dstAccessMask = destination.access;
  return info;
}

}  // namespace

VkAttachmentDescription attachmentOf(VkFormat format, VkSampleCountFlagBits samples, VkAttachmentLoadOp loadOp,
                                     VkAttachmentStoreOp storeOp, VkImageLayout initialLayout,
                                     VkImageLayout finalLayout) {
  VkAttachmentDescription description = {};
  description.format = format;
  description.samples = samples;
  description.loadOp = loadOp;
  description.storeOp = storeOp;
  description.stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
  description.stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
  description.initialLayout = initialLayout;
  description.finalLayout = finalLayout;
  return description;
}

VkSubpassDependency beforePass(const PassAccess& before, const PassAccess& inPass) {
  return dependency(VK_SUBPASS_EXTERNAL, before, 0, inPass);
}

VkSubpassDependency afterPass(const PassAccess& inPass, const PassAccess& after) {
  return dependency(0, inPass, VK_SUBPASS_EXTERNAL, after);
}

UniqueRenderPass createRenderPass(const Device& device, std::span<const VkAttachmentDescription> attachments,
                                  const VkSubpassDescription& subpass,
                                  std::span<const VkSubpassDependency> dependencies, const std::string& name) {
  VkRenderPassCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO;
  info.attachmentCount = static_cast<uint32_t>(attachments.size());
  info.pAttachments = attachments.data();
  info.subpassCount = 1;
  info.pSubpasses = &subpass;
  info.dependencyCount = static_cast<uint32_t>(dependencies.size());
  info.pDependencies = dependencies.data();
  VkRenderPass renderPass = VK_NULL_HANDLE;
  check(vkCreateRenderPass(device.get(), &info, nullptr, &renderPass), "vkCreateRenderPass");
  device.setName(VK_OBJECT_TYPE_RENDER_PASS, renderPass, name);
  return {device.get(), renderPass};
}

UniqueFramebuffer createFramebuffer(const Device& device, VkRenderPass renderPass, std::span<const VkImageView> views,
                                    VkExtent2D extent, const std::string& name) {
  VkFramebufferCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO;
  info.renderPass = renderPass;
  info.attachmentCount = static_cast<uint32_t>(views.size());
  info.pAttachments = views.data();
  info.width = extent.width;
  info.height = extent.height;
  info.layers = 1;
  VkFramebuffer framebuffer = VK_NULL_HANDLE;
  check(vkCreateFramebuffer(device.get(), &info, nullptr, &framebuffer), "vkCreateFramebuffer");
  device.setName(VK_OBJECT_TYPE_FRAMEBUFFER, framebuffer, name);
  return {device.get(), framebuffer};
}

}  // namespace demo

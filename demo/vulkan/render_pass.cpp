#include "vulkan/render_pass.h"

namespace demo {

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

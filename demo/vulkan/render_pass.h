// Makes render passes of one subpass, and their framebuffers.
#pragma once

#include <span>
#include <string>

#include "vulkan/device.h"

namespace demo {

// The attachment has no stencil that is used.
VkAttachmentDescription attachmentOf(VkFormat format, VkSampleCountFlagBits samples, VkAttachmentLoadOp loadOp,
                                     VkAttachmentStoreOp storeOp, VkImageLayout initialLayout,
                                     VkImageLayout finalLayout);

struct PassAccess {
  VkPipelineStageFlags stages;
  VkAccessFlags access;
};
// The pass waits for what came before it, and what comes after it waits for the pass.
VkSubpassDependency beforePass(const PassAccess& before, const PassAccess& inPass);
VkSubpassDependency afterPass(const PassAccess& inPass, const PassAccess& after);

UniqueRenderPass createRenderPass(const Device& device, std::span<const VkAttachmentDescription> attachments,
                                  const VkSubpassDescription& subpass,
                                  std::span<const VkSubpassDependency> dependencies, const std::string& name);

UniqueFramebuffer createFramebuffer(const Device& device, VkRenderPass renderPass, std::span<const VkImageView> views,
                                    VkExtent2D extent, const std::string& name);

}  // namespace demo

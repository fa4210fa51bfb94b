// Render passes of one subpass, and their framebuffers.
#pragma once

#include <span>
#include <string>

#include "vulkan/device.h"

namespace demo {

UniqueRenderPass createRenderPass(const Device& device, std::span<const VkAttachmentDescription> attachments,
                                  const VkSubpassDescription& subpass,
                                  std::span<const VkSubpassDependency> dependencies, const std::string& name);

UniqueFramebuffer createFramebuffer(const Device& device, VkRenderPass renderPass, std::span<const VkImageView> views,
                                    VkExtent2D extent, const std::string& name);

}  // namespace demo

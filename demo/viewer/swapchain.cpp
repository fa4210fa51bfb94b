#include "viewer/swapchain.h"

#include <algorithm>

#include "base/failure.h"
#include "hosting/label.h"
#include "vulkan/resources.h"

namespace demo {
namespace {

// The size when the surface leaves it to the swapchain.
constexpr uint32_t kFreeSide = 0xffffffff;

}  // namespace

Swapchain::Swapchain(const Device& device, VkSurfaceKHR surface) : device_(device), surface_(surface) {
  chooseFormat();
  for (UniqueSemaphore& semaphore : acquired_) semaphore = createSemaphore("image is acquired");
}

Swapchain::~Swapchain() { vkDeviceWaitIdle(device_.get()); }

// The picture is encoded as sRGB already, so the images must take its values as they are.
void Swapchain::chooseFormat() {
  uint32_t count = 0;
  check(vkGetPhysicalDeviceSurfaceFormatsKHR(device_.physical(), surface_, &count, nullptr),
        "vkGetPhysicalDeviceSurfaceFormatsKHR");
  std::vector<VkSurfaceFormatKHR> formats(count);
  check(vkGetPhysicalDeviceSurfaceFormatsKHR(device_.physical(), surface_, &count, formats.data()),
        "vkGetPhysicalDeviceSurfaceFormatsKHR");
  for (const VkFormat wanted :
       {VK_FORMAT_B8G8R8A8_UNORM, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_A2B10G10R10_UNORM_PACK32}) {
    for (const VkSurfaceFormatKHR& format : formats) {
      if (format.format != wanted || format.colorSpace != VK_COLOR_SPACE_SRGB_NONLINEAR_KHR) continue;
      format_ = format;
      return;
    }
  }
  failRuntime("--window: device ", device_.properties().deviceName, " presents no format that holds the picture");
}

VkPresentModeKHR Swapchain::choosePresentMode(bool vsync) const {
  if (vsync) return VK_PRESENT_MODE_FIFO_KHR;
  uint32_t count = 0;
  check(vkGetPhysicalDeviceSurfacePresentModesKHR(device_.physical(), surface_, &count, nullptr),
        "vkGetPhysicalDeviceSurfacePresentModesKHR");
  std::vector<VkPresentModeKHR> modes(count);
  check(vkGetPhysicalDeviceSurfacePresentModesKHR(device_.physical(), surface_, &count, modes.data()),
        "vkGetPhysicalDeviceSurfacePresentModesKHR");
  for (const VkPresentModeKHR wanted : {VK_PRESENT_MODE_MAILBOX_KHR, VK_PRESENT_MODE_IMMEDIATE_KHR})
    if (std::find(modes.begin(), modes.end(), wanted) != modes.end()) return wanted;
  return VK_PRESENT_MODE_FIFO_KHR;
}

const char* Swapchain::presentModeName() const {
  if (presentMode_ == VK_PRESENT_MODE_MAILBOX_KHR) return "mailbox";
  return presentMode_ == VK_PRESENT_MODE_IMMEDIATE_KHR ? "immediate" : "fifo";
}

UniqueSemaphore Swapchain::createSemaphore(const char* name) const {
  VkSemaphoreCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO;
  VkSemaphore semaphore = VK_NULL_HANDLE;
  check(vkCreateSemaphore(device_.get(), &info, nullptr, &semaphore), "vkCreateSemaphore");
  device_.setName(VK_OBJECT_TYPE_SEMAPHORE, semaphore, name);
  return {device_.get(), semaphore};
}

bool Swapchain::create(VkExtent2D framebuffer, bool vsync) {
  check(vkDeviceWaitIdle(device_.get()), "vkDeviceWaitIdle");
  VkSurfaceCapabilitiesKHR limits;
  check(vkGetPhysicalDeviceSurfaceCapabilitiesKHR(device_.physical(), surface_, &limits),
        "vkGetPhysicalDeviceSurfaceCapabilitiesKHR");
  if (!(limits.supportedUsageFlags & VK_IMAGE_USAGE_TRANSFER_DST_BIT))
    failRuntime("--window: nothing can be copied to what device ", device_.properties().deviceName, " presents");
  extent_ = limits.currentExtent;
  if (extent_.width == kFreeSide)
    extent_ = {std::clamp(framebuffer.width, limits.minImageExtent.width, limits.maxImageExtent.width),
               std::clamp(framebuffer.height, limits.minImageExtent.height, limits.maxImageExtent.height)};
  if (!extent_.width || !extent_.height) return false;
  presentMode_ = choosePresentMode(vsync);

  VkSwapchainCreateInfoKHR info{};
  info.sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR;
  info.surface = surface_;
  info.minImageCount = limits.minImageCount + 1;
  if (limits.maxImageCount) info.minImageCount = std::min(info.minImageCount, limits.maxImageCount);
  info.imageFormat = format_.format;
  info.imageColorSpace = format_.colorSpace;
  info.imageExtent = extent_;
  info.imageArrayLayers = 1;
  info.imageUsage = VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  info.preTransform = limits.currentTransform;
  info.compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR;
  if (!(limits.supportedCompositeAlpha & info.compositeAlpha)) info.compositeAlpha = VK_COMPOSITE_ALPHA_INHERIT_BIT_KHR;
  info.presentMode = presentMode_;
  info.clipped = VK_TRUE;
  info.oldSwapchain = swapchain_;
  VkSwapchainKHR swapchain = VK_NULL_HANDLE;
  check(vkCreateSwapchainKHR(device_.get(), &info, nullptr, &swapchain), "vkCreateSwapchainKHR");
  device_.setName(VK_OBJECT_TYPE_SWAPCHAIN_KHR, swapchain, "window");
  swapchain_ = UniqueSwapchain(device_.get(), swapchain);
  isStale_ = false;

  uint32_t count = 0;
  check(vkGetSwapchainImagesKHR(device_.get(), swapchain, &count, nullptr), "vkGetSwapchainImagesKHR");
  images_.resize(count);
  check(vkGetSwapchainImagesKHR(device_.get(), swapchain, &count, images_.data()), "vkGetSwapchainImagesKHR");
  rendered_.clear();
  for (uint32_t image = 0; image < count; ++image) {
    rendered_.push_back(createSemaphore("image is rendered"));
    device_.setName(VK_OBJECT_TYPE_IMAGE, images_[image], sentence("swapchain image ", image));
  }
  return true;
}

bool Swapchain::acquire(uint32_t slot) {
  slot_ = slot;
  const VkResult result =
      vkAcquireNextImageKHR(device_.get(), swapchain_, UINT64_MAX, acquired_[slot], VK_NULL_HANDLE, &image_);
  if (result == VK_ERROR_OUT_OF_DATE_KHR) {
    isStale_ = true;
    return false;
  }
  // A suboptimal swapchain still gives and shows an image.
  if (result == VK_SUBOPTIMAL_KHR)
    isStale_ = true;
  else
    check(result, "vkAcquireNextImageKHR");
  return true;
}

void Swapchain::recordCopy(VkCommandBuffer commands, VkImage picture) const {
  const Label label(device_, commands, "copy to the window");
  const VkImage image = images_[image_];
  memoryBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT);
  // The barrier starts at the stage at which the submission waits for the image.
  imageBarrier(commands, image, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, VK_IMAGE_LAYOUT_UNDEFINED,
               VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
  // A blit converts between the formats; a copy does not.
  VkImageBlit region = {};
  region.srcSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  region.srcOffsets[1] = {static_cast<int32_t>(extent_.width), static_cast<int32_t>(extent_.height), 1};
  region.dstSubresource = region.srcSubresource;
  region.dstOffsets[1] = region.srcOffsets[1];
  vkCmdBlitImage(commands, picture, VK_IMAGE_LAYOUT_GENERAL, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region,
                 VK_FILTER_NEAREST);
  imageBarrier(commands, image, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
               VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 0,
               VK_IMAGE_LAYOUT_PRESENT_SRC_KHR);
}

FrameSemaphores Swapchain::semaphores() const {
  return {.waits = {{acquired_[slot_], 0, VK_PIPELINE_STAGE_TRANSFER_BIT}}, .signals = {{rendered_[image_]}}};
}

void Swapchain::present() {
  const VkSwapchainKHR swapchain = swapchain_;
  const VkSemaphore rendered = rendered_[image_];
  VkPresentInfoKHR info{};
  info.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR;
  info.waitSemaphoreCount = 1;
  info.pWaitSemaphores = &rendered;
  info.swapchainCount = 1;
  info.pSwapchains = &swapchain;
  info.pImageIndices = &image_;
  const VkResult result = vkQueuePresentKHR(device_.queue(), &info);
  if (result == VK_SUBOPTIMAL_KHR || result == VK_ERROR_OUT_OF_DATE_KHR)
    isStale_ = true;
  else
    check(result, "vkQueuePresentKHR");
}

}  // namespace demo

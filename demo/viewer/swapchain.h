// Acquires the images of a surface, copies the picture into them, and presents them.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "frame/presenter.h"
#include "vulkan/device.h"

namespace demo {

class Swapchain {
 public:
  // Throws Failure (Cause::Runtime) when the surface takes no pictures of the demo's kind.
  Swapchain(const Device& device, VkSurfaceKHR surface);
  ~Swapchain();
  Swapchain(const Swapchain&) = delete;
  Swapchain& operator=(const Swapchain&) = delete;

  // Waits for the device, and replaces the images. framebuffer is their size if the surface has none of its own;
  // neither side is 0. Returns false when the surface has no area at the moment.
  bool create(VkExtent2D framebuffer, bool vsync);

  VkExtent2D extent() const { return extent_; }
  const char* presentModeName() const;
  // Returns whether the surface has changed since create.
  bool isStale() const { return isStale_; }

  // Returns false when the swapchain is stale; nothing was acquired then.
  bool acquire(uint32_t slot);
  // Copies a picture of the images' size. It is in VK_IMAGE_LAYOUT_GENERAL, and compute shaders wrote it.
  void recordCopy(VkCommandBuffer commands, VkImage picture) const;
  // Returns the semaphores of the acquired image.
  FrameSemaphores semaphores() const;
  void present();

 private:
  void chooseFormat();
  VkPresentModeKHR choosePresentMode(bool vsync) const;
  UniqueSemaphore createSemaphore(const char* name) const;

  const Device& device_;
  VkSurfaceKHR surface_;
  VkSurfaceFormatKHR format_ = {};
  VkPresentModeKHR presentMode_ = VK_PRESENT_MODE_FIFO_KHR;
  VkExtent2D extent_ = {};
  UniqueSwapchain swapchain_;
  std::vector<VkImage> images_;
  std::vector<UniqueSemaphore> rendered_;                  // per image
  std::array<UniqueSemaphore, kFramesInFlight> acquired_;  // per slot
  uint32_t slot_ = 0;
  uint32_t image_ = 0;
  bool isStale_ = true;
};

}  // namespace demo

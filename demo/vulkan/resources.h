// Creates images with their memory, and fills buffers and images.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "hosting/buffer.h"
#include "hosting/commands.h"
#include "vulkan/device.h"

namespace demo {

struct ImageInfo {
  VkFormat format;
  VkExtent2D extent;
  uint32_t mipCount = 1;
  uint32_t layerCount = 1;  // more: there is no view of a mip level
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
  VkImageUsageFlags usage;
  VkImageAspectFlags aspect = VK_IMAGE_ASPECT_COLOR_BIT;
};

// A 2D image with a view per mip level, or with a view per layer and one of all layers.
class Image {
 public:
  Image() = default;
  Image(const Device& device, const ImageInfo& info, const std::string& name);

  VkImage get() const { return image_; }
  VkImageView view(uint32_t mip = 0) const { return views_[mip]; }
  VkImageView layerView(uint32_t layer) const { return views_[layer]; }
  VkImageView arrayView() const { return views_.back(); }
  uint64_t bytes() const { return bytes_; }

 private:
  void addView(const Device& device, const ImageInfo& info, VkImageViewType type, const VkImageSubresourceRange& range,
               const std::string& name);

  UniqueMemory memory_;
  uint64_t bytes_ = 0;
  UniqueImage image_;
  std::vector<UniqueImageView> views_;
};

// Records commands, submits them to the device's queue, and blocks until they have run. Use it while loading.
inline void submitAndWait(const Device& device, const std::function<void(VkCommandBuffer)>& record) {
  hosting::submitAndWait(device, device.queue(), device.queueFamily(), record);
}

// Copies bytes to the start of the buffer, whatever its memory.
void upload(const Device& device, const Buffer& buffer, std::span<const std::byte> bytes);

template <typename Element>
void upload(const Device& device, const Buffer& buffer, const std::vector<Element>& elements) {
  upload(device, buffer, std::as_bytes(std::span(elements)));
}

// Fills the first level of a color image of one byte per pixel and leaves it in SHADER_READ_ONLY_OPTIMAL.
void uploadImage(const Device& device, const Image& image, VkExtent2D extent, std::span<const std::byte> pixels);

// The sampler is linear, without mip levels, and clamps to the edge.
UniqueSampler createSampler(const Device& device);

void imageBarrier(VkCommandBuffer commands, VkImage image, VkPipelineStageFlags sourceStages,
                  VkAccessFlags sourceAccess, VkImageLayout oldLayout, VkPipelineStageFlags destinationStages,
                  VkAccessFlags destinationAccess, VkImageLayout newLayout);

}  // namespace demo

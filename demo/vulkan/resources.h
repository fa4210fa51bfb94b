// Buffers and images with their memory.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "vulkan/device.h"

namespace demo {

enum class Memory {
  Device,    // the GPU's own
  Shared,    // the same, in an allocation of its own that CUDA can import
  Upload,    // mapped; written by the host, read by the GPU
  Readback,  // mapped and cached; the host reads it
};

// A buffer with a device address. Usage always has storage, address, and transfer both ways.
class Buffer {
 public:
  Buffer() = default;
  // A size of 0 gives the smallest buffer.
  Buffer(const Device& device, uint64_t size, VkBufferUsageFlags extraUsage, Memory memory, const std::string& name);
  // A look at somebody else's buffer, of device memory.
  Buffer(const Device& device, VkBuffer handle, uint64_t size, VkBufferUsageFlags usage, const std::string& name);

  // What a buffer for `size` bytes has.
  static uint64_t sizeFor(uint64_t size);
  static VkBufferUsageFlags usageWith(VkBufferUsageFlags extraUsage);

  VkBuffer get() const { return handle_; }
  uint64_t size() const { return size_; }
  VkBufferUsageFlags usage() const { return usage_; }
  VkDeviceAddress address() const { return address_; }
  std::byte* mapped() const { return mapped_; }  // NULL for Memory::Device and Memory::Shared

  // Memory::Shared: the dedicated allocation. Else NULL and 0.
  VkDeviceMemory sharedMemory() const { return sharedBytes_ ? memory_.get() : VK_NULL_HANDLE; }
  uint64_t sharedBytes() const { return sharedBytes_; }

 private:
  void create(const Device& device, bool isShared, const std::string& name);
  void queryAddress(const Device& device);

  UniqueMemory memory_;  // before the buffer, so that it outlives it
  UniqueBuffer buffer_;
  VkBuffer handle_ = VK_NULL_HANDLE;
  uint64_t size_ = 0;
  uint64_t sharedBytes_ = 0;
  VkBufferUsageFlags usage_ = 0;
  VkDeviceAddress address_ = 0;
  std::byte* mapped_ = nullptr;
};

struct ImageInfo {
  VkFormat format;
  VkExtent2D extent;
  uint32_t mipCount = 1;
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
  VkImageUsageFlags usage;
  VkImageAspectFlags aspect = VK_IMAGE_ASPECT_COLOR_BIT;
};

// A 2D image and a view per mip level.
class Image {
 public:
  Image() = default;
  Image(const Device& device, const ImageInfo& info, const std::string& name);

  VkImage get() const { return image_; }
  VkImageView view(uint32_t mip = 0) const { return views_[mip]; }
  uint64_t bytes() const { return bytes_; }

 private:
  UniqueMemory memory_;
  uint64_t bytes_ = 0;
  UniqueImage image_;
  std::vector<UniqueImageView> views_;
};

// Records commands, submits them, and waits. For load time.
void submitAndWait(const Device& device, const std::function<void(VkCommandBuffer)>& record);

// Copies bytes to the start of the buffer, whatever its memory.
void upload(const Device& device, const Buffer& buffer, std::span<const std::byte> bytes);

template <typename Element>
void upload(const Device& device, const Buffer& buffer, const std::vector<Element>& elements) {
  upload(device, buffer, std::as_bytes(std::span(elements)));
}

// Fills the first level of a color image of one byte per pixel and leaves it in SHADER_READ_ONLY_OPTIMAL.
void uploadImage(const Device& device, const Image& image, VkExtent2D extent, std::span<const std::byte> pixels);

// Linear, without mip levels, clamped to the edge.
UniqueSampler createSampler(const Device& device);

void imageBarrier(VkCommandBuffer commands, VkImage image, VkPipelineStageFlags sourceStages,
                  VkAccessFlags sourceAccess, VkImageLayout oldLayout, VkPipelineStageFlags destinationStages,
                  VkAccessFlags destinationAccess, VkImageLayout newLayout);

void memoryBarrier(VkCommandBuffer commands, VkPipelineStageFlags sourceStages, VkAccessFlags sourceAccess,
                   VkPipelineStageFlags destinationStages, VkAccessFlags destinationAccess);

}  // namespace demo

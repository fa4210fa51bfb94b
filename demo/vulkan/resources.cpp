#include "vulkan/resources.h"

#include <algorithm>
#include <cstring>

#include "base/failure.h"

namespace demo {
namespace {

constexpr uint64_t kStagingBytes = 64u << 20;

}  // namespace

Image::Image(const Device& device, const ImageInfo& info, const std::string& name) {
  VkImageCreateInfo imageInfo{};
  imageInfo.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO;
  imageInfo.imageType = VK_IMAGE_TYPE_2D;
  imageInfo.format = info.format;
  imageInfo.extent = {info.extent.width, info.extent.height, 1};
  imageInfo.mipLevels = info.mipCount;
  imageInfo.arrayLayers = info.layerCount;
  imageInfo.samples = info.samples;
  imageInfo.tiling = VK_IMAGE_TILING_OPTIMAL;
  imageInfo.usage = info.usage;
  VkImage image = VK_NULL_HANDLE;
  check(vkCreateImage(device.get(), &imageInfo, nullptr, &image), ("vkCreateImage for " + name).c_str());
  image_ = {device.get(), image};
  device.setName(VK_OBJECT_TYPE_IMAGE, image, name);

  VkMemoryRequirements needs;
  vkGetImageMemoryRequirements(device.get(), image, &needs);
  bytes_ = needs.size;
  memory_ = allocateMemory(device, needs, 0, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, nullptr, name);
  check(vkBindImageMemory(device.get(), image, memory_, 0), "vkBindImageMemory");

  if (info.layerCount == 1) {
    for (uint32_t mip = 0; mip < info.mipCount; ++mip)
      addView(device, info, VK_IMAGE_VIEW_TYPE_2D, {info.aspect, mip, 1, 0, 1}, sentence(name, ", mip ", mip));
    return;
  }
  for (uint32_t layer = 0; layer < info.layerCount; ++layer)
    addView(device, info, VK_IMAGE_VIEW_TYPE_2D, {info.aspect, 0, 1, layer, 1}, sentence(name, ", layer ", layer));
  addView(device, info, VK_IMAGE_VIEW_TYPE_2D_ARRAY, {info.aspect, 0, 1, 0, info.layerCount}, name);
}

void Image::addView(const Device& device, const ImageInfo& info, VkImageViewType type,
                    const VkImageSubresourceRange& range, const std::string& name) {
  VkImageViewCreateInfo viewInfo{};
  viewInfo.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO;
  viewInfo.image = image_;
  viewInfo.viewType = type;
  viewInfo.format = info.format;
  viewInfo.subresourceRange = range;
  VkImageView view = VK_NULL_HANDLE;
  check(vkCreateImageView(device.get(), &viewInfo, nullptr, &view), "vkCreateImageView");
  device.setName(VK_OBJECT_TYPE_IMAGE_VIEW, view, name);
  views_.emplace_back(device.get(), view);
}

void upload(const Device& device, const Buffer& buffer, std::span<const std::byte> bytes) {
  if (bytes.empty()) return;
  if (buffer.mapped()) {
    std::memcpy(buffer.mapped(), bytes.data(), bytes.size());
    return;
  }
  const Buffer staging(device, std::min<uint64_t>(bytes.size(), kStagingBytes), 0, Memory::Upload, "staging");
  for (uint64_t done = 0; done < bytes.size(); done += staging.size()) {
    const uint64_t part = std::min<uint64_t>(bytes.size() - done, staging.size());
    std::memcpy(staging.mapped(), bytes.data() + done, part);
    submitAndWait(device, [&](VkCommandBuffer commands) {
      const VkBufferCopy region = {0, done, part};
      vkCmdCopyBuffer(commands, staging.get(), buffer.get(), 1, &region);
    });
  }
}

void uploadImage(const Device& device, const Image& image, VkExtent2D extent, std::span<const std::byte> pixels) {
  const Buffer staging(device, pixels.size(), 0, Memory::Upload, "staging");
  std::memcpy(staging.mapped(), pixels.data(), pixels.size());
  submitAndWait(device, [&](VkCommandBuffer commands) {
    imageBarrier(commands, image.get(), VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, 0, VK_IMAGE_LAYOUT_UNDEFINED,
                 VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    VkBufferImageCopy region = {};
    region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    region.imageExtent = {extent.width, extent.height, 1};
    vkCmdCopyBufferToImage(commands, staging.get(), image.get(), VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region);
    imageBarrier(commands, image.get(), VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                 VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT,
                 VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
  });
}

UniqueSampler createSampler(const Device& device) {
  VkSamplerCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO;
  info.magFilter = VK_FILTER_LINEAR;
  info.minFilter = VK_FILTER_LINEAR;
  info.addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  info.addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  info.addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  VkSampler sampler = VK_NULL_HANDLE;
  check(vkCreateSampler(device.get(), &info, nullptr, &sampler), "vkCreateSampler");
  device.setName(VK_OBJECT_TYPE_SAMPLER, sampler, "linear, clamped");
  return {device.get(), sampler};
}

void imageBarrier(VkCommandBuffer commands, VkImage image, VkPipelineStageFlags sourceStages,
                  VkAccessFlags sourceAccess, VkImageLayout oldLayout, VkPipelineStageFlags destinationStages,
                  VkAccessFlags destinationAccess, VkImageLayout newLayout) {
  VkImageMemoryBarrier barrier{};
  barrier.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER;
  barrier.srcAccessMask = sourceAccess;
  barrier.dstAccessMask = destinationAccess;
  barrier.oldLayout = oldLayout;
  barrier.newLayout = newLayout;
  barrier.srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  barrier.image = image;
  barrier.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, VK_REMAINING_MIP_LEVELS, 0, 1};
  vkCmdPipelineBarrier(commands, sourceStages, destinationStages, 0, 0, nullptr, 0, nullptr, 1, &barrier);
}

}  // namespace demo

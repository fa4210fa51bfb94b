#include "vulkan/resources.h"

#include <algorithm>
#include <cstring>

#include "base/failure.h"

namespace demo {
namespace {

constexpr uint64_t kStagingBytes = 64u << 20;

constexpr VkExternalMemoryHandleTypeFlagBits kSharedType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;

// dedicatedTo: the buffer whose memory other APIs import; NULL for memory that stays here.
UniqueMemory allocate(const Device& device, const VkMemoryRequirements& needs, VkMemoryPropertyFlags required,
                      VkMemoryPropertyFlags preferred, VkMemoryAllocateFlags flags, VkBuffer dedicatedTo,
                      const std::string& name) {
  VkMemoryAllocateFlagsInfo flagsInfo{};
  flagsInfo.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO;
  flagsInfo.flags = flags;
  VkMemoryDedicatedAllocateInfo dedicated{};
  dedicated.sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO;
  dedicated.pNext = &flagsInfo;
  dedicated.buffer = dedicatedTo;
  VkExportMemoryAllocateInfo exported{};
  exported.sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO;
  exported.pNext = &dedicated;
  exported.handleTypes = kSharedType;
  VkMemoryAllocateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
  info.pNext = flags ? &flagsInfo : nullptr;
  if (dedicatedTo) info.pNext = &exported;
  info.allocationSize = needs.size;
  info.memoryTypeIndex = device.memoryType(needs.memoryTypeBits, required, preferred);
  VkDeviceMemory memory = VK_NULL_HANDLE;
  const VkResult result = vkAllocateMemory(device.get(), &info, nullptr, &memory);
  if (result != VK_SUCCESS) {
    const char* reason = resultName(result);
    failRuntime("no memory for ", name, " (", needs.size >> 20, " MiB): ", reason ? reason : "vkAllocateMemory failed");
  }
  device.setName(VK_OBJECT_TYPE_DEVICE_MEMORY, memory, name);
  return {device.get(), memory};
}

}  // namespace

uint64_t Buffer::sizeFor(uint64_t size) { return std::max<uint64_t>((size + 3) / 4 * 4, 16); }

VkBufferUsageFlags Buffer::usageWith(VkBufferUsageFlags extraUsage) {
  return extraUsage | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT |
         VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
}

Buffer::Buffer(const Device& device, uint64_t size, VkBufferUsageFlags extraUsage, Memory memory,
               const std::string& name)
    : size_(sizeFor(size)), usage_(usageWith(extraUsage)) {
  const bool isShared = memory == Memory::Shared;
  create(device, isShared, name);

  constexpr VkMemoryPropertyFlags kMapped = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  const bool mapped = memory == Memory::Upload || memory == Memory::Readback;
  VkMemoryPropertyFlags preferred = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
  if (memory == Memory::Upload) preferred = 0;
  if (memory == Memory::Readback) preferred = VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(device.get(), handle_, &needs);
  memory_ = allocate(device, needs, mapped ? kMapped : 0, preferred, VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT,
                     isShared ? handle_ : VK_NULL_HANDLE, name);
  if (isShared) sharedBytes_ = needs.size;
  check(vkBindBufferMemory(device.get(), handle_, memory_, 0), "vkBindBufferMemory");
  if (mapped) {
    void* pointer = nullptr;
    check(vkMapMemory(device.get(), memory_, 0, VK_WHOLE_SIZE, 0, &pointer), "vkMapMemory");
    mapped_ = static_cast<std::byte*>(pointer);
  }
  queryAddress(device);
}

Buffer::Buffer(const Device& device, VkBuffer handle, uint64_t size, VkBufferUsageFlags usage, const std::string& name)
    : handle_(handle), size_(size), usage_(usage) {
  device.setName(VK_OBJECT_TYPE_BUFFER, handle_, name);
  queryAddress(device);
}

void Buffer::create(const Device& device, bool isShared, const std::string& name) {
  VkExternalMemoryBufferCreateInfo external{};
  external.sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO;
  external.handleTypes = kSharedType;
  VkBufferCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  info.pNext = isShared ? &external : nullptr;
  info.size = size_;
  info.usage = usage_;
  check(vkCreateBuffer(device.get(), &info, nullptr, &handle_), ("vkCreateBuffer for " + name).c_str());
  buffer_ = {device.get(), handle_};
  device.setName(VK_OBJECT_TYPE_BUFFER, handle_, name);
}

void Buffer::queryAddress(const Device& device) {
  VkBufferDeviceAddressInfo addressInfo{};
  addressInfo.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO;
  addressInfo.buffer = handle_;
  address_ = vkGetBufferDeviceAddress(device.get(), &addressInfo);
}

Image::Image(const Device& device, const ImageInfo& info, const std::string& name) {
  VkImageCreateInfo imageInfo{};
  imageInfo.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO;
  imageInfo.imageType = VK_IMAGE_TYPE_2D;
  imageInfo.format = info.format;
  imageInfo.extent = {info.extent.width, info.extent.height, 1};
  imageInfo.mipLevels = info.mipCount;
  imageInfo.arrayLayers = 1;
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
  memory_ = allocate(device, needs, 0, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0, VK_NULL_HANDLE, name);
  check(vkBindImageMemory(device.get(), image, memory_, 0), "vkBindImageMemory");

  for (uint32_t mip = 0; mip < info.mipCount; ++mip) {
    VkImageViewCreateInfo viewInfo{};
    viewInfo.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO;
    viewInfo.image = image;
    viewInfo.viewType = VK_IMAGE_VIEW_TYPE_2D;
    viewInfo.format = info.format;
    viewInfo.subresourceRange = {info.aspect, mip, 1, 0, 1};
    VkImageView view = VK_NULL_HANDLE;
    check(vkCreateImageView(device.get(), &viewInfo, nullptr, &view), "vkCreateImageView");
    device.setName(VK_OBJECT_TYPE_IMAGE_VIEW, view, sentence(name, ", mip ", mip));
    views_.emplace_back(device.get(), view);
  }
}

void submitAndWait(const Device& device, const std::function<void(VkCommandBuffer)>& record) {
  VkCommandPoolCreateInfo poolInfo{};
  poolInfo.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
  poolInfo.queueFamilyIndex = device.queueFamily();
  VkCommandPool poolHandle = VK_NULL_HANDLE;
  check(vkCreateCommandPool(device.get(), &poolInfo, nullptr, &poolHandle), "vkCreateCommandPool");
  const UniqueCommandPool pool(device.get(), poolHandle);

  VkCommandBufferAllocateInfo allocateInfo{};
  allocateInfo.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
  allocateInfo.commandPool = pool;
  allocateInfo.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  allocateInfo.commandBufferCount = 1;
  VkCommandBuffer commands = VK_NULL_HANDLE;
  check(vkAllocateCommandBuffers(device.get(), &allocateInfo, &commands), "vkAllocateCommandBuffers");
  device.setName(VK_OBJECT_TYPE_COMMAND_POOL, poolHandle, "load time");
  device.setName(VK_OBJECT_TYPE_COMMAND_BUFFER, commands, "load time");
  VkCommandBufferBeginInfo begin{};
  begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  check(vkBeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
  record(commands);
  check(vkEndCommandBuffer(commands), "vkEndCommandBuffer");

  VkSubmitInfo submit{};
  submit.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
  submit.commandBufferCount = 1;
  submit.pCommandBuffers = &commands;
  check(vkQueueSubmit(device.queue(), 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
  check(vkQueueWaitIdle(device.queue()), "vkQueueWaitIdle");
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

void memoryBarrier(VkCommandBuffer commands, VkPipelineStageFlags sourceStages, VkAccessFlags sourceAccess,
                   VkPipelineStageFlags destinationStages, VkAccessFlags destinationAccess) {
  VkMemoryBarrier barrier{};
  barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  barrier.srcAccessMask = sourceAccess;
  barrier.dstAccessMask = destinationAccess;
  vkCmdPipelineBarrier(commands, sourceStages, destinationStages, 0, 1, &barrier, 0, nullptr, 0, nullptr);
}

}  // namespace demo

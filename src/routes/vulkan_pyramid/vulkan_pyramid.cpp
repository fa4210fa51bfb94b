#include "routes/vulkan_pyramid/vulkan_pyramid.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <vector>

#include "base/structs.h"
#include "base/vulkan_memory.h"
#include "pyramid_buffer.h"
#include "pyramid_image.h"
#include "pyramid_image_layered.h"
#include "pyramid_image_sampled.h"
#include "pyramid_image_sampled_layered.h"
#include "routes/vulkan_host/recording.h"
#include "routes/vulkan_host/vulkan_buffer.h"
#include "shaders/shared/pyramid_block.h"

namespace slu {
namespace {

constexpr std::uint32_t kBindingCount = 3;  // of shaders/pyramid.comp: the pyramid, the arrivals, the depths

constexpr VkFormat kFormats[] = {VK_FORMAT_D16_UNORM,         VK_FORMAT_X8_D24_UNORM_PACK32,
                                 VK_FORMAT_D32_SFLOAT,        VK_FORMAT_D16_UNORM_S8_UINT,
                                 VK_FORMAT_D24_UNORM_S8_UINT, VK_FORMAT_D32_SFLOAT_S8_UINT};

// The last one is VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL, which older headers lack.
constexpr VkImageLayout kLayouts[] = {VK_IMAGE_LAYOUT_GENERAL,
                                      VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
                                      VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL,
                                      VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL,
                                      VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL,
                                      static_cast<VkImageLayout>(1000314000)};

template <typename Value, std::size_t count>
bool isOneOf(Value value, const Value (&values)[count]) {
  return std::ranges::find(values, value) != std::end(values);
}

std::optional<SluVulkanPyramidInfo> readImageInfo(const void* chain, const PyramidLayout& layout,
                                                  const VkPhysicalDeviceLimits& limits) {
  constexpr SluStructureType kType = SLU_STRUCTURE_TYPE_VULKAN_PYRAMID_INFO;
  const auto* chained = findInChain<SluVulkanPyramidInfo>(chain, kType);
  if (chained == nullptr) return std::nullopt;
  const auto info = readStruct(chained, kType, sizeof(*chained), "vulkanPyramid");
  require(isOneOf(info.format, kFormats), "vulkanPyramid.format: is ", static_cast<int>(info.format),
          ", must be a VkFormat with depth");
  const auto samples = static_cast<std::uint32_t>(info.samples);
  require(samples == 1 || samples == 2 || samples == 4 || samples == 8, "vulkanPyramid.samples: is ", samples,
          ", must be 1, 2, 4 or 8");
  require(info.viewType == VK_IMAGE_VIEW_TYPE_2D || info.viewType == VK_IMAGE_VIEW_TYPE_2D_ARRAY,
          "vulkanPyramid.viewType: is ", static_cast<int>(info.viewType),
          ", must be VK_IMAGE_VIEW_TYPE_2D or VK_IMAGE_VIEW_TYPE_2D_ARRAY");
  require(info.viewType == VK_IMAGE_VIEW_TYPE_2D_ARRAY || layout.layerCount == 1,
          "vulkanPyramid.viewType: is VK_IMAGE_VIEW_TYPE_2D, must be VK_IMAGE_VIEW_TYPE_2D_ARRAY for ",
          layout.layerCount, " layers");
  require(info.reserved == 0, "vulkanPyramid.reserved: is ", info.reserved, ", must be 0");
  if ((limits.sampledImageDepthSampleCounts & samples) == 0) {
    fail(SLU_ERROR_MISSING_FEATURE, "vulkanPyramid.samples: the device reads no depth images of ", samples,
         " samples (sampledImageDepthSampleCounts)");
  }
  if (std::max(layout.width, layout.height) > limits.maxImageDimension2D) {
    fail(SLU_ERROR_MISSING_FEATURE, "pyramid.", layout.width > limits.maxImageDimension2D ? "width" : "height", ": is ",
         std::max(layout.width, layout.height), ", and the device has images of at most ", limits.maxImageDimension2D,
         " pixels (maxImageDimension2D)");
  }
  return info;
}

const PackedSpirv& shaderFor(const std::optional<SluVulkanPyramidInfo>& image) {
  if (!image) return pyramid_buffer;
  const bool isLayered = image->viewType == VK_IMAGE_VIEW_TYPE_2D_ARRAY;
  if (image->samples == VK_SAMPLE_COUNT_1_BIT) return isLayered ? pyramid_image_layered : pyramid_image;
  return isLayered ? pyramid_image_sampled_layered : pyramid_image_sampled;
}

// The image of a build. Throws unless what is folded lies within it.
SluVulkanDepthInfo readDepthInfo(const PyramidBuild& build) {
  constexpr SluStructureType kType = SLU_STRUCTURE_TYPE_VULKAN_DEPTH_INFO;
  const auto* chained = findInChain<SluVulkanDepthInfo>(build.chain, kType);
  require(chained != nullptr, "build.pNext: lacks an SluVulkanDepthInfo, and the pyramid reads images; chain one");
  const auto info = readStruct(chained, kType, sizeof(*chained), "vulkanDepth");
  require(info.view != VK_NULL_HANDLE, "vulkanDepth.view: is null");
  require(isOneOf(info.layout, kLayouts), "vulkanDepth.layout: is ", static_cast<int>(info.layout),
          ", must be a VkImageLayout in which shaders read depths");
  require(info.reserved == 0, "vulkanDepth.reserved: is ", info.reserved, ", must be 0");
  const auto checkAxis = [](std::int32_t first, std::uint32_t size, std::uint32_t extent, const char* axis) {
    require(first >= 0 && std::uint64_t{static_cast<std::uint32_t>(first)} + size <= extent, "vulkanDepth.offset.",
            axis, ": is ", first, ", and ", size, " pixels from there on must lie within the ", extent,
            " of vulkanDepth.extent");
  };
  checkAxis(info.offset.x, build.width, info.extent.width, "x");
  checkAxis(info.offset.y, build.height, info.extent.height, "y");
  return info;
}

class VulkanPyramid final : public RoutePyramid {
 public:
  VulkanPyramid(const Device& device, const PyramidLayout& layout, const void* chain);

  void build(const PyramidBuild& build, void* target) override;
  bool readsImages() const override { return image_.has_value(); }
  std::uint64_t scratchBytes() const override { return arrivals_.size; }

 private:
  // A part of a buffer as it is bound, and the number of the first word in it that is meant.
  struct Bound {
    VkDescriptorBufferInfo info;
    std::uint32_t word;
  };

  void makeLayouts();
  OwnedPipeline makePipeline(VkShaderModule module, std::uint32_t parts) const;
  void makeSets();
  Bound bind(const Binding& binding, const char* field) const;
  VkDescriptorSet writeNextSet(const VkDescriptorBufferInfo& pyramid, const VkDescriptorBufferInfo& depths,
                               const VkDescriptorImageInfo& image);
  void record(VkCommandBuffer commands, VkDescriptorSet set, const PyramidBlock& block) const;

  const Device& device_;
  const PyramidLayout layout_;
  const std::optional<SluVulkanPyramidInfo> image_;  // none: depths come from a buffer
  OwnedDescriptorSetLayout setLayout_;
  OwnedPipelineLayout pipelineLayout_;
  OwnedPipeline tiles_;    // or all of a build
  OwnedPipeline rest_;     // null unless builds are several dispatches
  DeviceBuffer arrivals_;  // mapped, so that it is zeroed without a submission; each build leaves it so
  OwnedDescriptorPool pool_;
  std::vector<VkDescriptorSet> sets_;  // builds take them in turn
  std::size_t next_ = 0;
};

VulkanPyramid::VulkanPyramid(const Device& device, const PyramidLayout& layout, const void* chain)
    : device_(device), layout_(layout), image_(readImageInfo(chain, layout, device.limits)) {
  require(layout.framesInFlight != 0,
          "pyramid.framesInFlight: is 0; pass how many builds may be recorded and not yet completed");
  const std::uint64_t bytes = pyramidBytes(layout.width, layout.height, layout.layerCount);
  if (bytes > device.limits.maxStorageBufferRange) {
    fail(SLU_ERROR_MISSING_FEATURE, "pyramid.width: the pyramid has ", bytes,
         " bytes for such a width, height and layerCount, and the device binds at most ",
         device.limits.maxStorageBufferRange, " (maxStorageBufferRange)");
  }
  makeLayouts();
  const std::vector<std::uint32_t> code = unpack(shaderFor(image_));
  VkShaderModuleCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
  info.codeSize = code.size() * sizeof(std::uint32_t);
  info.pCode = code.data();
  OwnedShaderModule module(device);
  module.create(device.functions.vkCreateShaderModule, info, "vkCreateShaderModule");
  tiles_ =
      makePipeline(module.get(), device.severalDispatches ? SLU_PYRAMID_TILES : SLU_PYRAMID_TILES | SLU_PYRAMID_REST);
  if (device.severalDispatches) rest_ = makePipeline(module.get(), SLU_PYRAMID_REST);
  arrivals_ = DeviceBuffer(device, (layout.layerCount + 1) * sizeof(std::uint32_t), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                           MemoryKind::mapped, "sluice pyramid arrivals");
  std::memset(arrivals_.mapped, 0, arrivals_.size);
  makeSets();
}

void VulkanPyramid::makeLayouts() {
  const VkDescriptorType depths = image_ ? VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  const VkDescriptorType types[kBindingCount] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                                 depths};
  std::array<VkDescriptorSetLayoutBinding, kBindingCount> bindings{};
  for (std::uint32_t i = 0; i < kBindingCount; ++i) {
    bindings[i] = {i, types[i], 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
  }
  VkDescriptorSetLayoutCreateInfo setInfo{};
  setInfo.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
  setInfo.bindingCount = kBindingCount;
  setInfo.pBindings = bindings.data();
  setLayout_ = OwnedDescriptorSetLayout(device_);
  setLayout_.create(device_.functions.vkCreateDescriptorSetLayout, setInfo, "vkCreateDescriptorSetLayout");

  const VkDescriptorSetLayout setLayout = setLayout_.get();
  const VkPushConstantRange constants{VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(PyramidBlock)};
  VkPipelineLayoutCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
  info.setLayoutCount = 1;
  info.pSetLayouts = &setLayout;
  info.pushConstantRangeCount = 1;
  info.pPushConstantRanges = &constants;
  pipelineLayout_ = OwnedPipelineLayout(device_);
  pipelineLayout_.create(device_.functions.vkCreatePipelineLayout, info, "vkCreatePipelineLayout");
}

// parts: SLU_PYRAMID_TILES and SLU_PYRAMID_REST.
OwnedPipeline VulkanPyramid::makePipeline(VkShaderModule module, std::uint32_t parts) const {
  // By constant_id.
  const std::uint32_t values[] = {layout_.direction, parts,
                                  image_ ? static_cast<std::uint32_t>(image_->samples) : std::uint32_t{1}};
  std::array<VkSpecializationMapEntry, std::size(values)> entries{};
  for (std::uint32_t i = 0; i < entries.size(); ++i) {
    entries[i] = {i, static_cast<std::uint32_t>(i * sizeof(std::uint32_t)), sizeof(std::uint32_t)};
  }
  const VkSpecializationInfo constants{static_cast<std::uint32_t>(entries.size()), entries.data(), sizeof(values),
                                       values};
  VkComputePipelineCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = module;
  info.stage.pName = "main";
  info.stage.pSpecializationInfo = &constants;
  info.layout = pipelineLayout_.get();
  OwnedPipeline pipeline(device_);
  pipeline.take(device_.functions.vkCreateComputePipelines(device_.handle, device_.pipelineCache, 1, &info,
                                                           device_.callbacks(), pipeline.put()),
                "vkCreateComputePipelines");
  device_.setName(pipeline.get(), VK_OBJECT_TYPE_PIPELINE, "sluice pyramid");
  return pipeline;
}

void VulkanPyramid::makeSets() {
  const std::uint32_t count = layout_.framesInFlight;
  const std::uint32_t buffers = image_ ? kBindingCount - 1 : kBindingCount;
  const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, count * buffers},
                                        {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, count}};
  VkDescriptorPoolCreateInfo poolInfo{};
  poolInfo.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
  poolInfo.maxSets = count;
  poolInfo.poolSizeCount = image_ ? 2 : 1;
  poolInfo.pPoolSizes = sizes;
  pool_ = OwnedDescriptorPool(device_);
  pool_.create(device_.functions.vkCreateDescriptorPool, poolInfo, "vkCreateDescriptorPool");
  const std::vector<VkDescriptorSetLayout> layouts(count, setLayout_.get());
  std::vector<VkDescriptorSet> sets(count);
  VkDescriptorSetAllocateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
  info.descriptorPool = pool_.get();
  info.descriptorSetCount = count;
  info.pSetLayouts = layouts.data();
  check(device_.functions.vkAllocateDescriptorSets(device_.handle, &info, sets.data()), "vkAllocateDescriptorSets");
  sets_ = std::move(sets);
}

// Binds from the last offset before the part that the device allows.
VulkanPyramid::Bound VulkanPyramid::bind(const Binding& binding, const char* field) const {
  constexpr std::uint64_t kLeastAlignment = 4;
  const std::uint64_t alignment = std::max(device_.limits.minStorageBufferOffsetAlignment, kLeastAlignment);
  const std::uint64_t base = binding.offset / alignment * alignment;
  const std::uint64_t bytes = binding.offset - base + binding.bytes;
  require(bytes <= device_.limits.maxStorageBufferRange, field, ": has ", bytes,
          " bytes from an offset on that the device binds, and it binds at most ", device_.limits.maxStorageBufferRange,
          " (maxStorageBufferRange)");
  return {{static_cast<const VulkanBuffer*>(binding.buffer)->handle, base, bytes},
          static_cast<std::uint32_t>((binding.offset - base) / 4)};
}

void VulkanPyramid::build(const PyramidBuild& build, void* target) {
  const Bound pyramid = bind(build.pyramid, "build.pyramid");
  PyramidBlock block{};
  block.width = build.width;
  block.height = build.height;
  block.layerCount = layout_.layerCount;
  block.frameNumber = build.frameNumber;
  block.pyramidWord = pyramid.word;
  Bound depths{};
  VkDescriptorImageInfo image{};
  if (image_) {
    const SluVulkanDepthInfo info = readDepthInfo(build);
    image = {VK_NULL_HANDLE, info.view, info.layout};
    block.firstX = static_cast<std::uint32_t>(info.offset.x);
    block.firstY = static_cast<std::uint32_t>(info.offset.y);
  } else {
    require(findInChain<void>(build.chain, SLU_STRUCTURE_TYPE_VULKAN_DEPTH_INFO) == nullptr,
            "build.pNext: SluVulkanDepthInfo is for pyramids that were created with an SluVulkanPyramidInfo");
    depths = bind(build.depth, "build.depth");
    block.depthWord = depths.word;
    block.rowWords = static_cast<std::uint32_t>(build.rowPitch / 4);
    block.layerWords = layout_.layerCount == 1 ? 0 : static_cast<std::uint32_t>(build.layerPitch / 4);
  }
  record(static_cast<VkCommandBuffer>(target), writeNextSet(pyramid.info, depths.info, image), block);
}

// Returns a set that no build in flight uses. depths, image: the one of them that builds read.
VkDescriptorSet VulkanPyramid::writeNextSet(const VkDescriptorBufferInfo& pyramid, const VkDescriptorBufferInfo& depths,
                                            const VkDescriptorImageInfo& image) {
  const VkDescriptorSet set = sets_[next_];
  next_ = (next_ + 1) % sets_.size();
  const VkDescriptorBufferInfo arrivals{arrivals_.buffer.get(), 0, arrivals_.size};
  const VkDescriptorBufferInfo* const buffers[] = {&pyramid, &arrivals, &depths};
  std::array<VkWriteDescriptorSet, kBindingCount> writes{};
  for (std::uint32_t i = 0; i < kBindingCount; ++i) {
    writes[i].sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    writes[i].dstSet = set;
    writes[i].dstBinding = i;
    writes[i].descriptorCount = 1;
    writes[i].descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    writes[i].pBufferInfo = buffers[i];
  }
  if (image_) {
    writes.back().descriptorType = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
    writes.back().pBufferInfo = nullptr;
    writes.back().pImageInfo = &image;
  }
  device_.functions.vkUpdateDescriptorSets(device_.handle, kBindingCount, writes.data(), 0, nullptr);
  return set;
}

void VulkanPyramid::record(VkCommandBuffer commands, VkDescriptorSet set, const PyramidBlock& block) const {
  constexpr std::uint32_t kTilePixels = 2 * SLU_PYRAMID_EDGE;
  constexpr VkPipelineBindPoint kPoint = VK_PIPELINE_BIND_POINT_COMPUTE;
  const DeviceFunctions& vulkan = device_.functions;
  const DebugLabel label(device_, commands, "sluice pyramid");
  recordBarrier(device_, commands, kCompute, kCompute);  // the last build may have used the same arrivals
  vulkan.vkCmdBindPipeline(commands, kPoint, tiles_.get());
  vulkan.vkCmdBindDescriptorSets(commands, kPoint, pipelineLayout_.get(), 0, 1, &set, 0, nullptr);
  vulkan.vkCmdPushConstants(commands, pipelineLayout_.get(), VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(block), &block);
  vulkan.vkCmdDispatch(commands, (block.width + kTilePixels - 1) / kTilePixels,
                       (block.height + kTilePixels - 1) / kTilePixels, block.layerCount);
  if (rest_.get() == VK_NULL_HANDLE) return;
  recordBarrier(device_, commands, kCompute, kCompute);
  vulkan.vkCmdBindPipeline(commands, kPoint, rest_.get());
  vulkan.vkCmdDispatch(commands, 1, 1, 1);
}

}  // namespace

std::unique_ptr<RoutePyramid> makeVulkanPyramid(const Device& device, const PyramidLayout& layout, const void* chain) {
  return std::make_unique<VulkanPyramid>(device, layout, chain);
}

}  // namespace slu

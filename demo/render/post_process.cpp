#include "render/post_process.h"

#include <algorithm>

#include "spirv/post/bloom_down.comp.h"
#include "spirv/post/bloom_up.comp.h"
#include "spirv/post/tonemap.comp.h"

namespace demo {
namespace {

constexpr uint32_t kMaxBloomMips = 6;
constexpr uint32_t kGroupSide = 8;  // local size of the shaders

VkExtent2D half(VkExtent2D extent) { return {std::max(extent.width / 2, 1u), std::max(extent.height / 2, 1u)}; }

uint32_t bloomMipCount(VkExtent2D extent) {
  uint32_t count = 1;
  for (uint32_t side = std::min(extent.width, extent.height) / 2; side >= 8 && count < kMaxBloomMips; side /= 2)
    ++count;
  // A picture of one row is halved in one direction only; never more levels than the longer side has.
  uint32_t levels = 1;
  for (uint32_t side = std::max(half(extent).width, half(extent).height); side > 1; side /= 2) ++levels;
  return std::min(count, levels);
}

}  // namespace

PostProcess::PostProcess(const Device& device, VkExtent2D extent, VkImageView scene)
    : bloom_(device,
             {.format = VK_FORMAT_R16G16B16A16_SFLOAT,
              .extent = half(extent),
              .mipCount = bloomMipCount(extent),
              .usage = VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_SAMPLED_BIT},
             "bloom"),
      picture_(
          device,
          {.format = VK_FORMAT_R8G8B8A8_UNORM,
           .extent = extent,
           .usage = VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT},
          "picture"),
      sampler_(createSampler(device)) {
  const uint32_t mipCount = bloomMipCount(extent);
  createDescriptors(device, 2 * mipCount);
  layout_ = createPipelineLayout(device, VK_SHADER_STAGE_COMPUTE_BIT, 0, setLayout_);
  down_ = createComputePipeline(device, layout_, bloom_down_comp, "bloom down");
  up_ = createComputePipeline(device, layout_, bloom_up_comp, "bloom up");
  tonemap_ = createComputePipeline(device, layout_, tonemap_comp, "tone mapping");

  constexpr VkImageLayout kSceneLayout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
  constexpr VkImageLayout kGeneral = VK_IMAGE_LAYOUT_GENERAL;
  std::vector<VkExtent2D> extents = {half(extent)};
  while (extents.size() < mipCount) extents.push_back(half(extents.back()));
  for (uint32_t mip = 0; mip < mipCount; ++mip) {
    const VkImageView source = mip ? bloom_.view(mip - 1) : scene;
    const VkDescriptorSet set = createSet(device, source, mip ? kGeneral : kSceneLayout, source, bloom_.view(mip));
    passes_.push_back({down_, set, extents[mip]});
  }
  for (uint32_t mip = mipCount - 1; mip-- > 0;) {
    const VkDescriptorSet set =
        createSet(device, bloom_.view(mip + 1), kGeneral, bloom_.view(mip + 1), bloom_.view(mip));
    passes_.push_back({up_, set, extents[mip]});
  }
  passes_.push_back({tonemap_, createSet(device, scene, kSceneLayout, bloom_.view(0), picture_.view()), extent});

  submitAndWait(device, [&](VkCommandBuffer commands) {
    for (const VkImage image : {bloom_.get(), picture_.get()})
      imageBarrier(commands, image, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, 0, VK_IMAGE_LAYOUT_UNDEFINED,
                   VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT, VK_IMAGE_LAYOUT_GENERAL);
  });
}

void PostProcess::createDescriptors(const Device& device, uint32_t setCount) {
  VkDescriptorSetLayoutBinding bindings[3] = {};
  for (uint32_t index = 0; index < 3; ++index)
    bindings[index] = {index, index < 2 ? VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER : VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
                       1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
  VkDescriptorSetLayoutCreateInfo layoutInfo{};
  layoutInfo.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
  layoutInfo.bindingCount = 3;
  layoutInfo.pBindings = bindings;
  VkDescriptorSetLayout setLayout = VK_NULL_HANDLE;
  check(vkCreateDescriptorSetLayout(device.get(), &layoutInfo, nullptr, &setLayout), "vkCreateDescriptorSetLayout");
  device.setName(VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT, setLayout, "post process");
  setLayout_ = {device.get(), setLayout};

  const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 2 * setCount},
                                        {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, setCount}};
  VkDescriptorPoolCreateInfo poolInfo{};
  poolInfo.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
  poolInfo.maxSets = setCount;
  poolInfo.poolSizeCount = 2;
  poolInfo.pPoolSizes = sizes;
  VkDescriptorPool pool = VK_NULL_HANDLE;
  check(vkCreateDescriptorPool(device.get(), &poolInfo, nullptr, &pool), "vkCreateDescriptorPool");
  // Its sets have no names: Mesa's CPU driver (22.3) never frees them.
  device.setName(VK_OBJECT_TYPE_DESCRIPTOR_POOL, pool, "post process");
  pool_ = {device.get(), pool};
}

VkDescriptorSet PostProcess::createSet(const Device& device, VkImageView first, VkImageLayout firstLayout,
                                       VkImageView second, VkImageView target) {
  const VkDescriptorSetLayout setLayout = setLayout_;
  VkDescriptorSetAllocateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
  info.descriptorPool = pool_;
  info.descriptorSetCount = 1;
  info.pSetLayouts = &setLayout;
  VkDescriptorSet set = VK_NULL_HANDLE;
  check(vkAllocateDescriptorSets(device.get(), &info, &set), "vkAllocateDescriptorSets");

  const VkDescriptorImageInfo images[] = {{sampler_, first, firstLayout},
                                          {sampler_, second, first == second ? firstLayout : VK_IMAGE_LAYOUT_GENERAL},
                                          {VK_NULL_HANDLE, target, VK_IMAGE_LAYOUT_GENERAL}};
  VkWriteDescriptorSet writes[3] = {};
  for (uint32_t index = 0; index < 3; ++index) {
    writes[index].sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    writes[index].dstSet = set;
    writes[index].dstBinding = index;
    writes[index].descriptorCount = 1;
    writes[index].descriptorType =
        index < 2 ? VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER : VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
    writes[index].pImageInfo = &images[index];
  }
  vkUpdateDescriptorSets(device.get(), 3, writes, 0, nullptr);
  return set;
}

void PostProcess::record(VkCommandBuffer commands) const {
  // The last frame's picture was copied, and its passes read and wrote the pyramid.
  memoryBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
                VK_ACCESS_SHADER_WRITE_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
  for (size_t index = 0; index < passes_.size(); ++index) {
    const Pass& pass = passes_[index];
    if (index)
      memoryBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                    VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pass.pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout_, 0, 1, &pass.set, 0, nullptr);
    vkCmdDispatch(commands, (pass.extent.width + kGroupSide - 1) / kGroupSide,
                  (pass.extent.height + kGroupSide - 1) / kGroupSide, 1);
  }
}

}  // namespace demo

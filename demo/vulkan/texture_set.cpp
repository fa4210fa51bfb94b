#include "vulkan/texture_set.h"

namespace demo {

TextureSet::TextureSet(const Device& device, VkSampler sampler, VkImageView view, VkImageLayout layout,
                       const std::string& name) {
  constexpr VkDescriptorType kType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
  const VkDescriptorSetLayoutBinding binding = {0, kType, 1, VK_SHADER_STAGE_FRAGMENT_BIT, nullptr};
  VkDescriptorSetLayoutCreateInfo layoutInfo{};
  layoutInfo.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
  layoutInfo.bindingCount = 1;
  layoutInfo.pBindings = &binding;
  VkDescriptorSetLayout setLayout = VK_NULL_HANDLE;
  check(vkCreateDescriptorSetLayout(device.get(), &layoutInfo, nullptr, &setLayout), "vkCreateDescriptorSetLayout");
  device.setName(VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT, setLayout, name);
  layout_ = {device.get(), setLayout};

  const VkDescriptorPoolSize size = {kType, 1};
  VkDescriptorPoolCreateInfo poolInfo{};
  poolInfo.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
  poolInfo.maxSets = 1;
  poolInfo.poolSizeCount = 1;
  poolInfo.pPoolSizes = &size;
  VkDescriptorPool pool = VK_NULL_HANDLE;
  check(vkCreateDescriptorPool(device.get(), &poolInfo, nullptr, &pool), "vkCreateDescriptorPool");
  device.setName(VK_OBJECT_TYPE_DESCRIPTOR_POOL, pool, name);
  pool_ = {device.get(), pool};

  VkDescriptorSetAllocateInfo setInfo{};
  setInfo.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
  setInfo.descriptorPool = pool;
  setInfo.descriptorSetCount = 1;
  setInfo.pSetLayouts = &setLayout;
  check(vkAllocateDescriptorSets(device.get(), &setInfo, &set_), "vkAllocateDescriptorSets");
  const VkDescriptorImageInfo image = {sampler, view, layout};
  VkWriteDescriptorSet write{};
  write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
  write.dstSet = set_;
  write.descriptorCount = 1;
  write.descriptorType = kType;
  write.pImageInfo = &image;
  vkUpdateDescriptorSets(device.get(), 1, &write, 0, nullptr);
}

}  // namespace demo

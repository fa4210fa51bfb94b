#include "routes/vulkan/frame_data.h"

#include <vector>

namespace slu {

UniformSet::UniformSet(const Device& device, VkDescriptorSetLayout layout, std::span<const Binding> bindings) {
  std::vector<VkDescriptorPoolSize> sizes;
  for (const Binding& binding : bindings) sizes.push_back({binding.type, 1});
  VkDescriptorPoolCreateInfo poolInfo{};
  poolInfo.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
  poolInfo.maxSets = 1;
  poolInfo.poolSizeCount = static_cast<std::uint32_t>(sizes.size());
  poolInfo.pPoolSizes = sizes.data();
  pool_ = OwnedDescriptorPool(device);
  pool_.create(device.functions.vkCreateDescriptorPool, poolInfo, "vkCreateDescriptorPool");

  VkDescriptorSetAllocateInfo setInfo{};
  setInfo.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
  setInfo.descriptorPool = pool_.get();
  setInfo.descriptorSetCount = 1;
  setInfo.pSetLayouts = &layout;
  check(device.functions.vkAllocateDescriptorSets(device.handle, &setInfo, &set_), "vkAllocateDescriptorSets");

  for (std::uint32_t number = 0; number < bindings.size(); ++number) {
    VkWriteDescriptorSet write{};
    write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    write.dstSet = set_;
    write.dstBinding = number;
    write.descriptorCount = 1;
    write.descriptorType = bindings[number].type;
    write.pBufferInfo = &bindings[number].range;
    device.functions.vkUpdateDescriptorSets(device.handle, 1, &write, 0, nullptr);
  }
}

FrameSets makeFrameSets(const Device& device, VkDescriptorSetLayout layout, VkBuffer buffer, std::uint64_t size) {
  const auto setFor = [&](std::uint64_t viewBytes) {
    const UniformSet::Binding bindings[] = {{kFrameBindings[0], {buffer, 0, SLU_FRAME_BYTES}},
                                            {kFrameBindings[1], {buffer, 0, viewBytes}}};
    return UniformSet(device, layout, bindings);
  };
  return {setFor(SLU_VIEW_BYTES), size >= kAllViewBytes ? setFor(kAllViewBytes) : UniformSet()};
}

FrameData::FrameData(const Device& device, VkDescriptorSetLayout layout, const PlanLayout& plan, bool bindsAllViews)
    : plan_(plan), slotCount_(plan.framesInFlight), slotStride_(frameBytes(plan, plan.maxViewCount, bindsAllViews)) {
  if (slotCount_ == 0) return;
  slots_ = DeviceBuffer(device, slotCount_ * slotStride_, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, MemoryKind::mapped,
                        "sluice frames");
  slotSets_ = makeFrameSets(device, layout, slots_.buffer.get(), slots_.size);
}

FrameData::Place FrameData::write(const FramePart& part, const Frame& frame) {
  Place place{&slotSets_, 0, nullptr};
  auto* mapped = static_cast<std::byte*>(slots_.mapped);
  if (frame.transient) {
    const auto& buffer = static_cast<const UniformBuffer&>(*frame.transient.buffer);
    place = {&buffer.frameSets, static_cast<std::uint32_t>(frame.transient.offset), nullptr};
    mapped = buffer.mapped;
  } else {
    place.offset = static_cast<std::uint32_t>(next_ * slotStride_);
    next_ = (next_ + 1) % slotCount_;
  }
  place.mapped = mapped + place.offset;
  writeFrame(place.mapped, part, frame, plan_);
  return place;
}

}  // namespace slu

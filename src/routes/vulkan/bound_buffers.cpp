#include "routes/vulkan/bound_buffers.h"

#include <algorithm>

#include "plan/stream_fields.h"
#include "routes/shaders/frame_buffers.h"
#include "routes/vulkan/pipelines.h"

namespace slu {
namespace {

// Words are loaded four at a time, and what a frame says of alignment holds for offsets.
constexpr std::uint64_t kLeastAlignment = 16;

}  // namespace

void BufferWatch::remove(BoundBuffers& plan) { std::erase(plans_, &plan); }

void BufferWatch::forget(const VulkanBuffer& buffer) {
  for (BoundBuffers* plan : plans_) plan->forget(buffer);
}

BoundBuffers::BoundBuffers(const Device& device, Pipelines& pipelines, const PlanLayout& layout, const BindingMap& map,
                           const DeviceBuffer& scratch, const DeviceBuffer& staging, BufferWatch& watch,
                           std::uint32_t setCount)
    : device_(device),
      map_(map),
      layout_(layout),
      scratch_(scratch),
      staging_(staging),
      watch_(watch),
      mostBytes_(device.limits.maxStorageBufferRange),
      alignment_(std::max(device.limits.minStorageBufferOffsetAlignment, kLeastAlignment)),
      pool_(device) {
  require(scratch.size <= mostBytes_,
          "plan.maxRecordCount: for so many records, views and buckets the plan has scratch of ", scratch.size,
          " bytes, and the device binds at most ", mostBytes_,
          " (maxStorageBufferRange); lower it, plan.maxViewCount or plan.key.keyCount");
  if (!device.pushesDescriptors) {
    const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, setCount * map.slotCount};
    VkDescriptorPoolCreateInfo poolInfo{};
    poolInfo.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
    poolInfo.maxSets = setCount;
    poolInfo.poolSizeCount = 1;
    poolInfo.pPoolSizes = &size;
    pool_.create(device.functions.vkCreateDescriptorPool, poolInfo, "vkCreateDescriptorPool");
    const std::vector<VkDescriptorSetLayout> layouts(setCount, pipelines.bufferSetLayout(map));
    std::vector<VkDescriptorSet> handles(layouts.size());
    VkDescriptorSetAllocateInfo setInfo{};
    setInfo.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
    setInfo.descriptorPool = pool_.get();
    setInfo.descriptorSetCount = setCount;
    setInfo.pSetLayouts = layouts.data();
    check(device.functions.vkAllocateDescriptorSets(device.handle, &setInfo, handles.data()),
          "vkAllocateDescriptorSets");
    for (const VkDescriptorSet handle : handles) sets_.push_back({handle});
  }
  watch.add(*this);
}

BoundBuffers::~BoundBuffers() { watch_.remove(*this); }

// Returns the place of the binding's first byte. A buffer is bound from its beginning, so that frames at other offsets bind
// the same; one that is too large for that from the last offset before the binding that the device allows.
std::uint64_t BoundBuffers::put(const Range& range, const Binding& binding, const char* field,
                                Bound::Slot& slot) const {
  const std::uint64_t last = range.size == 0 ? 0 : range.size - 1;
  const std::uint64_t base = range.size <= mostBytes_ ? 0 : std::min(binding.offset, last) / alignment_ * alignment_;
  const std::uint64_t bytes = std::min(range.size - base, mostBytes_);
  require(binding.offset - base + binding.bytes <= bytes, field, ": has ", binding.bytes,
          " bytes, and the device binds at most ", mostBytes_,
          " (maxStorageBufferRange); bring less per frame, or use addresses instead of bound buffers");
  slot.range = {range.buffer, base, bytes};
  return boundPlace(binding.offset - base);
}

BoundBuffers::Bound BoundBuffers::placeBuffers(std::span<const Given> buffers, FramePart& part) const {
  Bound bound;
  for (std::uint32_t slot = 0; slot < map_.slotCount; ++slot) {
    bound.slots_[slot].range = {scratch_.buffer.get(), 0, scratch_.size};  // what a frame does not bind is not read
  }
  for (const Given& each : buffers) {
    const Binding& binding = *each.binding;
    part.*each.place = 0;
    if (!binding) continue;
    require(map_.has(each.number), each.field, ": the device has ", static_cast<std::uint32_t>(map_.slotCount),
            " storage buffers for a shader (maxPerStageDescriptorStorageBuffers), and the plan ",
            each.number == SLU_BINDING_LIVE_MESH_COUNT
                ? "keeps all of them for others, one for frame.liveCount; leave it zero and say the number in "
                  "frame.meshCount, or write fewer outputs"
                : "needs all of them for others; leave it zero, or write fewer outputs");
    Bound::Slot& slot = bound.slots_[map_.slots[each.number]];
    if (each.number == SLU_BINDING_RECORDS && staging_.size != 0) {
      Binding staged = binding;
      staged.offset = 0;
      part.*each.place = put({staging_.buffer.get(), staging_.size}, staged, each.field, slot);
      continue;
    }
    slot.buffer = static_cast<const VulkanBuffer*>(binding.buffer);
    part.*each.place = put({slot.buffer->handle, slot.buffer->size}, binding, each.field, slot);
  }
  return bound;
}

BoundBuffers::Bound BoundBuffers::place(const Frame& frame, FramePart& part) {
  std::array<Given, std::size(kFrameBuffers)> buffers;
  std::ranges::transform(kFrameBuffers, buffers.begin(), [&](const FrameBuffer& each) {
    return Given{each.number, fieldOf(each, layout_), &(frame.*each.bound), each.place};
  });
  Bound bound = placeBuffers(buffers, part);
  placeShared(part, layout_);
  if (!device_.pushesDescriptors) bound.set_ = findSet(bound.slots_);
  return bound;
}

BoundBuffers::Bound BoundBuffers::placeStream(const Frame& frame, std::uint32_t stream, FramePart& part) {
  const StreamBinding& binding = frame.streams[stream];
  const std::array<Given, 4> buffers = {
      Given{SLU_BINDING_RECORDS, kStreamInputs[stream], &binding.input, &FramePart::records},
      Given{SLU_BINDING_KEPT_RECORDS, kStreamOutputs[stream], &binding.output, &FramePart::keptRecords},
      Given{SLU_BINDING_INDICES, "frame.indices", &frame.indices, &FramePart::indices},
      Given{SLU_BINDING_BUCKET_COUNTS, "frame.bucketCounts", &frame.bucketCounts, &FramePart::bucketCounts}};
  Bound bound = placeBuffers(buffers, part);
  if (!device_.pushesDescriptors) bound.set_ = findSet(bound.slots_);
  return bound;
}

VkDescriptorSet BoundBuffers::findSet(const std::array<Bound::Slot, SLU_BINDING_COUNT>& slots) {
  const auto isSame = [](const Bound::Slot& a, const Bound::Slot& b) {
    return a.buffer == b.buffer && a.range.buffer == b.range.buffer && a.range.offset == b.range.offset &&
           a.range.range == b.range.range;
  };
  const std::lock_guard lock(mutex_);
  Set* unused = nullptr;
  for (Set& set : sets_) {
    if (!set.isUsed) {
      if (unused == nullptr) unused = &set;
    } else if (std::ranges::equal(set.slots, slots, isSame)) {
      return set.handle;
    }
  }
  require(unused != nullptr, "plan.bufferSetCount: the plan's frames have bound ", sets_.size(),
          " combinations of buffers, and this frame binds another one; raise it, destroy buffers that are not used any "
          "more, or enable VK_KHR_push_descriptor");
  const auto ranges = rangesOf(slots);
  const VkWriteDescriptorSet write = writeOf(unused->handle, ranges);
  device_.functions.vkUpdateDescriptorSets(device_.handle, 1, &write, 0, nullptr);
  unused->slots = slots;
  unused->isUsed = true;
  return unused->handle;
}

std::array<VkDescriptorBufferInfo, SLU_BINDING_COUNT> BoundBuffers::rangesOf(
    const std::array<Bound::Slot, SLU_BINDING_COUNT>& slots) const {
  std::array<VkDescriptorBufferInfo, SLU_BINDING_COUNT> ranges{};
  for (std::uint32_t slot = 0; slot < map_.slotCount; ++slot) ranges[slot] = slots[slot].range;
  return ranges;
}

// One write goes through all bindings, since each has one descriptor, all of one type.
VkWriteDescriptorSet BoundBuffers::writeOf(VkDescriptorSet set,
                                           const std::array<VkDescriptorBufferInfo, SLU_BINDING_COUNT>& ranges) const {
  VkWriteDescriptorSet write{};
  write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
  write.dstSet = set;
  write.descriptorCount = map_.slotCount;
  write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  write.pBufferInfo = ranges.data();
  return write;
}

void BoundBuffers::bind(VkCommandBuffer commands, VkPipelineLayout layout, const Bound& bound) const {
  constexpr VkPipelineBindPoint kPoint = VK_PIPELINE_BIND_POINT_COMPUTE;
  if (!device_.pushesDescriptors) {
    device_.functions.vkCmdBindDescriptorSets(commands, kPoint, layout, SLU_BINDING_SET, 1, &bound.set_, 0, nullptr);
    return;
  }
  const auto ranges = rangesOf(bound.slots_);
  const VkWriteDescriptorSet write = writeOf(VK_NULL_HANDLE, ranges);
  device_.functions.vkCmdPushDescriptorSetKHR(commands, kPoint, layout, SLU_BINDING_SET, 1, &write);
}

void BoundBuffers::forget(const VulkanBuffer& buffer) {
  const std::lock_guard lock(mutex_);
  for (Set& set : sets_) {
    if (std::ranges::find(set.slots, &buffer, &Bound::Slot::buffer) == set.slots.end()) continue;
    set.isUsed = false;
    set.slots = {};
  }
}

}  // namespace slu

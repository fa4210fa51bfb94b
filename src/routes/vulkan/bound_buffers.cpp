#include "routes/vulkan/bound_buffers.h"

#include <algorithm>

#include "routes/vulkan/pipelines.h"

namespace slu {
namespace {

// Words are loaded four at a time, and what a frame says of alignment holds for offsets.
constexpr std::uint64_t kLeastAlignment = 16;

// The bindings of a frame, and where their places go.
struct FrameBinding {
  std::uint32_t number;
  const char* field;
  Binding Frame::*bound;
  SLU_ADDRESS FramePart::*place;
};
constexpr FrameBinding kBindings[] = {
    {SLU_BINDING_RECORDS, "frame.records", &Frame::records, &FramePart::records},
    {SLU_BINDING_LIVE_COUNT, "frame.liveCount", &Frame::liveCount, &FramePart::liveCount},
    {SLU_BINDING_BOUNDS, "frame.bounds", &Frame::bounds, &FramePart::bounds},
    {SLU_BINDING_TRANSFORMS, "frame.transforms", &Frame::transforms, &FramePart::transforms},
    {SLU_BINDING_FLAGS, "frame.flags", &Frame::flags, &FramePart::flags},
    {SLU_BINDING_LAYERS, "frame.layers", &Frame::layers, &FramePart::layers},
    {SLU_BINDING_MESHES, "frame.meshes", &Frame::meshes, &FramePart::meshes},
    {SLU_BINDING_LIVE_MESH_COUNT, "frame.liveMeshCount", &Frame::liveMeshCount, &FramePart::liveMeshCount},
    {SLU_BINDING_LAST_LOD_STATES, "frame.lastLodStates", &Frame::lastLodStates, &FramePart::lastLodStates},
    {SLU_BINDING_INDICES, "frame.indices", &Frame::indices, &FramePart::indices},
    {SLU_BINDING_KEPT_RECORDS, "frame.keptRecords", &Frame::keptRecords, &FramePart::keptRecords},
    {SLU_BINDING_DRAWS, "frame.draws", &Frame::draws, &FramePart::draws},
    {SLU_BINDING_DRAW_COUNTS, "frame.drawCounts", &Frame::drawCounts, &FramePart::drawCounts},
    {SLU_BINDING_STATISTICS, "frame.statistics", &Frame::statistics, &FramePart::statistics},
    {SLU_BINDING_BUCKET_COUNTS, "frame.bucketCounts", &Frame::bucketCounts, &FramePart::bucketCounts},
    {SLU_BINDING_LOD_STATES, "frame.lodStates", &Frame::lodStates, &FramePart::lodStates}};

}  // namespace

void BufferWatch::remove(BoundBuffers& plan) { std::erase(plans_, &plan); }

void BufferWatch::forget(const VulkanBuffer& buffer) {
  for (BoundBuffers* plan : plans_) plan->forget(buffer);
}

BoundBuffers::BoundBuffers(const Device& device, Pipelines& pipelines, const PlanLayout& layout, const BindingMap& map,
                           const DeviceBuffer& scratch, const DeviceBuffer& staging, BufferWatch& watch)
    : device_(device),
      map_(map),
      boundsSource_(layout.bounds.source),
      transformsAreRecords_(layout.transformsAreInRecords()),
      layersAreRecords_(layout.layersAreInRecords()),
      layerWord_(layout.layers.offset / 4),
      scratch_(scratch),
      staging_(staging),
      watch_(watch),
      mostBytes_(device.limits.maxStorageBufferRange),
      alignment_(std::max(device.limits.minStorageBufferOffsetAlignment, kLeastAlignment)),
      pool_(device) {
  require(scratch.size <= mostBytes_,
          "plan.maxRecordCount: for so many records, views and buckets the plan has scratch of ", scratch.size,
          " bytes, and the device binds at most ", mostBytes_, " (maxStorageBufferRange); lower it");
  if (!device.pushesDescriptors) {
    const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, layout.bufferSetCount * map.slotCount};
    VkDescriptorPoolCreateInfo poolInfo{};
    poolInfo.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
    poolInfo.maxSets = layout.bufferSetCount;
    poolInfo.poolSizeCount = 1;
    poolInfo.pPoolSizes = &size;
    pool_.create(device.functions.vkCreateDescriptorPool, poolInfo, "vkCreateDescriptorPool");
    const std::vector<VkDescriptorSetLayout> layouts(layout.bufferSetCount, pipelines.bufferSetLayout(map));
    std::vector<VkDescriptorSet> handles(layouts.size());
    VkDescriptorSetAllocateInfo setInfo{};
    setInfo.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
    setInfo.descriptorPool = pool_.get();
    setInfo.descriptorSetCount = layout.bufferSetCount;
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

BoundBuffers::Bound BoundBuffers::place(const Frame& frame, FramePart& part) {
  Bound bound;
  for (std::uint32_t slot = 0; slot < map_.slotCount; ++slot) {
    bound.slots_[slot].range = {scratch_.buffer.get(), 0, scratch_.size};  // what a frame does not bind is not read
  }
  for (const FrameBinding& each : kBindings) {
    const Binding& binding = frame.*each.bound;
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
  if (boundsSource_ == SLU_BOUNDS_IN_RECORD) part.bounds = part.records;
  if (boundsSource_ == SLU_BOUNDS_IN_MESH) part.bounds = part.meshes;
  if (transformsAreRecords_) part.transforms = part.records;
  if (layersAreRecords_) part.layers = part.records;
  part.layers += layerWord_;
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

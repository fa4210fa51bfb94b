#include "frame/compaction.h"

#include <algorithm>
#include <atomic>

#include "frame/context.h"
#include "frame/presenter.h"

namespace demo {
namespace {

std::atomic<uint32_t> planCount = 0;

VkBufferUsageFlags extraUsage(Channel channel) {
  if (channel == Channel::Draws || channel == Channel::DrawCounts) return VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT;
  if (channel == Channel::KeptRecords) return VK_BUFFER_USAGE_VERTEX_BUFFER_BIT;
  return 0;
}

// These stages use what CUDA reads and writes, besides the scene's draws: a simulation by shaders, and copies of inputs
// and results.
constexpr VkPipelineStageFlags kOtherStages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;

slu::Buffer allocateBuffer(SluContext context, uint64_t size, VkBufferUsageFlags usage) {
  SluVulkanAllocateInfo allocate = SLU_INIT(VULKAN_ALLOCATE_INFO, SluVulkanAllocateInfo);
  allocate.usage = usage;
  SluBufferCreateInfo info = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
  info.pNext = &allocate;
  info.size = size;
  slu::Buffer allocated;
  checkSluice(context, sluCreateBuffer(context, &info, allocated.put()), "sluCreateBuffer");
  return allocated;
}

}  // namespace

slu::Buffer registerBuffer(SluContext context, const Buffer& buffer) {
  SluVulkanMemoryInfo memory = SLU_INIT(VULKAN_MEMORY_INFO, SluVulkanMemoryInfo);
  memory.memory = buffer.sharedMemory();
  memory.allocationSize = buffer.sharedBytes();
  memory.dedicated = 1;
  SluVulkanBufferInfo vulkan = SLU_INIT(VULKAN_BUFFER_INFO, SluVulkanBufferInfo);
  vulkan.pNext = buffer.sharedMemory() ? &memory : nullptr;
  vulkan.buffer = buffer.get();
  vulkan.usage = buffer.usage();
  SluBufferCreateInfo info = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
  info.pNext = &vulkan;
  info.size = buffer.size();
  info.hostPointer = buffer.mapped();
  slu::Buffer registered;
  checkSluice(context, sluCreateBuffer(context, &info, registered.put()), "sluCreateBuffer");
  return registered;
}

SluPlanCreateInfo planInfo(const CompactionRequest& request, SluRoute route, SluOrder order,
                           const std::vector<SluBucket>& buckets) {
  SluPlanCreateInfo info = request.plan;
  info.route = route;
  info.order = order;
  info.framesInFlight = kFramesInFlight * request.stepCount;  // for the plan each step is a frame
  if (isMerged(request)) return info;                         // the table has what draws a record
  info.bucketCount = static_cast<uint32_t>(buckets.size());
  info.buckets = buckets.data();
  return info;
}

uint32_t frameMeshCount(const SluPlanCreateInfo& plan) {
  return plan.meshes.stride ? std::max(plan.key.keyCount, 1u) : 0;
}

SluFrameInfo frameInfo(const CompactionRequest& request, std::span<const SluView> views, const CompactionStep& step) {
  SluFrameInfo frame = SLU_INIT(FRAME_INFO, SluFrameInfo);
  frame.recordCount = request.plan.maxRecordCount;
  frame.meshCount = frameMeshCount(request.plan);
  if (request.plan.indices.streams & SLU_INDEXED_BOUNDS_BIT) frame.boundsCount = request.boundsCount;
  if (request.plan.indices.streams & SLU_INDEXED_TRANSFORMS_BIT) frame.transformCount = request.transformCount;
  frame.viewCount = step.viewCount;
  frame.views = request.viewDependent ? views.data() : nullptr;
  return frame;
}

SluOcclusionInfo occlusionInfo(const CompactionStep& step) {
  SluOcclusionInfo info = SLU_INIT(OCCLUSION_INFO, SluOcclusionInfo);
  info.phase = step.phase.value();
  if (!step.pyramid) return info;
  info.views = step.occlusionViews.data();
  info.width = step.pyramidSize.width;
  info.height = step.pyramidSize.height;
  info.layerCount = 1;
  return info;
}

std::vector<uint64_t> firstOutputs(const CompactionRequest& request, std::span<const SluBucket> buckets,
                                   std::span<const SluBucketCount> counts, uint32_t view) {
  std::vector<uint64_t> first = {0};
  for (size_t bucket = 0; bucket < buckets.size(); ++bucket)
    first.push_back(first.back() + (isPacked(request) ? counts[bucket].keptCount : buckets[bucket].capacity));
  const uint64_t perView = isPacked(request) ? request.plan.capacity : first.back();
  for (uint64_t& place : first) place += view * perView;
  return first;
}

uint32_t createdPlanCount() { return planCount; }

// The CPU route reads its inputs through the mapping; CUDA imports them.
Memory inputMemory(SluRoute route) {
  if (route == SLU_ROUTE_CPU) return Memory::Readback;
  return route == SLU_ROUTE_CUDA ? Memory::Shared : Memory::Device;
}

Compaction::Compaction(const Device& device, SluContext context, SluRoute route, SluOrder order,
                       CompactionRequest request)
    : context_(context),
      route_(route),
      order_(order),
      request_(std::move(request)),
      drawStages_(device.drawStages()),
      queueFamily_(device.queueFamily()) {
  const SluPlanCreateInfo info = planInfo(request_, route, order, request_.buckets);
  checkSluice(context, sluCreatePlan(context, &info, plan_.put()), "sluCreatePlan");
  ++planCount;
  properties_ = SLU_INIT(PLAN_PROPERTIES, SluPlanProperties);
  checkSluice(context, sluGetPlanProperties(plan_, &properties_), "sluGetPlanProperties");

  if (!request_.flags.empty()) {
    Buffer& flags = own_[0][Channel::Flags];
    flags = Buffer(device, request_.flags.size() * sizeof(uint32_t), 0, inputMemory(route), "flags");
    upload(device, flags, request_.flags);
    request_.inputs[Channel::Flags] = &flags;
  }
  for (Channel channel : kChannels) {
    if (isInput(channel)) {
      if (!request_.inputs[channel] || !reads(info, channel)) continue;
      for (PerChannel<const Buffer*>& buffers : buffers_) buffers[channel] = request_.inputs[channel];
      bytes_[channel] = request_.inputs[channel]->size();
      registered_[0][channel] = registerBuffer(context, *request_.inputs[channel]);
      handOver(registered_[0][channel]);
    } else if (writes(info.outputs, channel)) {
      for (uint32_t outputs = 0; outputs < stepCount(); ++outputs) createOutput(device, channel, outputs);
    }
  }
  if (testsCones(request_)) {
    boundsWithoutCones_ = registerBuffer(context, *request_.boundsWithoutCones);
    handOver(boundsWithoutCones_);
  }
  if (handsOff()) checkSluice(context, sluGetVulkanTimelines(context, &timelines_), "sluGetVulkanTimelines");
}

const Buffer* Compaction::buffer(Channel channel, const CompactionStep& step) const {
  const bool isReplaced = channel == Channel::Bounds && step.ignoresCones;
  return isReplaced ? request_.boundsWithoutCones : buffer(channel, step.outputs);
}

// CUDA writes into buffers that the library allocates. The other routes write into the demo's own.
void Compaction::createOutput(const Device& device, Channel channel, uint32_t outputs) {
  const char* name = channelName(channel);
  Buffer& buffer = own_[outputs][channel];
  slu::Buffer& registered = registered_[outputs][channel];
  bytes_[channel] = bytesOf(properties_, channel);
  if (handsOff()) {
    const uint64_t size = Buffer::sizeFor(bytes_[channel]);
    const VkBufferUsageFlags usage = Buffer::usageWith(extraUsage(channel));
    registered = allocateBuffer(context_, size, usage);
    buffer = Buffer(device, sluGetVulkanBuffer(registered), size, usage, name);
  } else {
    const Memory memory = onHost() ? Memory::Readback : Memory::Device;
    buffer = Buffer(device, bytes_[channel], extraUsage(channel), memory, name);
    registered = registerBuffer(context_, buffer);
  }
  buffers_[outputs][channel] = &buffer;
  handOver(registered);
  // The library ors overflow flags into the statistics, so they start as zeros. A later step writes fewer views.
  if (outputs || channel == Channel::Statistics)
    submitAndWait(device, [&](VkCommandBuffer commands) {
      vkCmdFillBuffer(commands, buffer.get(), 0, VK_WHOLE_SIZE, 0);
      memoryBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
                    VK_ACCESS_HOST_READ_BIT | VK_ACCESS_HOST_WRITE_BIT);
    });
}

void Compaction::bindFrame(std::span<const SluView> views, const CompactionStep& step, BoundFrame& bound) const {
  bound.frame = frameInfo(request_, views, step);
  for (Channel channel : kChannels)
    bindingOf(bound.frame, channel).buffer = registered_[isInput(channel) ? 0 : step.outputs][channel];
  if (step.ignoresCones) bound.frame.bounds.buffer = boundsWithoutCones_;
  if (!step.phase) return;
  bound.occlusion = occlusionInfo(step);
  if (step.pyramid) bound.occlusion.pyramid.buffer = step.pyramid->registered;
  if (step.lastVisible) bound.occlusion.lastVisible.buffer = step.lastVisible->registered;
  if (step.visible) bound.occlusion.visible.buffer = step.visible->registered;
  bound.frame.pNext = &bound.occlusion;
}

void Compaction::run(std::span<const SluView> views, const CompactionStep& step) {
  BoundFrame bound;
  bindFrame(views, step, bound);
  checkSluice(context_, sluCompact(plan_, &bound.frame), "sluCompact");
}

void Compaction::record(VkCommandBuffer commands, std::span<const SluView> views, const CompactionStep& step) {
  // The scene's writes to the inputs become visible, and a pyramid does; the last frame's draws and copies have read the
  // outputs.
  memoryBarrier(commands, drawStages_ | kOtherStages, VK_ACCESS_SHADER_WRITE_BIT,
                SLU_VULKAN_INPUT_STAGES | SLU_VULKAN_OUTPUT_STAGES, SLU_VULKAN_INPUT_ACCESS | SLU_VULKAN_OUTPUT_ACCESS);
  BoundFrame bound;
  bindFrame(views, step, bound);
  checkSluice(context_, sluCmdCompact(plan_, commands, &bound.frame), "sluCmdCompact");
  memoryBarrier(commands, SLU_VULKAN_OUTPUT_STAGES, VK_ACCESS_SHADER_WRITE_BIT,
                drawStages_ | VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
                SLU_VULKAN_DRAW_ACCESS | VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT);
}

SluTransferInfo Compaction::transferInfo(VkAccessFlags access) const {
  SluTransferInfo transfer = SLU_INIT(TRANSFER_INFO, SluTransferInfo);
  transfer.bufferCount = static_cast<uint32_t>(handedOver_.size());
  transfer.buffers = handedOver_.data();
  transfer.queueFamilyIndex = queueFamily_;
  transfer.stages = drawStages_ | kOtherStages;
  transfer.access = access;
  return transfer;
}

// The scene has written the records, unless it does so in CUDA; the last frame's draws and copies have read everything.
void Compaction::release(VkCommandBuffer commands) {
  const SluTransferInfo transfer = transferInfo(VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT);
  checkSluice(context_, sluCmdRelease(context_, commands, &transfer), "sluCmdRelease");
}

void Compaction::enqueueWait(uint64_t value) {
  SluHandoffInfo handoff = SLU_INIT(HANDOFF_INFO, SluHandoffInfo);
  handoff.waitValue = value;
  checkSluice(context_, sluEnqueueHandoff(context_, nullptr, &handoff), "sluEnqueueHandoff");
}

void Compaction::enqueue(std::span<const SluView> views, const CompactionStep& step, uint64_t value) {
  SluHandoffInfo handoff = SLU_INIT(HANDOFF_INFO, SluHandoffInfo);
  handoff.signalValue = value;
  BoundFrame bound;
  bindFrame(views, step, bound);
  handoff.pNext = bound.frame.pNext;
  bound.frame.pNext = &handoff;
  checkSluice(context_, sluEnqueueCompact(plan_, nullptr, &bound.frame), "sluEnqueueCompact");
}

// The next simulation writes the records again.
void Compaction::acquire(VkCommandBuffer commands) {
  const SluTransferInfo transfer =
      transferInfo(SLU_VULKAN_DRAW_ACCESS | VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_READ_BIT);
  checkSluice(context_, sluCmdAcquire(context_, commands, &transfer), "sluCmdAcquire");
}

}  // namespace demo

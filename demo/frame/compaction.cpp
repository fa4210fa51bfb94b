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

SluPlanCreateInfo planInfo(const CompactionRequest& request, SluRoute route, SluOrder order,
                           const std::vector<SluBucket>& buckets) {
  SluPlanCreateInfo info = request.plan;
  info.route = route;
  info.order = order;
  info.framesInFlight = kFramesInFlight;
  info.bucketCount = static_cast<uint32_t>(buckets.size());
  info.buckets = buckets.data();
  return info;
}

uint32_t frameMeshCount(const SluPlanCreateInfo& plan) {
  return plan.meshes.stride ? std::max(plan.key.keyCount, 1u) : 0;
}

SluFrameInfo frameInfo(const CompactionRequest& request, std::span<const SluView> views) {
  SluFrameInfo frame = SLU_INIT(FRAME_INFO, SluFrameInfo);
  frame.recordCount = request.plan.maxRecordCount;
  frame.meshCount = frameMeshCount(request.plan);
  frame.viewCount = request.plan.maxViewCount;
  frame.views = request.viewDependent ? views.data() : nullptr;
  return frame;
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
    own_[Channel::Flags] = Buffer(device, request_.flags.size() * sizeof(uint32_t), 0, inputMemory(route), "flags");
    upload(device, own_[Channel::Flags], request_.flags);
    request_.inputs[Channel::Flags] = &own_[Channel::Flags];
  }
  for (Channel channel : kChannels) {
    if (isInput(channel)) {
      if (!request_.inputs[channel] || !reads(info, channel)) continue;
      buffers_[channel] = request_.inputs[channel];
      bytes_[channel] = buffers_[channel]->size();
      registered_[channel] = registerBuffer(context, *buffers_[channel]);
    } else if (writes(info.outputs, channel)) {
      createOutput(device, channel);
    }
    if (registered_[channel]) handedOver_.push_back(registered_[channel]);
  }
  if (handsOff()) checkSluice(context, sluGetVulkanTimelines(context, &timelines_), "sluGetVulkanTimelines");
  // The library ors overflow flags into the statistics, so they start as zeros.
  if (const Buffer* statistics = buffers_[Channel::Statistics])
    upload(device, *statistics, std::vector<std::byte>(bytes_[Channel::Statistics]));
}

// CUDA writes into buffers that the library allocates. The other routes write into the demo's own.
void Compaction::createOutput(const Device& device, Channel channel) {
  const char* name = channelName(channel);
  bytes_[channel] = bytesOf(properties_, channel);
  if (handsOff()) {
    const uint64_t size = Buffer::sizeFor(bytes_[channel]);
    const VkBufferUsageFlags usage = Buffer::usageWith(extraUsage(channel));
    registered_[channel] = allocateBuffer(context_, size, usage);
    own_[channel] = Buffer(device, sluGetVulkanBuffer(registered_[channel]), size, usage, name);
  } else {
    const Memory memory = onHost() ? Memory::Readback : Memory::Device;
    own_[channel] = Buffer(device, bytes_[channel], extraUsage(channel), memory, name);
    registered_[channel] = registerBuffer(context_, own_[channel]);
  }
  buffers_[channel] = &own_[channel];
}

SluFrameInfo Compaction::boundFrame(std::span<const SluView> views) const {
  SluFrameInfo frame = frameInfo(request_, views);
  for (Channel channel : kChannels) bindingOf(frame, channel).buffer = registered_[channel];
  return frame;
}

void Compaction::run(std::span<const SluView> views) {
  const SluFrameInfo frame = boundFrame(views);
  checkSluice(context_, sluCompact(plan_, &frame), "sluCompact");
}

void Compaction::record(VkCommandBuffer commands, std::span<const SluView> views) {
  // The scene's writes to the inputs become visible; the last frame's draws and copies have read the outputs.
  memoryBarrier(commands, drawStages_ | kOtherStages, VK_ACCESS_SHADER_WRITE_BIT,
                SLU_VULKAN_INPUT_STAGES | SLU_VULKAN_OUTPUT_STAGES, SLU_VULKAN_INPUT_ACCESS | SLU_VULKAN_OUTPUT_ACCESS);
  const SluFrameInfo frame = boundFrame(views);
  checkSluice(context_, sluCmdCompact(plan_, commands, &frame), "sluCmdCompact");
  memoryBarrier(commands, SLU_VULKAN_OUTPUT_STAGES, VK_ACCESS_SHADER_WRITE_BIT,
                drawStages_ | VK_PIPELINE_STAGE_TRANSFER_BIT, SLU_VULKAN_DRAW_ACCESS | VK_ACCESS_TRANSFER_READ_BIT);
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

void Compaction::enqueue(std::span<const SluView> views, uint64_t value) {
  SluHandoffInfo handoff = SLU_INIT(HANDOFF_INFO, SluHandoffInfo);
  handoff.signalValue = value;
  SluFrameInfo frame = boundFrame(views);
  frame.pNext = &handoff;
  checkSluice(context_, sluEnqueueCompact(plan_, nullptr, &frame), "sluEnqueueCompact");
}

// The next simulation writes the records again.
void Compaction::acquire(VkCommandBuffer commands) {
  const SluTransferInfo transfer =
      transferInfo(SLU_VULKAN_DRAW_ACCESS | VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_READ_BIT);
  checkSluice(context_, sluCmdAcquire(context_, commands, &transfer), "sluCmdAcquire");
}

}  // namespace demo

#include "frame/compaction.h"

#include <cstdio>

#include "base/failure.h"
#include "frame/presenter.h"

namespace demo {
namespace {

void checkSluice(SluContext context, SluResult result, const char* what) {
  if (result != SLU_SUCCESS)
    failRuntime(what, " failed: ", sluGetErrorMessage(context), " (", sluGetResultName(result), ")");
}

VkBufferUsageFlags extraUsage(Channel channel) {
  if (channel == Channel::Draws || channel == Channel::DrawCounts) return VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT;
  if (channel == Channel::KeptRecords) return VK_BUFFER_USAGE_VERTEX_BUFFER_BIT;
  return 0;
}

// Stages that use what CUDA reads and writes: a simulation by shaders, the scene's draws, and the copies of results.
constexpr VkPipelineStageFlags kHandOffStages =
    SLU_VULKAN_DRAW_STAGES | VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;

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

const char* channelName(Channel channel) {
  constexpr std::array<const char*, kChannelCount> kNames = {"records",     "spheres",      "live count",
                                                             "indices",     "kept records", "draws",
                                                             "draw counts", "statistics",   "bucket counts"};
  return kNames[static_cast<size_t>(channel)];
}

bool isInput(Channel channel) { return static_cast<size_t>(channel) < kInputCount; }

SluBinding& bindingOf(SluFrameInfo& frame, Channel channel) {
  constexpr std::array<SluBinding SluFrameInfo::*, kChannelCount> kMembers = {
      &SluFrameInfo::records,    &SluFrameInfo::spheres,     &SluFrameInfo::liveCount,
      &SluFrameInfo::indices,    &SluFrameInfo::keptRecords, &SluFrameInfo::draws,
      &SluFrameInfo::drawCounts, &SluFrameInfo::statistics,  &SluFrameInfo::bucketCounts};
  return frame.*kMembers[static_cast<size_t>(channel)];
}

bool writes(SluFlags outputs, Channel channel) {
  constexpr std::array<SluFlags, kChannelCount> kFlags = {0,
                                                          0,
                                                          0,
                                                          SLU_OUTPUT_INDICES_BIT,
                                                          SLU_OUTPUT_RECORDS_BIT,
                                                          SLU_OUTPUT_DRAWS_BIT,
                                                          SLU_OUTPUT_DRAW_COUNTS_BIT,
                                                          SLU_OUTPUT_STATISTICS_BIT,
                                                          SLU_OUTPUT_BUCKET_COUNTS_BIT};
  return (outputs & kFlags[static_cast<size_t>(channel)]) != 0;
}

uint64_t bytesOf(const SluPlanProperties& properties, Channel channel) {
  switch (channel) {
    case Channel::Indices:
      return properties.indicesBytes;
    case Channel::KeptRecords:
      return properties.keptRecordsBytes;
    case Channel::Draws:
      return properties.drawsBytes;
    case Channel::DrawCounts:
      return properties.drawCountsBytes;
    case Channel::Statistics:
      return properties.statisticsBytes;
    case Channel::BucketCounts:
      return properties.bucketCountsBytes;
    default:
      return 0;
  }
}

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

namespace {

// The library takes no input that a plan does not read.
bool reads(const SluPlanCreateInfo& plan, Channel channel) {
  if (channel == Channel::Spheres)
    return plan.bounds.source == SLU_SPHERE_PER_KEY || plan.bounds.source == SLU_SPHERE_PER_RECORD;
  if (channel != Channel::Records) return true;
  return plan.live.test != SLU_LIVE_ALWAYS || plan.bounds.source == SLU_SPHERE_IN_RECORD ||
         plan.bounds.transformFlags || plan.key.keyCount > 1 || (plan.outputs & SLU_OUTPUT_RECORDS_BIT);
}

}  // namespace

// The CPU route reads its inputs through the mapping; CUDA imports them.
Memory inputMemory(SluRoute route) {
  if (route == SLU_ROUTE_CPU) return Memory::Readback;
  return route == SLU_ROUTE_CUDA ? Memory::Shared : Memory::Device;
}

slu::Context createContext(const Device& device) {
  SluVulkanDeviceInfo vulkan = SLU_INIT(VULKAN_DEVICE_INFO, SluVulkanDeviceInfo);
  vulkan.getInstanceProcAddr = vkGetInstanceProcAddr;
  vulkan.instance = device.instance();
  vulkan.physicalDevice = device.physical();
  vulkan.device = device.get();
  vulkan.deviceCreateInfo = &device.createInfo();
  vulkan.queueFamilyIndex = device.queueFamily();
  SluContextCreateInfo info = SLU_INIT(CONTEXT_CREATE_INFO, SluContextCreateInfo);
  info.pNext = &vulkan;
  // A frame draws what it compacted itself, so that a hand-off would show.
  info.hostFlags = SLU_HOST_RECORDS_BIT | SLU_HOST_ENQUEUES_BIT;
  slu::Context context;
  SluMessage message = {};
  const SluResult result = sluCreateContext(&info, context.put(), &message);
  if (result != SLU_SUCCESS) failRuntime("sluCreateContext failed: ", message.text);
  return context;
}

SluRoute resolveRoute(SluContext context, SluRoute route) {
  SluRouteInfo info = SLU_INIT(ROUTE_INFO, SluRouteInfo);
  checkSluice(context, sluGetRouteInfo(context, route, &info), "sluGetRouteInfo");
  if (!info.available) failRuntime("--route ", sluGetRouteName(route), " is not available: ", info.reason);
  return info.route;
}

std::vector<SluRouteInfo> listRoutes(const Device& device, SluContext context) {
  std::vector<SluRouteInfo> routes;
  for (const SluRoute route : {SLU_ROUTE_CPU, SLU_ROUTE_VULKAN, SLU_ROUTE_CUDA, SLU_ROUTE_INLINE}) {
    SluRouteInfo info = SLU_INIT(ROUTE_INFO, SluRouteInfo);
    checkSluice(context, sluGetRouteInfo(context, route, &info), "sluGetRouteInfo");
    // The context knows that the device lacks extensions, the device why it was created without.
    if (!info.available && *device.refusal(route))
      std::snprintf(info.reason, sizeof(info.reason), "%s", device.refusal(route));
    routes.push_back(info);
  }
  return routes;
}

Compaction::Compaction(const Device& device, SluContext context, SluRoute route, SluOrder order,
                       CompactionRequest request)
    : context_(context),
      route_(route),
      order_(order),
      request_(std::move(request)),
      queueFamily_(device.queueFamily()) {
  const SluPlanCreateInfo info = planInfo(request_, route, order, request_.buckets);
  checkSluice(context, sluCreatePlan(context, &info, plan_.put()), "sluCreatePlan");
  properties_ = SLU_INIT(PLAN_PROPERTIES, SluPlanProperties);
  checkSluice(context, sluGetPlanProperties(plan_, &properties_), "sluGetPlanProperties");

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
  // The overflow flags are or-ed to what is there.
  if (const Buffer* statistics = buffers_[Channel::Statistics])
    upload(device, *statistics, std::vector<std::byte>(bytes_[Channel::Statistics]));
}

// CUDA writes into buffers that the library allocates, the other routes into the demo's own.
void Compaction::createOutput(const Device& device, Channel channel) {
  const char* name = channelName(channel);
  bytes_[channel] = bytesOf(properties_, channel);
  if (handsOff()) {
    const uint64_t size = Buffer::sizeFor(bytes_[channel]);
    const VkBufferUsageFlags usage = Buffer::usageWith(extraUsage(channel));
    registered_[channel] = allocateBuffer(context_, size, usage);
    outputs_[channel] = Buffer(device, sluGetVulkanBuffer(registered_[channel]), size, usage, name);
  } else {
    const Memory memory = onHost() ? Memory::Readback : Memory::Device;
    outputs_[channel] = Buffer(device, bytes_[channel], extraUsage(channel), memory, name);
    registered_[channel] = registerBuffer(context_, outputs_[channel]);
  }
  buffers_[channel] = &outputs_[channel];
}

SluFrameInfo Compaction::frameInfo(const SluView& view) const {
  SluFrameInfo frame = SLU_INIT(FRAME_INFO, SluFrameInfo);
  frame.recordCount = request_.plan.maxRecordCount;
  frame.viewCount = 1;
  frame.views = request_.viewDependent ? &view : nullptr;
  for (Channel channel : kChannels) bindingOf(frame, channel).buffer = registered_[channel];
  return frame;
}

void Compaction::run(const SluView& view) {
  const SluFrameInfo frame = frameInfo(view);
  checkSluice(context_, sluCompact(plan_, &frame), "sluCompact");
}

void Compaction::record(VkCommandBuffer commands, const SluView& view) {
  // The scene's writes to the inputs become visible; the last frame's draws and copies have read the outputs.
  memoryBarrier(commands,
                VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT | SLU_VULKAN_DRAW_STAGES,
                VK_ACCESS_SHADER_WRITE_BIT, SLU_VULKAN_INPUT_STAGES | SLU_VULKAN_OUTPUT_STAGES,
                SLU_VULKAN_INPUT_ACCESS | SLU_VULKAN_OUTPUT_ACCESS);
  const SluFrameInfo frame = frameInfo(view);
  checkSluice(context_, sluCmdCompact(plan_, commands, &frame), "sluCmdCompact");
  memoryBarrier(commands, SLU_VULKAN_OUTPUT_STAGES, VK_ACCESS_SHADER_WRITE_BIT,
                SLU_VULKAN_DRAW_STAGES | VK_PIPELINE_STAGE_TRANSFER_BIT,
                SLU_VULKAN_DRAW_ACCESS | VK_ACCESS_TRANSFER_READ_BIT);
}

SluTransferInfo Compaction::transferInfo(VkAccessFlags access) const {
  SluTransferInfo transfer = SLU_INIT(TRANSFER_INFO, SluTransferInfo);
  transfer.bufferCount = static_cast<uint32_t>(handedOver_.size());
  transfer.buffers = handedOver_.data();
  transfer.queueFamilyIndex = queueFamily_;
  transfer.stages = kHandOffStages;
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

void Compaction::enqueue(const SluView& view, uint64_t value) {
  SluHandoffInfo handoff = SLU_INIT(HANDOFF_INFO, SluHandoffInfo);
  handoff.signalValue = value;
  SluFrameInfo frame = frameInfo(view);
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

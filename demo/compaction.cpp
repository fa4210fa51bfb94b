#include "compaction.h"

#include "failure.h"

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

slu::Buffer registerBuffer(SluContext context, const Buffer& buffer) {
  SluVulkanBufferInfo vulkan = SLU_INIT(VULKAN_BUFFER_INFO, SluVulkanBufferInfo);
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

}  // namespace

const char* channelName(Channel channel) {
  constexpr std::array<const char*, kChannelCount> kNames = {"records", "spheres",     "indices",    "kept records",
                                                             "draws",   "draw counts", "statistics", "bucket counts"};
  return kNames[static_cast<size_t>(channel)];
}

bool isInput(Channel channel) { return static_cast<size_t>(channel) < kInputCount; }

SluBinding& bindingOf(SluFrameInfo& frame, Channel channel) {
  constexpr std::array<SluBinding SluFrameInfo::*, kChannelCount> kMembers = {
      &SluFrameInfo::records, &SluFrameInfo::spheres,    &SluFrameInfo::indices,    &SluFrameInfo::keptRecords,
      &SluFrameInfo::draws,   &SluFrameInfo::drawCounts, &SluFrameInfo::statistics, &SluFrameInfo::bucketCounts};
  return frame.*kMembers[static_cast<size_t>(channel)];
}

bool writes(SluFlags outputs, Channel channel) {
  constexpr std::array<SluFlags, kChannelCount> kFlags = {0,
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
  info.bucketCount = static_cast<uint32_t>(buckets.size());
  info.buckets = buckets.data();
  return info;
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

Compaction::Compaction(const Device& device, SluContext context, SluRoute route, SluOrder order,
                       const CompactionRequest& request)
    : context_(context),
      route_(route),
      recordCount_(request.plan.maxRecordCount),
      viewDependent_(request.viewDependent) {
  const SluPlanCreateInfo info = planInfo(request, route, order, request.buckets);
  checkSluice(context, sluCreatePlan(context, &info, plan_.put()), "sluCreatePlan");
  properties_ = SLU_INIT(PLAN_PROPERTIES, SluPlanProperties);
  checkSluice(context, sluGetPlanProperties(plan_, &properties_), "sluGetPlanProperties");

  for (Channel channel : kChannels) {
    if (isInput(channel)) {
      buffers_[channel] = request.inputs[channel];
      if (buffers_[channel]) bytes_[channel] = buffers_[channel]->size();
    } else if (writes(info.outputs, channel)) {
      bytes_[channel] = bytesOf(properties_, channel);
      outputs_[channel] = Buffer(device, bytes_[channel], extraUsage(channel),
                                 onHost() ? Memory::Readback : Memory::Device, channelName(channel));
      buffers_[channel] = &outputs_[channel];
    }
    if (buffers_[channel]) registered_[channel] = registerBuffer(context, *buffers_[channel]);
  }
  // The overflow flags are or-ed to what is there.
  if (const Buffer* statistics = buffers_[Channel::Statistics])
    upload(device, *statistics, std::vector<std::byte>(bytes_[Channel::Statistics]));
}

SluFrameInfo Compaction::frameInfo(const SluView& view) const {
  SluFrameInfo frame = SLU_INIT(FRAME_INFO, SluFrameInfo);
  frame.recordCount = recordCount_;
  frame.viewCount = 1;
  frame.views = viewDependent_ ? &view : nullptr;
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

}  // namespace demo

#include "mixed_frames.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace slu::test {
namespace {

// Of sluCmdCompact on all the buffers, each of which plans read and write.
constexpr VkPipelineStageFlags kCompactStages = SLU_VULKAN_INPUT_STAGES | SLU_VULKAN_OUTPUT_STAGES;
constexpr VkAccessFlags kCompactAccess = SLU_VULKAN_INPUT_ACCESS | SLU_VULKAN_OUTPUT_ACCESS;

}  // namespace

MixedFrames::MixedFrames(const VulkanDevice& device, SluContext context, CUstream_st* stream,
                         const std::vector<std::uint64_t>& sizes, Random& random)
    : device_(device),
      context_(context),
      stream_(stream),
      inlinePlans_(context, SLU_ROUTE_INLINE),
      vulkanPlans_(context, SLU_ROUTE_VULKAN),
      cudaPlans_(context, SLU_ROUTE_CUDA) {
  require(context, sluGetVulkanTimelines(context, &timelines_), "sluGetVulkanTimelines");
  const VkBufferUsageFlags usage = allUsages(device.instance);
  for (Slot& slot : slots_) {
    slot.shared = std::make_unique<SharedBuffers>(device, context, sizes, usage, pickWays(sizes.size(), random));
    for (const std::uint64_t size : sizes) {
      slot.staging.push_back(std::make_unique<VulkanBuffer>(device, size, usage, VulkanBuffer::Kind::mapped));
    }
  }
  VkFenceCreateInfo fenceInfo{};
  fenceInfo.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO;
  for (Slot& slot : slots_) {
    check(device.functions.vkCreateFence(device.handle, &fenceInfo, nullptr, &slot.fence), "vkCreateFence");
  }
}

MixedFrames::~MixedFrames() {
  EXPECT_EQ(device_.functions.vkQueueWaitIdle(device_.queue), VK_SUCCESS);
  for (Slot& slot : slots_) {
    freeCommands(slot);
    device_.functions.vkDestroyFence(device_.handle, slot.fence, nullptr);
  }
}

void MixedFrames::begin(std::uint32_t index, const Scene& scene, const std::vector<SluRoute>& routes) {
  Slot& slot = slots_[index];
  const std::size_t count = scene.frames.size();
  const auto isCuda = [&](std::size_t i) { return i < count && routes.at(i) == SLU_ROUTE_CUDA; };
  upload(slot, scene);
  for (std::size_t i = 0; i < count; ++i) {
    const FrameSpec& frame = scene.frames[i];
    const FrameArguments arguments(frame, [&](std::uint32_t memory) { return slot.shared->registered().at(memory); });
    const SluPlan plan = planOf(routes[i], scene.planOf(frame));
    const bool isFirst = i == 0 || !isCuda(i - 1), isLast = !isCuda(i + 1);
    if (!isCuda(i)) {
      require(context_, sluCmdCompact(plan, slot.commands.back(), arguments.get()), "sluCmdCompact");
      continue;
    }
    if (isFirst) release(slot);
    enqueuePlan(context_, plan, stream_, *arguments.get(), isFirst ? value_ : 0, isLast ? value_ : 0);
    if (isLast) acquire(slot);
  }
  download(slot);
  submit(slot, {}, slot.fence);
}

std::vector<Bytes> MixedFrames::finish(std::uint32_t index) {
  Slot& slot = slots_[index];
  constexpr std::uint64_t kNanoseconds = 10'000'000'000;
  check(device_.functions.vkWaitForFences(device_.handle, 1, &slot.fence, VK_TRUE, kNanoseconds), "vkWaitForFences");
  check(device_.functions.vkResetFences(device_.handle, 1, &slot.fence), "vkResetFences");
  freeCommands(slot);
  std::vector<Bytes> memories;
  for (const auto& staging : slot.staging) memories.emplace_back(staging->mapped, staging->mapped + staging->size);
  return memories;
}

VkCommandBuffer MixedFrames::beginCommands(Slot& slot) const {
  return slot.commands.emplace_back(device_.beginCommands(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT));
}

void MixedFrames::submit(Slot& slot, TimelinePoint signal, VkFence fence) const {
  check(device_.functions.vkEndCommandBuffer(slot.commands.back()), "vkEndCommandBuffer");
  device_.enqueue({slot.commands.back()}, slot.wait, kCompactStages, signal, fence);
  slot.wait = {};
}

void MixedFrames::upload(Slot& slot, const Scene& scene) const {
  const VkCommandBuffer commands = beginCommands(slot);
  for (std::size_t i = 0; i < slot.staging.size(); ++i) {
    const VulkanBuffer& staging = *slot.staging[i];
    std::copy_n(scene.memories.at(i).data(), staging.size, staging.mapped);
    const VkBufferCopy all{0, 0, staging.size};
    device_.functions.vkCmdCopyBuffer(commands, staging.handle, slot.shared->buffer(i), 1, &all);
  }
  device_.barrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, kCompactStages,
                  kCompactAccess);
}

void MixedFrames::download(Slot& slot) const {
  const VkCommandBuffer commands = slot.commands.back();
  device_.barrier(commands, kCompactStages, VK_ACCESS_SHADER_WRITE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                  VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT);
  for (std::size_t i = 0; i < slot.staging.size(); ++i) {
    const VkBufferCopy all{0, 0, slot.staging[i]->size};
    device_.functions.vkCmdCopyBuffer(commands, slot.shared->buffer(i), slot.staging[i]->handle, 1, &all);
  }
  device_.barrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
                  VK_ACCESS_HOST_READ_BIT);
}

void MixedFrames::release(Slot& slot) {
  const SluTransferInfo info = transfer(slot);
  require(context_, sluCmdRelease(context_, slot.commands.back(), &info), "sluCmdRelease");
  submit(slot, {timelines_.released, ++value_}, VK_NULL_HANDLE);
}

void MixedFrames::acquire(Slot& slot) const {
  const SluTransferInfo info = transfer(slot);
  require(context_, sluCmdAcquire(context_, beginCommands(slot), &info), "sluCmdAcquire");
  slot.wait = {timelines_.compacted, value_};
}

SluPlan MixedFrames::planOf(SluRoute route, const PlanSpec& spec) {
  if (route == SLU_ROUTE_CUDA) return cudaPlans_.get(spec);
  return route == SLU_ROUTE_INLINE ? inlinePlans_.get(spec) : vulkanPlans_.get(spec);
}

SluTransferInfo MixedFrames::transfer(const Slot& slot) const {
  return transferOf(*slot.shared, device_, kCompactStages, kCompactAccess);
}

void MixedFrames::freeCommands(Slot& slot) const {
  for (const VkCommandBuffer commands : slot.commands) device_.freeCommands(commands);
  slot.commands.clear();
}

}  // namespace slu::test

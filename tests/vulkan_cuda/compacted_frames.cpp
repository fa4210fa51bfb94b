#include "compacted_frames.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>

#include "machine.h"

namespace slu::test {
namespace {

constexpr std::uint32_t kRecords = 5000;  // of 4 bytes; no multiple of anything
constexpr std::uint32_t kPoison = 0xdddddddd;
constexpr std::uint64_t kOutputBytes = 4 * (kRecords + 16);

enum Member : std::size_t { kInput, kKept, kIndices, kStatistics, kMembers };  // of a slot's buffers

// What a frame leaves behind.
struct Log {
  SluStatistics ofRecords;
  SluStatistics ofIndices;
  std::uint32_t lastKept, behindKept;  // at the count, less one and not
  std::uint32_t lastIndex, behindIndex;
};

// Live records lie at both ends of the input.
struct Live {
  explicit Live(std::uint64_t frame) {
    Random random(frame);
    head = random.chance(0.1) ? 0 : random.below(kRecords + 1);
    tail = random.chance(0.1) ? 0 : random.below(kRecords + 1 - head);
  }
  std::uint32_t count() const { return head + tail; }
  std::uint32_t last() const { return tail != 0 ? kRecords - 1 : head - 1; }
  std::uint32_t head, tail;
};

template <typename Function>
Function lookUp(const VulkanDevice& device, const char* name) {
  return reinterpret_cast<Function>(device.instance.functions.vkGetDeviceProcAddr(device.handle, name));
}

VkSemaphore createTimeline(const VulkanDevice& device) {
  VkSemaphoreTypeCreateInfo timeline{};
  timeline.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO;
  timeline.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
  VkSemaphoreCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO;
  info.pNext = &timeline;
  VkSemaphore semaphore = VK_NULL_HANDLE;
  check(lookUp<PFN_vkCreateSemaphore>(device, "vkCreateSemaphore")(device.handle, &info, nullptr, &semaphore),
        "vkCreateSemaphore");
  return semaphore;
}

constexpr VkBufferUsageFlags kLogUsage = VK_BUFFER_USAGE_TRANSFER_DST_BIT;

}  // namespace

CompactedFrames::CompactedFrames(const VulkanDevice& device, SluContext context, CUstream_st* stream,
                                 std::uint64_t frameCount, VkBufferUsageFlags usage, Random& random)
    : device_(device),
      context_(context),
      stream_(stream),
      recordsPlan_(createPlan(SLU_ORDER_UNORDERED, SLU_OUTPUT_RECORDS_BIT | SLU_OUTPUT_STATISTICS_BIT)),
      indicesPlan_(createPlan(SLU_ORDER_STABLE, SLU_OUTPUT_INDICES_BIT | SLU_OUTPUT_STATISTICS_BIT)),
      log_(device, frameCount * sizeof(Log), kLogUsage, VulkanBuffer::Kind::mapped) {
  require(context, sluGetVulkanTimelines(context, &timelines_), "sluGetVulkanTimelines");
  std::memset(log_.mapped, 0xee, log_.size);
  const std::vector<std::uint64_t> sizes = {4 * kRecords, kOutputBytes, kOutputBytes, 2 * sizeof(SluStatistics)};
  usage |= VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  for (Slot& slot : slots_) {
    slot.shared = std::make_unique<SharedBuffers>(device, context, sizes, usage, pickWays(kMembers, random));
  }
  done_ = createTimeline(device);
}

CompactedFrames::~CompactedFrames() {
  constexpr std::uint64_t kTenSeconds = 10'000'000'000;
  EXPECT_EQ(wait(begun_, kTenSeconds), VK_SUCCESS);
  for (Slot& slot : slots_) freeCommands(slot);
  lookUp<PFN_vkDestroySemaphore>(device_, "vkDestroySemaphore")(device_.handle, done_, nullptr);
}

Plan CompactedFrames::createPlan(SluOrder order, SluFlags outputs) const {
  auto info = SLU_INIT(PLAN_CREATE_INFO, SluPlanCreateInfo);
  info.route = SLU_ROUTE_CUDA;
  info.order = order;
  info.recordStride = 4;
  info.maxRecordCount = kRecords;
  info.live = {SLU_LIVE_NON_EMPTY, 0, 4};
  info.outputs = outputs;
  Plan plan;
  require(context_, sluCreatePlan(context_, &info, plan.put()), "sluCreatePlan");
  return plan;
}

void CompactedFrames::run(bool signals) {
  const FrameRing::Frame frame = ring_.begin(completed()).value();
  Slot& slot = slots_[frame.slot];
  freeCommands(slot);
  slot.commands = {recordWrite(slot, frame.value), recordRead(slot, frame.value)};
  device_.enqueue({slot.commands[0]}, {}, 0, {timelines_.released, frame.value});
  enqueue(slot, frame.value, signals ? frame.value : 0);  // before the submission that waits for its signal
  device_.enqueue({slot.commands[1]}, {timelines_.compacted, frame.value}, VK_PIPELINE_STAGE_TRANSFER_BIT,
                  {done_, frame.value});
  begun_ = frame.value;
}

void CompactedFrames::signal(std::uint64_t value) {
  auto handoff = SLU_INIT(HANDOFF_INFO, SluHandoffInfo);
  handoff.signalValue = value;
  require(context_, sluEnqueueHandoff(context_, stream_, &handoff), "sluEnqueueHandoff");
}

void CompactedFrames::enqueue(const Slot& slot, std::uint64_t waitValue, std::uint64_t signalValue) const {
  const std::vector<SluBuffer>& buffers = slot.shared->registered();
  auto frame = SLU_INIT(FRAME_INFO, SluFrameInfo);
  frame.recordCount = kRecords;
  frame.viewCount = 1;
  frame.records = {buffers[kInput], 0};
  frame.keptRecords = {buffers[kKept], 0};
  frame.statistics = {buffers[kStatistics], 0};
  enqueuePlan(context_, recordsPlan_, stream_, frame, waitValue, 0);
  frame.keptRecords = {};
  frame.indices = {buffers[kIndices], 0};
  frame.statistics = {buffers[kStatistics], sizeof(SluStatistics)};
  enqueuePlan(context_, indicesPlan_, stream_, frame, 0, signalValue);
}

SluTransferInfo CompactedFrames::transfer(const Slot& slot, VkAccessFlags access) const {
  return transferOf(*slot.shared, device_, VK_PIPELINE_STAGE_TRANSFER_BIT, access);
}

VkCommandBuffer CompactedFrames::recordWrite(const Slot& slot, std::uint64_t frame) const {
  const VkCommandBuffer commands = device_.beginCommands(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  // After the copies from the slot's last frame, and the acquire before them.
  device_.barrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                  VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT);
  const auto fill = [&](Member member, std::uint64_t offset, std::uint64_t bytes, std::uint32_t word) {
    if (bytes == 0) return;
    device_.functions.vkCmdFillBuffer(commands, slot.shared->buffer(member), offset, bytes, word);
  };
  const Live live(frame);
  const std::uint64_t head = 4ull * live.head, tail = 4ull * live.tail;
  fill(kInput, 0, head, static_cast<std::uint32_t>(frame));
  fill(kInput, head, 4 * kRecords - head - tail, 0);
  fill(kInput, 4 * kRecords - tail, tail, static_cast<std::uint32_t>(frame));
  fill(kKept, 0, kOutputBytes, kPoison);
  fill(kIndices, 0, kOutputBytes, kPoison);
  fill(kStatistics, 0, 2 * sizeof(SluStatistics), 0);
  const SluTransferInfo release = transfer(slot, VK_ACCESS_TRANSFER_WRITE_BIT);
  require(context_, sluCmdRelease(context_, commands, &release), "sluCmdRelease");
  check(device_.functions.vkEndCommandBuffer(commands), "vkEndCommandBuffer");
  return commands;
}

VkCommandBuffer CompactedFrames::recordRead(const Slot& slot, std::uint64_t frame) const {
  const VkCommandBuffer commands = device_.beginCommands(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  const SluTransferInfo acquire = transfer(slot, VK_ACCESS_TRANSFER_READ_BIT);
  require(context_, sluCmdAcquire(context_, commands, &acquire), "sluCmdAcquire");
  const std::uint64_t base = (frame - 1) * sizeof(Log);
  const auto copy = [&](Member member, std::uint64_t from, std::uint64_t to, std::uint64_t bytes) {
    const VkBufferCopy region{from, base + to, bytes};
    device_.functions.vkCmdCopyBuffer(commands, slot.shared->buffer(member), log_.handle, 1, &region);
  };
  const std::uint64_t end = 4ull * Live(frame).count();
  copy(kStatistics, 0, offsetof(Log, ofRecords), 2 * sizeof(SluStatistics));
  if (end != 0) copy(kKept, end - 4, offsetof(Log, lastKept), 4);
  copy(kKept, end, offsetof(Log, behindKept), 4);
  if (end != 0) copy(kIndices, end - 4, offsetof(Log, lastIndex), 4);
  copy(kIndices, end, offsetof(Log, behindIndex), 4);
  device_.barrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
                  VK_ACCESS_HOST_READ_BIT);
  check(device_.functions.vkEndCommandBuffer(commands), "vkEndCommandBuffer");
  return commands;
}

void CompactedFrames::freeCommands(Slot& slot) const {
  for (VkCommandBuffer& commands : slot.commands) {
    if (commands != VK_NULL_HANDLE) device_.freeCommands(commands);
    commands = VK_NULL_HANDLE;
  }
}

VkResult CompactedFrames::wait(std::uint64_t frame, std::uint64_t nanoseconds) const {
  VkSemaphoreWaitInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO;
  info.semaphoreCount = 1;
  info.pSemaphores = &done_;
  info.pValues = &frame;
  return lookUp<PFN_vkWaitSemaphores>(device_, "vkWaitSemaphores")(device_.handle, &info, nanoseconds);
}

std::uint64_t CompactedFrames::completed() const {
  std::uint64_t value = 0;
  check(lookUp<PFN_vkGetSemaphoreCounterValue>(device_, "vkGetSemaphoreCounterValue")(device_.handle, done_, &value),
        "vkGetSemaphoreCounterValue");
  return value;
}

void CompactedFrames::expectExact(std::uint64_t frame) const {
  Log log;
  std::memcpy(&log, log_.mapped + (frame - 1) * sizeof(Log), sizeof(log));
  const Live live(frame);
  for (const SluStatistics& statistics : {log.ofRecords, log.ofIndices}) {
    ASSERT_EQ(statistics.inputCount, kRecords) << "frame " << frame;
    ASSERT_EQ(statistics.keptCount, live.count()) << "frame " << frame;
    ASSERT_EQ(statistics.rejectedCount[SLU_REJECT_NOT_LIVE], kRecords - live.count()) << "frame " << frame;
    ASSERT_EQ(statistics.overflow, 0u) << "frame " << frame;
  }
  if (live.count() != 0) {
    ASSERT_EQ(log.lastKept, static_cast<std::uint32_t>(frame)) << "frame " << frame;
    ASSERT_EQ(log.lastIndex, live.last()) << "frame " << frame;
  }
  ASSERT_EQ(log.behindKept, kPoison) << "frame " << frame;
  ASSERT_EQ(log.behindIndex, kPoison) << "frame " << frame;
}

void CompactedFrames::expectUntouched(std::uint64_t frame) const {
  for (std::size_t i = 0; i < sizeof(Log); ++i) {
    ASSERT_EQ(log_.mapped[(frame - 1) * sizeof(Log) + i], 0xee) << "frame " << frame;
  }
}

}  // namespace slu::test

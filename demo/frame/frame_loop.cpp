#include "frame/frame_loop.h"

#include <chrono>
#include <cstring>

#include "frame/frozen_camera.h"
#include "vulkan/label.h"

namespace demo {
namespace {

using Clock = std::chrono::steady_clock;

double microsecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

void begin(VkCommandBuffer commands) {
  VkCommandBufferBeginInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  info.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  check(vkBeginCommandBuffer(commands, &info), "vkBeginCommandBuffer");
}

}  // namespace

FrameLoop::FrameLoop(const FrameLoopInfo& info)
    : device_(info.device),
      renderer_(info.renderer),
      scene_(info.scene),
      compaction_(info.compaction),
      inspector_(info.inspector),
      framesBefore_(info.framesBefore) {
  // The host's compaction has one set of buffers.
  const bool single = compaction_.onHost() || inspector_.needsFramesAlone();
  slots_.resize(single ? 1 : kFramesInFlight);
  for (Slot& slot : slots_) {
    slot = createSlot();
    slot.index = static_cast<uint32_t>(&slot - slots_.data());
  }
}

FrameLoop::~FrameLoop() { vkDeviceWaitIdle(device_.get()); }

FrameLoop::Slot FrameLoop::createSlot() const {
  Slot slot;
  VkCommandPoolCreateInfo poolInfo{};
  poolInfo.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
  poolInfo.queueFamilyIndex = device_.queueFamily();
  VkCommandPool pool = VK_NULL_HANDLE;
  check(vkCreateCommandPool(device_.get(), &poolInfo, nullptr, &pool), "vkCreateCommandPool");
  slot.pool = {device_.get(), pool};

  VkCommandBufferAllocateInfo allocateInfo{};
  allocateInfo.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
  allocateInfo.commandPool = pool;
  allocateInfo.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  allocateInfo.commandBufferCount = 2;
  VkCommandBuffer buffers[2] = {};
  check(vkAllocateCommandBuffers(device_.get(), &allocateInfo, buffers), "vkAllocateCommandBuffers");
  slot.simulateCommands = buffers[0];
  slot.commands = buffers[1];
  device_.setName(VK_OBJECT_TYPE_COMMAND_POOL, pool, "frame");
  device_.setName(VK_OBJECT_TYPE_COMMAND_BUFFER, slot.simulateCommands, "before the compaction");
  device_.setName(VK_OBJECT_TYPE_COMMAND_BUFFER, slot.commands, "frame");

  VkFenceCreateInfo fenceInfo{};
  fenceInfo.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO;
  VkFence fence = VK_NULL_HANDLE;
  check(vkCreateFence(device_.get(), &fenceInfo, nullptr, &fence), "vkCreateFence");
  device_.setName(VK_OBJECT_TYPE_FENCE, fence, "frame is done");
  slot.fence = {device_.get(), fence};

  if (device_.timestampValidBits()) {
    VkQueryPoolCreateInfo queryInfo{};
    queryInfo.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO;
    queryInfo.queryType = VK_QUERY_TYPE_TIMESTAMP;
    queryInfo.queryCount = kStageCount + 1;
    VkQueryPool queries = VK_NULL_HANDLE;
    check(vkCreateQueryPool(device_.get(), &queryInfo, nullptr, &queries), "vkCreateQueryPool");
    device_.setName(VK_OBJECT_TYPE_QUERY_POOL, queries, "times of stages");
    slot.queries = {device_.get(), queries};
  }
  slot.constants = Buffer(device_, sizeof(FrameConstants), 0, Memory::Upload, "frame constants");
  slot.statistics = Buffer(device_, sizeof(SluStatistics), 0, Memory::Readback, "statistics copy");
  slot.bucketCounts =
      Buffer(device_, compaction_.bytes(Channel::BucketCounts), 0, Memory::Readback, "bucket counts copy");
  return slot;
}

uint64_t FrameLoop::run(Presenter& presenter) {
  slu::FrameRing ring(static_cast<uint32_t>(slots_.size()));
  uint64_t begun = 0, retired = 0;
  const auto retireOldest = [&] { retire(slots_[retired++ % slots_.size()], presenter); };
  for (;;) {
    const auto frame = ring.begin(retired);
    if (!frame) {
      retireOldest();
      continue;
    }
    const uint64_t number = framesBefore_ + frame->value;
    const std::optional<FrameRequest> request = presenter.begin(static_cast<uint32_t>(number - 1), frame->slot);
    if (!request) break;
    submit(slots_[frame->slot], number, *request, presenter);
    ++begun;
  }
  while (retired < begun) retireOldest();
  return framesBefore_ + begun;
}

void FrameLoop::submit(Slot& slot, uint64_t number, const FrameRequest& request, Presenter& presenter) {
  const Clock::time_point start = Clock::now();
  const VkExtent2D extent = renderer_.extent();
  FrameConstants constants = frameConstants(request.camera, extent.width, extent.height, request.time);
  scene_.completeConstants(constants);
  std::memcpy(slot.constants.mapped(), &constants, sizeof(constants));
  slot.time = request.time;
  slot.view = request.frozen ? request.frozen->view : scene_.view(request.camera, constants);
  inspector_.begin(slot.index, request, constants, slot.view);
  slot.report = {};
  slot.keepsBucketCounts = request.keepsBucketCounts;
  slot.report.index = static_cast<uint32_t>(number - 1);
  slot.keepsPicture = request.keepsPicture;
  if (slot.keepsPicture && !slot.picture.get())
    slot.picture = Buffer(device_, renderer_.pictureBytes(), 0, Memory::Readback, "picture copy");

  check(vkResetCommandPool(device_.get(), slot.pool, 0), "vkResetCommandPool");
  const VkCommandBuffer commands = slot.commands;
  FrameSemaphores semaphores = presenter.semaphores();
  if (compaction_.onHost()) compactOnHost(slot);
  if (compaction_.handsOff()) {
    compactInCuda(slot, number);
    semaphores.waits.push_back({compaction_.timelines().compacted, number});
  }
  begin(commands);
  if (!compaction_.onHost() && !compaction_.handsOff()) {
    simulate(commands, slot);
    writeTimestamp(commands, slot, 1);
    const Label label(device_, commands, "compact");
    compaction_.record(commands, slot.view);
  }
  writeTimestamp(commands, slot, 2);
  if (compaction_.handsOff()) {
    const Label label(device_, commands, "acquire from CUDA");
    const Clock::time_point before = Clock::now();
    compaction_.acquire(commands);
    slot.report.handOff->acquireMicroseconds = microsecondsSince(before);
  }
  inspector_.recordTests(commands, slot.index);
  {
    const Label label(device_, commands, "draw");
    renderer_.beginScene(commands);
    scene_.draw(commands, slot.constants.address(), compaction_);
    inspector_.drawInScene(commands, slot.index, slot.constants.address());
    renderer_.endScene(commands);
  }
  writeTimestamp(commands, slot, 3);
  {
    const Label label(device_, commands, "finish");
    renderer_.finish(commands);
  }
  writeTimestamp(commands, slot, 4);
  inspector_.recordPick(commands, slot.index, slot.constants.address(), compaction_);
  presenter.record(commands);
  copyResults(commands, slot);
  submitCommands(commands, slot.fence, semaphores.waits, semaphores.signals);
  slot.report.hostMicroseconds = microsecondsSince(start);
  presenter.present();
}

void FrameLoop::simulate(VkCommandBuffer commands, const Slot& slot) const {
  if (slot.queries.get()) vkCmdResetQueryPool(commands, slot.queries, 0, kStageCount + 1);
  writeTimestamp(commands, slot, 0);
  if (scene_.simulates()) {
    const Label label(device_, commands, "simulate");
    // The last frame's compaction, ghosts and copies have read the records.
    memoryBarrier(commands, SLU_VULKAN_INPUT_STAGES | SLU_VULKAN_DRAW_STAGES, VK_ACCESS_SHADER_WRITE_BIT,
                  VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT);
    scene_.simulate(commands, slot.constants.address());
  }
}

// The CPU route needs the records on the host, so it waits for the GPU in the middle of the frame.
void FrameLoop::compactOnHost(Slot& slot) {
  begin(slot.simulateCommands);
  simulate(slot.simulateCommands, slot);
  writeTimestamp(slot.simulateCommands, slot, 1);
  memoryBarrier(slot.simulateCommands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
  const VkFence fence = slot.fence;
  submitCommands(slot.simulateCommands, fence);
  check(vkWaitForFences(device_.get(), 1, &fence, VK_TRUE, UINT64_MAX), "vkWaitForFences");
  check(vkResetFences(device_.get(), 1, &fence), "vkResetFences");
  const Clock::time_point start = Clock::now();
  compaction_.run(slot.view);
  slot.report.hostCompactMicroseconds = microsecondsSince(start);
}

// The host waits for nothing: CUDA goes on when the release is done, and the draws when CUDA is.
void FrameLoop::compactInCuda(Slot& slot, uint64_t number) {
  HandOffTimes times = {};
  begin(slot.simulateCommands);
  simulate(slot.simulateCommands, slot);
  {
    const Label label(device_, slot.simulateCommands, "release to CUDA");
    const Clock::time_point release = Clock::now();
    compaction_.release(slot.simulateCommands);
    times.releaseMicroseconds = microsecondsSince(release);
  }
  writeTimestamp(slot.simulateCommands, slot, 1);
  const SemaphorePoint released = {compaction_.timelines().released, number};
  submitCommands(slot.simulateCommands, VK_NULL_HANDLE, {}, {&released, 1});
  const Clock::time_point enqueue = Clock::now();
  compaction_.enqueueWait(number);
  if (scene_.simulatesInCuda()) scene_.simulateInCuda(compaction_, slot.time);
  compaction_.enqueue(slot.view, number);
  times.enqueueMicroseconds = microsecondsSince(enqueue);
  slot.report.handOff = times;
}

void FrameLoop::copyResults(VkCommandBuffer commands, const Slot& slot) const {
  const Label label(device_, commands, "copy results");
  const VkBufferCopy statistics = {0, 0, sizeof(SluStatistics)};
  vkCmdCopyBuffer(commands, compaction_.buffer(Channel::Statistics)->get(), slot.statistics.get(), 1, &statistics);
  if (slot.keepsBucketCounts) {
    const VkBufferCopy counts = {0, 0, compaction_.bytes(Channel::BucketCounts)};
    vkCmdCopyBuffer(commands, compaction_.buffer(Channel::BucketCounts)->get(), slot.bucketCounts.get(), 1, &counts);
  }
  if (slot.keepsPicture) renderer_.copyPicture(commands, slot.picture);
  inspector_.recordCopies(commands);
  memoryBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
                VK_ACCESS_HOST_READ_BIT);
}

void FrameLoop::writeTimestamp(VkCommandBuffer commands, const Slot& slot, uint32_t query) const {
  if (slot.queries.get()) vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, slot.queries, query);
}

void FrameLoop::submitCommands(VkCommandBuffer commands, VkFence fence, std::span<const SemaphorePoint> waits,
                               std::span<const SemaphorePoint> signals) const {
  check(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
  std::vector<VkSemaphore> semaphores;
  std::vector<uint64_t> values;
  std::vector<VkPipelineStageFlags> stages;
  for (const std::span<const SemaphorePoint> points : {waits, signals}) {
    for (const SemaphorePoint& point : points) {
      semaphores.push_back(point.semaphore);
      values.push_back(point.value);
      stages.push_back(point.stages);
    }
  }
  VkTimelineSemaphoreSubmitInfo timelines{};
  timelines.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO;
  timelines.waitSemaphoreValueCount = static_cast<uint32_t>(waits.size());
  timelines.pWaitSemaphoreValues = values.data();
  timelines.signalSemaphoreValueCount = static_cast<uint32_t>(signals.size());
  timelines.pSignalSemaphoreValues = values.data() + waits.size();
  VkSubmitInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
  info.pNext = &timelines;
  info.waitSemaphoreCount = timelines.waitSemaphoreValueCount;
  info.pWaitSemaphores = semaphores.data();
  info.pWaitDstStageMask = stages.data();
  info.commandBufferCount = 1;
  info.pCommandBuffers = &commands;
  info.signalSemaphoreCount = timelines.signalSemaphoreValueCount;
  info.pSignalSemaphores = semaphores.data() + waits.size();
  check(vkQueueSubmit(device_.queue(), 1, &info, fence), "vkQueueSubmit");
}

void FrameLoop::retire(Slot& slot, Presenter& presenter) {
  const VkFence fence = slot.fence;
  check(vkWaitForFences(device_.get(), 1, &fence, VK_TRUE, UINT64_MAX), "vkWaitForFences");
  check(vkResetFences(device_.get(), 1, &fence), "vkResetFences");
  std::memcpy(&slot.report.statistics, slot.statistics.mapped(), sizeof(SluStatistics));
  if (slot.keepsBucketCounts) {
    slot.report.bucketCounts.resize(compaction_.bucketCount());
    std::memcpy(slot.report.bucketCounts.data(), slot.bucketCounts.mapped(), compaction_.bytes(Channel::BucketCounts));
  }
  readTimestamps(slot);
  inspector_.report(slot.index, slot.report);
  presenter.retire(slot.report, slot.keepsPicture ? slot.picture.mapped() : nullptr);
}

void FrameLoop::readTimestamps(Slot& slot) const {
  if (!slot.queries.get()) return;
  std::array<uint64_t, kStageCount + 1> ticks = {};
  check(vkGetQueryPoolResults(device_.get(), slot.queries, 0, kStageCount + 1, sizeof(ticks), ticks.data(),
                              sizeof(uint64_t), VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
        "vkGetQueryPoolResults");
  const uint32_t bits = device_.timestampValidBits();
  const uint64_t mask = bits < 64 ? (uint64_t{1} << bits) - 1 : ~uint64_t{0};
  for (size_t stage = 0; stage < kStageCount; ++stage) {
    // Between the two submissions of the CPU route lies the host's work.
    if (static_cast<Stage>(stage) == Stage::Compact && compaction_.onHost()) continue;
    if (static_cast<Stage>(stage) == Stage::Simulate && !scene_.simulates()) continue;
    const auto elapsed = static_cast<double>((ticks[stage + 1] - ticks[stage]) & mask);
    slot.report.gpuMicroseconds[stage] = elapsed * device_.properties().limits.timestampPeriod / 1000.0;
  }
}

}  // namespace demo

#include "frame/frame_loop.h"

#include <algorithm>
#include <chrono>
#include <cstring>

#include "frame/frozen_camera.h"
#include "hosting/label.h"

namespace demo {
namespace {

using Clock = std::chrono::steady_clock;

double microsecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
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
  slot.pool = createCommandPool(device_, device_.queueFamily());
  slot.simulateCommands = allocateCommands(device_, slot.pool);
  slot.commands = allocateCommands(device_, slot.pool);
  slot.fence = createFence(device_);
  device_.setName(VK_OBJECT_TYPE_COMMAND_POOL, slot.pool.get(), "frame");
  device_.setName(VK_OBJECT_TYPE_COMMAND_BUFFER, slot.simulateCommands, "before the compaction");
  device_.setName(VK_OBJECT_TYPE_COMMAND_BUFFER, slot.commands, "frame");
  device_.setName(VK_OBJECT_TYPE_FENCE, slot.fence.get(), "frame is done");
  slot.times = Timestamps(device_, device_.timestampValidBits(), kStageCount + 1, "times of stages");
  slot.constants = Buffer(device_, sizeof(FrameConstants), 0, Memory::Upload, "frame constants");
  slot.statistics = Buffer(device_, compaction_.bytes(Channel::Statistics), 0, Memory::Readback, "statistics copy");
  slot.bucketCounts =
      Buffer(device_, compaction_.bytes(Channel::BucketCounts), 0, Memory::Readback, "bucket counts copy");
  if (compaction_.bytes(Channel::DrawCounts))
    slot.drawCounts = Buffer(device_, compaction_.bytes(Channel::DrawCounts), 0, Memory::Readback, "draw counts copy");
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
  // The plan culls for the frozen camera, so the shadows are those of its cascades.
  if (request.frozen) std::ranges::copy(request.frozen->constants.cascades, constants.cascades);
  std::memcpy(slot.constants.mapped(), &constants, sizeof(constants));
  slot.time = request.time;
  slot.eye = request.frozen ? request.frozen->camera.eye : request.camera.eye;
  slot.views = request.frozen ? request.frozen->views : scene_.views(request.camera, constants);
  inspector_.begin(slot.index, request, constants, slot.views);
  slot.report = {};
  // The place of what is picked tells its bucket, by the counts if buckets are packed.
  slot.keepsBucketCounts = request.keepsBucketCounts || request.pick;
  slot.report.index = static_cast<uint32_t>(number - 1);
  slot.report.planCount = createdPlanCount();
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
  beginCommands(commands, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  if (!compaction_.onHost() && !compaction_.handsOff()) {
    simulate(commands, slot);
    slot.times.record(commands, 1);
    const Label label(device_, commands, "compact");
    compaction_.record(commands, slot.views);
  }
  slot.times.record(commands, 2);
  if (compaction_.handsOff()) {
    const Label label(device_, commands, "acquire from CUDA");
    const Clock::time_point before = Clock::now();
    compaction_.acquire(commands);
    slot.report.handOff->acquireMicroseconds = microsecondsSince(before);
  }
  inspector_.recordTests(commands, slot.index);
  if (scene_.castsShadows()) {
    const Label label(device_, commands, "shadows");
    scene_.drawShadows(commands, slot.constants.address(), compaction_);
  }
  slot.times.record(commands, 3);
  {
    const Label label(device_, commands, "draw");
    renderer_.beginScene(commands);
    scene_.draw(commands, slot.constants.address(), compaction_);
    inspector_.drawInScene(commands, slot.index, slot.constants.address());
    renderer_.endScene(commands);
  }
  slot.times.record(commands, 4);
  {
    const Label label(device_, commands, "finish");
    renderer_.finish(commands);
  }
  slot.times.record(commands, 5);
  inspector_.recordPick(commands, slot.index, slot.constants.address(), compaction_);
  presenter.record(commands);
  copyResults(commands, slot);
  submitCommands(commands, slot.fence, semaphores.waits, semaphores.signals);
  slot.report.hostMicroseconds = microsecondsSince(start);
  presenter.present();
}

void FrameLoop::simulate(VkCommandBuffer commands, Slot& slot) const {
  slot.times.recordReset(commands, 0, kStageCount + 1);
  slot.times.record(commands, 0);
  if (scene_.simulates()) {
    const Label label(device_, commands, "simulate");
    // The last frame's compaction, ghosts and copies have read the records.
    memoryBarrier(commands, SLU_VULKAN_INPUT_STAGES | device_.drawStages(), VK_ACCESS_SHADER_WRITE_BIT,
                  VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT);
    scene_.simulate(commands, slot.constants.address());
  }
  if (scene_.streams()) {
    const Label label(device_, commands, "stream");
    scene_.stream(commands, slot.index, slot.eye);
    slot.report.districts = scene_.districtCounts();
  }
}

// The CPU route needs the records on the host, so it waits for the GPU in the middle of the frame.
void FrameLoop::compactOnHost(Slot& slot) {
  beginCommands(slot.simulateCommands, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  simulate(slot.simulateCommands, slot);
  slot.times.record(slot.simulateCommands, 1);
  memoryBarrier(slot.simulateCommands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
                VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
                VK_ACCESS_HOST_READ_BIT);
  submitCommands(slot.simulateCommands, slot.fence);
  waitAndReset(device_, slot.fence);
  const Clock::time_point start = Clock::now();
  compaction_.run(slot.views);
  slot.report.hostCompactMicroseconds = microsecondsSince(start);
}

// The host waits for nothing: CUDA goes on when the release is done, and the draws when CUDA is.
void FrameLoop::compactInCuda(Slot& slot, uint64_t number) {
  HandOffTimes times = {};
  beginCommands(slot.simulateCommands, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  simulate(slot.simulateCommands, slot);
  {
    const Label label(device_, slot.simulateCommands, "release to CUDA");
    const Clock::time_point release = Clock::now();
    compaction_.release(slot.simulateCommands);
    times.releaseMicroseconds = microsecondsSince(release);
  }
  slot.times.record(slot.simulateCommands, 1);
  const SemaphorePoint released = {compaction_.timelines().released, number};
  submitCommands(slot.simulateCommands, VK_NULL_HANDLE, {}, {&released, 1});
  const Clock::time_point enqueue = Clock::now();
  compaction_.enqueueWait(number);
  if (scene_.simulatesInCuda()) scene_.simulateInCuda(compaction_, slot.time);
  compaction_.enqueue(slot.views, number);
  times.enqueueMicroseconds = microsecondsSince(enqueue);
  slot.report.handOff = times;
}

void FrameLoop::copyResults(VkCommandBuffer commands, const Slot& slot) const {
  const Label label(device_, commands, "copy results");
  const VkBufferCopy statistics = {0, 0, compaction_.bytes(Channel::Statistics)};
  vkCmdCopyBuffer(commands, compaction_.buffer(Channel::Statistics)->get(), slot.statistics.get(), 1, &statistics);
  if (slot.keepsBucketCounts) {
    const VkBufferCopy counts = {0, 0, compaction_.bytes(Channel::BucketCounts)};
    vkCmdCopyBuffer(commands, compaction_.buffer(Channel::BucketCounts)->get(), slot.bucketCounts.get(), 1, &counts);
  }
  if (slot.drawCounts.get()) {
    const VkBufferCopy counts = {0, 0, compaction_.bytes(Channel::DrawCounts)};
    vkCmdCopyBuffer(commands, compaction_.buffer(Channel::DrawCounts)->get(), slot.drawCounts.get(), 1, &counts);
  }
  if (slot.keepsPicture) renderer_.copyPicture(commands, slot.picture);
  inspector_.recordCopies(commands);
  memoryBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
                VK_ACCESS_HOST_READ_BIT);
}

void FrameLoop::submitCommands(VkCommandBuffer commands, VkFence fence, std::span<const SemaphorePoint> waits,
                               std::span<const SemaphorePoint> signals) const {
  check(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
  hosting::submit(device_.queue(), commands, fence, waits, signals);
}

void FrameLoop::retire(Slot& slot, Presenter& presenter) {
  waitAndReset(device_, slot.fence);
  std::memcpy(&slot.report.statistics, slot.statistics.mapped(), sizeof(SluStatistics));
  for (uint32_t view = 1; view < compaction_.viewCount(); ++view) {
    SluStatistics statistics;
    std::memcpy(&statistics, slot.statistics.mapped() + view * sizeof(statistics), sizeof(statistics));
    slot.report.shadowStatistics.push_back(statistics);
  }
  if (slot.keepsBucketCounts) {
    slot.report.bucketCounts.resize(compaction_.bucketCount());
    std::memcpy(slot.report.bucketCounts.data(), slot.bucketCounts.mapped(),
                slot.report.bucketCounts.size() * sizeof(SluBucketCount));
  }
  if (slot.drawCounts.get()) {
    slot.report.drawCounts.resize(size_t{compaction_.viewCount()} * compaction_.groupCount());
    std::memcpy(slot.report.drawCounts.data(), slot.drawCounts.mapped(),
                slot.report.drawCounts.size() * sizeof(uint32_t));
  }
  readTimestamps(slot);
  inspector_.report(slot.index, slot.report);
  presenter.retire(slot.report, slot.keepsPicture ? slot.picture.mapped() : nullptr);
}

void FrameLoop::readTimestamps(Slot& slot) const {
  if (!slot.times.areWritten()) return;
  slot.times.read();
  for (uint32_t stage = 0; stage < kStageCount; ++stage) {
    // Between the two submissions of the CPU route lies the host's work.
    if (static_cast<Stage>(stage) == Stage::Compact && compaction_.onHost()) continue;
    if (static_cast<Stage>(stage) == Stage::Simulate && !scene_.simulates() && !scene_.streams()) continue;
    if (static_cast<Stage>(stage) == Stage::Shadows && !scene_.castsShadows()) continue;
    slot.report.gpuMicroseconds[stage] = slot.times.microseconds(stage, stage + 1);
  }
}

}  // namespace demo

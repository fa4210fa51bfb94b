#include "frame/frame_loop.h"

#include <algorithm>
#include <chrono>
#include <cstring>

#include "frame/frozen_camera.h"
#include "hosting/label.h"

namespace demo {
namespace {

using Clock = std::chrono::steady_clock;

// The timestamps at which a step of the compaction begins; it ends at the next one.
constexpr uint32_t kCompactionBegins[kMostSteps] = {static_cast<uint32_t>(Stage::Compact),
                                                    static_cast<uint32_t>(Stage::CompactRest)};

double microsecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

// Both phases test what comes before the phases' own test; after it, one of them decides about a record.
void addSecondPhase(SluStatistics& statistics, const SluStatistics& second) {
  statistics.keptCount += second.keptCount;
  statistics.demandedCount += second.demandedCount;
  statistics.drawCount += second.drawCount;
  statistics.overflow |= second.overflow;
  for (const SluReject reject : {SLU_REJECT_INVALID, SLU_REJECT_DISTANCE, SLU_REJECT_FRUSTUM, SLU_REJECT_SIZE,
                                 SLU_REJECT_CONE, SLU_REJECT_LOD, SLU_REJECT_OCCLUDED})
    statistics.rejectedCount[reject] += second.rejectedCount[reject];
  statistics.rejectedCount[SLU_REJECT_OTHER_PHASE] = 0;
}

}  // namespace

FrameLoop::FrameLoop(const FrameLoopInfo& info)
    : device_(info.device),
      renderer_(info.renderer),
      scene_(info.scene),
      compaction_(info.compaction),
      inspector_(info.inspector),
      occlusion_(info.occlusion),
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
  for (VkCommandBuffer& commands : slot.commands) {
    commands = allocateCommands(device_, slot.pool);
    device_.setName(VK_OBJECT_TYPE_COMMAND_BUFFER, commands, "frame");
  }
  slot.fence = createFence(device_);
  device_.setName(VK_OBJECT_TYPE_COMMAND_POOL, slot.pool.get(), "frame");
  device_.setName(VK_OBJECT_TYPE_FENCE, slot.fence.get(), "frame is done");
  slot.times = Timestamps(device_, device_.timestampValidBits(), kStageCount + 1, "times of stages");
  slot.constants = Buffer(device_, sizeof(FrameConstants), 0, Memory::Upload, "frame constants");
  for (uint32_t step = 0; step < compaction_.stepCount(); ++step) {
    const auto copyOf = [&](Channel channel, const char* name) {
      return Buffer(device_, compaction_.bytes(channel), 0, Memory::Readback, name);
    };
    slot.statistics[step] = copyOf(Channel::Statistics, "statistics copy");
    if (compaction_.bytes(Channel::BucketCounts))
      slot.bucketCounts[step] = copyOf(Channel::BucketCounts, "bucket counts copy");
    if (compaction_.bytes(Channel::DrawCounts)) slot.drawCounts[step] = copyOf(Channel::DrawCounts, "draw counts copy");
  }
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
  const FrameConstants& culling = request.frozen ? request.frozen->constants : constants;
  const bool isRepetition = request.repetition != Repetition::None;
  slot.steps = !occlusion_    ? std::vector<CompactionStep>{{.viewCount = compaction_.viewCount()}}
               : isRepetition ? occlusion_->repeatWithAll(request.occlusion)
                              : occlusion_->begin(request.occlusion, culling.viewProjection, request.frozen);
  for (CompactionStep& step : slot.steps) step.ignoresCones = request.repetition >= Repetition::WithoutCones;
  slot.drawsWhole = request.repetition == Repetition::AsWhole;
  inspector_.begin(slot.index, request, constants, slot.views, slot.steps);
  slot.report = {};
  // The place of what is picked tells its bucket, by the counts if buckets are packed.
  slot.keepsBucketCounts = request.keepsBucketCounts || request.pick || slot.steps.front().phase;
  slot.report.index = static_cast<uint32_t>(number - 1);
  slot.report.planCount = createdPlanCount();
  slot.keepsPicture = request.keepsPicture;
  if (slot.keepsPicture && !slot.picture.get())
    slot.picture = Buffer(device_, renderer_.pictureBytes(), 0, Memory::Readback, "picture copy");

  check(vkResetCommandPool(device_.get(), slot.pool, 0), "vkResetCommandPool");
  slot.submittedCount = 0;
  FrameSemaphores semaphores = presenter.semaphores();
  VkCommandBuffer commands = nextCommands(slot);
  simulate(commands, slot);
  commands = compact(slot, commands, 0, number);
  slot.buildsPyramid = occlusion_ && occlusion_->buildsPyramid();
  const bool hasRest = slot.steps.size() > 1;
  if (!hasRest) inspector_.recordTests(commands, slot.index);
  if (scene_.castsShadows()) {
    const Label label(device_, commands, "shadows");
    scene_.drawShadows(commands, slot.constants.address(), {compaction_, 0});
  }
  slot.times.record(commands, 3);
  drawPart(commands, slot,
           hasRest              ? ScenePart::First
           : slot.buildsPyramid ? ScenePart::WholeKeepsDepth
                                : ScenePart::Whole,
           0);
  slot.times.record(commands, 4);
  if (slot.buildsPyramid) {
    const Label label(device_, commands, "pyramid");
    occlusion_->recordPyramid(commands);
  }
  if (hasRest) {
    commands = compact(slot, commands, 1, number);
    inspector_.recordTests(commands, slot.index);
    drawPart(commands, slot, ScenePart::Rest, 1);
  } else {
    slot.times.record(commands, kCompactionBegins[1]);
    slot.times.record(commands, kCompactionBegins[1] + 1);
  }
  slot.times.record(commands, 7);
  {
    const Label label(device_, commands, "finish");
    renderer_.finish(commands);
  }
  slot.times.record(commands, 8);
  inspector_.recordPick(commands, slot.index, slot.constants.address(), {compaction_, 0});
  presenter.record(commands);
  copyResults(commands, slot);
  slot.waits.insert(slot.waits.end(), semaphores.waits.begin(), semaphores.waits.end());
  submitCommands(slot, slot.fence, semaphores.signals);
  slot.report.hostMicroseconds = microsecondsSince(start);
  presenter.present();
}

// The last part has what is drawn over the scene.
void FrameLoop::drawPart(VkCommandBuffer commands, const Slot& slot, ScenePart part, uint32_t step) const {
  const Label label(device_, commands, part == ScenePart::Rest ? "draw the rest" : "draw");
  const VkDeviceAddress constants = slot.constants.address();
  renderer_.beginScene(commands, part);
  if (part != ScenePart::Rest) scene_.drawBackdrop(commands, constants);
  if (!slot.drawsWhole)
    scene_.draw(commands, constants, {compaction_, slot.steps[step].outputs});
  else if (part != ScenePart::Rest)
    scene_.drawWhole(commands, constants);
  if (part != ScenePart::First) inspector_.drawInScene(commands, slot.index, constants);
  renderer_.endScene(commands);
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

VkCommandBuffer FrameLoop::compact(Slot& slot, VkCommandBuffer commands, uint32_t step, uint64_t number) {
  if (compaction_.handsOff()) return compactInCuda(slot, commands, step, kMostSteps * (number - 1) + step + 1);
  slot.times.record(commands, kCompactionBegins[step]);
  if (compaction_.onHost()) {
    commands = compactOnHost(slot, commands, step);
  } else {
    const Label label(device_, commands, "compact");
    compaction_.record(commands, slot.views, slot.steps[step]);
  }
  slot.times.record(commands, kCompactionBegins[step] + 1);
  return commands;
}

// The CPU route needs the records on the host, so it waits for the GPU in the middle of the frame.
VkCommandBuffer FrameLoop::compactOnHost(Slot& slot, VkCommandBuffer commands, uint32_t step) {
  memoryBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
                VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
                VK_ACCESS_HOST_READ_BIT);
  submitCommands(slot, slot.fence);
  waitAndReset(device_, slot.fence);
  const Clock::time_point start = Clock::now();
  compaction_.run(slot.views, slot.steps[step]);
  slot.report.hostCompactMicroseconds = slot.report.hostCompactMicroseconds.value_or(0.0) + microsecondsSince(start);
  return nextCommands(slot);
}

// The host waits for nothing: CUDA goes on when the release is done, and the draws when CUDA is.
VkCommandBuffer FrameLoop::compactInCuda(Slot& slot, VkCommandBuffer commands, uint32_t step, uint64_t value) {
  HandOffTimes times = slot.report.handOff.value_or(HandOffTimes());
  {
    const Label label(device_, commands, "release to CUDA");
    const Clock::time_point release = Clock::now();
    compaction_.release(commands);
    times.releaseMicroseconds += microsecondsSince(release);
  }
  slot.times.record(commands, kCompactionBegins[step]);
  const SemaphorePoint released = {compaction_.timelines().released, value};
  submitCommands(slot, VK_NULL_HANDLE, {&released, 1});
  const Clock::time_point enqueue = Clock::now();
  compaction_.enqueueWait(value);
  if (step == 0 && scene_.simulatesInCuda()) scene_.simulateInCuda(compaction_, slot.time);
  compaction_.enqueue(slot.views, slot.steps[step], value);
  times.enqueueMicroseconds += microsecondsSince(enqueue);
  slot.waits.push_back({compaction_.timelines().compacted, value});
  const VkCommandBuffer next = nextCommands(slot);
  slot.times.record(next, kCompactionBegins[step] + 1);
  const Label label(device_, next, "acquire from CUDA");
  const Clock::time_point before = Clock::now();
  compaction_.acquire(next);
  times.acquireMicroseconds += microsecondsSince(before);
  slot.report.handOff = times;
  return next;
}

VkCommandBuffer FrameLoop::nextCommands(Slot& slot) const {
  const VkCommandBuffer commands = slot.commands[slot.submittedCount];
  beginCommands(commands, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  return commands;
}

void FrameLoop::copyResults(VkCommandBuffer commands, const Slot& slot) const {
  const Label label(device_, commands, "copy results");
  for (uint32_t step = 0; step < slot.steps.size(); ++step) {
    const auto copy = [&](Channel channel, const Buffer& target) {
      const VkBufferCopy whole = {0, 0, compaction_.bytes(channel)};
      vkCmdCopyBuffer(commands, compaction_.buffer(channel, step)->get(), target.get(), 1, &whole);
    };
    copy(Channel::Statistics, slot.statistics[step]);
    if (slot.keepsBucketCounts && slot.bucketCounts[step].get()) copy(Channel::BucketCounts, slot.bucketCounts[step]);
    if (slot.drawCounts[step].get()) copy(Channel::DrawCounts, slot.drawCounts[step]);
  }
  if (slot.keepsPicture) renderer_.copyPicture(commands, slot.picture);
  inspector_.recordCopies(commands, slot.index);
  memoryBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
                VK_ACCESS_HOST_READ_BIT);
}

// Submits the commands that nextCommands() has begun.
void FrameLoop::submitCommands(Slot& slot, VkFence fence, std::span<const SemaphorePoint> signals) const {
  const VkCommandBuffer commands = slot.commands[slot.submittedCount++];
  check(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
  hosting::submit(device_.queue(), commands, fence, slot.waits, signals);
  slot.waits.clear();
}

void FrameLoop::retire(Slot& slot, Presenter& presenter) {
  waitAndReset(device_, slot.fence);
  readCounts(slot);
  readTimestamps(slot);
  inspector_.report(slot.index, slot.report);
  presenter.retire(slot.report, slot.keepsPicture ? slot.picture.mapped() : nullptr);
}

void FrameLoop::readCounts(Slot& slot) const {
  FrameReport& report = slot.report;
  const auto statisticsOf = [&](uint32_t step, uint32_t view) {
    SluStatistics statistics;
    std::memcpy(&statistics, slot.statistics[step].mapped() + view * sizeof(statistics), sizeof(statistics));
    return statistics;
  };
  const auto steps = static_cast<uint32_t>(slot.steps.size());
  report.statistics = statisticsOf(0, 0);
  if (steps > 1) addSecondPhase(report.statistics, statisticsOf(1, 0));
  if (slot.steps.front().phase) {
    const uint32_t firstKept = steps > 1 ? statisticsOf(0, 0).keptCount : 0;
    report.occlusion = {firstKept,
                        report.statistics.keptCount - firstKept,
                        report.statistics.rejectedCount[SLU_REJECT_OCCLUDED],
                        {},
                        {}};
  }
  for (uint32_t view = 1; view < compaction_.viewCount(); ++view)
    report.shadowStatistics.push_back(statisticsOf(0, view));
  if (slot.keepsBucketCounts) report.bucketCounts.resize(compaction_.bucketCount());
  if (slot.drawCounts[0].get()) report.drawCounts.resize(size_t{compaction_.viewCount()} * compaction_.groupCount());
  // With commands per record there is one bucket, which the plan does not count.
  if (isMerged(compaction_.request()) && slot.keepsBucketCounts)
    report.bucketCounts = {{report.statistics.demandedCount, report.statistics.keptCount}};
  for (uint32_t step = 0; step < steps; ++step) {
    for (size_t bucket = 0; slot.bucketCounts[step].get() && bucket < report.bucketCounts.size(); ++bucket) {
      SluBucketCount count;
      std::memcpy(&count, slot.bucketCounts[step].mapped() + bucket * sizeof(count), sizeof(count));
      report.bucketCounts[bucket].keptCount += count.keptCount;
      report.bucketCounts[bucket].demandedCount += count.demandedCount;
    }
    for (size_t place = 0; place < report.drawCounts.size(); ++place) {
      uint32_t count;
      std::memcpy(&count, slot.drawCounts[step].mapped() + place * sizeof(count), sizeof(count));
      report.drawCounts[place] += count;
    }
  }
}

void FrameLoop::readTimestamps(Slot& slot) const {
  if (!slot.times.areWritten()) return;
  slot.times.read();
  for (uint32_t stage = 0; stage < kStageCount; ++stage) {
    // Between the two submissions of the CPU route lies the host's work.
    const bool compacts =
        static_cast<Stage>(stage) == Stage::Compact || static_cast<Stage>(stage) == Stage::CompactRest;
    if (compacts && compaction_.onHost()) continue;
    if (static_cast<Stage>(stage) == Stage::Simulate && !scene_.simulates() && !scene_.streams()) continue;
    if (static_cast<Stage>(stage) == Stage::Shadows && !scene_.castsShadows()) continue;
    if (static_cast<Stage>(stage) == Stage::Pyramid && !slot.buildsPyramid) continue;
    const bool isRest = static_cast<Stage>(stage) == Stage::CompactRest || static_cast<Stage>(stage) == Stage::DrawRest;
    if (isRest && slot.steps.size() < 2) continue;
    slot.report.gpuMicroseconds[stage] = slot.times.microseconds(stage, stage + 1);
  }
}

}  // namespace demo

#include "vulkan/handoff_frames.h"

#include <algorithm>
#include <array>

#include "base/failure.h"
#include "judge/host_check.h"
#include "vulkan/vulkan_competitor.h"

namespace bench {
namespace {

constexpr uint32_t kFrames = 32;       // of a unit
constexpr uint32_t kWarmUpFrames = 8;  // of these: queues fill
constexpr uint32_t kSlots = 2;         // that frames take turns in
constexpr uint32_t kStamps = 4;        // per frame
constexpr uint32_t kPlugDraws = 16;    // 5 ms, several times what the host takes to submit a unit
constexpr uint32_t kMostPlugDraws = 1024;
constexpr uint32_t kPlugStamps = 2;  // behind those of the frames
constexpr uint64_t kUntouchedBytes = 4;

// Every frame of a unit has more live records than the one before, so it overwrites all that the slot held.
uint32_t liveCount(const Workload& workload, uint32_t frame) {
  return workload.recordCount - (kFrames - 1 - frame) * (workload.recordCount / 256);
}

slu::Context makeContext(const VulkanDevice& device, const HandoffCase& chosen) {
  const bool other = chosen.path == Path::OtherQueue;
  const SluVulkanDeviceInfo info = other ? device.info(*device.computeQueue()) : device.info();
  return makeSluiceContext(&info, chosen.route);
}

void keepTime(std::vector<VerbTimes>& verbs, const char* verb, double microseconds) {
  auto found = std::find_if(verbs.begin(), verbs.end(), [&](const VerbTimes& times) { return times.verb == verb; });
  if (found == verbs.end()) found = verbs.insert(found, {verb, {}});
  found->samples.push_back(microseconds);
}

}  // namespace

const char* name(Path path) {
  switch (path) {
    case Path::OneSubmission:
      return "one submission";
    case Path::ThreeSubmissions:
      return "three submissions";
    case Path::OtherQueue:
      return "a queue for compute";
    case Path::Cuda:
      return "CUDA";
  }
  return "unknown";
}

// A buffer of a frame. The library allocates those of CUDA, the benchmark all others.
class HandoffFrames::FrameBuffer {
 public:
  FrameBuffer(const VulkanDevice& device, SluContext context, uint64_t bytes, bool isCudas) : bytes_(bytes) {
    auto info = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
    auto vulkan = SLU_INIT(VULKAN_BUFFER_INFO, SluVulkanBufferInfo);
    auto allocate = SLU_INIT(VULKAN_ALLOCATE_INFO, SluVulkanAllocateInfo);
    info.size = bytes;
    if (isCudas) {
      allocate.usage = device.bufferUsage();
      info.pNext = &allocate;
    } else {
      own_ = std::make_unique<VulkanBuffer>(device, bytes);
      vulkan.buffer = own_->get();
      vulkan.usage = own_->usage();
      info.pNext = &vulkan;
    }
    require(context, sluCreateBuffer(context, &info, registered_.put()), "sluCreateBuffer");
  }
  VkBuffer get() const { return sluGetVulkanBuffer(registered_); }
  SluBuffer registered() const { return registered_; }
  SluBinding binding() const { return {registered_, 0}; }
  void recordPoison(VkCommandBuffer commands) const { vkCmdFillBuffer(commands, get(), 0, VK_WHOLE_SIZE, kPoisonWord); }
  std::vector<uint32_t> download(const VulkanDevice& device) const {
    const VulkanBuffer copy(device, bytes_);
    device.runOnce([&](VkCommandBuffer commands) {
      const VkBufferCopy whole{0, 0, bytes_};
      frameBarrier(commands);
      vkCmdCopyBuffer(commands, get(), copy.get(), 1, &whole);
    });
    return copy.download();
  }

 private:
  const uint64_t bytes_;
  std::unique_ptr<VulkanBuffer> own_;  // outlives its registration
  slu::Buffer registered_;
};

// Frames take turns among the slots. hasRecords: whether input and output are compacted or handed over.
struct HandoffFrames::Slot {
  Slot(const VulkanDevice& device, SluContext context, const Workload& workload, uint32_t bucketCapacity, bool isCudas,
       bool hasRecords)
      : input(device, context, hasRecords ? workload.inputBytes() : kUntouchedBytes, isCudas),
        liveCount(device, context, sizeof(uint32_t), isCudas),
        output(device, context, hasRecords ? elementsBytesFor(workload, bucketCapacity) : kUntouchedBytes, isCudas),
        draws(device, context, workload.bucketCount * sizeof(DrawCommand), isCudas),
        drawCount(device, context, sizeof(uint32_t), isCudas),
        views(sluiceViews(workload)),
        frame(makeSluiceFrame({}, workload, views, input.binding(), output.binding(), {})),
        all{input.registered(), liveCount.registered(), output.registered(), draws.registered(),
            drawCount.registered()} {
    frame.liveCount = liveCount.binding();
    frame.draws = draws.binding();
    frame.drawCounts = drawCount.binding();
  }

  FrameBuffer input, liveCount, output, draws, drawCount;
  std::vector<SluView> views;
  SluFrameInfo frame;
  std::vector<SluBuffer> all;
};

HandoffFrames::HandoffFrames(const VulkanDevice& device, HostInput& input, const ComputePipeline& shade,
                             const HandoffCase& chosen)
    : device_(device),
      input_(input),
      shade_(shade),
      case_(chosen),
      bucketCapacity_(bucketCapacityFor(input.workload(), {input.keptCounts()})),
      context_(makeContext(device, chosen)),
      target_(device, kHandoffPixels * sizeof(uint32_t)),
      results_(device, uint64_t{kFrames} * input.workload().bucketCount * sizeof(DrawCommand)),
      drawn_(device),
      times_(device, device.timestampValidBits(), kFrames * kStamps + (isAlone() ? kPlugStamps : 0), "frames") {
  if (isWhole()) plan_ = makeSluicePlan(context_, chosen.route, input.workload(), bucketCapacity_, {});
  const bool isCudas = chosen.path == Path::Cuda;
  for (uint32_t i = 0; i < kSlots; ++i)
    slots_.push_back(
        std::make_unique<Slot>(device, context_, input.workload(), bucketCapacity_, isCudas, isWhole() || isCudas));
  if (isWhole()) fillInputs();
  chooseTimelines();
}

HandoffFrames::~HandoffFrames() = default;

void HandoffFrames::fillInputs() const {
  const VulkanBuffer source(device_, input_.workload().inputBytes());
  source.upload(input_.words());
  device_.runOnce([&](VkCommandBuffer commands) {
    const VkBufferCopy whole{0, 0, source.bytes()};
    for (const auto& slot : slots_) vkCmdCopyBuffer(commands, source.get(), slot->input.get(), 1, &whole);
  });
}

void HandoffFrames::chooseTimelines() {
  if (case_.path == Path::Cuda) {
    auto timelines = SLU_INIT(VULKAN_TIMELINES, SluVulkanTimelines);
    require(context_, sluGetVulkanTimelines(context_, &timelines), "sluGetVulkanTimelines");
    released_ = timelines.released;
    compacted_ = timelines.compacted;
  } else {
    released_ = ownReleased_.emplace(device_).get();
    compacted_ = ownCompacted_.emplace(device_).get();
  }
}

const HandoffFrames::Slot& HandoffFrames::slotOf(uint32_t frame) const { return *slots_[frame % kSlots]; }

SluTransferInfo HandoffFrames::transferInfo(const Slot& slot) const {
  auto transfer = SLU_INIT(TRANSFER_INFO, SluTransferInfo);
  transfer.bufferCount = static_cast<uint32_t>(slot.all.size());
  transfer.buffers = slot.all.data();
  transfer.queueFamilyIndex = device_.queue().family;
  transfer.stages = VK_PIPELINE_STAGE_TRANSFER_BIT;
  transfer.access = VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
  return transfer;
}

template <typename Call>
void HandoffFrames::call(const char* verb, const Call& made) const {
  const Clock::time_point start = Clock::now();
  const SluResult result = made();
  const Clock::duration elapsed = Clock::now() - start;
  if (verbs_ != nullptr) keepTime(*verbs_, verb, std::chrono::duration<double, std::micro>(elapsed).count());
  require(context_, result, verb);
}

void HandoffFrames::stamp(VkCommandBuffer commands, uint32_t frame, uint32_t which) const {
  times_.record(commands, frame * kStamps + which);
}

void HandoffFrames::recordShading(VkCommandBuffer commands) const {
  const VkDeviceAddress target = target_.address();
  shade_.recordBind(commands, &target);
  vkCmdDispatch(commands, drawGroups_, 1, 1);
}

void HandoffFrames::recordBefore(VkCommandBuffer commands, uint32_t frame) const {
  const Slot& slot = slotOf(frame);
  times_.recordReset(commands, frame * kStamps, kStamps);
  frameBarrier(commands);
  stamp(commands, frame, 0);
  if (!isAlone()) {
    const uint32_t count = liveCount(input_.workload(), frame);
    vkCmdUpdateBuffer(commands, slot.liveCount.get(), 0, sizeof(count), &count);
    frameBarrier(commands);
  }
  if (case_.path == Path::Cuda) {
    const SluTransferInfo transfer = transferInfo(slot);
    call("sluCmdRelease", [&] { return sluCmdRelease(context_, commands, &transfer); });
  }
  stamp(commands, frame, 1);
}

void HandoffFrames::recordCompaction(VkCommandBuffer commands, uint32_t frame) const {
  if (isWhole()) call("sluCmdCompact", [&] { return sluCmdCompact(plan_, commands, &slotOf(frame).frame); });
}

void HandoffFrames::recordDraws(VkCommandBuffer commands, uint32_t frame) const {
  const Slot& slot = slotOf(frame);
  frameBarrier(commands);
  stamp(commands, frame, 2);
  if (case_.path == Path::Cuda) {
    const SluTransferInfo transfer = transferInfo(slot);
    call("sluCmdAcquire", [&] { return sluCmdAcquire(context_, commands, &transfer); });
  }
  if (!isAlone()) {
    const uint64_t bytes = input_.workload().bucketCount * sizeof(DrawCommand);
    const VkBufferCopy region{0, frame * bytes, bytes};
    vkCmdCopyBuffer(commands, slot.draws.get(), results_.get(), 1, &region);
    recordShading(commands);
  }
  frameBarrier(commands);
  stamp(commands, frame, 3);
}

// The first submission of a frame: all of it with Path::OneSubmission.
void HandoffFrames::recordFirst(VkCommandBuffer commands, uint32_t frame) const {
  recordBefore(commands, frame);
  if (case_.path != Path::OneSubmission) return;
  recordCompaction(commands, frame);
  recordDraws(commands, frame);
}

void HandoffFrames::record(uint32_t drawGroups) {
  drawGroups_ = drawGroups;
  before_.clear();
  compactions_.clear();
  draws_.clear();
  for (uint32_t frame = 0; frame < kFrames; ++frame) {
    before_.push_back(device_.record([&](VkCommandBuffer commands) { recordFirst(commands, frame); }));
    if (case_.path == Path::OneSubmission) continue;
    draws_.push_back(device_.record([&](VkCommandBuffer commands) { recordDraws(commands, frame); }));
    if (case_.path != Path::Cuda)
      compactions_.push_back(
          device_.record(compactionQueue(), [&](VkCommandBuffer commands) { recordCompaction(commands, frame); }));
  }
  if (isAlone()) recordPlug(kPlugDraws);
}

void HandoffFrames::recordPlug(uint32_t drawCount) {
  if (plug_ != VK_NULL_HANDLE) device_.free(plug_);
  plugDraws_ = drawCount;
  plug_ = device_.record([&](VkCommandBuffer commands) {
    times_.recordReset(commands, kFrames * kStamps, kPlugStamps);
    stamp(commands, kFrames, 0);
    for (uint32_t i = 0; i < drawCount; ++i) {
      recordShading(commands);
      frameBarrier(commands);
    }
    stamp(commands, kFrames, 1);
  });
}

void HandoffFrames::handOver(uint32_t frame, uint64_t value) const {
  auto handoff = SLU_INIT(HANDOFF_INFO, SluHandoffInfo);
  handoff.waitValue = value;
  handoff.signalValue = value;
  if (!isWhole()) {
    call("sluEnqueueHandoff", [&] { return sluEnqueueHandoff(context_, nullptr, &handoff); });
    return;
  }
  SluFrameInfo info = slotOf(frame).frame;
  info.pNext = &handoff;
  call("sluEnqueueCompact", [&] { return sluEnqueueCompact(plan_, nullptr, &info); });
}

void HandoffFrames::compact(uint32_t frame, uint64_t value) const {
  if (case_.path == Path::Cuda) return handOver(frame, value);
  const SemaphorePoint wait{released_, value};
  const SemaphorePoint signal{compacted_, value};
  submit(compactionQueue().queue, compactions_[frame], VK_NULL_HANDLE, {&wait, 1}, {&signal, 1});
}

bool HandoffFrames::run() {
  if (!isAlone()) {
    runUnit();
    return true;
  }
  // The GPU must not wait for the host, which may submit a hand-off more slowly than the GPU runs it. So the whole unit
  // must be submitted before the plug ends. The plug starts on the GPU after `start`, so this comparison is safe.
  for (;;) {
    const Clock::time_point start = Clock::now();
    submit(device_.queue().queue, plug_, VK_NULL_HANDLE, {}, {});
    const Clock::time_point submitted = runUnit();
    if (std::chrono::duration<double, std::micro>(submitted - start).count() <= between(kFrames, 0, kFrames, 1))
      return true;
    if (plugDraws_ >= kMostPlugDraws) return false;
    recordPlug(2 * plugDraws_);
  }
}

HandoffFrames::Clock::time_point HandoffFrames::runUnit() {
  const Clock::time_point start = Clock::now();
  const auto draw = [&](uint32_t frame) {
    const SemaphorePoint wait{compacted_, value_ + frame + 1};
    submit(device_.queue().queue, draws_[frame], VK_NULL_HANDLE, {&wait, 1}, {});
  };
  for (uint32_t frame = 0; frame < kFrames; ++frame) {
    const SemaphorePoint signal{released_, value_ + frame + 1};
    submit(device_.queue().queue, before_[frame], VK_NULL_HANDLE, {}, {&signal, 1});
    if (case_.path == Path::OneSubmission) continue;
    compact(frame, value_ + frame + 1);
    if (frame >= case_.latency) draw(frame - case_.latency);
  }
  hostMicroseconds_ = std::chrono::duration<double, std::micro>(Clock::now() - start).count() / kFrames;
  if (case_.path != Path::OneSubmission)
    for (uint32_t frame = kFrames - case_.latency; frame < kFrames; ++frame) draw(frame);
  const Clock::time_point submitted = Clock::now();
  value_ += kFrames;
  device_.runOnce([](VkCommandBuffer commands) { frameBarrier(commands); });
  times_.read();
  return submitted;
}

void HandoffFrames::runRecordedFrame(uint32_t frame, uint64_t value, std::vector<VkCommandBuffer>& recorded) const {
  const SemaphorePoint drawn{drawn_.get(), value};
  const bool isOne = case_.path == Path::OneSubmission;
  const SemaphorePoint released{released_, value};
  recorded.push_back(device_.record([&](VkCommandBuffer commands) { recordFirst(commands, frame); }));
  submit(device_.queue().queue, recorded.back(), VK_NULL_HANDLE, {}, {isOne ? &drawn : &released, 1});
  if (isOne) return;
  compact(frame, value);
  const SemaphorePoint compacted{compacted_, value};
  recorded.push_back(device_.record([&](VkCommandBuffer commands) { recordDraws(commands, frame); }));
  submit(device_.queue().queue, recorded.back(), VK_NULL_HANDLE, {&compacted, 1}, {&drawn, 1});
}

std::vector<VerbTimes> HandoffFrames::runRecorded(uint32_t unitCount) {
  std::vector<VerbTimes> verbs;
  std::array<std::vector<VkCommandBuffer>, kSlots> recorded;
  const auto free = [&](std::vector<VkCommandBuffer>& buffers) {
    for (const VkCommandBuffer buffer : buffers) device_.free(buffer);
    buffers.clear();
  };
  for (uint32_t i = 0; i < (unitCount + 1) * kFrames; ++i) {
    if (i == kFrames) verbs_ = &verbs;
    ++value_;
    if (i >= kSlots) drawn_.wait(value_ - kSlots);
    free(recorded[i % kSlots]);
    runRecordedFrame(i % kFrames, value_, recorded[i % kSlots]);
  }
  verbs_ = nullptr;
  device_.runOnce([](VkCommandBuffer commands) { frameBarrier(commands); });
  std::for_each(recorded.begin(), recorded.end(), free);
  return verbs;
}

double HandoffFrames::between(uint32_t frame, uint32_t stamp, uint32_t laterFrame, uint32_t laterStamp) const {
  return times_.microseconds(frame * kStamps + stamp, laterFrame * kStamps + laterStamp);
}

double HandoffFrames::frameMicroseconds() const {
  return between(kWarmUpFrames, 3, kFrames - 2, 3) / (kFrames - 2 - kWarmUpFrames);
}

double HandoffFrames::gapMicroseconds() const {
  std::vector<double> gaps;
  for (uint32_t frame = kWarmUpFrames; frame + 1 < kFrames; ++frame)
    gaps.push_back(isAlone() ? between(frame, 0, frame, 3) : between(frame + case_.latency, 1, frame, 2));
  return summarize(gaps).median;
}

double HandoffFrames::drawMicroseconds() const { return between(kWarmUpFrames, 2, kWarmUpFrames, 3); }

void HandoffFrames::poison() {
  device_.runOnce([&](VkCommandBuffer commands) {
    results_.recordPoison(commands);
    for (const auto& slot : slots_) slot->output.recordPoison(commands);
  });
}

// Each frame must have drawn the kept ones of its own live records, per bucket. The slots still hold the records of
// their latest frames, which are compared as well.
std::optional<std::string> HandoffFrames::difference() const {
  if (!isWhole()) return std::nullopt;
  const Workload& workload = input_.workload();
  const std::vector<uint32_t>& words = input_.words();
  const std::vector<DrawCommand> found = readDraws(results_);
  std::vector<uint32_t> kept(workload.bucketCount);
  uint32_t record = 0;
  for (uint32_t frame = 0; frame < kFrames; ++frame) {
    for (; record < liveCount(workload, frame); ++record)
      if (input_.recipe().isLive(record)) ++kept[words[uint64_t{record} * workload.recordBytes / 4 + 1]];
    const auto draws = found.begin() + frame * workload.bucketCount;
    auto difference = drawsDifference(workload, kept, bucketCapacity_, {draws, draws + workload.bucketCount});
    if (!difference && frame + kSlots >= kFrames)
      difference = hostBucketsDifference(input_, record, kept, slotOf(frame).output.download(device_), bucketCapacity_);
    if (difference) return sentence("frame ", frame, ": ", *difference);
  }
  return std::nullopt;
}

}  // namespace bench

#include "vulkan/handoff_study.h"

#include <sluice/sluice_vulkan_cuda.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include "failure.h"
#include "host_input.h"
#include "shade.comp.h"
#include "sluice_plan.h"
#include "vulkan/compute_pipeline.h"
#include "vulkan/vulkan_competitor.h"

namespace bench {
namespace {

constexpr uint32_t kFrames = 32;       // of a unit
constexpr uint32_t kWarmUpFrames = 8;  // of these: queues fill
constexpr uint32_t kSlots = 2;         // that frames take turns in
constexpr uint32_t kStamps = 4;        // per frame
constexpr uint32_t kPixelCount = 1u << 18;
constexpr double kDrawMicroseconds = 300.0;
constexpr double kMostDrawGroups = 65535;

enum class Path { OneSubmission, ThreeSubmissions, OtherQueue, Cuda };

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

Workload studied(const VulkanDevice& device) {
  const uint32_t count = device.description().isGpu ? 1u << 20 : 1u << 13;
  return {64, count, 30, Pattern::Random, 64, Order::Unordered, Outputs::Records, Predicate::SphereBeside};
}

// Different in every frame of a unit.
uint32_t liveCount(const Workload& workload, uint32_t frame) {
  return workload.recordCount - frame * (workload.recordCount / 256);
}

class Timeline {
 public:
  explicit Timeline(const VulkanDevice& device) {
    VkSemaphoreTypeCreateInfo type{};
    type.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO;
    type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
    VkSemaphoreCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO;
    info.pNext = &type;
    check(vkCreateSemaphore(device.get(), &info, nullptr, semaphore_.put(device.get())), "vkCreateSemaphore");
  }
  VkSemaphore get() const { return semaphore_; }

 private:
  VulkanSemaphore semaphore_;
};

slu::Context makeContext(const VulkanDevice& device, SluRoute route, Path path) {
  const SluVulkanDeviceInfo info = path == Path::OtherQueue ? device.info(*device.computeQueue()) : device.info();
  return makeSluiceContext(&info, route);
}

// Why the device cannot run the route; empty when it can.
std::string routeRefusal(const VulkanDevice& device, SluRoute route) {
  const SluVulkanDeviceInfo info = device.info();
  const slu::Context context = makeSluiceContext(&info, SLU_ROUTE_CPU);
  auto found = SLU_INIT(ROUTE_INFO, SluRouteInfo);
  require(context, sluGetRouteInfo(context, route, &found), "sluGetRouteInfo");
  return found.available != 0 ? "" : found.reason;
}

// A buffer of a frame: the benchmark's own, or for CUDA one that the library allocates.
class FrameBuffer {
 public:
  FrameBuffer(const VulkanDevice& device, SluContext context, uint64_t bytes, bool isCudas) {
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
      vulkan.usage = device.bufferUsage();
      info.pNext = &vulkan;
    }
    require(context, sluCreateBuffer(context, &info, registered_.put()), "sluCreateBuffer");
  }
  VkBuffer get() const { return sluGetVulkanBuffer(registered_); }
  SluBuffer registered() const { return registered_; }
  SluBinding binding() const { return {registered_, 0}; }

 private:
  std::unique_ptr<VulkanBuffer> own_;  // outlives its registration
  slu::Buffer registered_;
};

// What frames take turns in.
struct Slot {
  Slot(const VulkanDevice& device, SluContext context, const Workload& workload, uint32_t bucketCapacity, bool isCudas)
      : input(device, context, workload.inputBytes(), isCudas),
        liveCount(device, context, sizeof(uint32_t), isCudas),
        output(device, context, uint64_t{bucketCapacity} * workload.bucketCount * workload.recordBytes, isCudas),
        draws(device, context, workload.bucketCount * sizeof(DrawCommand), isCudas),
        drawCount(device, context, sizeof(uint32_t), isCudas),
        frame(makeSluiceFrame(workload, input.binding(), output.binding())),
        all{input.registered(), liveCount.registered(), output.registered(), draws.registered(),
            drawCount.registered()} {
    frame.liveCount = liveCount.binding();
    frame.draws = draws.binding();
    frame.drawCounts = drawCount.binding();
  }

  FrameBuffer input, liveCount, output, draws, drawCount;
  SluFrameInfo frame;
  std::vector<SluBuffer> all;
};

// The frames of one route on one path, with or without a frame of latency.
class Frames {
 public:
  Frames(const VulkanDevice& device, HostInput& input, const ComputePipeline& shade, SluRoute route, Path path,
         uint32_t latency);

  // What is wrong with the draws of the latest unit, which began behind poison; nothing when all is right.
  void poison() {
    device_.runOnce([&](VkCommandBuffer commands) { results_.recordPoison(commands); });
  }
  std::optional<std::string> difference() const;

  void run();  // a unit
  void record(uint32_t drawGroups);

  double frameMicroseconds() const { return between(kWarmUpFrames, 3, kFrames - 2, 3) / (kFrames - 2 - kWarmUpFrames); }
  // From the end of what comes before the compaction on the queue that draws to the begin of the draws.
  double gapMicroseconds() const;
  double drawMicroseconds() const { return between(kWarmUpFrames, 2, kWarmUpFrames, 3); }
  double hostMicroseconds() const { return hostMicroseconds_; }

 private:
  const VulkanQueue& compactionQueue() const {
    return path_ == Path::OtherQueue ? *device_.computeQueue() : device_.queue();
  }
  double between(uint32_t frame, uint32_t stamp, uint32_t laterFrame, uint32_t laterStamp) const;
  void stamp(VkCommandBuffer commands, uint32_t frame, uint32_t which) const {
    vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries_, frame * kStamps + which);
  }
  void recordBefore(VkCommandBuffer commands, uint32_t frame) const;
  void recordDraws(VkCommandBuffer commands, uint32_t frame, uint32_t drawGroups) const;
  void compact(uint32_t frame, uint64_t value);
  SluTransferInfo transferInfo(const Slot& slot) const;

  const VulkanDevice& device_;
  HostInput& input_;
  const ComputePipeline& shade_;
  const Path path_;
  const uint32_t latency_;
  const uint32_t bucketCapacity_;
  slu::Context context_;
  slu::Plan plan_;
  std::vector<std::unique_ptr<Slot>> slots_;
  const VulkanBuffer target_;
  const VulkanBuffer results_;  // the draws of every frame
  VulkanQueryPool queries_;
  std::optional<Timeline> ownReleased_, ownCompacted_;
  VkSemaphore released_ = VK_NULL_HANDLE, compacted_ = VK_NULL_HANDLE;
  uint64_t value_ = 0;  // of the latest frame
  std::vector<VkCommandBuffer> before_, compactions_, draws_;
  std::vector<uint64_t> ticks_;
  double hostMicroseconds_ = 0;
};

Frames::Frames(const VulkanDevice& device, HostInput& input, const ComputePipeline& shade, SluRoute route, Path path,
               uint32_t latency)
    : device_(device),
      input_(input),
      shade_(shade),
      path_(path),
      latency_(latency),
      bucketCapacity_(bucketCapacityFor(input.workload(), {input.keptCounts()})),
      context_(makeContext(device, route, path)),
      plan_(makeSluicePlan(context_, route, input.workload(), bucketCapacity_, false)),
      target_(device, kPixelCount * sizeof(uint32_t)),
      results_(device, uint64_t{kFrames} * input.workload().bucketCount * sizeof(DrawCommand)),
      ticks_(kFrames * kStamps) {
  const VulkanBuffer source(device, input.workload().inputBytes());
  source.upload(input.words());
  for (uint32_t i = 0; i < kSlots; ++i) {
    slots_.push_back(std::make_unique<Slot>(device, context_, input.workload(), bucketCapacity_, path == Path::Cuda));
    device.runOnce([&](VkCommandBuffer commands) {
      const VkBufferCopy whole{0, 0, source.bytes()};
      vkCmdCopyBuffer(commands, source.get(), slots_.back()->input.get(), 1, &whole);
    });
  }
  VkQueryPoolCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO;
  info.queryType = VK_QUERY_TYPE_TIMESTAMP;
  info.queryCount = kFrames * kStamps;
  check(vkCreateQueryPool(device.get(), &info, nullptr, queries_.put(device.get())), "vkCreateQueryPool");
  if (path == Path::Cuda) {
    auto timelines = SLU_INIT(VULKAN_TIMELINES, SluVulkanTimelines);
    require(context_, sluGetVulkanTimelines(context_, &timelines), "sluGetVulkanTimelines");
    released_ = timelines.released;
    compacted_ = timelines.compacted;
  } else {
    released_ = ownReleased_.emplace(device).get();
    compacted_ = ownCompacted_.emplace(device).get();
  }
}

SluTransferInfo Frames::transferInfo(const Slot& slot) const {
  auto transfer = SLU_INIT(TRANSFER_INFO, SluTransferInfo);
  transfer.bufferCount = static_cast<uint32_t>(slot.all.size());
  transfer.buffers = slot.all.data();
  transfer.queueFamilyIndex = device_.queue().family;
  transfer.stages = VK_PIPELINE_STAGE_TRANSFER_BIT;
  transfer.access = VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
  return transfer;
}

void Frames::recordBefore(VkCommandBuffer commands, uint32_t frame) const {
  const Slot& slot = *slots_[frame % kSlots];
  vkCmdResetQueryPool(commands, queries_, frame * kStamps, kStamps);
  frameBarrier(commands);
  stamp(commands, frame, 0);
  const uint32_t count = liveCount(input_.workload(), frame);
  vkCmdUpdateBuffer(commands, slot.liveCount.get(), 0, sizeof(count), &count);
  frameBarrier(commands);
  if (path_ == Path::Cuda) {
    const SluTransferInfo transfer = transferInfo(slot);
    require(context_, sluCmdRelease(context_, commands, &transfer), "sluCmdRelease");
  }
  stamp(commands, frame, 1);
}

void Frames::recordDraws(VkCommandBuffer commands, uint32_t frame, uint32_t drawGroups) const {
  const Slot& slot = *slots_[frame % kSlots];
  frameBarrier(commands);
  stamp(commands, frame, 2);
  if (path_ == Path::Cuda) {
    const SluTransferInfo transfer = transferInfo(slot);
    require(context_, sluCmdAcquire(context_, commands, &transfer), "sluCmdAcquire");
  }
  const uint64_t bytes = input_.workload().bucketCount * sizeof(DrawCommand);
  const VkBufferCopy region{0, frame * bytes, bytes};
  vkCmdCopyBuffer(commands, slot.draws.get(), results_.get(), 1, &region);
  const VkDeviceAddress target = target_.address();
  shade_.recordBind(commands, &target);
  vkCmdDispatch(commands, drawGroups, 1, 1);
  frameBarrier(commands);
  stamp(commands, frame, 3);
}

void Frames::record(uint32_t drawGroups) {
  const auto compaction = [&](VkCommandBuffer commands, uint32_t frame) {
    require(context_, sluCmdCompact(plan_, commands, &slots_[frame % kSlots]->frame), "sluCmdCompact");
  };
  before_.clear();
  compactions_.clear();
  draws_.clear();
  for (uint32_t frame = 0; frame < kFrames; ++frame) {
    before_.push_back(device_.record([&](VkCommandBuffer commands) {
      recordBefore(commands, frame);
      if (path_ != Path::OneSubmission) return;
      compaction(commands, frame);
      recordDraws(commands, frame, drawGroups);
    }));
    if (path_ == Path::OneSubmission) continue;
    draws_.push_back(device_.record([&](VkCommandBuffer commands) { recordDraws(commands, frame, drawGroups); }));
    if (path_ != Path::Cuda)
      compactions_.push_back(
          device_.record(compactionQueue(), [&](VkCommandBuffer commands) { compaction(commands, frame); }));
  }
}

void Frames::compact(uint32_t frame, uint64_t value) {
  if (path_ == Path::Cuda) {
    auto handoff = SLU_INIT(HANDOFF_INFO, SluHandoffInfo);
    handoff.waitValue = value;
    handoff.signalValue = value;
    SluFrameInfo info = slots_[frame % kSlots]->frame;
    info.pNext = &handoff;
    require(context_, sluEnqueueCompact(plan_, nullptr, &info), "sluEnqueueCompact");
  } else {
    const SemaphorePoint wait{released_, value};
    const SemaphorePoint signal{compacted_, value};
    device_.submit(compactionQueue(), compactions_[frame], {&wait, 1}, {&signal, 1});
  }
}

void Frames::run() {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  const auto draw = [&](uint32_t frame) {
    const SemaphorePoint wait{compacted_, value_ + frame + 1};
    device_.submit(device_.queue(), draws_[frame], {&wait, 1}, {});
  };
  for (uint32_t frame = 0; frame < kFrames; ++frame) {
    const SemaphorePoint signal{released_, value_ + frame + 1};
    device_.submit(device_.queue(), before_[frame], {}, {&signal, 1});
    if (path_ == Path::OneSubmission) continue;
    compact(frame, value_ + frame + 1);
    if (frame >= latency_) draw(frame - latency_);
  }
  hostMicroseconds_ = std::chrono::duration<double, std::micro>(Clock::now() - start).count() / kFrames;
  if (path_ != Path::OneSubmission)
    for (uint32_t frame = kFrames - latency_; frame < kFrames; ++frame) draw(frame);
  value_ += kFrames;
  device_.runOnce([](VkCommandBuffer commands) { frameBarrier(commands); });
  check(vkGetQueryPoolResults(device_.get(), queries_, 0, kFrames * kStamps, ticks_.size() * sizeof(uint64_t),
                              ticks_.data(), sizeof(uint64_t), VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
        "vkGetQueryPoolResults");
}

double Frames::between(uint32_t frame, uint32_t stamp, uint32_t laterFrame, uint32_t laterStamp) const {
  const uint32_t unusedBits = 64 - device_.timestampValidBits();
  const uint64_t elapsed = ticks_[laterFrame * kStamps + laterStamp] - ticks_[frame * kStamps + stamp];
  return static_cast<double>(static_cast<int64_t>(elapsed << unusedBits) >> unusedBits) *
         device_.description().timestampPeriod / 1000.0;
}

double Frames::gapMicroseconds() const {
  std::vector<double> gaps;
  for (uint32_t frame = kWarmUpFrames; frame + 1 < kFrames; ++frame)
    gaps.push_back(between(frame + latency_, 1, frame, 2));
  return summarize(gaps).median;
}

// Each frame drew what it compacted: the kept ones of its own live records, per bucket.
std::optional<std::string> Frames::difference() const {
  const Workload& workload = input_.workload();
  const std::vector<uint32_t>& words = input_.words();
  const std::vector<DrawCommand> found = readDraws(results_);
  for (uint32_t frame = 0; frame < kFrames; ++frame) {
    std::vector<uint32_t> kept(workload.bucketCount);
    for (uint32_t record = 0; record < liveCount(workload, frame); ++record)
      if (input_.recipe().isLive(record)) ++kept[words[uint64_t{record} * workload.recordBytes / 4 + 1]];
    for (uint32_t bucket = 0; bucket < workload.bucketCount; ++bucket)
      if (const DrawCommand& draw = found[frame * workload.bucketCount + bucket]; draw.instanceCount != kept[bucket])
        return sentence("frame ", frame, " drew ", draw.instanceCount, " instances of bucket ", bucket, ", expected ",
                        kept[bucket]);
  }
  return std::nullopt;
}

struct Entry {
  HandoffResult result;
  std::unique_ptr<Frames> frames;
};

// How many workgroups take about kDrawMicroseconds: few of them tell little, as they leave the device half empty.
uint32_t calibrate(Frames& frames) {
  constexpr double kLongEnough = kDrawMicroseconds / 2;
  constexpr double kGrowth = 16;
  double groups = 1;
  for (;;) {
    frames.record(static_cast<uint32_t>(groups));
    frames.run();
    const double elapsed = frames.drawMicroseconds();
    const double wanted = std::clamp(std::round(groups * kDrawMicroseconds / elapsed), 1.0, kMostDrawGroups);
    if (elapsed >= kLongEnough || groups == kMostDrawGroups) return static_cast<uint32_t>(wanted);
    groups = std::clamp(wanted, groups + 1, std::min(groups * kGrowth, kMostDrawGroups));
  }
}

void verify(std::vector<Entry>& entries) {
  for (Entry& entry : entries) {
    if (!entry.frames) continue;
    entry.frames->poison();
    entry.frames->run();
    const auto difference = entry.frames->difference();
    if (!difference) continue;
    entry.result.status = Status::Wrong;
    entry.result.reason = *difference;
    entry.result.frameSamples.clear();
    entry.result.gapSamples.clear();
    entry.result.hostSamples.clear();
    entry.frames.reset();
  }
}

std::vector<Entry> makeEntries(const VulkanDevice& device, HostInput& input, const ComputePipeline& shade) {
  struct Case {
    SluRoute route;
    Path path;
    uint32_t latency;
  };
  constexpr Case kCases[] = {{SLU_ROUTE_VULKAN, Path::OneSubmission, 0},
                             {SLU_ROUTE_VULKAN, Path::ThreeSubmissions, 0},
                             {SLU_ROUTE_VULKAN, Path::OtherQueue, 0},
                             {SLU_ROUTE_VULKAN, Path::OtherQueue, 1},
                             {SLU_ROUTE_INLINE, Path::OneSubmission, 0},
                             {SLU_ROUTE_INLINE, Path::ThreeSubmissions, 0},
                             {SLU_ROUTE_INLINE, Path::OtherQueue, 0},
                             {SLU_ROUTE_INLINE, Path::OtherQueue, 1},
                             {SLU_ROUTE_CUDA, Path::Cuda, 0},
                             {SLU_ROUTE_CUDA, Path::Cuda, 1}};
  std::vector<Entry> entries;
  for (const Case& each : kCases) {
    Entry& entry = entries.emplace_back();
    entry.result = {sluGetRouteName(each.route), name(each.path), each.latency};
    entry.result.status = Status::Refused;
    if (each.path == Path::OtherQueue && device.computeQueue() == nullptr) {
      entry.result.reason = "the device has no queue for compute alone";
      continue;
    }
    if (const std::string refusal = routeRefusal(device, each.route); !refusal.empty()) {
      entry.result.reason = refusal;
      continue;
    }
    entry.frames = std::make_unique<Frames>(device, input, shade, each.route, each.path, each.latency);
    entry.result.status = Status::Measured;
  }
  return entries;
}

}  // namespace

std::vector<HandoffResult> studyHandoffs(const std::string& deviceSelection, const TrialSettings& settings) {
  const VulkanInstance instance;
  const VulkanDevice device(instance.get(), instance.choose(deviceSelection), QueueKind::Both);
  HostInput input(studied(device), settings.seed);
  const std::array<uint32_t, 1> constants = {kPixelCount};
  const ComputePipeline shade(device, shade_comp, sizeof(VkDeviceAddress), constants);
  std::vector<Entry> entries = makeEntries(device, input, shade);
  uint32_t drawGroups = 0;
  for (Entry& entry : entries) {
    if (!entry.frames) continue;
    if (drawGroups == 0) drawGroups = calibrate(*entry.frames);
    entry.frames->record(drawGroups);
  }
  verify(entries);
  for (uint32_t i = 0; i < settings.repetitionCount; ++i)
    for (Entry& entry : entries) {
      if (!entry.frames) continue;
      entry.frames->run();
      entry.result.frameSamples.push_back(entry.frames->frameMicroseconds());
      entry.result.gapSamples.push_back(entry.frames->gapMicroseconds());
      entry.result.hostSamples.push_back(entry.frames->hostMicroseconds());
    }
  verify(entries);
  std::vector<HandoffResult> results;
  for (Entry& entry : entries) results.push_back(std::move(entry.result));
  return results;
}

}  // namespace bench

#include "vulkan/vulkan_arena.h"

#include <cstring>
#include <numeric>

#include "arena/frames_per_sample.h"
#include "arena/host_cost.h"
#include "arena/input_limit.h"
#include "host/host_arena.h"
#include "hosting/timestamps.h"
#include "judge/host_check.h"

namespace bench {
namespace {

class VulkanEntrant : public Entrant {
 public:
  VulkanEntrant(const VulkanCompetitor& competitor, const VulkanDevice& device, HostInput& input,
                const VulkanFrame& frame, std::vector<uint32_t>& output)
      : role_(competitor.role()),
        device_(device),
        input_(input),
        frame_(frame),
        output_(output),
        frames_(competitor.prepare(device, input.workload(), frame)),
        times_(device, device.timestampValidBits(), 2, "a unit of frames"),
        frameCount_(framesPerSample([&](uint32_t count) { return unitMicroseconds(count); })) {}
  ~VulkanEntrant() override { freeUnit(); }

  std::optional<std::string> difference() override {
    device_.runOnce([&](VkCommandBuffer commands) {
      frame_.output.recordPoison(commands);
      frames_->recordPoison(commands);
      frameBarrier(commands);
    });
    unitMicroseconds(frameCount_);
    frame_.output.download(output_);
    if (role_ == Role::Copy) return hostCopyDifference(input_, output_);
    if (auto difference = outcomeDifference(input_.workload(), *frames_, input_.keptCounts(), frame_.bucketCapacity))
      return difference;
    return hostOutputDifference(input_, output_, frame_.bucketCapacity);
  }

  double sample() override { return unitMicroseconds(frameCount_) / frameCount_; }
  uint32_t frameCount() const override { return frameCount_; }

 private:
  double unitMicroseconds(uint32_t frameCount) {
    if (frameCount != unitFrames_) recordUnit(frameCount);
    device_.submitAndWait(unit_);
    times_.read();
    return times_.microseconds(0, 1);
  }

  void recordUnit(uint32_t frameCount) {
    freeUnit();
    unit_ = device_.record([&](VkCommandBuffer commands) {
      frameBarrier(commands);  // uploads come before
      times_.recordReset(commands, 0, 2);
      times_.record(commands, 0, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT);
      for (uint32_t frame = 0; frame < frameCount; ++frame) {
        frameBarrier(commands, frames_->stages());
        frames_->record(commands);
      }
      frameBarrier(commands, frames_->stages());
      times_.record(commands, 1);
    });
    unitFrames_ = frameCount;
  }

  void freeUnit() {
    if (unit_ != VK_NULL_HANDLE) device_.free(unit_);
    unit_ = VK_NULL_HANDLE;
  }

  const Role role_;
  const VulkanDevice& device_;
  HostInput& input_;
  const VulkanFrame frame_;
  std::vector<uint32_t>& output_;  // as the host reads it
  const std::unique_ptr<PreparedVulkanCompetitor> frames_;
  Timestamps times_;  // around a unit
  VkCommandBuffer unit_ = VK_NULL_HANDLE;
  uint32_t unitFrames_ = 0;
  const uint32_t frameCount_;
};

class VulkanStage : public Stage {
 public:
  VulkanStage(const std::vector<std::unique_ptr<VulkanCompetitor>>& competitors, const VulkanDevice& device,
              HostInput& input)
      : competitors_(competitors),
        device_(device),
        input_(input),
        bucketCapacity_(bucketCapacityFor(input.workload(), {input.keptCounts()})),
        inputBuffer_(device, input.workload().inputBytes()),
        outputBuffer_(device, outputBytesFor(input.workload(), bucketCapacity_)) {
    inputBuffer_.upload(input.words());
  }

  uint64_t keptCount() const override {
    return std::accumulate(input_.keptCounts().begin(), input_.keptCounts().end(), uint64_t{0});
  }
  std::unique_ptr<Entrant> enter(size_t competitor) override {
    return std::make_unique<VulkanEntrant>(*competitors_[competitor], device_, input_,
                                           VulkanFrame{inputBuffer_, outputBuffer_, bucketCapacity_}, output_);
  }

 private:
  const std::vector<std::unique_ptr<VulkanCompetitor>>& competitors_;
  const VulkanDevice& device_;
  HostInput& input_;
  const uint32_t bucketCapacity_;
  const VulkanBuffer inputBuffer_;
  const VulkanBuffer outputBuffer_;
  std::vector<uint32_t> output_;
};

class VulkanArena : public ArenaOf<VulkanCompetitor> {
 public:
  VulkanArena(ArenaId id, const std::string& selection, std::vector<std::unique_ptr<VulkanCompetitor>> competitors)
      : ArenaOf(std::move(competitors)),
        id_(id),
        device_(instance_, choosePhysicalDevice(instance_, "--vulkan-device", selection), queueKind(id)) {
    std::erase_if(competitors_, [this](const auto& competitor) { return !competitor->runsOn(device_); });
  }

  ArenaId id() const override { return id_; }
  void describe(Devices& devices) const override { devices.vulkan[id_] = device_.description(); }
  bool fallsAsleep() const override { return device_.description().isGpu; }
  std::string refusal(const TrialSettings& settings, const Workload& workload) override {
    return inputRefusal(settings, workload, std::min(device_.memoryBytes(), hostMemoryBytes_),
                        device_.description().isGpu ? UINT64_MAX : kSuiteBytesOnSoftwareDevice);
  }
  std::unique_ptr<Stage> prepare(const TrialSettings&, HostInput& input, WorkloadResult&) override {
    return std::make_unique<VulkanStage>(competitors_, device_, input);
  }

  std::vector<HostCost> hostCosts() override {
    std::vector<HostCost> costs;
    for (const auto& competitor : competitors_) {
      if (!competitor->isSluice()) continue;
      for (const Workload& workload : hostCostWorkloads())
        if (competitor->refusal(workload).empty()) costs.push_back(hostCost(*competitor, workload));
    }
    return costs;
  }

 private:
  // Measures how long it takes to record a frame into a command buffer.
  HostCost hostCost(const VulkanCompetitor& competitor, const Workload& workload) const {
    using Clock = std::chrono::steady_clock;
    HostInput input(workload, 1);
    const uint32_t bucketCapacity = bucketCapacityFor(workload, {input.keptCounts()});
    const VulkanBuffer inputBuffer(device_, workload.inputBytes());
    const VulkanBuffer outputBuffer(device_, outputBytesFor(workload, bucketCapacity));
    const auto frames = competitor.prepare(device_, workload, {inputBuffer, outputBuffer, bucketCapacity});
    return measureHostCost(competitor.name(), id_, workload, [&](uint32_t calls) {
      Clock::duration elapsed{};
      device_.free(device_.record([&](VkCommandBuffer commands) {
        const Clock::time_point start = Clock::now();
        for (uint32_t i = 0; i < calls; ++i) frames->record(commands);
        elapsed = Clock::now() - start;
      }));
      return elapsed;
    });
  }

  static QueueKind queueKind(ArenaId id) {
    return id == ArenaId::VulkanGraphics ? QueueKind::Graphics : QueueKind::Compute;
  }

  const ArenaId id_;
  const uint64_t hostMemoryBytes_ = describeHost().memoryBytes;  // where outputs are checked
  const Instance instance_{kInstanceInfo};
  const VulkanDevice device_;
};

}  // namespace

std::vector<DrawCommand> readDraws(const VulkanBuffer& draws) {
  const std::vector<uint32_t> words = draws.download();
  std::vector<DrawCommand> commands(words.size() * sizeof(uint32_t) / sizeof(DrawCommand));
  std::memcpy(commands.data(), words.data(), commands.size() * sizeof(DrawCommand));
  return commands;
}

std::vector<std::unique_ptr<VulkanCompetitor>> makeVulkanCompetitors(const std::vector<PlanChoices>& choices,
                                                                     const std::vector<SluFlags>& deviceFlags) {
  std::vector<std::unique_ptr<VulkanCompetitor>> competitors;
  competitors.push_back(makeVulkanCopy());
  competitors.push_back(makeVulkanCopyShader());
  competitors.push_back(makeVulkanAppend());
  competitors.push_back(makeVulkanBevy());
  competitors.push_back(makeVulkanNiagara());
  for (const PlanChoices& each : choices) {
    competitors.push_back(makeSluiceVulkan(SLU_ROUTE_VULKAN, 0, each));
    for (const SluFlags flags : deviceFlags) competitors.push_back(makeSluiceVulkan(SLU_ROUTE_VULKAN, flags, each));
    competitors.push_back(makeSluiceVulkan(SLU_ROUTE_INLINE, 0, each));
  }
  return competitors;
}

std::unique_ptr<Arena> makeVulkanArena(ArenaId id, const std::string& selection,
                                       std::vector<std::unique_ptr<VulkanCompetitor>> competitors) {
  return std::make_unique<VulkanArena>(id, selection, std::move(competitors));
}

}  // namespace bench

#include "host/host_arena.h"

#include <chrono>
#include <fstream>
#include <numeric>

#include "arena/frames_per_sample.h"
#include "arena/input_limit.h"
#include "base/threads.h"
#include "judge/host_check.h"

#ifdef _WIN32
#include <windows.h>
#else
#include <unistd.h>
#endif

namespace bench {
namespace {

uint64_t memoryBytes() {
#ifdef _WIN32
  MEMORYSTATUSEX status{};
  status.dwLength = sizeof(status);
  return GlobalMemoryStatusEx(&status) != 0 ? status.ullTotalPhys : 0;
#else
  return static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
#endif
}

// Reads Linux's list of processors, which has lines such as "model name : AMD EPYC".
std::string processorName() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.rfind("model name", 0) == 0 && line.find(": ") != std::string::npos)
      return line.substr(line.find(": ") + 2);
  return "unknown processor";
}

class HostEntrant : public Entrant {
 public:
  HostEntrant(const HostCompetitor& competitor, HostInput& input, std::vector<uint32_t>& output,
              uint32_t bucketCapacity)
      : role_(competitor.role()),
        input_(input),
        output_(output),
        bucketCapacity_(bucketCapacity),
        frames_(competitor.prepare(input.workload(), {input.words().data(), output.data()}, bucketCapacity)),
        frameCount_(framesPerSample([&](uint32_t count) { return unitMicroseconds(count); })) {}

  std::optional<std::string> difference() override {
    std::fill(output_.begin(), output_.end(), kPoisonWord);
    frames_->poison();
    frames_->run();
    if (role_ == Role::Copy) return hostCopyDifference(input_, output_);
    if (auto difference = outcomeDifference(input_.workload(), *frames_, input_.keptCounts(), bucketCapacity_))
      return difference;
    return hostOutputDifference(input_, output_, bucketCapacity_);
  }

  double sample() override { return unitMicroseconds(frameCount_) / frameCount_; }
  uint32_t frameCount() const override { return frameCount_; }

 private:
  double unitMicroseconds(uint32_t frameCount) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();
    for (uint32_t frame = 0; frame < frameCount; ++frame) frames_->run();
    return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
  }

  const Role role_;
  HostInput& input_;
  std::vector<uint32_t>& output_;
  const uint32_t bucketCapacity_;
  const std::unique_ptr<PreparedHostCompetitor> frames_;
  const uint32_t frameCount_;
};

class HostStage : public Stage {
 public:
  HostStage(const std::vector<std::unique_ptr<HostCompetitor>>& competitors, HostInput& input)
      : competitors_(competitors),
        input_(input),
        bucketCapacity_(bucketCapacityFor(input.workload(), {input.keptCounts()})),
        output_(outputBytesFor(input.workload(), bucketCapacity_) / sizeof(uint32_t)) {}

  uint64_t keptCount() const override {
    return std::accumulate(input_.keptCounts().begin(), input_.keptCounts().end(), uint64_t{0});
  }
  std::unique_ptr<Entrant> enter(size_t competitor) override {
    return std::make_unique<HostEntrant>(*competitors_[competitor], input_, output_, bucketCapacity_);
  }

 private:
  const std::vector<std::unique_ptr<HostCompetitor>>& competitors_;
  HostInput& input_;
  const uint32_t bucketCapacity_;
  std::vector<uint32_t> output_;
};

}  // namespace

HostDescription describeHost() { return {processorName(), threadCount(), memoryBytes()}; }

std::vector<std::unique_ptr<HostCompetitor>> makeHostCompetitors(const std::vector<PlanChoices>& choices) {
  std::vector<std::unique_ptr<HostCompetitor>> competitors;
  competitors.push_back(makeHostCopy());
  competitors.push_back(makeHostLoop());
  competitors.push_back(makeHostParallel());
  for (const PlanChoices& each : choices) competitors.push_back(makeSluiceCpu(each));
  return competitors;
}

HostArena::HostArena(std::vector<std::unique_ptr<HostCompetitor>> competitors) : ArenaOf(std::move(competitors)) {}

std::string HostArena::refusal(const TrialSettings& settings, const Workload& workload) {
  return inputRefusal(settings, workload, host_.memoryBytes, kSuiteBytesOnHost);
}

std::unique_ptr<Stage> HostArena::prepare(const TrialSettings&, HostInput& input, WorkloadResult&) {
  return std::make_unique<HostStage>(competitors_, input);
}

}  // namespace bench

#include "trial.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "phase_times.h"
#include "verification.h"

namespace bench {
namespace {

// Each has a frame in the graph, and is verified.
constexpr uint32_t kMaxSets = 4096;

// A competitor on the workload at hand.
struct Entrant {
  CompetitorResult* result;
  std::unique_ptr<PreparedCompetitor> frames;
  std::unique_ptr<TimedFrames> timed;
};

class Trial {
 public:
  Trial(const TrialSettings& settings, const Workload& workload, cudaStream_t stream, WorkloadResult& result)
      : settings_(settings),
        workload_(workload),
        stream_(stream),
        result_(result),
        buffers_(stream, workload, settings.seed, result.setCount) {
    result.keptCount = buffers_.keptCount(0);
  }

  void run(const std::vector<std::unique_ptr<Competitor>>& competitors) {
    result_.competitors.resize(competitors.size());
    for (size_t i = 0; i < competitors.size(); ++i) enter(*competitors[i], result_.competitors[i]);
    verifyAll();
    warmUp();
    for (uint32_t i = 0; i < settings_.repetitionCount; ++i)
      for (Entrant& entrant : entrants_) entrant.result->samples.push_back(entrant.timed->sample());
    verifyAll();
    for (Entrant& entrant : entrants_)
      entrant.result->phases = timePhases(*entrant.frames, stream_, buffers_.setCount());
  }

 private:
  void enter(const Competitor& competitor, CompetitorResult& result) {
    result.competitor = competitor.name();
    result.role = competitor.role();
    result.reason = competitor.refusal(workload_);
    if (!result.reason.empty()) {
      result.status = Status::Refused;
      return;
    }
    auto frames = competitor.prepare(workload_, buffers_.frames());
    auto timed = std::make_unique<TimedFrames>(*frames, stream_, settings_.mode, buffers_.setCount());
    result.framesPerSample = timed->frameCount();
    entrants_.push_back({&result, std::move(frames), std::move(timed)});
  }

  // Whoever is wrong leaves, without a number.
  void verifyAll() {
    for (Entrant& entrant : entrants_) {
      CompetitorResult& result = *entrant.result;
      const auto difference = verify(stream_, workload_, result.role, buffers_, *entrant.frames, *entrant.timed);
      if (!difference) continue;
      result.status = Status::Wrong;
      result.reason = *difference;
      result.samples.clear();
    }
    std::erase_if(entrants_, [](const Entrant& entrant) { return entrant.result->status == Status::Wrong; });
  }

  // Until the clocks are stable: for the time asked for, and on until two rounds took the same time, but no longer than
  // five times that.
  void warmUp() {
    constexpr double kSame = 0.02;
    constexpr double kPatience = 5.0;
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();
    double elapsed = 0;
    double previous = 0;
    double round = 0;
    while (!entrants_.empty() && elapsed < settings_.warmUpSeconds * kPatience &&
           (elapsed < settings_.warmUpSeconds || std::abs(round - previous) > kSame * previous)) {
      previous = round;
      round = 0;
      for (Entrant& entrant : entrants_) round += entrant.timed->sample() * entrant.timed->frameCount();
      elapsed = std::chrono::duration<double>(Clock::now() - start).count();
    }
  }

  const TrialSettings& settings_;
  const Workload& workload_;
  cudaStream_t stream_;
  WorkloadResult& result_;
  WorkloadBuffers buffers_;
  std::vector<Entrant> entrants_;
};

// Room for what competitors need besides the buffers, and for the checks.
uint64_t neededBytes(const Workload& workload, uint32_t setCount) {
  constexpr uint64_t kMargin = 512u << 20;
  return buffersBytes(workload, setCount) + workload.recordCount + kMargin;
}

Residence residenceOf(const TrialSettings& settings, const Workload& workload) {
  if (coldSetCount(workload, settings.cacheBytes) == 1) return Residence::Memory;
  return settings.cold ? Residence::Cold : Residence::Warm;
}

}  // namespace

WorkloadResult runTrial(const TrialSettings& settings, const Workload& workload,
                        const std::vector<std::unique_ptr<Competitor>>& competitors, cudaStream_t stream) {
  WorkloadResult result;
  result.workload = workload;
  result.residence = residenceOf(settings, workload);
  result.setCount = settings.cold ? coldSetCount(workload, settings.cacheBytes) : 1;
  if (result.setCount > kMaxSets) {
    result.refusal =
        sentence("it takes ", result.setCount, " inputs to leave the L2 cache; up to ", kMaxSets, " are supported");
    return result;
  }
  size_t freeBytes = 0;
  size_t totalBytes = 0;
  check(cudaMemGetInfo(&freeBytes, &totalBytes), "cudaMemGetInfo");
  if (const uint64_t needed = neededBytes(workload, result.setCount); needed > freeBytes) {
    constexpr uint64_t kMebibyte = 1u << 20;
    result.refusal =
        sentence("it may take ", needed / kMebibyte, " MiB of device memory, ", freeBytes / kMebibyte, " MiB are free");
    return result;
  }
  Trial(settings, workload, stream, result).run(competitors);
  return result;
}

}  // namespace bench

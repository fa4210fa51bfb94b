#include "cuda/cuda_arena.h"

#include "arena/host_cost.h"
#include "cuda/phase_times.h"
#include "cuda/timed_frames.h"
#include "cuda/verification.h"
#include "workload/host_input.h"

namespace bench {
namespace {

// Each set has a frame in the graph, and is verified.
constexpr uint32_t kMaxSets = 4096;

class CudaEntrant : public Entrant {
 public:
  CudaEntrant(const Competitor& competitor, const TrialSettings& settings, const Workload& workload,
              const WorkloadBuffers& buffers, cudaStream_t stream)
      : role_(competitor.role()),
        workload_(workload),
        buffers_(buffers),
        stream_(stream),
        frames_(competitor.prepare(workload, buffers.frames())),
        timed_(*frames_, stream, settings.mode, buffers.setCount()) {}

  std::optional<std::string> difference() override {
    return verify(stream_, workload_, role_, buffers_, *frames_, timed_);
  }
  double sample() override { return timed_.sample(); }
  uint32_t frameCount() const override { return timed_.frameCount(); }
  std::vector<PhaseResult> phases() override { return timePhases(*frames_, stream_, buffers_.setCount()); }

 private:
  const Role role_;
  const Workload& workload_;
  const WorkloadBuffers& buffers_;
  cudaStream_t stream_;
  const std::unique_ptr<PreparedCompetitor> frames_;
  TimedFrames timed_;
};

class CudaStage : public Stage {
 public:
  CudaStage(const std::vector<std::unique_ptr<Competitor>>& competitors, const TrialSettings& settings,
            const Workload& workload, uint32_t setCount, cudaStream_t stream)
      : competitors_(competitors),
        settings_(settings),
        workload_(workload),
        stream_(stream),
        buffers_(stream, workload, settings.seed, setCount) {}

  uint64_t keptCount() const override { return buffers_.keptCount(0); }
  std::unique_ptr<Entrant> enter(size_t competitor) override {
    return std::make_unique<CudaEntrant>(*competitors_[competitor], settings_, workload_, buffers_, stream_);
  }

 private:
  const std::vector<std::unique_ptr<Competitor>>& competitors_;
  const TrialSettings& settings_;
  const Workload& workload_;
  cudaStream_t stream_;
  const WorkloadBuffers buffers_;
};

// Includes room for the competitors' own memory and for the checks.
uint64_t neededBytes(const Workload& workload, uint32_t setCount) {
  constexpr uint64_t kMargin = 512u << 20;
  return buffersBytes(workload, setCount) + uint64_t{workload.viewCount} * workload.recordCount + kMargin;
}

uint32_t setCountFor(const TrialSettings& settings, const Workload& workload, uint64_t cacheBytes) {
  return settings.cold ? coldSetCount(workload, cacheBytes) : 1;
}

Residence residenceOf(const TrialSettings& settings, const Workload& workload, uint64_t cacheBytes) {
  if (coldSetCount(workload, cacheBytes) == 1) return Residence::Memory;
  return settings.cold ? Residence::Cold : Residence::Warm;
}

}  // namespace

CudaArena::CudaArena(const GpuDescription& gpu, std::vector<std::unique_ptr<Competitor>> competitors)
    : ArenaOf(std::move(competitors)), gpu_(gpu) {}

std::string CudaArena::refusal(const TrialSettings& settings, const Workload& workload) {
  const uint32_t setCount = setCountFor(settings, workload, gpu_.cacheBytes);
  if (setCount > kMaxSets)
    return sentence("it takes ", setCount, " inputs to leave the L2 cache; up to ", kMaxSets, " are supported");
  size_t freeBytes = 0;
  size_t totalBytes = 0;
  check(cudaMemGetInfo(&freeBytes, &totalBytes), "cudaMemGetInfo");
  constexpr uint64_t kMebibyte = 1u << 20;
  if (const uint64_t needed = neededBytes(workload, setCount); needed > freeBytes)
    return sentence("it may take ", needed / kMebibyte, " MiB of device memory, ", freeBytes / kMebibyte,
                    " MiB are free");
  return {};
}

std::unique_ptr<Stage> CudaArena::prepare(const TrialSettings& settings, HostInput& input, WorkloadResult& result) {
  const Workload& workload = input.workload();
  result.setCount = setCountFor(settings, workload, gpu_.cacheBytes);
  result.residence = residenceOf(settings, workload, gpu_.cacheBytes);
  return std::make_unique<CudaStage>(competitors_, settings, workload, result.setCount, stream_);
}

std::vector<HostCost> CudaArena::hostCosts() {
  using Clock = std::chrono::steady_clock;
  std::vector<HostCost> costs;
  for (const auto& competitor : competitors_) {
    if (!competitor->isSluice()) continue;
    for (const Workload& workload : hostCostWorkloads()) {
      if (!competitor->refusal(workload).empty()) continue;
      const WorkloadBuffers buffers(stream_, workload, 1, 1);
      const auto frames = competitor->prepare(workload, buffers.frames());
      costs.push_back(measureHostCost(competitor->name(), id(), workload, [&](uint32_t calls) {
        const Clock::time_point start = Clock::now();
        for (uint32_t i = 0; i < calls; ++i) frames->enqueue(stream_, 0);
        const Clock::duration elapsed = Clock::now() - start;
        stream_.wait();
        return elapsed;
      }));
    }
  }
  return costs;
}

}  // namespace bench

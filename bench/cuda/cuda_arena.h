// The arena of CUDA competitors: a stream of the current device.
#pragma once

#include "arena/arena.h"
#include "cuda/competitor.h"
#include "cuda/cuda_objects.h"

namespace bench {

class CudaArena : public ArenaOf<Competitor> {
 public:
  // gpu: of the current device, as openGpu leaves it.
  CudaArena(const GpuDescription& gpu, std::vector<std::unique_ptr<Competitor>> competitors);

  ArenaId id() const override { return ArenaId::Cuda; }
  void describe(Devices& devices) const override { devices.gpu = gpu_; }
  bool fallsAsleep() const override { return true; }
  std::string refusal(const TrialSettings& settings, const Workload& workload) override;
  std::unique_ptr<Stage> prepare(const TrialSettings& settings, HostInput& input, WorkloadResult& result) override;
  std::vector<HostCost> hostCosts() override;

 private:
  const GpuDescription gpu_;
  const Stream stream_;
};

}  // namespace bench

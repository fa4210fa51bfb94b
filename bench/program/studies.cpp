#include "program/studies.h"

#include <algorithm>
#include <cstdio>

#include "report/table.h"
#ifdef SLUICE_VULKAN
#include "vulkan/handoff_study.h"
#endif
#ifdef SLUICE_CUDA
#include "occlusion/study.h"
#include "reduction/study.h"
#endif

namespace bench {
namespace {

[[maybe_unused]] bool isOpen(ArenaId id, const std::vector<std::unique_ptr<Arena>>& arenas) {
  return std::any_of(arenas.begin(), arenas.end(), [id](const auto& arena) { return arena->id() == id; });
}

}  // namespace

ExitCode runReduction([[maybe_unused]] const std::vector<std::unique_ptr<Arena>>& arenas, RunResult& run) {
#ifdef SLUICE_CUDA
  if (isOpen(ArenaId::Cuda, arenas)) {
    ReductionSettings settings;
    settings.seed = run.settings.seed;
    settings.repetitionCount = run.settings.repetitionCount;
    run.reductions = studyReduction(settings);
  }
#endif
  std::fputs(reductionLines(run.reductions).c_str(), stdout);
  const bool anyWrong = std::any_of(run.reductions.begin(), run.reductions.end(),
                                    [](const ReductionResult& reduction) { return !reduction.wrong.empty(); });
  return anyWrong ? ExitCode::Mismatch : ExitCode::Good;
}

ExitCode runHandoffs([[maybe_unused]] const std::vector<std::unique_ptr<Arena>>& arenas, RunResult& run) {
#ifdef SLUICE_VULKAN
  // On the arena's device, opened once more: the study needs both kinds of queue.
  if (isOpen(ArenaId::Vulkan, arenas))
    run.handoffs = studyHandoffs(run.devices.vulkan[ArenaId::Vulkan].name, run.settings);
#endif
  std::fputs(handoffLines(run.handoffs).c_str(), stdout);
  const bool anyWrong = std::any_of(run.handoffs.begin(), run.handoffs.end(),
                                    [](const HandoffResult& handoff) { return handoff.status == Status::Wrong; });
  return anyWrong ? ExitCode::Mismatch : ExitCode::Good;
}

ExitCode runOcclusion([[maybe_unused]] const std::vector<std::unique_ptr<Arena>>& arenas, [[maybe_unused]] int device,
                      RunResult& run) {
#ifdef SLUICE_CUDA
  if (isOpen(ArenaId::Cuda, arenas)) run.occlusions = studyOcclusion(device, run.settings, occlusionStreets());
#endif
  std::fputs(occlusionLines(run.occlusions).c_str(), stdout);
  const bool anyWrong = std::any_of(run.occlusions.begin(), run.occlusions.end(),
                                    [](const OcclusionResult& occlusion) { return !occlusion.wrong.empty(); });
  return anyWrong ? ExitCode::Mismatch : ExitCode::Good;
}

}  // namespace bench

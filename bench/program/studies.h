// Runs the studies that options ask for, which are no workloads: the reduction, the hand-offs and occlusion.
#pragma once

#include <memory>
#include <vector>

#include "arena/arena.h"
#include "base/failure.h"

namespace bench {

// Each adds its results to the run and prints them. Without its arena it prints that it is skipped.
// Mismatch when a result is wrong.
ExitCode runReduction(const std::vector<std::unique_ptr<Arena>>& arenas, RunResult& run);
ExitCode runHandoffs(const std::vector<std::unique_ptr<Arena>>& arenas, RunResult& run);
// device: of CUDA.
ExitCode runOcclusion(const std::vector<std::unique_ptr<Arena>>& arenas, int device, RunResult& run);

}  // namespace bench

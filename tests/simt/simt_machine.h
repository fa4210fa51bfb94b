// The CUDA route's own kernels and schedule on the CPU, on host memory, as the CUDA route of a context.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "machine.h"
#include "simt_kernels.h"

namespace slu::test {

// Where it is scarce, launches may ask for as little of it as on every GPU.
constexpr SharedMemory kSharedMemories[] = {SharedMemory::ample, SharedMemory::scarce};

struct SimtOptions {
  std::uint32_t residentBlocks = 0;  // of each kernel; 0: one, two and three, plan by plan
  SharedMemory sharedMemory = SharedMemory::ample;
  std::uint64_t pipedFrom = LaunchLimits{}.pipedFrom;
  // Without a value, each frame of every second plan reads records once for all views, and none of the others does.
  std::optional<std::uint64_t> viewsFrom = {};
  // Without a value, every third plan keeps no decisions, and every third one lists no records.
  std::optional<std::uint64_t> mostDecisionBytes = {}, mostListBytes = {};
  // What runs a launch, but those of kernels that a predicate is compiled into.
  std::function<void(const CudaLaunch&, const cuda::Arguments&)> launch = launchOnCpu;
};

// Shared memory enough for every kernel, or what every GPU grants.
LaunchLimits launchLimits(const SimtOptions& options);

std::unique_ptr<Machine> makeSimtMachine(const SimtOptions& options = {});

}  // namespace slu::test

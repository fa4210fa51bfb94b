// Which workloads are too large for an arena that is slow, or short of memory.
#pragma once

#include <cstdint>
#include <string>

#include "arena/trial_settings.h"
#include "workload/workload.h"

namespace bench {

// Of a suite's workloads, the largest inputs that run without a GPU: a suite then takes minutes at most, --suite quick
// one. A Vulkan device that is the host's processors runs a shader many times slower than they run a loop.
constexpr uint64_t kSuiteBytesOnHost = 16u << 20;
constexpr uint64_t kSuiteBytesOnSoftwareDevice = 1u << 20;

// The part of an arena's memory that an input may take. Beside it there are the output, up to twice as large, and the
// copies that the check needs.
constexpr uint64_t kInputsPerMemory = 16;

// Why the workload is too large; empty when it is not. memoryBytes: of the arena. suiteBytes: the limit of a
// suite's workloads.
std::string inputRefusal(const TrialSettings& settings, const Workload& workload, uint64_t memoryBytes,
                         uint64_t suiteBytes);

}  // namespace bench

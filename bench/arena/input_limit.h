// Refuses workloads that are too large for an arena that is slow or short of memory.
#pragma once

#include <cstdint>
#include <string>

#include "arena/trial_settings.h"
#include "workload/workload.h"

namespace bench {

// The largest inputs of a suite that run without a GPU. With these limits a suite takes minutes, and --suite quick
// takes one. A Vulkan driver on the host's processors runs a shader many times slower than they run a loop.
constexpr uint64_t kSuiteBytesOnHost = 16u << 20;
constexpr uint64_t kSuiteBytesOnSoftwareDevice = 1u << 20;

// An input may take this part of an arena's memory, and so may what several views keep of it. The rest is for the
// output, which may be twice as large, and for the copies that the check needs.
constexpr uint64_t kInputsPerMemory = 16;

// Says why the workload is too large; empty when it is not. memoryBytes: of the arena. suiteBytes: the limit for
// workloads of a suite.
std::string inputRefusal(const TrialSettings& settings, const Workload& workload, uint64_t memoryBytes,
                         uint64_t suiteBytes);

}  // namespace bench

// Proves on the host that an output is a right answer, at any size: what cuda/output_check.h does on the GPU.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "workload/host_input.h"

namespace bench {

// The first difference as a sentence, or nothing. output: all that was allocated for the set, poisoned before the
// frame. Small inputs are also compared with the reference.
std::optional<std::string> hostOutputDifference(HostInput& input, std::span<const uint32_t> output,
                                                uint32_t bucketCapacity);

// The same for a frame over the first records alone, and without the reference. keptCounts: of these records, per
// bucket. output: the buckets.
std::optional<std::string> hostBucketsDifference(HostInput& input, uint32_t recordCount,
                                                 const std::vector<uint32_t>& keptCounts,
                                                 std::span<const uint32_t> output, uint32_t bucketCapacity);

// The same for a copy: the whole input, unchanged, and poison behind it.
std::optional<std::string> hostCopyDifference(HostInput& input, std::span<const uint32_t> output);

}  // namespace bench

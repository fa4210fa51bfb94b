// Proves on the host that an output is right, at any size, as cuda/output_check.h does on the GPU.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "workload/host_input.h"

namespace bench {

// Returns the first difference as a sentence, or nothing. output: all that was allocated for the set, poisoned before
// the frame. Small inputs are also compared with the reference.
std::optional<std::string> hostOutputDifference(HostInput& input, std::span<const uint32_t> output,
                                                uint32_t bucketCapacity);

// Checks a frame over the first records only, without the reference. keptCounts: of these records, per view and bucket.
// output: the buckets.
std::optional<std::string> hostBucketsDifference(HostInput& input, uint32_t recordCount,
                                                 const std::vector<uint32_t>& keptCounts,
                                                 std::span<const uint32_t> output, uint32_t bucketCapacity);

// Checks a copy: it must be the whole input, unchanged, with poison behind it.
std::optional<std::string> hostCopyDifference(HostInput& input, std::span<const uint32_t> output);

}  // namespace bench

// Compaction as anyone would write it, on the host, and the comparison with it: the competitors' judge for small
// inputs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "workload/workload.h"

namespace bench {

// Indices of the kept records, view by view and bucket by bucket, in input order. input: its words.
std::vector<std::vector<uint32_t>> referenceIndices(const Workload& workload, const std::vector<uint32_t>& input);

// The first difference between an output and the reference, as a sentence; nothing when they agree. The output of
// bucket b of all views begins at element b * bucketCapacity, unless buckets are packed or merged. Elements behind the
// kept ones are not looked at. Without order, elements of a bucket, or of a merged output, are compared as multisets.
std::optional<std::string> differenceFromReference(const Workload& workload, const std::vector<uint32_t>& input,
                                                   const std::vector<uint32_t>& output, uint32_t bucketCapacity);

}  // namespace bench

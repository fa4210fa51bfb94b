// Counts the bytes that frames over the street cannot avoid moving.
#pragma once

#include <cstdint>
#include <vector>

#include "occlusion/sight.h"

namespace bench {

// Memory is read in sectors of 32 bytes (workload/traffic.h). Boxes and matrices of all records are read, of First
// those of the records that `last` names. Buckets are read of kept records. A kept record writes its index, a bucket
// its draw. First and Second read a bit per record, Second and Single write one. Texels that tests read are left out:
// many tests read the same ones.
uint64_t frameBytes(const Street& street, StreetFrame frame, const std::vector<uint32_t>& last,
                    const std::vector<uint8_t>& kept);

// Pixels that are read, and texels that are written.
uint64_t pyramidBytes(const StreetSettings& settings);

}  // namespace bench

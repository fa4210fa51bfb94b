// CUB's DeviceSelect::If, one translation unit per type of element, as each takes long to compile.
#pragma once

#include "competitor.h"

namespace bench {

// Records of the named size, copied. Instantiated for 4, 16, 32, 64 and 128 bytes.
template <uint32_t recordBytes>
std::unique_ptr<PreparedCompetitor> prepareCubRecords(const Workload& workload, const FrameBuffers& buffers);

// Indices of records of any size.
std::unique_ptr<PreparedCompetitor> prepareCubIndices(const Workload& workload, const FrameBuffers& buffers);

}  // namespace bench

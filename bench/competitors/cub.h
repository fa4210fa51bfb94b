// CUB's selections and Thrust's: one translation unit per size of record, as each takes long to compile.
#pragma once

#include "cuda/competitor.h"

namespace bench {

enum class CubCall {
  SelectIf,            // cub::DeviceSelect::If with its default policy
  SelectIfTuned,       // the same with a tuned one
  SelectFlagged,       // cub::DeviceSelect::Flagged with its default policy
  SelectFlaggedTuned,  // the same with SelectIf's tuned one
  PartitionIf,         // cub::DevicePartition::If
  CopyIf,              // thrust::copy_if
};

using CubPrepare = std::unique_ptr<PreparedCompetitor> (*)(const Workload&, const FrameBuffers&);

// Instead of a size: indices of records of any size.
constexpr uint32_t kCubIndices = 0;

// How to prepare the call for records of a size; null where it is not built for them. cub.cpp and CMakeLists.txt name
// the sizes.
template <uint32_t recordBytes>
CubPrepare findCub(CubCall call);

// Likewise for what is culled: indices of records of any size, or records of 64 bytes by the spheres beside them.
CubPrepare findCubCulled(CubCall call, Outputs outputs, uint32_t recordBytes);

}  // namespace bench

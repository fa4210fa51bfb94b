// CUB's selections and Thrust's: one translation unit per size of record, as each takes long to compile.
#pragma once

#include "cuda/competitor.h"

namespace bench {

enum class CubCall {
  SelectIf,            // cub::DeviceSelect::If with its default policy
  SelectIfTuned,       // cub::DeviceSelect::If with a tuned policy
  SelectFlagged,       // cub::DeviceSelect::Flagged with its default policy
  SelectFlaggedTuned,  // cub::DeviceSelect::Flagged with the tuned policy of SelectIf
  PartitionIf,         // cub::DevicePartition::If
  CopyIf,              // thrust::copy_if
};

using CubPrepare = std::unique_ptr<PreparedCompetitor> (*)(const Workload&, const FrameBuffers&);

// Stands in the place of a record size: the elements are indices of records of any size.
constexpr uint32_t kCubIndices = 0;

// Prepares the call for records of a size; null when it is not built for that size. cub.cpp and CMakeLists.txt list the
// sizes.
template <uint32_t recordBytes>
CubPrepare findCub(CubCall call);

// Prepares the call for workloads that cull: indices of records of any size, or records of 64 bytes with spheres beside
// them.
CubPrepare findCubCulled(CubCall call, Outputs outputs, uint32_t recordBytes);

}  // namespace bench

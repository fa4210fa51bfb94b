// Every call for one size of record.
#pragma once

#include "competitors/cub_flagged.cuh"
#include "competitors/cub_partition.cuh"
#include "competitors/cub_select.cuh"
#include "competitors/thrust_copy_if.cuh"

namespace bench {

template <uint32_t recordBytes>
CubPrepare findCub(CubCall call) {
  switch (call) {
    case CubCall::SelectIf:
      return prepareFrames<CubFrames<SelectIf<recordBytes>>>;
    case CubCall::SelectIfTuned:
#if BENCH_CUB_TUNED
      return prepareFrames<CubFrames<SelectIfTuned<recordBytes>>>;
#else
      return nullptr;
#endif
    case CubCall::SelectFlagged:
      return prepareFrames<CubFrames<SelectFlagged<recordBytes>>>;
    case CubCall::SelectFlaggedTuned:
#if BENCH_CUB_TUNED
      return prepareFrames<CubFrames<SelectFlaggedTuned<recordBytes>>>;
#else
      return nullptr;
#endif
    case CubCall::PartitionIf:
      return prepareFrames<PartitionFrames<recordBytes>>;
    case CubCall::CopyIf:
      return prepareFrames<CopyIfFrames<CubElements<recordBytes>>>;
  }
  return nullptr;
}

}  // namespace bench

// cub::DeviceSelect::Flagged. A frame begins with the flags: what a renderer has are records, so that this is what it
// would have to pay.
#pragma once

#include <cub/device/device_select.cuh>

#include "competitors/cub_frames.cuh"
#include "competitors/live_flags.h"

namespace bench {

template <uint32_t recordBytes>
struct SelectFlagged {
  static constexpr const char* kName = "cub::DeviceSelect::Flagged";
  using Elements = CubElements<recordBytes>;

  explicit SelectFlagged(const Workload& chosen)
      : elements(chosen), workload(chosen), flags((uint64_t{chosen.recordCount} + 3) / 4 * 4) {}

  cudaError_t operator()(void* scratch, size_t& bytes, const FrameSet& set, uint32_t* keptCount,
                         cudaStream_t stream) const {
    if (scratch != nullptr) writeLiveFlags(stream, workload, set.input, flags.as<uint8_t>());
    return cub::DeviceSelect::Flagged(scratch, bytes, elements.input(set), flags.as<const uint8_t>(),
                                      static_cast<typename Elements::Element*>(set.output), keptCount,
                                      int64_t{workload.recordCount}, stream);
  }

  Elements elements;
  Workload workload;
  DeviceMemory flags;
};

}  // namespace bench

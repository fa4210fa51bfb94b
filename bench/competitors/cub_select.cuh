// cub::DeviceSelect::If, with its default policy and with a tuned one.
#pragma once

#include <cub/device/device_select.cuh>

#include "competitors/cub_frames.cuh"
#include "competitors/cub_tuned_policy.cuh"

namespace bench {

template <uint32_t recordBytes>
struct SelectIf {
  static constexpr const char* kName = "cub::DeviceSelect::If";
  using Elements = CubElements<recordBytes>;

  explicit SelectIf(const Workload& workload) : elements(workload), recordCount(workload.recordCount) {}

  cudaError_t operator()(void* scratch, size_t& bytes, const FrameSet& set, uint32_t* keptCount,
                         cudaStream_t stream) const {
    return cub::DeviceSelect::If(scratch, bytes, elements.input(set),
                                 static_cast<typename Elements::Element*>(set.output), keptCount, recordCount,
                                 elements.keep(set), stream);
  }

  Elements elements;
  int64_t recordCount;
};

#if BENCH_CUB_TUNED

template <uint32_t recordBytes>
struct SelectIfTuned {
  static constexpr const char* kName = "cub::DispatchSelectIf";
  using Elements = CubElements<recordBytes>;

  explicit SelectIfTuned(const Workload& workload) : elements(workload), recordCount(workload.recordCount) {}

  cudaError_t operator()(void* scratch, size_t& bytes, const FrameSet& set, uint32_t* keptCount,
                         cudaStream_t stream) const {
    return selectBy<TunedPolicy<recordBytes>>(scratch, bytes, elements.input(set), kCubNoFlags,
                                              static_cast<typename Elements::Element*>(set.output), keptCount,
                                              recordCount, elements.keep(set), stream);
  }

  Elements elements;
  int64_t recordCount;
};

#endif

}  // namespace bench

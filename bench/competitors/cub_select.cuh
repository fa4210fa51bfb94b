// cub::DeviceSelect::If, with its default policy and with one for records wider than a word.
#pragma once

#include <cub/device/device_select.cuh>

#include "competitors/cub_frames.cuh"
#include "competitors/cub_wide_policy.cuh"

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
  using Record = CubRecord<recordBytes>;
  using Dispatch = cub::DispatchSelectIf<const Record*, cub::NullType*, Record*, uint32_t*, KeepNonEmpty, cub::NullType,
                                         int64_t, cub::SelectImpl::Select, WidePolicyHub<Record>>;

  explicit SelectIfTuned(const Workload& workload) : recordCount(workload.recordCount) {}

  cudaError_t operator()(void* scratch, size_t& bytes, const FrameSet& set, uint32_t* keptCount,
                         cudaStream_t stream) const {
    return Dispatch::Dispatch(scratch, bytes, static_cast<const Record*>(set.input), nullptr,
                              static_cast<Record*>(set.output), keptCount, KeepNonEmpty(), cub::NullType(), recordCount,
                              stream);
  }

  int64_t recordCount;
};

#endif

}  // namespace bench

// cub::DeviceSelect::Flagged, with its default policy and with a tuned one. A renderer has records and no flags, so
// writing the flags is a part of the frame.
#pragma once

#include <cub/device/device_select.cuh>

#include "competitors/cub_frames.cuh"
#include "competitors/cub_tuned_policy.cuh"
#include "competitors/live_flags.h"

namespace bench {

// A byte per record.
class LiveFlags {
 public:
  explicit LiveFlags(const Workload& workload)
      : workload_(workload), flags_((uint64_t{workload.recordCount} + 3) / 4 * 4) {}

  void write(cudaStream_t stream, const FrameSet& set) const {
    writeLiveFlags(stream, workload_, set.input, flags_.as<uint8_t>());
  }
  const uint8_t* get() const { return flags_.as<const uint8_t>(); }
  int64_t count() const { return workload_.recordCount; }

 private:
  Workload workload_;
  DeviceMemory flags_;
};

template <uint32_t recordBytes>
struct SelectFlagged {
  static constexpr const char* kName = "cub::DeviceSelect::Flagged";
  using Elements = CubElements<recordBytes>;

  explicit SelectFlagged(const Workload& workload) : elements(workload), flags(workload) {}

  cudaError_t operator()(void* scratch, size_t& bytes, const FrameSet& set, uint32_t* keptCount,
                         cudaStream_t stream) const {
    if (scratch != nullptr) flags.write(stream, set);
    return cub::DeviceSelect::Flagged(scratch, bytes, elements.input(set), flags.get(),
                                      static_cast<typename Elements::Element*>(set.output), keptCount, flags.count(),
                                      stream);
  }

  Elements elements;
  LiveFlags flags;
};

#if BENCH_CUB_TUNED

template <uint32_t recordBytes>
struct SelectFlaggedTuned {
  static constexpr const char* kName = "cub::DispatchSelectIf";
  using Elements = CubElements<recordBytes>;

  explicit SelectFlaggedTuned(const Workload& workload) : elements(workload), flags(workload) {}

  cudaError_t operator()(void* scratch, size_t& bytes, const FrameSet& set, uint32_t* keptCount,
                         cudaStream_t stream) const {
    if (scratch != nullptr) flags.write(stream, set);
    return selectBy<TunedPolicy<recordBytes>>(scratch, bytes, elements.input(set), flags.get(),
                                              static_cast<typename Elements::Element*>(set.output), keptCount,
                                              flags.count(), cub::NullType(), stream);
  }

  Elements elements;
  LiveFlags flags;
};

#endif

}  // namespace bench

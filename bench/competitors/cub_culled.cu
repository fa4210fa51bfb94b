// CUB's and Thrust's calls with a culling test. For indices they read a counting iterator. For records they take the
// spheres as flags or as the stencil. CUB runs with its default policy and with a tuned one.
#include <cub/device/device_select.cuh>

#include "competitors/cub_frames.cuh"
#include "competitors/cub_tuned_policy.cuh"
#include "competitors/thrust_copy_if.cuh"

namespace bench {
namespace {

constexpr uint32_t kRecordBytes = 64;

struct KeepVisible {
  Frustum frustum;

  __device__ bool operator()(const Sphere& sphere) const { return frustum.touches(sphere); }
};

struct CulledIndices {
  using Element = uint32_t;
  Workload workload;

  explicit CulledIndices(const Workload& chosen) : workload(chosen) {}
  thrust::counting_iterator<uint32_t> input(const FrameSet&) const { return thrust::counting_iterator<uint32_t>(0); }
  SphereTest keep(const FrameSet& set) const { return sphereTest(workload, set.input); }
};

struct SelectCulledIndices {
  static constexpr const char* kName = "cub::DeviceSelect::If";

  explicit SelectCulledIndices(const Workload& workload) : elements(workload) {}

  cudaError_t operator()(void* scratch, size_t& bytes, const FrameSet& set, uint32_t* keptCount,
                         cudaStream_t stream) const {
    return cub::DeviceSelect::If(scratch, bytes, elements.input(set), static_cast<uint32_t*>(set.output), keptCount,
                                 int64_t{elements.workload.recordCount}, elements.keep(set), stream);
  }

  CulledIndices elements;
};

struct SelectCulledRecords {
  static constexpr const char* kName = "cub::DeviceSelect::FlaggedIf";
  using Record = CubRecord<kRecordBytes>;

  explicit SelectCulledRecords(const Workload& chosen) : workload(chosen) {}

  cudaError_t operator()(void* scratch, size_t& bytes, const FrameSet& set, uint32_t* keptCount,
                         cudaStream_t stream) const {
    return cub::DeviceSelect::FlaggedIf(scratch, bytes, static_cast<const Record*>(set.input),
                                        sphereTest(workload, set.input).spheres, static_cast<Record*>(set.output),
                                        keptCount, int64_t{workload.recordCount}, KeepVisible{kFrustum}, stream);
  }

  Workload workload;
};

#if BENCH_CUB_TUNED

struct SelectCulledIndicesTuned {
  static constexpr const char* kName = "cub::DispatchSelectIf";

  explicit SelectCulledIndicesTuned(const Workload& workload) : elements(workload) {}

  cudaError_t operator()(void* scratch, size_t& bytes, const FrameSet& set, uint32_t* keptCount,
                         cudaStream_t stream) const {
    return selectBy<TunedCullingPolicy<Outputs::Indices>>(scratch, bytes, elements.input(set), kCubNoFlags,
                                                          static_cast<uint32_t*>(set.output), keptCount,
                                                          elements.workload.recordCount, elements.keep(set), stream);
  }

  CulledIndices elements;
};

struct SelectCulledRecordsTuned {
  static constexpr const char* kName = "cub::DispatchSelectIf";
  using Record = CubRecord<kRecordBytes>;

  explicit SelectCulledRecordsTuned(const Workload& chosen) : workload(chosen) {}

  cudaError_t operator()(void* scratch, size_t& bytes, const FrameSet& set, uint32_t* keptCount,
                         cudaStream_t stream) const {
    return selectBy<TunedCullingPolicy<Outputs::Records>>(
        scratch, bytes, static_cast<const Record*>(set.input), sphereTest(workload, set.input).spheres,
        static_cast<Record*>(set.output), keptCount, workload.recordCount, KeepVisible{kFrustum}, stream);
  }

  Workload workload;
};

#endif

}  // namespace

CubPrepare findCubCulled(CubCall call, Outputs outputs, uint32_t recordBytes) {
  if (outputs == Outputs::Indices) {
#if BENCH_CUB_TUNED
    if (call == CubCall::SelectIfTuned) return prepareFrames<CubFrames<SelectCulledIndicesTuned>>;
#endif
    if (call == CubCall::SelectIf) return prepareFrames<CubFrames<SelectCulledIndices>>;
    if (call == CubCall::CopyIf) return prepareFrames<CopyIfFrames<CulledIndices>>;
  } else if (recordBytes == kRecordBytes) {
#if BENCH_CUB_TUNED
    if (call == CubCall::SelectIfTuned) return prepareFrames<CubFrames<SelectCulledRecordsTuned>>;
#endif
    if (call == CubCall::SelectIf) return prepareFrames<CubFrames<SelectCulledRecords>>;
  }
  return nullptr;
}

}  // namespace bench

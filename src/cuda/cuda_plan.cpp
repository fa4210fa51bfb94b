#include "cuda/cuda_plan.h"

#include <algorithm>

#include "cuda/kernel_functions.h"
#include "cuda/schedule.h"
#include "interop/cuda_error.h"

namespace slu {
namespace {

// Device memory of the library's own.
class DeviceMemory {
 public:
  explicit DeviceMemory(const CudaContext& context) : context_(context) {}
  ~DeviceMemory() {
    if (pointer_ == nullptr) return;
    const CudaScope scope(context_, std::nothrow);
    if (scope) forget(cudaFree(pointer_));
  }
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  // Once, in a CudaScope.
  void allocate(std::uint64_t bytes) {
    if (bytes != 0) check(cudaMalloc(&pointer_, bytes), "cudaMalloc");
  }

  void* pointer() const { return pointer_; }
  std::uint64_t address() const { return reinterpret_cast<std::uintptr_t>(pointer_); }

 private:
  const CudaContext& context_;
  void* pointer_ = nullptr;
};

class CudaPlan final : public RoutePlan {
 public:
  CudaPlan(const CudaContext& context, const PlanLayout& layout);

  void run(const Frame& frame, void* target) override;
  std::uint64_t tileRecords() const override { return schedule_.tileRecords(); }
  std::uint64_t scratchBytes() const override {
    return schedule_.scratchBytes() + schedule_.tableBytes() + schedule_.stagingBytes();
  }

 private:
  std::uint32_t residentBlocks() const;

  const CudaContext& context_;
  const PlanLayout layout_;
  CudaSchedule schedule_;
  DeviceMemory scratch_;
  DeviceMemory table_;
  DeviceMemory staging_;
};

CudaPlan::CudaPlan(const CudaContext& context, const PlanLayout& layout)
    : context_(context), layout_(layout), schedule_(layout_), scratch_(context), table_(context), staging_(context) {
  const CudaScope scope(context);
  scratch_.allocate(schedule_.scratchBytes());
  table_.allocate(schedule_.tableBytes());
  staging_.allocate(schedule_.stagingBytes());
  check(cudaMemset(scratch_.pointer(), 0, schedule_.scratchBytes()), "cudaMemset");
  check(cudaMemcpy(table_.pointer(), layout_.buckets.data(), schedule_.tableBytes(), cudaMemcpyHostToDevice),
        "cudaMemcpy");
  check(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize");  // so that frames of any stream find it
  schedule_.place(scratch_.address(), table_.address(), staging_.address(), residentBlocks());
}

std::uint32_t CudaPlan::residentBlocks() const {
  int blocks = 0;
  int multiprocessors = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernelFunction(schedule_.kernel()),
                                                      static_cast<int>(blockThreads(schedule_.kernel())), 0),
        "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, context_.device()),
        "cudaDeviceGetAttribute");
  return static_cast<std::uint32_t>(std::max(blocks, 1) * multiprocessors);
}

void CudaPlan::run(const Frame& frame, void* target) {
  const auto stream = static_cast<cudaStream_t>(target);
  const CudaScope scope(context_);
  cuda::Arguments arguments = schedule_.arguments(frame);
  if (layout_.inPlace && frame.recordCount != 0) {
    const auto* from = reinterpret_cast<const void*>(static_cast<std::uintptr_t>(frame.records.address));
    const std::uint64_t bytes = std::uint64_t{frame.recordCount} * layout_.recordStride;
    check(cudaMemcpyAsync(staging_.pointer(), from, bytes, cudaMemcpyDeviceToDevice, stream), "cudaMemcpyAsync");
  }
  const CudaLaunches launches = schedule_.launches(frame);
  for (std::uint32_t i = 0; i < launches.count; ++i) {
    const CudaLaunch& launch = launches.items[i];
    void* parameters[] = {&arguments};
    check(cudaLaunchKernel(kernelFunction(launch.kernel), dim3(launch.x, launch.y), dim3(blockThreads(launch.kernel)),
                           parameters, 0, stream),
          "cudaLaunchKernel");
  }
}

}  // namespace

std::unique_ptr<RoutePlan> makeCudaPlan(const CudaContext& context, const PlanLayout& layout) {
  return std::make_unique<CudaPlan>(context, layout);
}

}  // namespace slu

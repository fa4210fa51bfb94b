#include "routes/cuda/cuda_plan.h"

#include <algorithm>

#include "base/cuda_error.h"
#include "interop/external_semaphore.h"
#include "kernels/schedule.h"

namespace slu {
namespace {

// Device memory of the library's own.
class DeviceMemory {
 public:
  explicit DeviceMemory(const CudaContext& context) : context_(context) {}
  ~DeviceMemory() {
    if (address_ == 0) return;
    const CudaScope scope(context_, std::nothrow);
    if (scope) context_.driver().memFree(address_);
  }
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  // Once, in a CudaScope.
  void allocate(std::uint64_t bytes) {
    if (bytes != 0) check(context_.driver().memAlloc(&address_, bytes), "cuMemAlloc");
  }

  CUdeviceptr address() const { return address_; }

 private:
  const CudaContext& context_;
  CUdeviceptr address_ = 0;
};

// Fills what the library allocated. A stream of its own, since the default stream waits for those that are captured, and
// breaks their captures.
class Filling {
 public:
  // In a CudaScope, as all else here.
  explicit Filling(const CudaDriverFunctions& driver) : driver_(driver) {
    check(driver_.streamCreate(&stream_, CU_STREAM_NON_BLOCKING), "cuStreamCreate");
  }
  ~Filling() { driver_.streamDestroy(stream_); }
  Filling(const Filling&) = delete;
  Filling& operator=(const Filling&) = delete;

  void clear(const DeviceMemory& memory, std::uint64_t bytes) {
    check(driver_.memsetD8Async(memory.address(), 0, bytes, stream_), "cuMemsetD8Async");
  }
  void copy(const DeviceMemory& memory, const void* from, std::uint64_t bytes) {
    check(driver_.memcpyHtoDAsync(memory.address(), from, bytes, stream_), "cuMemcpyHtoDAsync");
  }
  // So that frames of any stream find it filled.
  void finish() { check(driver_.streamSynchronize(stream_), "cuStreamSynchronize"); }

 private:
  const CudaDriverFunctions& driver_;
  CUstream stream_ = nullptr;
};

class CudaPlan final : public RoutePlan {
 public:
  CudaPlan(SharedKernels& shared, Timelines* timelines, const PlanLayout& layout);

  void run(const Frame& frame, void* target) override;
  std::uint64_t tileRecords() const override { return schedule_.tileRecords(); }
  std::uint64_t scratchBytes() const override {
    return schedule_.scratchBytes() + schedule_.tableBytes() + schedule_.stagingBytes();
  }

 private:
  std::uint32_t residentBlocks(CudaKernel kernel) const;
  void enqueue(const Frame& frame, cudaStream_t stream) const;

  const CudaContext& context_;
  Timelines* const timelines_;
  const PlanLayout layout_;
  const LaunchLimits limits_;
  CudaSchedule schedule_;
  std::unique_ptr<const PlanKernels> kernels_;
  DeviceMemory scratch_;
  DeviceMemory table_;
  DeviceMemory staging_;
};

LaunchLimits limitsOf(const SharedKernels& shared, const PlanLayout& layout) {
  const CudaScope scope(shared.context);
  return launchLimits(shared, layout);
}

CudaPlan::CudaPlan(SharedKernels& shared, Timelines* timelines, const PlanLayout& layout)
    : context_(shared.context),
      timelines_(timelines),
      layout_(layout),
      limits_(limitsOf(shared, layout_)),
      schedule_(layout_, SharedMemory::ample, limits_),
      scratch_(context_),
      table_(context_),
      staging_(context_) {
  const CudaScope scope(context_);
  kernels_ = makePlanKernels(shared, layout_, limits_, schedule_);
  scratch_.allocate(schedule_.scratchBytes());
  table_.allocate(schedule_.tableBytes());
  staging_.allocate(schedule_.stagingBytes());
  Filling filling(context_.driver());
  filling.clear(scratch_, schedule_.scratchBytes());
  filling.copy(table_, layout_.buckets.data(), schedule_.tableBytes());
  filling.finish();
  const std::optional<CudaKernel> piped = schedule_.pipedKernel();
  schedule_.place(scratch_.address(), table_.address(), staging_.address(), residentBlocks(schedule_.kernel()),
                  piped ? residentBlocks(*piped) : 1);
}

std::uint32_t CudaPlan::residentBlocks(CudaKernel kernel) const {
  const int blocks = kernels_->residentBlocks(kernel, schedule_.blockOf(kernel));
  int multiprocessors = 0;
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, context_.device()),
        "cudaDeviceGetAttribute");
  return static_cast<std::uint32_t>(std::max(blocks, 1) * multiprocessors);
}

void CudaPlan::run(const Frame& frame, void* target) {
  const auto stream = static_cast<cudaStream_t>(target);
  const CudaScope scope(context_);
  if (timelines_ != nullptr) timelines_->beginFrame(stream, frame.handoff.wait);
  enqueue(frame, stream);
  if (timelines_ != nullptr) timelines_->endFrame(stream, frame.handoff.signal);
}

void CudaPlan::enqueue(const Frame& frame, cudaStream_t stream) const {
  const cuda::Arguments arguments = schedule_.arguments(frame);
  if (layout_.inPlace && frame.recordCount != 0) {
    const auto* from = reinterpret_cast<const void*>(static_cast<std::uintptr_t>(frame.records.address));
    const std::uint64_t bytes = std::uint64_t{frame.recordCount} * layout_.recordStride;
    auto* to = reinterpret_cast<void*>(static_cast<std::uintptr_t>(staging_.address()));
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream), "cudaMemcpyAsync");
  }
  const CudaLaunches launches = schedule_.launches(frame);
  for (std::uint32_t i = 0; i < launches.count; ++i) {
    kernels_->launch(launches.items[i], arguments, stream);
  }
}

}  // namespace

std::unique_ptr<RoutePlan> makeCudaPlan(SharedKernels& shared, Timelines* timelines, const PlanLayout& layout) {
  return std::make_unique<CudaPlan>(shared, timelines, layout);
}

}  // namespace slu

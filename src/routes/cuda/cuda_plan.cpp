#include "routes/cuda/cuda_plan.h"

#include <algorithm>

#include "base/cuda_owned.h"
#include "interop/external_semaphore.h"
#include "kernels/schedule.h"

namespace slu {
namespace {

// Call it once for each memory, in a CudaScope.
void allocateOnDevice(OwnedDeviceMemory& memory, std::uint64_t bytes) {
  if (bytes != 0) memory.take(memory.context().functions().cuMemAlloc(memory.put(), bytes), "cuMemAlloc");
}

class CudaPlan final : public RoutePlan {
 public:
  CudaPlan(SharedKernels& shared, TimelineEnds* timelines, const PlanLayout& layout);

  void run(const Frame& frame, void* target) override;
  std::uint64_t tileRecords() const override { return schedule_.tileRecords(); }
  std::uint64_t scratchBytes() const override {
    return schedule_.scratchBytes() + schedule_.tableBytes() + schedule_.stagingBytes() + schedule_.listBytes();
  }

 private:
  void fillMemory() const;
  std::uint32_t residentBlocks(CudaKernel kernel) const;
  void enqueue(const Frame& frame, CUstream stream) const;

  const CudaContext& context_;
  TimelineEnds* const timelines_;
  const PlanLayout layout_;
  const LaunchLimits limits_;
  CudaSchedule schedule_;
  std::unique_ptr<const PlanKernels> kernels_;
  OwnedDeviceMemory scratch_;
  OwnedDeviceMemory table_;
  OwnedDeviceMemory staging_;
  OwnedDeviceMemory lists_;  // what frames write before they read it
};

LaunchLimits limitsOf(const SharedKernels& shared, const PlanLayout& layout) {
  const CudaScope scope(shared.context);
  return launchLimits(shared, layout);
}

CudaPlan::CudaPlan(SharedKernels& shared, TimelineEnds* timelines, const PlanLayout& layout)
    : context_(shared.context),
      timelines_(timelines),
      layout_(layout),
      limits_(limitsOf(shared, layout_)),
      schedule_(layout_, SharedMemory::ample, limits_),
      scratch_(context_),
      table_(context_),
      staging_(context_),
      lists_(context_) {
  const CudaScope scope(context_);
  kernels_ = makePlanKernels(shared, layout_, limits_, schedule_);
  allocateOnDevice(scratch_, schedule_.scratchBytes());
  allocateOnDevice(table_, schedule_.tableBytes());
  allocateOnDevice(staging_, schedule_.stagingBytes());
  allocateOnDevice(lists_, schedule_.listBytes());
  fillMemory();
  const std::optional<CudaKernel> piped = schedule_.pipedKernel();
  schedule_.place(scratch_.get(), table_.get(), staging_.get(), residentBlocks(schedule_.kernel()),
                  piped ? residentBlocks(*piped) : 1);
  schedule_.placeLists(lists_.get());
}

// Uses a stream of its own. The default stream would wait for streams that are being captured, which breaks the
// captures.
void CudaPlan::fillMemory() const {
  const CudaFunctions& cuda = context_.functions();
  OwnedStream stream(context_);
  stream.take(cuda.cuStreamCreate(stream.put(), CU_STREAM_NON_BLOCKING), "cuStreamCreate");
  check(cuda.cuMemsetD8Async(scratch_.get(), 0, schedule_.scratchBytes(), stream.get()), "cuMemsetD8Async");
  check(cuda.cuMemcpyHtoDAsync(table_.get(), layout_.buckets.data(), schedule_.tableBytes(), stream.get()),
        "cuMemcpyHtoDAsync");
  check(cuda.cuStreamSynchronize(stream.get()), "cuStreamSynchronize");  // frames may run on any stream
}

std::uint32_t CudaPlan::residentBlocks(CudaKernel kernel) const {
  const int blocks = kernels_->residentBlocks(kernel, schedule_.blockOf(kernel));
  const int multiprocessors = context_.attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  return static_cast<std::uint32_t>(std::max(blocks, 1) * multiprocessors);
}

void CudaPlan::run(const Frame& frame, void* target) {
  const auto stream = static_cast<CUstream>(target);
  const CudaScope scope(context_);
  if (timelines_ != nullptr) timelines_->beginFrame(stream, frame.handoff.wait);
  enqueue(frame, stream);
  if (timelines_ != nullptr) timelines_->endFrame(stream, frame.handoff.signal);
}

void CudaPlan::enqueue(const Frame& frame, CUstream stream) const {
  if (layout_.inPlace && frame.recordCount != 0) {
    const std::uint64_t bytes = std::uint64_t{frame.recordCount} * layout_.recordStride;
    check(context_.functions().cuMemcpyAsync(staging_.get(), frame.records.address, bytes, stream), "cuMemcpyAsync");
  }
  schedule_.forEachLaunch(frame, [&](const CudaLaunch& launch, const cuda::Arguments& arguments) {
    kernels_->launch(launch, arguments, stream);
  });
}

}  // namespace

std::unique_ptr<RoutePlan> makeCudaPlan(SharedKernels& shared, TimelineEnds* timelines, const PlanLayout& layout) {
  return std::make_unique<CudaPlan>(shared, timelines, layout);
}

}  // namespace slu

#include "routes/cuda/frame_handoff.h"

#include <sluice/sluice_vulkan_cuda.h>

#include "base/structs.h"

namespace slu {
namespace {

void requireNoCapture(const CudaContext& context, cudaStream_t stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  check(context.functions().streamIsCapturing(stream, &status), "cudaStreamIsCapturing");
  require(status == cudaStreamCaptureStatusNone,
          "stream: is being captured into a graph, which would replay the same values of the hand-off; enqueue it "
          "directly");
}

}  // namespace

FrameHandoff::FrameHandoff(const void* pNext, const CudaContext& context, Timelines* timelines, cudaStream_t stream)
    : timelines_(timelines), stream_(stream) {
  constexpr SluStructureType kType = SLU_STRUCTURE_TYPE_HANDOFF_INFO;
  const auto* chained = findInChain<SluHandoffInfo>(pNext, kType);
  if (chained == nullptr) return;
  const auto handoff = readStruct(chained, kType, sizeof(*chained), "handoff");
  if (handoff.waitValue == 0 && handoff.signalValue == 0) return;
  require(timelines != nullptr,
          "frame.pNext: SluHandoffInfo needs a context that was created with an SluVulkanDeviceInfo");
  const std::uint64_t waited = timelines->graphicsToCuda.enqueuedWait();
  const std::uint64_t signaled = timelines->cudaToGraphics.enqueuedSignal();
  require(handoff.waitValue == 0 || handoff.waitValue >= waited, "handoff.waitValue: is ", handoff.waitValue,
          ", must be at least ", waited, ", the last one");
  require(handoff.signalValue == 0 || handoff.signalValue > signaled, "handoff.signalValue: is ", handoff.signalValue,
          ", must be above ", signaled, ", the last one");
  const CudaScope scope(context);
  requireNoCapture(context, stream);
  waitValue_ = handoff.waitValue;
  signalValue_ = handoff.signalValue;
}

void FrameHandoff::begin() const {
  if (waitValue_ != 0) timelines_->graphicsToCuda.enqueueWait(stream_, waitValue_);
}

void FrameHandoff::end() const {
  if (signalValue_ != 0) timelines_->cudaToGraphics.enqueueSignal(stream_, signalValue_);
}

}  // namespace slu

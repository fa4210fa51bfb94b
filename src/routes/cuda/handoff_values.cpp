#include "routes/cuda/handoff_values.h"

namespace slu {
namespace {

void requireNoCapture(const CudaContext& context, CUstream stream) {
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  check(context.functions().cuStreamIsCapturing(stream, &status), "cuStreamIsCapturing");
  require(status == CU_STREAM_CAPTURE_STATUS_NONE,
          "stream: is being captured into a graph, which would replay the same values of the hand-off; enqueue it "
          "directly");
}

}  // namespace

HandoffValues checkValues(const SluHandoffInfo& handoff, const TimelineEnds& timelines, const CudaContext& context,
                          CUstream stream) {
  const HandoffValues values{handoff.waitValue, handoff.signalValue};
  if (values.wait == 0 && values.signal == 0) return values;
  const std::uint64_t waited = timelines.graphicsToCuda.enqueuedWait();
  const std::uint64_t signaled = timelines.cudaToGraphics.enqueuedSignal();
  require(values.wait == 0 || values.wait >= waited, "handoff.waitValue: is ", values.wait, ", must be at least ",
          waited, ", the last one");
  require(values.signal == 0 || values.signal > signaled, "handoff.signalValue: is ", values.signal, ", must be above ",
          signaled, ", the last one");
  const CudaScope scope(context);
  requireNoCapture(context, stream);
  return values;
}

void enqueueValues(const HandoffValues& values, TimelineEnds& timelines, CUstream stream) {
  timelines.beginFrame(stream, values.wait);
  timelines.endFrame(stream, values.signal);
}

}  // namespace slu

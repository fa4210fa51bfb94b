// The driver's device-to-device copy of the whole input.
#include "competitors/all.h"
#include "cuda/cuda_objects.h"

namespace bench {
namespace {

class CopyFrames : public PreparedCompetitor {
 public:
  CopyFrames(uint64_t bytes, const FrameBuffers& buffers) : bytes_(bytes), buffers_(buffers) {}

  void enqueue(cudaStream_t stream, size_t set) override {
    const FrameSet& frame = buffers_.sets[set];
    check(cudaMemcpyAsync(frame.output, frame.input, bytes_, cudaMemcpyDeviceToDevice, stream), "cudaMemcpyAsync");
  }
  void poison(cudaStream_t) override {}
  std::vector<DrawCommand> draws() const override { return {}; }

 private:
  const uint64_t bytes_;
  const FrameBuffers& buffers_;
};

class Copy : public Competitor {
 public:
  std::string name() const override { return "copy"; }
  Role role() const override { return Role::Copy; }
  std::string refusal(const Workload&) const override { return {}; }
  std::unique_ptr<PreparedCompetitor> prepare(const Workload& workload, const FrameBuffers& buffers) const override {
    return std::make_unique<CopyFrames>(workload.inputBytes(), buffers);
  }
};

}  // namespace

std::unique_ptr<Competitor> makeCopy() { return std::make_unique<Copy>(); }

}  // namespace bench

// A copy of the whole input by a kernel: 16-byte loads, several in flight per thread, one tile per block.
#include "competitors/all.h"
#include "cuda_objects.h"

namespace bench {
namespace {

constexpr uint32_t kThreads = 256;
constexpr uint32_t kLoadsPerThread = 4;
constexpr uint32_t kTileChunks = kThreads * kLoadsPerThread;

__global__ void __launch_bounds__(kThreads) copyTiles(const uint4* from, uint4* to, uint64_t chunkCount) {
  const uint64_t first = uint64_t{blockIdx.x} * kTileChunks + threadIdx.x;
  uint4 chunks[kLoadsPerThread];
#pragma unroll
  for (uint32_t i = 0; i < kLoadsPerThread; ++i) {
    if (first + i * kThreads < chunkCount) chunks[i] = from[first + i * kThreads];
  }
#pragma unroll
  for (uint32_t i = 0; i < kLoadsPerThread; ++i) {
    if (first + i * kThreads < chunkCount) to[first + i * kThreads] = chunks[i];
  }
}

class CopyKernelFrames : public PreparedCompetitor {
 public:
  CopyKernelFrames(uint64_t bytes, const FrameBuffers& buffers) : bytes_(bytes), buffers_(buffers) {}

  void enqueue(cudaStream_t stream, size_t set) override {
    const FrameSet& frame = buffers_.sets[set];
    // Both sides have room for a last chunk that the input does not fill; see WorkloadBuffers.
    const uint64_t chunkCount = (bytes_ + sizeof(uint4) - 1) / sizeof(uint4);
    const auto blocks = static_cast<uint32_t>((chunkCount + kTileChunks - 1) / kTileChunks);
    copyTiles<<<blocks, kThreads, 0, stream>>>(static_cast<const uint4*>(frame.input),
                                               static_cast<uint4*>(frame.output), chunkCount);
    check(cudaGetLastError(), "copyTiles");
  }
  void poison(cudaStream_t) override {}
  std::vector<DrawCommand> draws() const override { return {}; }

 private:
  const uint64_t bytes_;
  const FrameBuffers& buffers_;
};

class CopyKernel : public Competitor {
 public:
  std::string name() const override { return "copy-kernel"; }
  Role role() const override { return Role::Copy; }
  std::string refusal(const Workload&) const override { return {}; }
  std::unique_ptr<PreparedCompetitor> prepare(const Workload& workload, const FrameBuffers& buffers) const override {
    return std::make_unique<CopyKernelFrames>(workload.inputBytes(), buffers);
  }
};

}  // namespace

std::unique_ptr<Competitor> makeCopyKernel() { return std::make_unique<CopyKernel>(); }

}  // namespace bench

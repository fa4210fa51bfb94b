// The copy study: three loops, three widths. Every run has the one that is fastest for large inputs.
#include "cuda/cuda_objects.h"
#include "literature/copy_loops.cuh"
#include "literature/frames.cuh"
#include "literature/literature.h"

namespace bench {
namespace literature {
namespace {

enum class Loop { None, GridStride, WarpStride };

template <uint32_t width>
class CopyLoopFrames : public PreparedCompetitor {
 public:
  CopyLoopFrames(Loop loop, uint64_t bytes, const FrameBuffers& buffers)
      : loop_(loop),
        // Both sides have room for a last chunk that the input does not fill; see WorkloadBuffers.
        chunkCount_((bytes + sizeof(Chunk<width>) - 1) / sizeof(Chunk<width>)),
        blocks_(blockCount(loop, chunkCount_)),
        buffers_(buffers) {}

  void enqueue(cudaStream_t stream, size_t set) override {
    const auto* from = static_cast<const Chunk<width>*>(buffers_.sets[set].input);
    auto* to = static_cast<Chunk<width>*>(buffers_.sets[set].output);
    if (loop_ == Loop::None)
      copyWithoutLoop<<<blocks_, kCopyThreads, 0, stream>>>(from, to, chunkCount_);
    else if (loop_ == Loop::GridStride)
      copyByGridStride<<<blocks_, kCopyThreads, 0, stream>>>(from, to, chunkCount_);
    else
      copyByWarpStride<<<blocks_, kCopyThreads, 0, stream>>>(from, to, chunkCount_);
    check(cudaGetLastError(), "copy kernel launch");
  }
  void poison(cudaStream_t) override {}
  std::vector<DrawCommand> draws() const override { return {}; }

 private:
  static uint32_t blockCount(Loop loop, uint64_t chunkCount) {
    const uint32_t all = ceilDivide(chunkCount, kCopyThreads);
    return loop == Loop::None ? all : std::min(all, residentWarps() * kWarpLanes / kCopyThreads);
  }

  const Loop loop_;
  const uint64_t chunkCount_;
  const uint32_t blocks_;
  const FrameBuffers& buffers_;
};

template <uint32_t width>
class CopyLoop : public Competitor {
 public:
  CopyLoop(std::string name, Loop loop, Role role) : name_(std::move(name)), loop_(loop), role_(role) {}

  std::string name() const override { return name_; }
  Role role() const override { return role_; }
  std::string refusal(const Workload&) const override { return {}; }
  std::unique_ptr<PreparedCompetitor> prepare(const Workload& workload, const FrameBuffers& buffers) const override {
    return std::make_unique<CopyLoopFrames<width>>(loop_, workload.inputBytes(), buffers);
  }

 private:
  const std::string name_;
  const Loop loop_;
  const Role role_;
};

template <uint32_t width>
std::unique_ptr<Competitor> makeStudied(const std::string& name, Loop loop) {
  return std::make_unique<CopyLoop<width>>(name + "-" + std::to_string(width), loop, Role::Study);
}

}  // namespace
}  // namespace literature

std::unique_ptr<Competitor> makeCopyKernel() {
  using namespace literature;
  return std::make_unique<CopyLoop<4>>("copy-kernel", Loop::None, Role::Copy);
}

void addCopyLoops(CompetitorList& competitors) {
  using namespace literature;
  for (const auto& [name, loop] :
       {std::pair{"copy-plain", Loop::None}, {"copy-grid", Loop::GridStride}, {"copy-warp", Loop::WarpStride}}) {
    competitors.push_back(makeStudied<1>(name, loop));
    competitors.push_back(makeStudied<2>(name, loop));
    competitors.push_back(makeStudied<4>(name, loop));
  }
}

}  // namespace bench

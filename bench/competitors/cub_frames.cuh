// Runs a CUB call as a frame. CUB writes the count into device memory.
#pragma once

#include "competitors/cub_elements.cuh"
#include "cuda/cuda_objects.h"
#include "cuda/draw_arguments.h"

namespace bench {

template <typename Frames>
std::unique_ptr<PreparedCompetitor> prepareFrames(const Workload& workload, const FrameBuffers& buffers) {
  return std::make_unique<Frames>(workload, buffers);
}

// A Call is made from a workload. It calls CUB with scratch memory and its size, a set, where the count goes, and a
// stream. If scratch is null, it only writes the size.
template <typename Call>
class CubFrames : public PreparedCompetitor {
 public:
  CubFrames(const Workload& workload, const FrameBuffers& buffers) : call_(workload), buffers_(buffers), draws_(1) {
    size_t bytes = 0;
    run(nullptr, bytes, 0, nullptr);
    scratch_ = DeviceMemory(bytes);
    upload(draws_.device(), std::vector<DrawCommand>{{kDrawVertexCount, 0, 0, 0}});
  }

  void enqueue(cudaStream_t stream, size_t set) override {
    size_t bytes = scratch_.bytes();
    run(scratch_.get(), bytes, set, stream);
  }
  void poison(cudaStream_t stream) override {
    check(cudaMemsetAsync(keptCount(), kPoisonByte, sizeof(uint32_t), stream), "cudaMemsetAsync");
  }
  std::vector<DrawCommand> draws() const override { return draws_.read(); }

 private:
  // The count goes straight into the draw command, whose other fields no frame changes.
  uint32_t* keptCount() const { return &draws_.device()->instanceCount; }

  void run(void* scratch, size_t& bytes, size_t set, cudaStream_t stream) {
    check(call_(scratch, bytes, buffers_.sets[set], keptCount(), stream), Call::kName);
  }

  const Call call_;
  const FrameBuffers& buffers_;
  DrawArguments draws_;
  DeviceMemory scratch_;
};

}  // namespace bench

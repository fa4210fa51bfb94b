// thrust::copy_if. It returns where the output ends, and for that the host waits, with par_nosync too: the count is on
// the host, a renderer draws with it directly, and frames cannot be captured.
#pragma once

#include <thrust/copy.h>
#include <thrust/system/cuda/execution_policy.h>

#include "competitors/cub_elements.cuh"
#include "cuda/cuda_objects.h"
#include "cuda/draw_arguments.h"

namespace bench {

// Hands Thrust the same memory in every frame, where its own allocator would call cudaMalloc and cudaFree. A call of
// copy_if asks once.
class FrameAllocator {
 public:
  using value_type = char;

  char* allocate(std::ptrdiff_t count) {
    const auto bytes = static_cast<uint64_t>(count);
    if (memory_.bytes() < bytes) memory_ = DeviceMemory(bytes);
    return memory_.as<char>();
  }
  void deallocate(char*, size_t) {}

 private:
  DeviceMemory memory_;
};

// Elements: as CubElements.
template <typename Elements>
class CopyIfFrames : public PreparedCompetitor {
 public:
  CopyIfFrames(const Workload& workload, const FrameBuffers& buffers)
      : elements_(workload), recordCount_(workload.recordCount), buffers_(buffers) {}

  bool isCapturable() const override { return false; }

  void enqueue(cudaStream_t stream, size_t set) override {
    const FrameSet& frame = buffers_.sets[set];
    const auto input = elements_.input(frame);
    auto* output = static_cast<typename Elements::Element*>(frame.output);
    const auto* end = thrust::copy_if(thrust::cuda::par_nosync(allocator_).on(stream), input, input + recordCount_,
                                      output, elements_.keep(frame));
    keptCount_ = static_cast<uint32_t>(end - output);
  }
  void poison(cudaStream_t) override { keptCount_ = static_cast<uint32_t>(kPoisonByte) * 0x01010101u; }
  std::vector<DrawCommand> draws() const override { return {{kDrawVertexCount, keptCount_, 0, 0}}; }

 private:
  const Elements elements_;
  const uint32_t recordCount_;
  const FrameBuffers& buffers_;
  FrameAllocator allocator_;
  uint32_t keptCount_ = 0;
};

}  // namespace bench

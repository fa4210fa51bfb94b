// The frames of CUB's DeviceSelect::If, over any input iterator.
#pragma once

#include <cub/device/device_select.cuh>

#include "competitors/cub_select.h"
#include "cuda_objects.h"
#include "draw_arguments.h"

namespace bench {

// Source: makes input iterator and predicate of a set: `input(set)`, `keep(set)`, and names the element type, `Element`.
// The count goes straight into the draw command, whose other fields no frame changes.
template <typename Source>
class CubFrames : public PreparedCompetitor {
 public:
  CubFrames(const Source& source, const Workload& workload, const FrameBuffers& buffers)
      : source_(source), recordCount_(workload.recordCount), buffers_(buffers), draws_(1) {
    size_t bytes = 0;
    select(nullptr, bytes, nullptr, 0);
    scratch_ = DeviceMemory(bytes);
    upload(draws_.device(), std::vector<DrawCommand>{{kDrawVertexCount, 0, 0, 0}});
  }

  void enqueue(cudaStream_t stream, size_t set) override {
    size_t bytes = scratch_.bytes();
    select(scratch_.get(), bytes, stream, set);
  }
  void poison(cudaStream_t stream) override {
    check(cudaMemsetAsync(instanceCount(), kPoisonByte, sizeof(uint32_t), stream), "cudaMemsetAsync");
  }
  std::vector<DrawCommand> draws() const override { return draws_.read(); }

 private:
  uint32_t* instanceCount() const { return &draws_.device()->instanceCount; }

  void select(void* scratch, size_t& bytes, cudaStream_t stream, size_t set) {
    const FrameSet& frame = buffers_.sets[set];
    check(cub::DeviceSelect::If(scratch, bytes, source_.input(frame),
                                static_cast<typename Source::Element*>(frame.output), instanceCount(),
                                int64_t{recordCount_}, source_.keep(frame), stream),
          "cub::DeviceSelect::If");
  }

  const Source source_;
  const uint32_t recordCount_;
  const FrameBuffers& buffers_;
  DrawArguments draws_;
  DeviceMemory scratch_;
};

}  // namespace bench

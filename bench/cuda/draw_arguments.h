// A draw command per bucket, in device memory.
#pragma once

#include <vector>

#include "cuda/competitor.h"
#include "cuda/cuda_objects.h"

namespace bench {

class DrawArguments {
 public:
  explicit DrawArguments(uint32_t count) : count_(count), commands_(count * sizeof(DrawCommand)) {}

  DrawCommand* device() const { return commands_.as<DrawCommand>(); }
  uint64_t bytes() const { return commands_.bytes(); }
  void poison(cudaStream_t stream) {
    check(cudaMemsetAsync(device(), kPoisonByte, bytes(), stream), "cudaMemsetAsync");
  }
  std::vector<DrawCommand> read() const { return download<DrawCommand>(device(), count_); }

 private:
  uint32_t count_;
  DeviceMemory commands_;
};

}  // namespace bench

// The draws of a frame in device memory.
#pragma once

#include <vector>

#include "cuda/competitor.h"
#include "cuda/cuda_objects.h"

namespace bench {

// A command per place.
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

// The numbers of draws, of groups or of all together. There may be none.
class DrawCounts {
 public:
  explicit DrawCounts(uint32_t count) : count_(count), counts_(count * sizeof(uint32_t)) {}

  uint32_t* device() const { return counts_.as<uint32_t>(); }  // null without
  uint64_t bytes() const { return counts_.bytes(); }
  void reset(cudaStream_t stream) { fill(stream, 0); }
  void poison(cudaStream_t stream) { fill(stream, kPoisonByte); }
  std::vector<uint32_t> read() const {
    return count_ == 0 ? std::vector<uint32_t>() : download<uint32_t>(device(), count_);
  }

 private:
  void fill(cudaStream_t stream, int byte) {
    if (count_ != 0) check(cudaMemsetAsync(device(), byte, bytes(), stream), "cudaMemsetAsync");
  }

  uint32_t count_;
  DeviceMemory counts_;
};

}  // namespace bench

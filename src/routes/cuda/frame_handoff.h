// What an SluHandoffInfo asks for, before and after the work of the frame that it is chained to, or without a frame.
#pragma once

#include "interop/external_semaphore.h"

namespace slu {

class FrameHandoff {
 public:
  // Reads and checks the chain, and enqueues nothing. timelines: null in a context without a Vulkan device. Allocates
  // nothing unless it throws.
  FrameHandoff(const void* pNext, const CudaContext& context, Timelines* timelines, cudaStream_t stream);

  void begin() const;  // waits
  void end() const;    // signals

 private:
  Timelines* timelines_;
  cudaStream_t stream_;
  std::uint64_t waitValue_ = 0;  // 0: none
  std::uint64_t signalValue_ = 0;
};

}  // namespace slu

// Tests with Vulkan and CUDA on one GPU.
#pragma once

#include "external_host.h"
#include "interop/cuda_scope.h"

namespace slu::test {

// Skips where the Vulkan device is no CUDA device, with the library's sentence.
class GpuTest : public ExternalTest {
 protected:
  void SetUp() override;
  void TearDown() override;
  int device = -1;
  std::unique_ptr<CudaContext> context;
};

struct StreamDeleter {
  const CudaContext* context;
  void operator()(cudaStream_t stream) const;
};
using Stream = std::unique_ptr<CUstream_st, StreamDeleter>;
Stream makeStream(const CudaContext& context);

// Host memory that a stream copies to without waiting, zeroed.
struct PinnedDeleter {
  const CudaContext* context;
  void operator()(std::uint32_t* words) const;
};
using Pinned = std::unique_ptr<std::uint32_t[], PinnedDeleter>;
Pinned makePinned(const CudaContext& context, std::size_t wordCount);

}  // namespace slu::test

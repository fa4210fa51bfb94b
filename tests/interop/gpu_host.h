// Tests with Vulkan and CUDA on one GPU.
#pragma once

#include <cuda_runtime_api.h>

#include <functional>

#include "base/cuda_scope.h"
#include "external_host.h"

namespace slu::test {

// Skips where the Vulkan device is no CUDA device, with the library's sentence.
class GpuTest : public ExternalTest {
 protected:
  void SetUp() override;
  void TearDown() override;
  int device = -1;
  std::unique_ptr<CudaContext> context;
};

// The context that is current here, through the driver as a host of the driver API sees it.
struct HostsDriver {
  HostsDriver();
  CUcontext current() const;

  PFN_cuCtxGetCurrent_v4000 getCurrent = nullptr;
  PFN_cuCtxCreate_v11040 create = nullptr;
  PFN_cuCtxDestroy_v4000 destroy = nullptr;
  PFN_cuCtxSetCurrent_v4000 setCurrent = nullptr;
};

// Runs work while no context, one of the driver API's, and the runtime's own is current; after each, that must be
// current as before. work may look at it in between.
void expectContextsUntouched(int device, const std::function<void(const HostsDriver& driver)>& work);

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

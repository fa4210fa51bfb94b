// Memory that CUDA kernels can access, which a context knows as a buffer.
#pragma once

#include <cuda_runtime_api.h>
#include <sluice/sluice_cuda.h>

#include <memory>
#include <stdexcept>

#include "machine.h"

namespace slu::test {

inline void check(cudaError_t result, const char* call) {
  if (result != cudaSuccess) throw std::runtime_error(std::string(call) + ": " + cudaGetErrorString(result));
}

// The device's own by cudaMalloc, cudaMallocAsync, and in two mappings of virtual memory, with their border amid the
// bytes; the host's by cudaMallocHost and cudaHostRegister; and what moves between both.
enum class CudaMemoryKind { device, pooled, mapped, pinned, registered, managed };

std::shared_ptr<void> allocateCuda(CudaMemoryKind kind, std::uint64_t size);

struct CudaMemory {
  CudaMemory(SluContext context, std::uint64_t size, CudaMemoryKind kind = CudaMemoryKind::device)
      : memory(allocateCuda(kind, size)), pointer(memory.get()) {
    auto cuda = SLU_INIT(CUDA_BUFFER_INFO, SluCudaBufferInfo);
    cuda.devicePointer = pointer;
    auto info = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
    info.pNext = &cuda;
    info.size = size;
    test::require(context, sluCreateBuffer(context, &info, registered.put()), "sluCreateBuffer");
  }

  const std::shared_ptr<void> memory;
  void* const pointer;
  Buffer registered;
};

}  // namespace slu::test

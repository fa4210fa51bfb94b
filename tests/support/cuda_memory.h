// Memory of a CUDA device that a context knows as a buffer.
#pragma once

#include <cuda_runtime_api.h>
#include <sluice/sluice_cuda.h>

#include "machine.h"

namespace slu::test {

inline void check(cudaError_t result, const char* call) {
  if (result != cudaSuccess) throw std::runtime_error(std::string(call) + ": " + cudaGetErrorString(result));
}

// The device's own, the host's that the device can access, and what moves between both.
enum class CudaMemoryKind { device, pinned, managed };

struct CudaMemory {
  CudaMemory(SluContext context, std::uint64_t size, CudaMemoryKind memoryKind = CudaMemoryKind::device)
      : kind(memoryKind) {
    if (kind == CudaMemoryKind::device) check(cudaMalloc(&pointer, size), "cudaMalloc");
    if (kind == CudaMemoryKind::pinned) check(cudaMallocHost(&pointer, size), "cudaMallocHost");
    if (kind == CudaMemoryKind::managed) check(cudaMallocManaged(&pointer, size), "cudaMallocManaged");
    auto cuda = SLU_INIT(CUDA_BUFFER_INFO, SluCudaBufferInfo);
    cuda.devicePointer = pointer;
    auto info = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
    info.pNext = &cuda;
    info.size = size;
    test::require(context, sluCreateBuffer(context, &info, registered.put()), "sluCreateBuffer");
  }
  ~CudaMemory() { kind == CudaMemoryKind::pinned ? cudaFreeHost(pointer) : cudaFree(pointer); }
  CudaMemory(const CudaMemory&) = delete;
  CudaMemory& operator=(const CudaMemory&) = delete;

  const CudaMemoryKind kind;
  void* pointer = nullptr;
  Buffer registered;
};

}  // namespace slu::test

// Device memory that a context knows as a buffer.
#pragma once

#include <cuda_runtime_api.h>
#include <sluice/sluice_cuda.h>

#include "machine.h"

namespace slu::test {

inline void check(cudaError_t result, const char* call) {
  if (result != cudaSuccess) throw std::runtime_error(std::string(call) + ": " + cudaGetErrorString(result));
}

struct CudaMemory {
  CudaMemory(SluContext context, std::uint64_t size) {
    check(cudaMalloc(&pointer, size), "cudaMalloc");
    auto cuda = SLU_INIT(CUDA_BUFFER_INFO, SluCudaBufferInfo);
    cuda.devicePointer = pointer;
    auto info = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
    info.pNext = &cuda;
    info.size = size;
    test::require(context, sluCreateBuffer(context, &info, registered.put()), "sluCreateBuffer");
  }
  ~CudaMemory() { cudaFree(pointer); }
  CudaMemory(const CudaMemory&) = delete;
  CudaMemory& operator=(const CudaMemory&) = delete;

  void* pointer = nullptr;
  Buffer registered;
};

}  // namespace slu::test

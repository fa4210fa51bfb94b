#include <cuda_runtime_api.h>

#include <stdexcept>

#include "executor.h"

namespace slu::test {

std::string whyNoExecutor() {
  int count = 0;
  const cudaError_t result = cudaGetDeviceCount(&count);
  if (result != cudaSuccess) return std::string("no CUDA device: ") + cudaGetErrorString(result);
  return count > 0 ? "" : "no CUDA device";
}
unsigned trialCount() { return 100; }

void* allocateShared(std::size_t bytes) {
  void* memory = nullptr;
  const cudaError_t result = cudaMallocManaged(&memory, bytes, cudaMemAttachGlobal);
  if (result != cudaSuccess) throw std::runtime_error(std::string("cudaMallocManaged: ") + cudaGetErrorString(result));
  return memory;
}
void freeShared(void* memory) { cudaFree(memory); }

testing::AssertionResult run(unsigned blocks, const Shape& block, const void* function, void** arguments,
                             const std::function<void()>&) {
  cudaError_t result = cudaLaunchKernel(function, dim3(blocks), dim3(block.x, block.y, block.z), arguments, 0, nullptr);
  if (result == cudaSuccess) result = cudaDeviceSynchronize();
  if (result != cudaSuccess) return testing::AssertionFailure() << cudaGetErrorString(result) << ", " << describeSeed();
  return testing::AssertionSuccess();
}

}  // namespace slu::test

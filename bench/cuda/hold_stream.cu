#include "cuda/cuda_objects.h"
#include "cuda/hold_stream.h"

namespace bench {
namespace {

__device__ unsigned long long nanoseconds() {
  unsigned long long time;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
  return time;
}

__global__ void hold(unsigned long long duration) {
  const unsigned long long start = nanoseconds();
  while (nanoseconds() - start < duration) {
  }
}

}  // namespace

void holdStream(cudaStream_t stream, unsigned microseconds) {
  hold<<<1, 1, 0, stream>>>(microseconds * 1000ull);
  check(cudaGetLastError(), "hold");
}

cudaError_t findKernelImage() {
  cudaFuncAttributes attributes{};
  return cudaFuncGetAttributes(&attributes, hold);
}

}  // namespace bench

#include "simt_kernels.h"

#include <stdexcept>

#include "simt/cuda_on_cpu.h"
//
#include "cuda/kernels/direct.cuh"
#include "cuda/kernels/long.cuh"
#include "cuda/kernels/scan.cuh"
#include "cuda/kernels/sorted.cuh"
#include "cuda/kernels/staged.cuh"

namespace slu::test {
namespace {

using KernelFunction = void (*)(const cuda::Arguments);

KernelFunction functionOf(CudaKernel kernel) {
  using namespace cuda;
  switch (kernel) {
#define SLU_CASE(name, ...) \
  case CudaKernel::name:    \
    return __VA_ARGS__;
    SLU_CUDA_KERNELS(SLU_CASE)
#undef SLU_CASE
  }
  throw std::logic_error("no such kernel");
}

}  // namespace

void launchOnCpu(const CudaLaunch& launch, const cuda::Arguments& arguments) {
  const testing::AssertionResult result = simt::launch(
      {.grid = {launch.x, launch.y}, .block = launch.block.threads, .sharedBytes = launch.block.sharedBytes},
      functionOf(launch.kernel), arguments);
  if (!result) throw std::runtime_error(result.message());
}

}  // namespace slu::test

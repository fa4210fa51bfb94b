#include "cuda/kernel_functions.h"
#include "cuda/kernels/direct.cuh"
#include "cuda/kernels/long.cuh"
#include "cuda/kernels/piped.cuh"
#include "cuda/kernels/scan.cuh"
#include "cuda/kernels/sorted_stable.cuh"
#include "cuda/kernels/staged.cuh"

namespace slu {

const void* kernelFunction(CudaKernel kernel) {
  using namespace cuda;
  switch (kernel) {
#define SLU_CASE(name, ...) \
  case CudaKernel::name:    \
    return reinterpret_cast<const void*>(__VA_ARGS__);
    SLU_CUDA_KERNELS(SLU_CASE)
#undef SLU_CASE
  }
  return nullptr;
}

}  // namespace slu

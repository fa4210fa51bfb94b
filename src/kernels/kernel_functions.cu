#include "kernels/device/entries/direct.cuh"
#include "kernels/device/entries/long.cuh"
#include "kernels/device/entries/piped.cuh"
#include "kernels/device/entries/scan.cuh"
#include "kernels/device/entries/sorted_stable.cuh"
#include "kernels/device/entries/staged.cuh"
#include "kernels/kernel_functions.h"

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

// Every kernel, compiled from the library's source for the file that includes this, behind simt/cuda_on_cpu.h.
#pragma once

#include <stdexcept>

#include "cuda/kernels/direct.cuh"
#include "cuda/kernels/list.h"
#include "cuda/kernels/long.cuh"
#include "cuda/kernels/piped.cuh"
#include "cuda/kernels/scan.cuh"
#include "cuda/kernels/sorted_stable.cuh"
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
}  // namespace slu::test

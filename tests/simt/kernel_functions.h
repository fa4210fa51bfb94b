// Every kernel, compiled from the library's source for the file that includes this, behind simt/cuda_on_cpu.h.
#pragma once

#include "kernels/device/entries/direct.cuh"
#include "kernels/device/entries/gather.cuh"
#include "kernels/device/entries/long.cuh"
#include "kernels/device/entries/merged.cuh"
#include "kernels/device/entries/occlude.cuh"
#include "kernels/device/entries/piped.cuh"
#include "kernels/device/entries/scan.cuh"
#include "kernels/device/entries/sorted_stable.cuh"
#include "kernels/device/entries/sparse.cuh"
#include "kernels/device/entries/staged.cuh"
#include "kernels/device/entries/views.cuh"
#include "kernels/list.h"

namespace slu::test {
namespace {

using KernelFunction = void (*)(const cuda::Arguments);

KernelFunction functionOf(CudaKernel kernel) {
  using namespace cuda;
#define SLU_ENTRY(name, row, function, ...) function<__VA_ARGS__>,
  static constexpr KernelFunction kFunctions[] = {SLU_CUDA_KERNELS(SLU_ENTRY)};
#undef SLU_ENTRY
  return kFunctions[static_cast<unsigned>(kernel)];
}

}  // namespace
}  // namespace slu::test

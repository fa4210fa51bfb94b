// Every kernel of the library, or with SLU_PORTABLE those that `inline` can launch. The build compiles only the device
// code, into the files of kernel_image.h.
#include "kernels/device/entries/direct.cuh"
#include "kernels/device/entries/gather.cuh"
#include "kernels/device/entries/long.cuh"
#include "kernels/device/entries/merged.cuh"
#include "kernels/device/entries/occlude.cuh"
#include "kernels/device/entries/piped.cuh"
#include "kernels/device/entries/pyramid.cuh"
#include "kernels/device/entries/scan.cuh"
#include "kernels/device/entries/sorted_stable.cuh"
#include "kernels/device/entries/sparse.cuh"
#include "kernels/device/entries/staged.cuh"
#include "kernels/device/entries/views.cuh"
#include "kernels/list.h"

namespace slu::cuda {

// The compiler instantiates the templates that are named here.
#define SLU_FUNCTION_ADDRESS(name, row, function, ...) reinterpret_cast<const void*>(function<__VA_ARGS__>),
#ifdef SLU_PORTABLE
extern const void* const kKernels[] = {SLU_CUDA_PORTABLE_KERNELS(SLU_FUNCTION_ADDRESS)};
#else
extern const void* const kKernels[] = {SLU_CUDA_KERNELS(SLU_FUNCTION_ADDRESS)};
extern const void* const kPyramidKernel = reinterpret_cast<const void*>(buildPyramid<0>);  // no kernel of plans
#endif
#undef SLU_FUNCTION_ADDRESS

}  // namespace slu::cuda

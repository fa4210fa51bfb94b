#include "cuda/kernel_functions.h"
#include "cuda/kernels/bucketed.cuh"
#include "cuda/kernels/general.cuh"
#include "cuda/kernels/narrow.cuh"

namespace slu {

const void* kernelFunction(CudaKernel kernel) {
  switch (kernel) {
    case CudaKernel::compactGeneral:
      return reinterpret_cast<const void*>(cuda::compactGeneral<false>);
    case CudaKernel::compactGeneralStable:
      return reinterpret_cast<const void*>(cuda::compactGeneral<true>);
    case CudaKernel::compactNarrow:
      return reinterpret_cast<const void*>(cuda::compactNarrow<false>);
    case CudaKernel::compactNarrowStable:
      return reinterpret_cast<const void*>(cuda::compactNarrow<true>);
    case CudaKernel::compactBuckets:
      return reinterpret_cast<const void*>(cuda::compactBuckets);
    case CudaKernel::countBuckets:
      return reinterpret_cast<const void*>(cuda::countBuckets);
    case CudaKernel::scanBuckets:
      return reinterpret_cast<const void*>(cuda::scanBuckets);
    case CudaKernel::scatterBuckets:
      return reinterpret_cast<const void*>(cuda::scatterBuckets);
  }
  return nullptr;
}

}  // namespace slu

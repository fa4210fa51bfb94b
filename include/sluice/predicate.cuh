// A function object of yours as the predicate of a plan of the CUDA route.
//
// Compile it with nvcc as C++17. sluice_cuda.h says what such a predicate may do.
//
//   struct Brighter {
//     float threshold;
//     __device__ bool operator()(const void* record, unsigned) const {
//       return static_cast<const Particle*>(record)->brightness > threshold;
//     }
//   };
//
//   const Brighter brighter{0.5f};
//   const SluCudaPredicateInfo predicate = slu::cudaPredicate(brighter);
//   planInfo.route = SLU_ROUTE_CUDA;
//   planInfo.live.test = SLU_LIVE_CUSTOM;
//   planInfo.pNext = &predicate;
//
// The library's kernels are compiled into your translation unit, once per type of function object. nvcc takes the
// architectures and the options that you give. Without -fmad=false it contracts products and sums of your predicate.
#pragma once

#include <cuda_runtime_api.h>
#include <sluice/sluice_cuda.h>

#if __has_include("detail/src/kernels/device/entries/custom_kernels.cuh")  // installed
#include "detail/kernels_hash.h"
#include "detail/src/kernels/device/entries/custom_kernels.cuh"
#else
#include <sluice/detail/kernels_hash.h>  // of the build that the host links to

#include "../../src/kernels/device/entries/custom_kernels.cuh"
#endif

namespace slu {
namespace cuda {

// A translation unit's kernels are known to its own CUDA runtime alone. The library has none.
template <typename Predicate>
int launchCustom(uint32_t kernel, uint32_t blocksX, uint32_t blocksY, const void* arguments, CUstream_st* stream) {
  void* parameters[] = {const_cast<void*>(arguments)};
  const cudaError_t result = cudaLaunchKernel(customKernel<Predicate>(static_cast<CudaKernel>(kernel)),
                                              dim3(blocksX, blocksY), dim3(kThreads), parameters, 0, stream);
  if (result != cudaSuccess) cudaGetLastError();  // the caller hears of it
  return result;
}

template <typename Predicate>
int customBlocks(uint32_t kernel, int* blocks) {
  const cudaError_t result = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      blocks, customKernel<Predicate>(static_cast<CudaKernel>(kernel)), static_cast<int>(kThreads), 0);
  if (result != cudaSuccess) cudaGetLastError();
  return result;
}

}  // namespace cuda

// Describes a function object to sluCreatePlan: chain the struct to SluPlanCreateInfo.
// predicate must live until sluCreatePlan has copied it. A temporary does not, so it does not compile.
// Returns the struct, which points to the predicate.
template <typename Predicate>
SluCudaPredicateInfo cudaPredicate(const Predicate& predicate) {
  auto info = SLU_INIT(CUDA_PREDICATE_INFO, SluCudaPredicateInfo);
  info.version = SLU_VERSION_MAJOR << 22 | SLU_VERSION_MINOR << 12 | SLU_VERSION_PATCH;
  info.stateSize = static_cast<uint32_t>(sizeof(Predicate));
  info.state = &predicate;
  info.launch = cuda::launchCustom<Predicate>;
  info.blocks = cuda::customBlocks<Predicate>;
  info.kernelsHash = cuda::kKernelsHash;
  info.computesKey = cuda::kComputesKey<Predicate> ? 1 : 0;
  return info;
}
template <typename Predicate>
SluCudaPredicateInfo cudaPredicate(const Predicate&&) = delete;

// Gives a frame a state of its own: chain the struct to SluFrameInfo.
// predicate is of the type that the plan was created with. It must live until the frame is enqueued.
// Returns the struct, which points to the predicate.
template <typename Predicate>
SluPredicateState cudaPredicateState(const Predicate& predicate) {
  auto info = SLU_INIT(PREDICATE_STATE, SluPredicateState);
  info.state = &predicate;
  info.stateSize = static_cast<uint32_t>(sizeof(Predicate));
  return info;
}
template <typename Predicate>
SluPredicateState cudaPredicateState(const Predicate&&) = delete;

}  // namespace slu

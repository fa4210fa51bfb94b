// The kernels that a custom predicate is compiled into.
#pragma once

#include "../../list.h"
#include "../entries/bucketed.cuh"
#include "../entries/custom.cuh"
#include "../entries/general.cuh"
#include "../entries/merged.cuh"
#include "../entries/occlude.cuh"
#include "../entries/ranked.cuh"

namespace slu::cuda {

// Returns the kernel as cudaLaunchKernel takes it, or null if it evaluates nothing or no custom predicate.
template <typename Predicate>
const void* customKernel(CudaKernel kernel) {
  switch (kernel) {
#define SLU_CASE(name, row, function, ...) \
  case CudaKernel::name:                   \
    return reinterpret_cast<const void*>(function<__VA_ARGS__>);
    SLU_CUDA_PREDICATE_KERNELS(SLU_CASE, CustomLive<Predicate>)
    SLU_CUDA_SCENE_KERNELS(SLU_CASE, Scene<CustomLive<Predicate>>)
    SLU_CUDA_CANDIDATE_KERNELS(SLU_CASE, Candidates<Scene<CustomLive<Predicate>>>)
    SLU_CUDA_REJECT_KERNELS(SLU_CASE, Rejected<CustomLive<Predicate>>, Rejected<Scene<CustomLive<Predicate>>>)
#undef SLU_CASE
    default:
      return nullptr;
  }
}

}  // namespace slu::cuda

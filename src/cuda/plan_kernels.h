// Where a plan's kernels come from: the library, or with a custom predicate the host's program or NVRTC.
#pragma once

#include <memory>

#include "cuda/schedule.h"
#include "interop/cuda_scope.h"

namespace slu {

class PlanKernels {
 public:
  virtual ~PlanKernels() = default;

  // In a CudaScope. Of kernel: how many blocks a multiprocessor holds.
  virtual int residentBlocks(CudaKernel kernel) const = 0;
  virtual void launch(const CudaLaunch& launch, const cuda::Arguments& arguments, cudaStream_t stream) const = 0;
};

// In a CudaScope of the context, which outlives the kernels. kernel: that of the plan which compacts.
std::unique_ptr<const PlanKernels> makePlanKernels(const CudaContext& context, const PlanLayout& layout,
                                                   CudaKernel kernel);

}  // namespace slu

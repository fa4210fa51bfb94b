// Where a plan's kernels come from: the library, or with a custom predicate the host's program or NVRTC.
#pragma once

#include <memory>

#include "base/cuda_scope.h"
#include "kernels/kernel_library.h"
#include "kernels/schedule.h"
#include "kernels/source_cache.h"
#include "kernels/source_compiler.h"

namespace slu {

class PlanKernels {
 public:
  virtual ~PlanKernels() = default;

  // In a CudaScope. How many such blocks of kernel a multiprocessor holds.
  virtual int residentBlocks(CudaKernel kernel, const BlockShape& block) const = 0;
  virtual void launch(const CudaLaunch& launch, const cuda::Arguments& arguments, CUstream stream) const = 0;
};

// The kernels of a predicate's source.
struct SourceLibrary {
  SourceLibrary(const CudaContext& context, const CompiledKernels& compiled);

  const KernelLibrary library;
  std::vector<CUfunction> functions;  // in the order in which they were asked for
};

// What the plans of a CUDA context share.
class SharedKernels {
 public:
  // Throws SLU_ERROR_MISSING_FEATURE where the build holds no code that the device can run. The context outlives the
  // kernels.
  explicit SharedKernels(const CudaContext& context);

  // In a CudaScope of the context: a kernel of the library's own, loaded.
  CUfunction builtIn(CudaKernel kernel) const;

  const CudaContext& context;
  SourceCache<SourceLibrary> sources;

 private:
  std::unique_ptr<const KernelLibrary> library_;
};

// Of the library's kernels for such a plan, in a CudaScope of the context.
LaunchLimits launchLimits(const SharedKernels& shared, const PlanLayout& layout);

// In a CudaScope of the context. limits, schedule: of the plan. What the plan launches is loaded afterwards: a stream
// may capture the first frame.
std::unique_ptr<const PlanKernels> makePlanKernels(SharedKernels& shared, const PlanLayout& layout,
                                                   const LaunchLimits& limits, const CudaSchedule& schedule);

}  // namespace slu

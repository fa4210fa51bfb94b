// The kernels that a plan launches. They come from the library. Those that evaluate a custom predicate come from the
// host's program or from NVRTC.
#pragma once

#include <memory>

#include "base/cuda_scope.h"
#include "kernels/kernel_library.h"
#include "kernels/schedule.h"
#include "kernels/source_compiler.h"
#include "plan/source_cache.h"

namespace slu {

class PlanKernels {
 public:
  virtual ~PlanKernels() = default;

  // Returns how many such blocks of the kernel a multiprocessor holds. Is called in a CudaScope.
  virtual int residentBlocks(CudaKernel kernel, const BlockShape& block) const = 0;
  virtual void launch(const CudaLaunch& launch, const cuda::Arguments& arguments, CUstream stream) const = 0;
};

// The kernels that a predicate's source was compiled into.
struct SourceLibrary {
  SourceLibrary(const CudaContext& context, const CompiledKernels& compiled);

  const KernelLibrary library;
  std::vector<CUfunction> functions;  // in the order in which they were asked for
};

// What the plans of a CUDA context share.
class SharedKernels {
 public:
  // Throws SLU_ERROR_MISSING_FEATURE if the build has no code that the device can run. The context outlives the object.
  explicit SharedKernels(const CudaContext& context);

  // Returns a kernel of the library, loaded. Is called in a CudaScope of the context.
  CUfunction builtIn(CudaKernel kernel) const;
  // Returns the kernel that builds pyramids. Is called in a CudaScope of the context.
  CUfunction pyramidKernel() const;

  const CudaContext& context;
  SourceCache<const SourceLibrary, CudaKernel> sources;

 private:
  std::unique_ptr<const KernelLibrary> library_;
};

// Returns the limits of the library's kernels for such a plan. Is called in a CudaScope of the context.
LaunchLimits launchLimits(const SharedKernels& shared, const PlanLayout& layout);

// Loads what the plan launches, since a stream may capture the first frame. limits, schedule: of the plan. Is called in
// a CudaScope of the context.
std::unique_ptr<const PlanKernels> makePlanKernels(SharedKernels& shared, const PlanLayout& layout,
                                                   const LaunchLimits& limits, const CudaSchedule& schedule);

}  // namespace slu

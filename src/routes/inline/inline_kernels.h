// The kernels of a plan of the inline route. They come from the library. NVRTC compiles those that evaluate a custom
// predicate.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "kernels/schedule.h"
#include "routes/inline/inline_device.h"

namespace slu {

class InlineKernels {
 public:
  // schedule: of the plan. device outlives the kernels.
  InlineKernels(InlineDevice& device, const PlanLayout& layout, const CudaSchedule& schedule);

  void recordLaunch(VkCommandBuffer commands, const CudaLaunch& launch, const cuda::Arguments& arguments) const;

 private:
  void takeSource(InlineDevice& device, const CustomPredicate& predicate, const std::vector<CudaKernel>& kernels);

  const KernelFunctions& functions_;
  std::shared_ptr<const SourceModule> source_;             // null without a custom predicate
  std::array<VkCuFunctionNVX, kCudaKernelCount> kernels_;  // by CudaKernel
};

}  // namespace slu

#include "routes/inline/inline_kernels.h"

namespace slu {

InlineKernels::InlineKernels(InlineDevice& device, const PlanLayout& layout, const CudaSchedule& schedule)
    : functions_(device.functions), kernels_(device.kernels) {
  if (layout.live.test == SLU_LIVE_CUSTOM) takeSource(device, layout.predicate, schedule.evaluatingKernels());
}

void InlineKernels::takeSource(InlineDevice& device, const CustomPredicate& predicate,
                               const std::vector<CudaKernel>& kernels) {
  source_ = device.sources.get(predicate, kernels, [&] {
    const Nvrtc nvrtc(nvrtcNames());
    return std::make_shared<const SourceModule>(
        functions_,
        compileSource(nvrtc.functions(), predicate, kernels, device.computeCapability(), KernelCode::portable));
  });
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    kernels_[static_cast<std::size_t>(kernels[i])] = source_->functions[i];
  }
}

void InlineKernels::recordLaunch(VkCommandBuffer commands, const CudaLaunch& launch,
                                 const cuda::Arguments& arguments) const {
  const void* const parameters[] = {&arguments};
  VkCuLaunchInfoNVX info{};
  info.sType = functions_.extension.launchInfo;
  info.function = kernels_[static_cast<std::size_t>(launch.kernel)];
  info.gridDimX = launch.x;
  info.gridDimY = launch.y;
  info.gridDimZ = 1;
  info.blockDimX = launch.block.threads;
  info.blockDimY = 1;
  info.blockDimZ = 1;
  info.sharedMemBytes = launch.block.sharedBytes;
  info.paramCount = 1;
  info.pParams = parameters;
  functions_.launch(commands, &info);
}

}  // namespace slu

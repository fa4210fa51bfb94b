// Finds the device's compute capability, which NVRTC has to know. Only VK_NV_cuda_kernel_launch tells it.
#pragma once

#include "routes/inline/kernel_extension.h"

namespace slu {

// Returns the capability that the driver reports, for example 90 for 9.0. If the driver reports none, returns that of
// the newest family of GPUs for which the driver accepts an empty kernel as PTX. The device may be newer than that
// family. Throws SLU_ERROR_MISSING_FEATURE if the driver accepts none.
int computeCapability(const KernelFunctions& functions, const SluVulkanDeviceInfo& info);

}  // namespace slu

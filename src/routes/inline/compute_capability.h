// Finds the device's compute capability, which NVRTC has to know. Only VK_NV_cuda_kernel_launch tells it.
#pragma once

#include "routes/inline/kernel_extension.h"

namespace slu {

// Returns 90 for 9.0, as the driver tells it. If the driver does not, it is the newest family of GPUs whose empty
// kernel the driver takes as PTX; the device may be newer than that. Throws SLU_ERROR_MISSING_FEATURE if it takes none.
int computeCapability(const KernelFunctions& functions, const SluVulkanDeviceInfo& info);

}  // namespace slu

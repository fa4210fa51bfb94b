// The host's device as the inline route uses it, and what the plans of a context share.
#pragma once

#include <array>

#include "cuda/schedule.h"
#include "inline/kernel_module.h"

namespace slu {

struct InlineDevice {
  explicit InlineDevice(const SluVulkanDeviceInfo& info);

  // Found out when first asked for.
  int computeCapability();

  const SluVulkanDeviceInfo info;  // deviceCreateInfo is not kept
  const KernelFunctions functions;
  KernelModule library;                                   // the library's own kernels
  std::array<VkCuFunctionNVX, kCudaKernelCount> kernels;  // by CudaKernel; all at once, so that no plan fails on one
  SharedMemory sharedMemory;
  std::uint32_t multiprocessorCount;
  std::uint32_t multiprocessorBlocks;  // of kThreads, that a multiprocessor has room for

 private:
  int computeCapability_ = 0;
};

}  // namespace slu

// The host's device as the inline route uses it, and what the plans of a context share.
#pragma once

#include <array>

#include "kernels/schedule.h"
#include "kernels/source_cache.h"
#include "kernels/source_compiler.h"
#include "routes/inline/kernel_module.h"

namespace slu {

// A custom predicate's kernels.
struct SourceModule {
  SourceModule(const KernelFunctions& extension, const CompiledKernels& compiled);

  KernelModule module;
  std::vector<VkCuFunctionNVX> functions;  // in the order in which they were asked for
};

struct InlineDevice {
  // vulkan is the device of info, and outlives this object.
  InlineDevice(const Device& vulkan, const SluVulkanDeviceInfo& info);

  // Found out when first asked for.
  int computeCapability();

  const SluVulkanDeviceInfo info;  // what the device was created with is not kept
  const KernelFunctions functions;
  KernelModule library;  // the library's own kernels
  // By CudaKernel, null for those that are not portable. All are looked up at once, so that no plan fails on one.
  std::array<VkCuFunctionNVX, kCudaKernelCount> kernels{};
  std::uint32_t multiprocessorCount;
  std::uint32_t multiprocessorThreads;  // that a multiprocessor has room for
  SourceCache<SourceModule> sources;

 private:
  int computeCapability_ = 0;
};

}  // namespace slu

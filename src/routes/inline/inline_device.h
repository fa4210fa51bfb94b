// The host's device as the inline route uses it. The plans of a context share it.
#pragma once

#include <array>

#include "kernels/schedule.h"
#include "kernels/source_compiler.h"
#include "plan/source_cache.h"
#include "routes/inline/kernel_module.h"

namespace slu {

// The kernels of a custom predicate.
struct SourceModule {
  SourceModule(const KernelFunctions& extension, const CompiledKernels& compiled);

  KernelModule module;
  std::vector<VkCuFunctionNVX> functions;  // in the order in which they were asked for
};

struct InlineDevice {
  // vulkan is the device of info, and outlives this object.
  InlineDevice(const Device& vulkan, const SluVulkanDeviceInfo& info);

  // The first call may compile a few empty kernels to find the capability. Later calls return the same value.
  int computeCapability();

  const SluVulkanDeviceInfo info;  // without deviceCreateInfo and enabledFeatures, which the host may free
  const KernelFunctions functions;
  KernelModule library;  // the library's own kernels
  // Functions by CudaKernel, null for those that are not portable. All are looked up at once, so no plan fails on one.
  std::array<VkCuFunctionNVX, kCudaKernelCount> kernels{};
  std::uint32_t multiprocessorCount;
  std::uint32_t multiprocessorThreads;  // the most threads that a multiprocessor can hold
  SourceCache<const SourceModule, CudaKernel> sources;

 private:
  int computeCapability_ = 0;
};

}  // namespace slu

#include "inline/inline_device.h"

#include <algorithm>

#include "inline/compute_capability.h"
#include "inline/inline_requirements.h"
#include "inline/kernel_image.h"

namespace slu {
namespace {

SluVulkanDeviceInfo withoutCreateInfo(SluVulkanDeviceInfo info) {
  info.deviceCreateInfo = nullptr;
  return info;
}

}  // namespace

InlineDevice::InlineDevice(const SluVulkanDeviceInfo& given)
    : info(withoutCreateInfo(given)),
      functions(given, enabledKernelExtension(given)),
      library(functions, kernelImage()),
      sharedMemory(sharedMemoryOf(given)) {
  const Multiprocessors multiprocessors = multiprocessorsOf(given);
  multiprocessorCount = multiprocessors.count;
  multiprocessorBlocks = std::max(multiprocessors.threads / cuda::kThreads, 1u);
}

int InlineDevice::computeCapability() {
  if (computeCapability_ == 0) computeCapability_ = slu::computeCapability(functions, info);
  return computeCapability_;
}

}  // namespace slu

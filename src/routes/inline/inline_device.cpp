#include "routes/inline/inline_device.h"

#include "kernels/kernel_image.h"
#include "kernels/kernel_names.h"
#include "routes/inline/compute_capability.h"
#include "routes/inline/inline_requirements.h"

namespace slu {
namespace {

// Returns info without the pointers to memory that the host may free after the call.
SluVulkanDeviceInfo handlesOf(SluVulkanDeviceInfo info) {
  info.deviceCreateInfo = nullptr;
  info.enabledFeatures = nullptr;
  info.enabledExtensionCount = 0;
  info.enabledExtensions = nullptr;
  info.allocationCallbacks = nullptr;
  return info;
}

KernelModule loadKernels(const KernelFunctions& functions) {
  if (!functions.extension.takesPtxAlone) return {functions, kernelImage()};
  const std::string ptx = kernelPtx();
  return {functions, {ptx.c_str(), ptx.size() + 1}};
}

}  // namespace

SourceModule::SourceModule(const KernelFunctions& extension, const CompiledKernels& compiled)
    : module(extension, compiled.image) {
  for (const std::string& name : compiled.names) functions.push_back(module.function(name));
}

InlineDevice::InlineDevice(const Device& vulkan, const SluVulkanDeviceInfo& given)
    : info(handlesOf(given)), functions(vulkan, given, enabledKernelExtension(given)), library(loadKernels(functions)) {
  for (const KernelRow& row : kernelTable()) {
    if (row.isPortable()) kernels[static_cast<std::size_t>(row.kernel)] = library.function(kernelName(row.kernel));
  }
  const Multiprocessors multiprocessors = multiprocessorsOf(given);
  multiprocessorCount = multiprocessors.count;
  multiprocessorThreads = multiprocessors.threads;
}

int InlineDevice::computeCapability() {
  if (computeCapability_ == 0) computeCapability_ = slu::computeCapability(functions, info);
  return computeCapability_;
}

}  // namespace slu

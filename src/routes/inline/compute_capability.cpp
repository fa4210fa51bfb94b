#include "routes/inline/compute_capability.h"

#include <string>

#include "routes/inline/kernel_module.h"

namespace slu {
namespace {

// A family of GPUs, and the first version of PTX that has it as a target (PTX ISA, release notes).
struct Family {
  int capability;
  const char* ptxVersion;
};
constexpr Family kFamilies[] = {{120, "8.7"}, {100, "8.6"}, {90, "7.8"}, {89, "7.8"},
                                {86, "7.1"},  {80, "7.0"},  {75, "6.3"}};

// Returns whether the driver accepts PTX for the family. Throws if the driver has no memory left or the device is lost.
bool takes(const KernelFunctions& functions, const Family& family) {
  const std::string ptx = std::string(".version ") + family.ptxVersion + "\n.target sm_" +
                          std::to_string(family.capability) +
                          "\n.address_size 64\n.visible .entry empty()\n{\nret;\n}\n";
  try {
    KernelModule module(functions, {ptx.c_str(), ptx.size() + 1});
    return module.function("empty") != VK_NULL_HANDLE;
  } catch (const Error& error) {
    if (error.result() != SLU_ERROR_DRIVER) throw;
    return false;
  }
}

int toldCapability(const SluVulkanDeviceInfo& info) {
  const InstanceFunctions instance(info.getInstanceProcAddr, info.instance);
  CudaKernelLaunchProperties told{};
  told.sType = kCudaKernelLaunchProperties;
  physicalDeviceProperties(instance, info.physicalDevice, &told);
  return static_cast<int>(10 * told.computeCapabilityMajor + told.computeCapabilityMinor);
}

}  // namespace

int computeCapability(const KernelFunctions& functions, const SluVulkanDeviceInfo& info) {
  if (functions.extension.feature != nullptr) return toldCapability(info);
  for (const Family& family : kFamilies) {
    if (takes(functions, family)) return family.capability;
  }
  fail(SLU_ERROR_MISSING_FEATURE, "plan.source: the driver takes PTX of no compute capability that the library knows");
}

}  // namespace slu

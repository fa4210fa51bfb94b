// Kernels loaded into the driver, and their functions.
#pragma once

#include <string>
#include <vector>

#include "routes/inline/kernel_extension.h"

namespace slu {

class KernelModule {
 public:
  // image is a fat binary, or PTX with its terminating zero. The driver chooses the code for its device, and fails if
  // there is none. functions outlive the module.
  KernelModule(const KernelFunctions& functions, std::span<const char> image);
  ~KernelModule();
  KernelModule(const KernelModule&) = delete;
  KernelModule& operator=(const KernelModule&) = delete;

  // Creates a function, which the module owns.
  VkCuFunctionNVX function(const std::string& name);

 private:
  const KernelFunctions& functions_;
  VkCuModuleNVX module_ = VK_NULL_HANDLE;
  std::vector<VkCuFunctionNVX> created_;
};

}  // namespace slu

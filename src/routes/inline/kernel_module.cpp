#include "routes/inline/kernel_module.h"

namespace slu {

KernelModule::KernelModule(const KernelFunctions& functions, std::span<const char> image) : functions_(functions) {
  VkCuModuleCreateInfoNVX info{};
  info.sType = functions.extension.moduleInfo;
  info.dataSize = image.size();
  info.pData = image.data();
  const Device& device = functions.device;
  check(functions.createModule(device.handle, &info, device.callbacks(), &module_), functions.extension.createModule);
}

KernelModule::~KernelModule() {
  const Device& device = functions_.device;
  for (const VkCuFunctionNVX function : created_) {
    functions_.destroyFunction(device.handle, function, device.callbacks());
  }
  functions_.destroyModule(device.handle, module_, device.callbacks());
}

VkCuFunctionNVX KernelModule::function(const std::string& name) {
  VkCuFunctionCreateInfoNVX info{};
  info.sType = functions_.extension.functionInfo;
  info.module = module_;
  info.pName = name.c_str();
  created_.reserve(created_.size() + 1);  // push_back must not fail after the function was created
  VkCuFunctionNVX function = VK_NULL_HANDLE;
  const Device& device = functions_.device;
  check(functions_.createFunction(device.handle, &info, device.callbacks(), &function),
        functions_.extension.createFunction);
  created_.push_back(function);
  return function;
}

}  // namespace slu

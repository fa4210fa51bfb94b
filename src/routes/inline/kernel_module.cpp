#include "routes/inline/kernel_module.h"

namespace slu {

KernelModule::KernelModule(const KernelFunctions& functions, std::span<const char> image) : functions_(functions) {
  VkCuModuleCreateInfoNVX info{};
  info.sType = functions.extension.moduleInfo;
  info.dataSize = image.size();
  info.pData = image.data();
  check(functions.createModule(functions.device, &info, nullptr, &module_), functions.extension.createModule);
}

KernelModule::~KernelModule() {
  for (const VkCuFunctionNVX function : created_) functions_.destroyFunction(functions_.device, function, nullptr);
  functions_.destroyModule(functions_.device, module_, nullptr);
}

VkCuFunctionNVX KernelModule::function(const std::string& name) {
  VkCuFunctionCreateInfoNVX info{};
  info.sType = functions_.extension.functionInfo;
  info.module = module_;
  info.pName = name.c_str();
  created_.reserve(created_.size() + 1);  // so that nothing fails once there is a function
  VkCuFunctionNVX function = VK_NULL_HANDLE;
  check(functions_.createFunction(functions_.device, &info, nullptr, &function), functions_.extension.createFunction);
  created_.push_back(function);
  return function;
}

}  // namespace slu

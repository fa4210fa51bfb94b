#include "inline/kernel_module.h"

namespace slu {

KernelModule::KernelModule(const KernelFunctions& functions, std::span<const char> image) : functions_(functions) {
  VkCuModuleCreateInfoNVX info{};
  info.sType = functions.extension.moduleInfo;
  info.dataSize = image.size();
  info.pData = image.data();
  check(functions.createModule(functions.device, &info, nullptr, &module_), functions.extension.createModule);
}

KernelModule::~KernelModule() {
  for (const auto& [name, function] : created_) functions_.destroyFunction(functions_.device, function, nullptr);
  functions_.destroyModule(functions_.device, module_, nullptr);
}

VkCuFunctionNVX KernelModule::function(const std::string& name) {
  const auto found = created_.find(name);
  if (found != created_.end()) return found->second;
  VkCuFunctionCreateInfoNVX info{};
  info.sType = functions_.extension.functionInfo;
  info.module = module_;
  info.pName = name.c_str();
  VkCuFunctionNVX function = VK_NULL_HANDLE;
  const auto place = created_.emplace(name, function).first;
  const VkResult result = functions_.createFunction(functions_.device, &info, nullptr, &function);
  if (result != VK_SUCCESS) created_.erase(place);
  check(result, functions_.extension.createFunction);
  return place->second = function;
}

}  // namespace slu

// Kernels with the constants of typical plans, which are compiled one by one.
#pragma once

#include <string>
#include <vector>

#include "routes/d3d12/hlsl/own_hlsl.h"
#include "routes/shaders/kernel_constants.h"

namespace slu::test {

struct KernelCase {
  std::string name;  // of the plan
  Kernel kernel;
  KernelConstants constants;
};

// emulatesSubgroups: for shader model 5.
std::vector<KernelCase> kernelCases(bool emulatesSubgroups);

// The text of the kernel with its constants.
std::string textOf(const KernelCase& kernelCase, bool emulatesSubgroups, HlslPredicate predicate = HlslPredicate::none);

}  // namespace slu::test

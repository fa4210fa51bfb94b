#include "kernels/kernel_names.h"

#include <array>
#include <string_view>

namespace slu {
namespace {

constexpr std::array<std::string_view, kCudaKernelCount> kFunctions = {
#define SLU_TEXT(name, row, function, ...) #function "<" #__VA_ARGS__ ">",
    SLU_CUDA_KERNELS(SLU_TEXT)
#undef SLU_TEXT
};

std::string lengthAndName(std::string_view name) { return std::to_string(name.size()) + std::string(name); }

// Mangles a template argument of a kernel: a bool, an unsigned, or a type of slu::cuda. S0_ stands for that namespace,
// because the name of the kernel has mentioned it before.
std::string mangledArgument(std::string_view argument) {
  if (argument == "false") return "Lb0E";
  if (argument == "true") return "Lb1E";
  if (argument.front() >= '0' && argument.front() <= '9') return "Lj" + std::string(argument) + "E";
  return "NS0_" + lengthAndName(argument) + "E";
}

// Mangles slu::cuda::name<arguments>(parameter) by section 5.1 of the Itanium C++ ABI. The name of a template includes
// the return type, which is void.
std::string mangled(std::string_view function, std::string_view parameter) {
  const std::size_t open = function.find('<');
  std::string text = "_ZN3slu4cuda" + lengthAndName(function.substr(0, open)) + 'I';
  std::string_view rest = function.substr(open + 1, function.size() - open - 2);
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    text += mangledArgument(rest.substr(0, comma));
    rest = comma == std::string_view::npos ? "" : rest.substr(rest.find_first_not_of(' ', comma + 1));
  }
  return text + "EEvNS0_" + lengthAndName(parameter) + 'E';
}

}  // namespace

std::string kernelName(CudaKernel kernel) { return mangled(kFunctions[static_cast<std::size_t>(kernel)], "Arguments"); }

std::string pyramidKernelName() { return mangled("buildPyramid<0>", "PyramidArguments"); }

}  // namespace slu

#include "kernels/kernel_library.h"

namespace slu {

KernelLibrary::KernelLibrary(const CudaContext& context, std::span<const char> image) : library_(context) {
  library_.take(
      context.functions().cuLibraryLoadData(library_.put(), image.data(), nullptr, nullptr, 0, nullptr, nullptr, 0),
      "cuLibraryLoadData");
}

CUfunction KernelLibrary::kernel(const std::string& name) const {
  const CudaFunctions& cuda = library_.context().functions();
  CUkernel kernel = nullptr;
  check(cuda.cuLibraryGetKernel(&kernel, library_.get(), name.c_str()), "cuLibraryGetKernel");
  CUfunction function = nullptr;
  check(cuda.cuKernelGetFunction(&function, kernel), "cuKernelGetFunction");
  return function;
}

}  // namespace slu

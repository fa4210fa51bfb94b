#include "kernels/kernel_library.h"

#include "base/cuda_error.h"

namespace slu {

KernelLibrary::KernelLibrary(const CudaContext& context, std::span<const char> image) : context_(context) {
  check(context.driver().libraryLoadData(&library_, image.data(), nullptr, nullptr, 0, nullptr, nullptr, 0),
        "cuLibraryLoadData");
}

KernelLibrary::~KernelLibrary() {
  const CudaScope scope(context_, std::nothrow);
  if (scope) context_.driver().libraryUnload(library_);
}

CUfunction KernelLibrary::kernel(const std::string& name) const {
  CUkernel kernel = nullptr;
  check(context_.driver().libraryGetKernel(&kernel, library_, name.c_str()), "cuLibraryGetKernel");
  CUfunction function = nullptr;
  check(context_.driver().kernelGetFunction(&function, kernel), "cuKernelGetFunction");
  return function;
}

}  // namespace slu

#include "kernels/kernel_library.h"

#include "base/cuda_error.h"

namespace slu {

KernelLibrary::KernelLibrary(const CudaContext& context, const std::vector<char>& image) : context_(context) {
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
  return reinterpret_cast<CUfunction>(kernel);  // which the driver allows
}

}  // namespace slu

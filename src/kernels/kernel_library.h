// Kernels compiled at run time, loaded into the driver.
#pragma once

#include <string>
#include <vector>

#include "base/cuda_scope.h"

namespace slu {

class KernelLibrary {
 public:
  // image: a cubin, or zero-terminated PTX. In a CudaScope of the context, which outlives the library.
  KernelLibrary(const CudaContext& context, const std::vector<char>& image);
  ~KernelLibrary();
  KernelLibrary(const KernelLibrary&) = delete;
  KernelLibrary& operator=(const KernelLibrary&) = delete;

  // As the driver's launch and occupancy functions take it.
  CUfunction kernel(const std::string& name) const;

 private:
  const CudaContext& context_;
  CUlibrary library_ = nullptr;
};

}  // namespace slu

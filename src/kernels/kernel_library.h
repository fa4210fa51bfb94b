// Loads an image of kernels into the driver.
#pragma once

#include <span>
#include <string>

#include "base/cuda_owned.h"

namespace slu {

class KernelLibrary {
 public:
  // Loads a fat binary, a cubin, or zero-terminated PTX. The driver copies the image. Is called in a CudaScope of the
  // context, which outlives the library.
  KernelLibrary(const CudaContext& context, std::span<const char> image);

  // Returns the kernel, loaded into the context, as the driver's launch and occupancy functions take it. Is called in a
  // CudaScope of the context.
  CUfunction kernel(const std::string& name) const;

 private:
  OwnedLibrary library_;
};

}  // namespace slu

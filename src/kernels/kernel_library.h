// Kernels as an image, loaded into the driver.
#pragma once

#include <span>
#include <string>

#include "base/cuda_owned.h"

namespace slu {

class KernelLibrary {
 public:
  // image: a fat binary, a cubin, or zero-terminated PTX; the driver copies it. In a CudaScope of the context, which
  // outlives the library.
  KernelLibrary(const CudaContext& context, std::span<const char> image);

  // In a CudaScope of the context: what the driver's launch and occupancy functions take, loaded into the context.
  CUfunction kernel(const std::string& name) const;

 private:
  OwnedLibrary library_;
};

}  // namespace slu

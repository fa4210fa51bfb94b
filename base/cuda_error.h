// What a CUDA call that failed means: the one place that maps CUDA's results.
#pragma once

#include <cuda.h>

#include "base/error.h"

namespace slu {

// check throws this where CUDA fails.
class CudaError : public Error {
 public:
  CudaError(SluResult result, const std::string& sentence, CUresult code) : Error(result, sentence), code_(code) {}
  CUresult code() const noexcept { return code_; }

 private:
  CUresult code_;
};

// Throws what a failure means; call begins the sentence. A cudaError_t may be passed as well: the runtime numbers its
// results like the driver.
void check(CUresult result, const char* call);

}  // namespace slu

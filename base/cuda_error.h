// What a CUDA call that failed means: the one place that maps CUDA's results.
#pragma once

#include <cuda.h>
#include <cuda_runtime_api.h>

#include "base/error.h"

namespace slu {

// check throws this where CUDA fails.
class CudaError : public Error {
 public:
  CudaError(SluResult result, const std::string& sentence, cudaError_t code) : Error(result, sentence), code_(code) {}
  cudaError_t code() const noexcept { return code_; }  // of the runtime or the driver, which number them alike

 private:
  cudaError_t code_;
};

// Throws what a failure means; call begins the sentence. The runtime's last error, which the failure set, is cleared,
// so that a host that shares this instance of the runtime does not find it later; an error that lost the context stays.
void check(cudaError_t result, const char* call);
void check(CUresult result, const char* call);  // the driver has no last error

// For destructors: drops a failure, and clears it likewise.
void forget(cudaError_t result) noexcept;

// Throws where there is no CUDA driver, or one too old for the runtime.
void requireCudaDriver();

}  // namespace slu

// The owner of one CUDA handle.
#pragma once

#include "base/cuda_error.h"
#include "base/cuda_scope.h"

namespace slu {

// owned.take(cudaImport…(owned.put(), …), "cudaImport…") fills it, or throws and leaves it empty. Destroyed inside a
// scope of its context, which outlives it: without one the runtime would make a context of its own current.
template <typename Handle, auto destroy>
class CudaOwned {
 public:
  explicit CudaOwned(const CudaContext& context) : context_(context) {}
  CudaOwned(const CudaOwned&) = delete;
  CudaOwned& operator=(const CudaOwned&) = delete;
  ~CudaOwned() {
    if (handle_ == nullptr) return;
    const CudaScope scope(context_, std::nothrow);
    if (scope) forget((context_.functions().*destroy)(handle_));  // else the driver has gone, and the handle with it
  }

  const CudaContext& context() const { return context_; }
  Handle get() const { return handle_; }
  Handle* put() { return &created_; }
  void take(cudaError_t result, const char* call) {
    check(result, call);
    handle_ = created_;
  }

 private:
  const CudaContext& context_;
  Handle handle_ = nullptr;
  Handle created_ = nullptr;  // not owned
};

using OwnedExternalMemory = CudaOwned<cudaExternalMemory_t, &CudaInteropFunctions::destroyExternalMemory>;
using OwnedMapping = CudaOwned<void*, &CudaInteropFunctions::freeMapping>;
using OwnedExternalSemaphore = CudaOwned<cudaExternalSemaphore_t, &CudaInteropFunctions::destroyExternalSemaphore>;

}  // namespace slu

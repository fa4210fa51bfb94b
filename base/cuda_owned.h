// The owner of one CUDA handle.
#pragma once

#include "base/cuda_error.h"
#include "base/cuda_scope.h"

namespace slu {

// owned.take(cuImport…(owned.put(), …), "cuImport…") fills it, or throws and leaves it empty. Destroyed inside a scope of
// its context, which outlives it.
template <typename Handle, auto destroy>
class CudaOwned {
 public:
  explicit CudaOwned(const CudaContext& context) : context_(context) {}
  CudaOwned(const CudaOwned&) = delete;
  CudaOwned& operator=(const CudaOwned&) = delete;
  ~CudaOwned() {
    if (handle_ == Handle{}) return;
    const CudaScope scope(context_, std::nothrow);
    if (scope) (context_.functions().*destroy)(handle_);  // else the driver has gone, and the handle with it
  }

  const CudaContext& context() const { return context_; }
  Handle get() const { return handle_; }
  Handle* put() { return &created_; }
  void take(CUresult result, const char* call) {
    check(result, call);
    handle_ = created_;
  }

 private:
  const CudaContext& context_;
  Handle handle_{};
  Handle created_{};  // not owned
};

using OwnedDeviceMemory = CudaOwned<CUdeviceptr, &CudaFunctions::cuMemFree>;  // also mappings of external memory
using OwnedExternalMemory = CudaOwned<CUexternalMemory, &CudaFunctions::cuDestroyExternalMemory>;
using OwnedExternalSemaphore = CudaOwned<CUexternalSemaphore, &CudaFunctions::cuDestroyExternalSemaphore>;
using OwnedLibrary = CudaOwned<CUlibrary, &CudaFunctions::cuLibraryUnload>;
using OwnedStream = CudaOwned<CUstream, &CudaFunctions::cuStreamDestroy>;

}  // namespace slu

#include "base/cuda_scope.h"

#include "base/cuda_error.h"

namespace slu {

CudaContext::CudaContext(int device, const CudaDriverFunctions& driver, const CudaInteropFunctions& runtime)
    : driver_(driver), runtime_(runtime), device_(device) {
  check(driver_.deviceGet(&handle_, device), "cuDeviceGet");
  check(driver_.devicePrimaryCtxRetain(&primary_, handle_), "cuDevicePrimaryCtxRetain");
}

CudaContext::~CudaContext() { driver_.devicePrimaryCtxRelease(handle_); }

CudaScope::CudaScope(const CudaContext& context) : context_(context) {
  check(context.driver_.ctxPushCurrent(context.primary_), "cuCtxPushCurrent");
  entered_ = true;
}

CudaScope::CudaScope(const CudaContext& context, std::nothrow_t) noexcept
    : context_(context), entered_(context.driver_.ctxPushCurrent(context.primary_) == CUDA_SUCCESS) {}

CudaScope::~CudaScope() {
  CUcontext popped = nullptr;
  if (entered_) context_.driver_.ctxPopCurrent(&popped);
}

}  // namespace slu

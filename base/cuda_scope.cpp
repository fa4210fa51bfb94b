#include "base/cuda_scope.h"

#include "base/cuda_error.h"

namespace slu {

RelaxedCapture::RelaxedCapture(const CudaDriverFunctions& driver) noexcept
    : driver_(driver), isExchanged_(driver.threadExchangeStreamCaptureMode(&mode_) == CUDA_SUCCESS) {}

RelaxedCapture::~RelaxedCapture() {
  if (isExchanged_) driver_.threadExchangeStreamCaptureMode(&mode_);
}

CudaContext::CudaContext(int device, const CudaDriverFunctions& driver, const CudaInteropFunctions& runtime)
    : driver_(driver), runtime_(runtime), device_(device) {
  const RelaxedCapture relaxed(driver_);
  check(driver_.deviceGet(&handle_, device), "cuDeviceGet");
  check(driver_.devicePrimaryCtxRetain(&primary_, handle_), "cuDevicePrimaryCtxRetain");
}

CudaContext::~CudaContext() {
  const RelaxedCapture relaxed(driver_);
  driver_.devicePrimaryCtxRelease(handle_);
}

CudaScope::CudaScope(const CudaContext& context) : context_(context) {
  check(context.driver_.ctxPushCurrent(context.primary_), "cuCtxPushCurrent");
  entered_ = true;
  relaxed_.emplace(context.driver_);
}

CudaScope::CudaScope(const CudaContext& context, std::nothrow_t) noexcept
    : context_(context), entered_(context.driver_.ctxPushCurrent(context.primary_) == CUDA_SUCCESS) {
  if (entered_) relaxed_.emplace(context.driver_);
}

CudaScope::~CudaScope() {
  relaxed_.reset();
  CUcontext popped = nullptr;
  if (entered_) context_.driver_.ctxPopCurrent(&popped);
}

}  // namespace slu

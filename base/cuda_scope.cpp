#include "base/cuda_scope.h"

#include "base/cuda_error.h"

namespace slu {

RelaxedCapture::RelaxedCapture(const CudaFunctions& functions) noexcept
    : functions_(functions), isExchanged_(functions.cuThreadExchangeStreamCaptureMode(&mode_) == CUDA_SUCCESS) {}

RelaxedCapture::~RelaxedCapture() {
  if (isExchanged_) functions_.cuThreadExchangeStreamCaptureMode(&mode_);
}

CudaContext::CudaContext(int device, const CudaFunctions& functions) : functions_(functions), device_(device) {
  const RelaxedCapture relaxed(functions_);
  check(functions_.cuDeviceGet(&handle_, device), "cuDeviceGet");
  check(functions_.cuDevicePrimaryCtxRetain(&primary_, handle_), "cuDevicePrimaryCtxRetain");
}

CudaContext::~CudaContext() {
  const RelaxedCapture relaxed(functions_);
  functions_.cuDevicePrimaryCtxRelease(handle_);
}

int CudaContext::attribute(CUdevice_attribute name) const {
  int value = 0;
  check(functions_.cuDeviceGetAttribute(&value, name, handle_), "cuDeviceGetAttribute");
  return value;
}

CudaScope::CudaScope(const CudaContext& context) : context_(context) {
  check(context.functions_.cuCtxPushCurrent(context.primary_), "cuCtxPushCurrent");
  entered_ = true;
  relaxed_.emplace(context.functions_);
}

CudaScope::CudaScope(const CudaContext& context, std::nothrow_t) noexcept
    : context_(context), entered_(context.functions_.cuCtxPushCurrent(context.primary_) == CUDA_SUCCESS) {
  if (entered_) relaxed_.emplace(context.functions_);
}

CudaScope::~CudaScope() {
  relaxed_.reset();
  CUcontext popped = nullptr;
  if (entered_) context_.functions_.cuCtxPopCurrent(&popped);
}

}  // namespace slu

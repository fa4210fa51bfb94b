// The CUDA context that the library works in, and the guard that leaves the host's as it was.
#pragma once

#include <new>
#include <optional>

#include "base/cuda_functions.h"

namespace slu {

// Keeps the primary context of a device, the one that runtime-API hosts share, and the functions called in it.
class CudaContext {
 public:
  explicit CudaContext(int device) : CudaContext(device, findCudaFunctions()) {}
  CudaContext(int device, const CudaFunctions& functions);
  ~CudaContext();
  CudaContext(const CudaContext&) = delete;
  CudaContext& operator=(const CudaContext&) = delete;

  int device() const { return device_; }
  CUcontext primary() const { return primary_; }
  const CudaFunctions& functions() const { return functions_; }
  int attribute(CUdevice_attribute name) const;  // of the device

 private:
  friend class CudaScope;
  CudaFunctions functions_;
  int device_;
  CUdevice handle_ = 0;
  CUcontext primary_ = nullptr;
};

// While it lives, this thread may allocate, free and load although streams are being captured, by this thread or others.
// In the mode that hosts capture in as a rule such calls fail, and the capture with them.
class RelaxedCapture {
 public:
  explicit RelaxedCapture(const CudaFunctions& functions) noexcept;
  ~RelaxedCapture();
  RelaxedCapture(const RelaxedCapture&) = delete;
  RelaxedCapture& operator=(const RelaxedCapture&) = delete;

 private:
  const CudaFunctions& functions_;
  CUstreamCaptureMode mode_ = CU_STREAM_CAPTURE_MODE_RELAXED;  // then the thread's own
  const bool isExchanged_;
};

// Makes the context current on this thread while it lives, and the thread's mode of capture relaxed. Then whatever was
// current before is again: a context of the driver API, another device's, or none, in which case the runtime's own choice
// of device stays open too.
class CudaScope {
 public:
  explicit CudaScope(const CudaContext& context);
  CudaScope(const CudaContext& context, std::nothrow_t) noexcept;  // for destructors: false when the driver has gone
  ~CudaScope();
  CudaScope(const CudaScope&) = delete;
  CudaScope& operator=(const CudaScope&) = delete;

  explicit operator bool() const { return entered_; }

 private:
  const CudaContext& context_;
  bool entered_ = false;
  std::optional<RelaxedCapture> relaxed_;
};

}  // namespace slu

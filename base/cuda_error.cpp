#include "base/cuda_error.h"

namespace slu {
namespace {

SluResult resultOf(cudaError_t error) {
  switch (error) {
    case cudaErrorMemoryAllocation:
      return SLU_ERROR_OUT_OF_DEVICE_MEMORY;
    case cudaErrorInsufficientDriver:
    case cudaErrorNoDevice:
    case cudaErrorStubLibrary:
    case cudaErrorDevicesUnavailable:
    case cudaErrorSystemNotReady:
    case cudaErrorSystemDriverMismatch:
    case cudaErrorCompatNotSupportedOnDevice:
      return SLU_ERROR_ROUTE_UNAVAILABLE;
    case cudaErrorNotSupported:
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorInvalidDeviceFunction:
    case cudaErrorUnsupportedPtxVersion:
      return SLU_ERROR_MISSING_FEATURE;
    // The errors of which the runtime says that the process must be started anew.
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorContained:
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchTimeout:
    case cudaErrorAssert:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorLaunchFailure:
    case cudaErrorTensorMemoryLeak:
    case cudaErrorMpsClientTerminated:
    case cudaErrorExternalDevice:
      return SLU_ERROR_DEVICE_LOST;
    default:
      return SLU_ERROR_DRIVER;
  }
}

// "13.0" of 13000.
std::string versionText(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

[[noreturn]] void raise(cudaError_t error, const char* call) {
  throw CudaError(resultOf(error),
                  std::string(call) + ": " + cudaGetErrorString(error) + " (" + cudaGetErrorName(error) + ")", error);
}

}  // namespace

void check(cudaError_t result, const char* call) {
  if (result == cudaSuccess) return;
  cudaGetLastError();
  raise(result, call);
}

// Driver and runtime number their results alike.
static_assert(static_cast<int>(CUDA_ERROR_OUT_OF_MEMORY) == static_cast<int>(cudaErrorMemoryAllocation) &&
              static_cast<int>(CUDA_ERROR_NO_DEVICE) == static_cast<int>(cudaErrorNoDevice) &&
              static_cast<int>(CUDA_ERROR_INVALID_CONTEXT) == static_cast<int>(cudaErrorDeviceUninitialized) &&
              static_cast<int>(CUDA_ERROR_ILLEGAL_ADDRESS) == static_cast<int>(cudaErrorIllegalAddress) &&
              static_cast<int>(CUDA_ERROR_UNKNOWN) == static_cast<int>(cudaErrorUnknown));

void check(CUresult result, const char* call) {
  if (result != CUDA_SUCCESS) raise(static_cast<cudaError_t>(result), call);
}

void forget(cudaError_t result) noexcept {
  if (result != cudaSuccess) cudaGetLastError();
}

void requireCudaDriver() {
  int driver = 0;
  check(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
  if (driver == 0) fail(SLU_ERROR_ROUTE_UNAVAILABLE, "there is no CUDA driver on this machine");
  constexpr int kMajor = CUDART_VERSION / 1000;  // a runtime works with every driver of its major version
  if (driver / 1000 < kMajor) {
    fail(SLU_ERROR_ROUTE_UNAVAILABLE, "the CUDA driver is of version ", versionText(driver), "; the library needs ",
         kMajor, ".0 or later");
  }
}

}  // namespace slu

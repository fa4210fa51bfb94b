#include "base/cuda_error.h"

#include "base/cuda_functions.h"

namespace slu {
namespace {

constexpr int kInvalidDeviceFunction = 98;  // cudaErrorInvalidDeviceFunction, which the runtime alone has

SluResult resultOf(int error) {
  switch (error) {
    case CUDA_ERROR_OUT_OF_MEMORY:
      return SLU_ERROR_OUT_OF_DEVICE_MEMORY;
    case CUDA_ERROR_NO_DEVICE:
    case CUDA_ERROR_STUB_LIBRARY:
    case CUDA_ERROR_DEVICE_UNAVAILABLE:
    case CUDA_ERROR_SYSTEM_NOT_READY:
    case CUDA_ERROR_SYSTEM_DRIVER_MISMATCH:
    case CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE:
      return SLU_ERROR_ROUTE_UNAVAILABLE;
    case CUDA_ERROR_NOT_SUPPORTED:
    case CUDA_ERROR_NO_BINARY_FOR_GPU:
    case CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
    case kInvalidDeviceFunction:
      return SLU_ERROR_MISSING_FEATURE;
    // The errors of which CUDA says that the process must be started anew.
    case CUDA_ERROR_ECC_UNCORRECTABLE:
    case CUDA_ERROR_NVLINK_UNCORRECTABLE:
    case CUDA_ERROR_CONTAINED:
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_LAUNCH_FAILED:
    case CUDA_ERROR_TENSOR_MEMORY_LEAK:
    case CUDA_ERROR_MPS_CLIENT_TERMINATED:
    case CUDA_ERROR_EXTERNAL_DEVICE:
      return SLU_ERROR_DEVICE_LOST;
    default:
      return SLU_ERROR_DRIVER;
  }
}

// "invalid argument (CUDA_ERROR_INVALID_VALUE)", or the number where no driver knows better.
std::string meaningOf(CUresult error) {
  const auto getString = reinterpret_cast<PFN_cuGetErrorString_v6000>(findInCudaDriver("cuGetErrorString"));
  const auto getName = reinterpret_cast<PFN_cuGetErrorName_v6000>(findInCudaDriver("cuGetErrorName"));
  const char* text = nullptr;
  const char* name = nullptr;
  if (getString != nullptr && getName != nullptr && getString(error, &text) == CUDA_SUCCESS &&
      getName(error, &name) == CUDA_SUCCESS && text != nullptr && name != nullptr) {
    return std::string(text) + " (" + name + ")";
  }
  return "failed with CUresult " + std::to_string(static_cast<int>(error));
}

}  // namespace

void check(CUresult result, const char* call) {
  if (result == CUDA_SUCCESS) return;
  throw CudaError(resultOf(static_cast<int>(result)), std::string(call) + ": " + meaningOf(result), result);
}

}  // namespace slu

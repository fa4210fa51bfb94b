#include "base/cuda_functions.h"

#include "base/cuda_error.h"
#include "base/error.h"

namespace slu {
namespace {

template <typename Function>
void lookUp(Function& function, const char* name) {
  // Of CUDA 12.0: the versions that the PFN types above name, whatever newer ones the driver has.
  constexpr unsigned kVersion = 12000;
  void* found = nullptr;
  cudaDriverEntryPointQueryResult status = cudaDriverEntryPointSymbolNotFound;
  check(cudaGetDriverEntryPointByVersion(name, &found, kVersion, cudaEnableDefault, &status),
        "cudaGetDriverEntryPointByVersion");
  if (found == nullptr || status != cudaDriverEntryPointSuccess) {
    fail(SLU_ERROR_ROUTE_UNAVAILABLE, "the CUDA driver has no ", name);
  }
  function = reinterpret_cast<Function>(found);
}

}  // namespace

CudaDriverFunctions findDriverFunctions() {
  requireCudaDriver();
  CudaDriverFunctions functions;
  lookUp(functions.deviceGet, "cuDeviceGet");
  lookUp(functions.devicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain");
  lookUp(functions.devicePrimaryCtxRelease, "cuDevicePrimaryCtxRelease");
  lookUp(functions.ctxPushCurrent, "cuCtxPushCurrent");
  lookUp(functions.ctxPopCurrent, "cuCtxPopCurrent");
  lookUp(functions.threadExchangeStreamCaptureMode, "cuThreadExchangeStreamCaptureMode");
  lookUp(functions.libraryLoadData, "cuLibraryLoadData");
  lookUp(functions.libraryUnload, "cuLibraryUnload");
  lookUp(functions.libraryGetKernel, "cuLibraryGetKernel");
  lookUp(functions.kernelGetFunction, "cuKernelGetFunction");
  lookUp(functions.funcGetAttribute, "cuFuncGetAttribute");
  lookUp(functions.funcSetAttribute, "cuFuncSetAttribute");
  lookUp(functions.launchKernel, "cuLaunchKernel");
  lookUp(functions.occupancyMaxActiveBlocks, "cuOccupancyMaxActiveBlocksPerMultiprocessor");
  lookUp(functions.pointerGetAttribute, "cuPointerGetAttribute");
  lookUp(functions.memGetAddressRange, "cuMemGetAddressRange");
  lookUp(functions.memAlloc, "cuMemAlloc");
  lookUp(functions.memFree, "cuMemFree");
  lookUp(functions.memsetD8Async, "cuMemsetD8Async");
  lookUp(functions.memcpyHtoDAsync, "cuMemcpyHtoDAsync");
  lookUp(functions.streamCreate, "cuStreamCreate");
  lookUp(functions.streamSynchronize, "cuStreamSynchronize");
  lookUp(functions.streamDestroy, "cuStreamDestroy");
  return functions;
}

}  // namespace slu

// The CUDA calls of interop, and of what the CUDA route finds out before it has plans, as tables: tests replace them one
// by one, and nothing links to the driver.
#pragma once

#include <cudaTypedefs.h>
#include <cuda_runtime_api.h>

namespace slu {

struct CudaInteropFunctions {
  decltype(&cudaImportExternalMemory) importExternalMemory = cudaImportExternalMemory;
  decltype(&cudaExternalMemoryGetMappedBuffer) externalMemoryGetMappedBuffer = cudaExternalMemoryGetMappedBuffer;
  decltype(&cudaFree) freeMapping = cudaFree;
  decltype(&cudaDestroyExternalMemory) destroyExternalMemory = cudaDestroyExternalMemory;
  decltype(&cudaImportExternalSemaphore) importExternalSemaphore = cudaImportExternalSemaphore;
  decltype(&cudaSignalExternalSemaphoresAsync) signalExternalSemaphoresAsync = cudaSignalExternalSemaphoresAsync;
  decltype(&cudaWaitExternalSemaphoresAsync) waitExternalSemaphoresAsync = cudaWaitExternalSemaphoresAsync;
  decltype(&cudaDestroyExternalSemaphore) destroyExternalSemaphore = cudaDestroyExternalSemaphore;
  decltype(&cudaStreamIsCapturing) streamIsCapturing = cudaStreamIsCapturing;
  decltype(&cudaPointerGetAttributes) pointerGetAttributes = cudaPointerGetAttributes;
  decltype(&cudaDeviceGetAttribute) deviceGetAttribute = cudaDeviceGetAttribute;
};

struct CudaDriverFunctions {
  PFN_cuDeviceGet_v2000 deviceGet = nullptr;
  PFN_cuDevicePrimaryCtxRetain_v7000 devicePrimaryCtxRetain = nullptr;
  PFN_cuDevicePrimaryCtxRelease_v11000 devicePrimaryCtxRelease = nullptr;
  PFN_cuCtxPushCurrent_v4000 ctxPushCurrent = nullptr;
  PFN_cuCtxPopCurrent_v4000 ctxPopCurrent = nullptr;
  PFN_cuThreadExchangeStreamCaptureMode_v10010 threadExchangeStreamCaptureMode = nullptr;
  PFN_cuLibraryLoadData_v12000 libraryLoadData = nullptr;
  PFN_cuLibraryUnload_v12000 libraryUnload = nullptr;
  PFN_cuLibraryGetKernel_v12000 libraryGetKernel = nullptr;
  PFN_cuKernelGetFunction_v12000 kernelGetFunction = nullptr;
  PFN_cuFuncGetAttribute_v2020 funcGetAttribute = nullptr;
  PFN_cuFuncSetAttribute_v9000 funcSetAttribute = nullptr;
  PFN_cuLaunchKernel_v4000 launchKernel = nullptr;
  PFN_cuOccupancyMaxActiveBlocksPerMultiprocessor_v6050 occupancyMaxActiveBlocks = nullptr;
  PFN_cuPointerGetAttribute_v4000 pointerGetAttribute = nullptr;
  PFN_cuMemGetAddressRange_v3020 memGetAddressRange = nullptr;
  PFN_cuMemAlloc_v3020 memAlloc = nullptr;
  PFN_cuMemFree_v3020 memFree = nullptr;
  PFN_cuMemsetD8Async_v3020 memsetD8Async = nullptr;
  PFN_cuMemcpyHtoDAsync_v3020 memcpyHtoDAsync = nullptr;
  PFN_cuStreamCreate_v2000 streamCreate = nullptr;
  PFN_cuStreamSynchronize_v2000 streamSynchronize = nullptr;
  PFN_cuStreamDestroy_v4000 streamDestroy = nullptr;
};

// Throws a sentence where there is no CUDA driver, or one that the runtime cannot use.
CudaDriverFunctions findDriverFunctions();

}  // namespace slu

// The functions of the CUDA driver that the library calls, as a table: tests replace them one by one, and nothing links to
// the driver, nor to a CUDA runtime.
#pragma once

#include <cudaTypedefs.h>

namespace slu {

// Each with the version of its type, none of them newer than CUDA 12.0.
#define SLU_CUDA_FUNCTIONS(X)                           \
  X(cuCtxPopCurrent, v4000)                             \
  X(cuCtxPushCurrent, v4000)                            \
  X(cuDestroyExternalMemory, v10000)                    \
  X(cuDestroyExternalSemaphore, v10000)                 \
  X(cuDeviceGet, v2000)                                 \
  X(cuDeviceGetAttribute, v2000)                        \
  X(cuDeviceGetCount, v2000)                            \
  X(cuDeviceGetLuid, v10000)                            \
  X(cuDeviceGetName, v2000)                             \
  X(cuDeviceGetUuid, v11040)                            \
  X(cuDevicePrimaryCtxRelease, v11000)                  \
  X(cuDevicePrimaryCtxRetain, v7000)                    \
  X(cuExternalMemoryGetMappedBuffer, v10000)            \
  X(cuFuncGetAttribute, v2020)                          \
  X(cuFuncSetAttribute, v9000)                          \
  X(cuImportExternalMemory, v10000)                     \
  X(cuImportExternalSemaphore, v10000)                  \
  X(cuKernelGetFunction, v12000)                        \
  X(cuLaunchKernel, v4000)                              \
  X(cuLibraryGetKernel, v12000)                         \
  X(cuLibraryLoadData, v12000)                          \
  X(cuLibraryUnload, v12000)                            \
  X(cuMemAlloc, v3020)                                  \
  X(cuMemcpyAsync, v4000)                               \
  X(cuMemcpyHtoDAsync, v3020)                           \
  X(cuMemFree, v3020)                                   \
  X(cuMemGetAddressRange, v3020)                        \
  X(cuMemsetD8Async, v3020)                             \
  X(cuOccupancyMaxActiveBlocksPerMultiprocessor, v6050) \
  X(cuPointerGetAttribute, v4000)                       \
  X(cuPointerGetAttributes, v7000)                      \
  X(cuSignalExternalSemaphoresAsync, v10000)            \
  X(cuStreamCreate, v2000)                              \
  X(cuStreamDestroy, v4000)                             \
  X(cuStreamIsCapturing, v10000)                        \
  X(cuStreamSynchronize, v2000)                         \
  X(cuThreadExchangeStreamCaptureMode, v10010)          \
  X(cuWaitExternalSemaphoresAsync, v10000)

struct CudaFunctions {
#define SLU_DECLARE_FUNCTION(name, version) PFN_##name##_##version name = nullptr;
  SLU_CUDA_FUNCTIONS(SLU_DECLARE_FUNCTION)
#undef SLU_DECLARE_FUNCTION
};

// Initializes the driver and finds its functions. Throws if there is no driver, or if it is too old.
CudaFunctions findCudaFunctions();

// Returns what the driver's library exports by that name, or null. The library stays loaded.
void* findInCudaDriver(const char* name) noexcept;

}  // namespace slu

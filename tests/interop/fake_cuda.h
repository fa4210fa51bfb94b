// CUDA's part in interop, played on the CPU: counts what is alive, fails where a test says so, and keeps CUDA's own
// rules (an imported fd is its own to close, an NT handle is not; calls need a current context; what is in use is not
// destroyed).
#pragma once

#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/cuda_scope.h"
#include "interop/unique_handle.h"

namespace slu::test {

// One at a time: the functions are plain pointers.
class FakeCuda {
 public:
  FakeCuda();
  ~FakeCuda();
  FakeCuda(const FakeCuda&) = delete;
  FakeCuda& operator=(const FakeCuda&) = delete;

  CudaFunctions functions() const;

  struct Memory {
    int fd;  // -1 if it was imported by an NT handle
    unsigned long long bytes;
  };
  struct Mapping {
    CUexternalMemory memory;
    std::vector<char> bytes;
  };

  // Memory of the host's, with what the driver tells of it.
  struct Allocation {
    std::uint64_t bytes = 0;
    CUmemorytype type = CU_MEMORYTYPE_DEVICE;
    bool isManaged = false;
    int device = 0;
    CUcontext context = primary();
    CUmemoryPool pool = nullptr;
    bool isMapped = true;
    unsigned access = CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READWRITE;
    bool hasDevicePointer = true;
    std::uint64_t deviceOffset = 0;  // from its address to that which kernels use
  };

  // A device that the driver lists.
  struct Device {
    std::string name;
    std::array<char, 8> luid{};
    unsigned nodeMask = 1;
  };

  std::vector<Device> devices;

  std::string failing;  // the name of the call that fails
  int failAfter = 0;    // calls of that name that succeed before
  bool isCapturing = false;
  CUresult libraryError = CUDA_ERROR_NO_BINARY_FOR_GPU;  // of "load", "get kernel" and "load kernel", where one fails

  std::vector<std::string> calls;  // the names, in order, without those of the driver
  std::vector<CUDA_EXTERNAL_MEMORY_HANDLE_DESC> imports;
  std::vector<CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC> semaphoreImports;
  std::vector<CUDA_EXTERNAL_MEMORY_BUFFER_DESC> maps;
  std::vector<unsigned long long> waits, signals;
  std::vector<CUcontext> stack;  // of current contexts; tests put the host's there
  int retained = 0;
  CUstreamCaptureMode captureMode = CU_STREAM_CAPTURE_MODE_GLOBAL;  // the thread's

  std::map<CUdeviceptr, Allocation> allocations;  // by address; what is not in here is ordinary host memory
  std::set<CUpointer_attribute> unanswered;       // that this driver does not know
  bool knowsAddressRanges = true;                 // cuMemGetAddressRange finds what is asked for

  std::map<CUexternalMemory, Memory> memories;
  std::map<CUdeviceptr, Mapping> mappings;
  std::map<CUexternalSemaphore, int> semaphores;
  std::set<CUlibrary> libraries;
  const void* image = nullptr;           // that was loaded last
  std::vector<std::string> kernelNames;  // that were asked for
  bool isEmpty() const { return memories.empty() && mappings.empty() && semaphores.empty() && libraries.empty(); }

  static CUcontext primary();

  bool isCurrent() const;  // the primary context

  // Records the call, checks that the primary context is current, and tells whether the call succeeds.
  bool enter(const char* call);
};

}  // namespace slu::test

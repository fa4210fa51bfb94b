// The CUDA driver as hosts of the driver API use it; nothing links to it.
#pragma once

#include <cudaTypedefs.h>
#include <cuda_runtime_api.h>

#include <cstdint>
#include <vector>

namespace slu::test {

#define SLU_TEST_CUDA_DRIVER(X)            \
  X(cuCtxCreate, v11040)                   \
  X(cuCtxDestroy, v4000)                   \
  X(cuCtxGetCurrent, v4000)                \
  X(cuCtxSetCurrent, v4000)                \
  X(cuMemAddressFree, v10020)              \
  X(cuMemAddressReserve, v10020)           \
  X(cuMemAlloc, v3020)                     \
  X(cuMemAllocHost, v3020)                 \
  X(cuMemCreate, v10020)                   \
  X(cuMemFree, v3020)                      \
  X(cuMemFreeHost, v2000)                  \
  X(cuMemGetAddressRange, v3020)           \
  X(cuMemGetAllocationGranularity, v10020) \
  X(cuMemMap, v10020)                      \
  X(cuMemRelease, v10020)                  \
  X(cuMemSetAccess, v10020)                \
  X(cuMemUnmap, v10020)                    \
  X(cuPointerGetAttribute, v4000)

struct CudaDriver {
  CudaDriver();  // throws where there is no driver
#define SLU_TEST_DECLARE(name, version) PFN_##name##_##version name = nullptr;
  SLU_TEST_CUDA_DRIVER(SLU_TEST_DECLARE)
#undef SLU_TEST_DECLARE
};

void check(CUresult result, const char* call);

// Reserved addresses in equal slots, of which tests map some.
class VirtualMemory {
 public:
  // Each slot of slotBytes at least, as the device rounds it; at the address where the driver can.
  VirtualMemory(const CudaDriver& driver, std::uint32_t slotCount, std::uint64_t slotBytes, CUdeviceptr address = 0);
  ~VirtualMemory();
  VirtualMemory(const VirtualMemory&) = delete;
  VirtualMemory& operator=(const VirtualMemory&) = delete;

  // Memory of a device, which nobody can access before allow().
  void map(std::uint32_t slot, int ofDevice = 0);
  void allow(std::uint32_t slot, int toDevice = 0);

  CUdeviceptr address() const { return address_; }
  std::uint64_t slotBytes() const { return slotBytes_; }
  std::uint64_t bytes() const { return slotBytes_ * slotCount_; }

 private:
  CUdeviceptr at(std::uint32_t slot) const { return address_ + slot * slotBytes_; }

  const CudaDriver& driver_;
  std::uint32_t slotCount_;
  std::uint64_t slotBytes_ = 0;
  CUdeviceptr address_ = 0;
  std::vector<std::uint32_t> mapped_;
};

}  // namespace slu::test

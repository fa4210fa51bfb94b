#include "cuda_driver.h"

#include <stdexcept>
#include <string>

#include "cuda_memory.h"

namespace slu::test {
namespace {

template <typename Function>
void find(const char* name, Function& function) {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult status = cudaDriverEntryPointSymbolNotFound;
  check(cudaGetDriverEntryPointByVersion(name, &found, 12000, cudaEnableDefault, &status), name);
  if (found == nullptr) throw std::runtime_error(std::string("the CUDA driver has no ") + name);
  function = reinterpret_cast<Function>(found);
}

CUmemAllocationProp propertiesOf(int device) {
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  properties.location.id = device;
  return properties;
}

}  // namespace

CudaDriver::CudaDriver() {
#define SLU_TEST_LOOK_UP(name, version) find(#name, name);
  SLU_TEST_CUDA_DRIVER(SLU_TEST_LOOK_UP)
#undef SLU_TEST_LOOK_UP
}

void check(CUresult result, const char* call) {
  if (result != CUDA_SUCCESS) throw std::runtime_error(std::string(call) + ": CUresult " + std::to_string(result));
}

VirtualMemory::VirtualMemory(const CudaDriver& driver, std::uint32_t slotCount, std::uint64_t slotBytes,
                             CUdeviceptr address)
    : driver_(driver), slotCount_(slotCount) {
  const CUmemAllocationProp properties = propertiesOf(0);
  std::size_t granularity = 0;
  check(driver_.cuMemGetAllocationGranularity(&granularity, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM),
        "cuMemGetAllocationGranularity");
  slotBytes_ = (slotBytes + granularity - 1) / granularity * granularity;
  check(driver_.cuMemAddressReserve(&address_, bytes(), 0, address, 0), "cuMemAddressReserve");
}

VirtualMemory::~VirtualMemory() {
  for (const std::uint32_t slot : mapped_) driver_.cuMemUnmap(at(slot), slotBytes_);
  driver_.cuMemAddressFree(address_, bytes());
}

void VirtualMemory::map(std::uint32_t slot, int ofDevice) {
  const CUmemAllocationProp properties = propertiesOf(ofDevice);
  CUmemGenericAllocationHandle memory = 0;
  check(driver_.cuMemCreate(&memory, slotBytes_, &properties, 0), "cuMemCreate");
  const CUresult mapped = driver_.cuMemMap(at(slot), slotBytes_, 0, memory, 0);
  driver_.cuMemRelease(memory);  // the mapping keeps it
  check(mapped, "cuMemMap");
  mapped_.push_back(slot);
}

void VirtualMemory::allow(std::uint32_t slot, int toDevice) {
  CUmemAccessDesc access{};
  access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  access.location.id = toDevice;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  check(driver_.cuMemSetAccess(at(slot), slotBytes_, &access, 1), "cuMemSetAccess");
}

}  // namespace slu::test

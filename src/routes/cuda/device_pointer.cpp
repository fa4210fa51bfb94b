#include "routes/cuda/device_pointer.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "base/cuda_error.h"
#include "base/error.h"

namespace slu {
namespace {

// Asks the driver about addresses while the context is current.
class AddressQueries {
 public:
  explicit AddressQueries(const CudaContext& context) : cuda_(context.functions()) {}

  // Returns whether memory is mapped at the address. Reserved addresses may have no mapping.
  bool isThere(CUdeviceptr address) const {
    return get<unsigned>(CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address).has_value() &&
           get<int>(CU_POINTER_ATTRIBUTE_MAPPED, address).value_or(1) != 0;
  }

  // Returns null for memory that belongs to no context: memory of a pool (cudaMallocAsync), and virtual memory
  // (cuMemMap).
  CUcontext owner(CUdeviceptr address) const {
    return get<CUcontext>(CU_POINTER_ATTRIBUTE_CONTEXT, address).value_or(nullptr);
  }

  bool isVirtual(CUdeviceptr address) const {
    return owner(address) == nullptr &&
           get<CUmemoryPool>(CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, address).value_or(nullptr) == nullptr;
  }

  // Returns whether the context's device can at least read the memory, which is enough for inputs.
  bool canAccess(CUdeviceptr address) const {
    constexpr unsigned kNone = CU_POINTER_ATTRIBUTE_ACCESS_FLAG_NONE, kRead = CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READ;
    return get<unsigned>(CU_POINTER_ATTRIBUTE_ACCESS_FLAGS, address).value_or(kRead) != kNone;
  }

  // Returns the end of the allocation that holds address, or of the mapping in virtual memory. It asks
  // cuMemGetAddressRange first, since the attributes give the reserved range of virtual memory, not the mapping. The
  // attributes serve for memory that cuMemGetAddressRange does not know.
  std::optional<CUdeviceptr> end(CUdeviceptr address) const {
    CUdeviceptr start = 0;
    std::size_t bytes = 0;
    if (cuda_.cuMemGetAddressRange(&start, &bytes, address) != CUDA_SUCCESS) {
      start = get<CUdeviceptr>(CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, address).value_or(0);
      bytes = get<std::size_t>(CU_POINTER_ATTRIBUTE_RANGE_SIZE, address).value_or(0);
    }
    if (address < start || address - start >= bytes) return std::nullopt;
    return start + bytes;
  }

 private:
  // Returns nothing if the driver does not answer. Whether it answers depends on its version and on the memory.
  template <typename T>
  std::optional<T> get(CUpointer_attribute attribute, CUdeviceptr address) const {
    T value{};
    if (cuda_.cuPointerGetAttribute(&value, attribute, address) != CUDA_SUCCESS) return std::nullopt;
    return value;
  }

  const CudaFunctions& cuda_;
};

// What CUDA knows of a pointer. All members are 0 for memory that CUDA does not know.
struct KnownMemory {
  KnownMemory(const CudaContext& context, CUdeviceptr pointer) {
    CUpointer_attribute attributes[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_IS_MANAGED,
                                        CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, CU_POINTER_ATTRIBUTE_DEVICE_POINTER};
    void* values[] = {&type, &isManaged, &device, &address};
    check(context.functions().cuPointerGetAttributes(std::size(attributes), attributes, values, pointer),
          "cuPointerGetAttributes");
  }
  bool isDevices() const { return type == CU_MEMORYTYPE_DEVICE && isManaged == 0; }

  unsigned type = 0;
  unsigned isManaged = 0;
  int device = 0;
  CUdeviceptr address = 0;
};

// Returns how many of the bytes at address the device can access. Virtual memory may consist of several adjacent
// mappings. All other memory is one allocation: the bytes after its end belong to another one.
std::uint64_t accessibleBytes(const AddressQueries& queries, CUdeviceptr address, std::uint64_t bytes) {
  if (!queries.isVirtual(address)) {
    const auto end = queries.end(address);
    return end ? std::min<std::uint64_t>(bytes, *end - address) : bytes;
  }
  std::uint64_t found = 0;
  while (found < bytes) {
    const CUdeviceptr next = address + found;
    if (!queries.isThere(next) || !queries.isVirtual(next) || !queries.canAccess(next)) return found;
    const auto end = queries.end(next);
    if (!end) return bytes;
    found = *end - address;
  }
  return bytes;
}

}  // namespace

std::uint64_t checkDevicePointer(const CudaContext& context, const void* pointer, std::uint64_t bytes) {
  constexpr const char* kField = "cudaBuffer.devicePointer: ";
  require(reinterpret_cast<std::uintptr_t>(pointer) % 4 == 0, kField, "is ", pointer, ", must be aligned to 4");
  const CudaScope scope(context);
  const KnownMemory memory(context, reinterpret_cast<CUdeviceptr>(pointer));
  const bool isDevices = memory.isDevices();
  require(isDevices || memory.address != 0, kField, "is ", pointer,
          ", which no kernel can access: it is ordinary host memory, was freed, or nothing is mapped there");

  const AddressQueries queries(context);
  const CUdeviceptr address = memory.address;
  const bool isPeers = isDevices && memory.device != context.device();
  const bool needsAccess = isPeers || queries.isVirtual(address);
  require(address != 0 && (!needsAccess || queries.canAccess(address)), kField, "lies on device ", memory.device,
          ", and the context's device ", context.device(),
          " has no access to it; give it access with cudaDeviceEnablePeerAccess, for a pool with cudaMemPoolSetAccess, "
          "for mapped memory with cuMemSetAccess");
  const CUcontext owner = queries.owner(address);
  require(
      !isDevices || isPeers || owner == nullptr || owner == context.primary(), kField,
      "was allocated in a CUcontext that is not the primary context of device ", context.device(),
      "; allocate it in the primary one, which the library works in (cuDevicePrimaryCtxRetain, or the runtime API)");

  const std::uint64_t there = accessibleBytes(queries, address, bytes);
  require(there == bytes, "buffer.size: is ", bytes, ", CUDA's memory at cudaBuffer.devicePointer ends after ", there,
          " bytes that device ", context.device(), " can access");
  return address;
}

}  // namespace slu

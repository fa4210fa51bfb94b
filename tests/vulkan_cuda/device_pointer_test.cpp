// What the driver tells of a host's CUDA memory, played, and what is refused for it.
#include "routes/cuda/device_pointer.h"

#include <gtest/gtest.h>

#include "fake_cuda.h"
#include "sentence.h"

namespace slu::test {
namespace {

constexpr CUdeviceptr kBase = 0x7f0000000000;
constexpr std::uint64_t kBytes = 65536;

// Handles of which nothing but the value counts.
template <typename Handle>
Handle handle(std::uintptr_t value) {
  return reinterpret_cast<Handle>(value);
}
const auto kOtherContext = handle<CUcontext>(0x100);
const auto kPool = handle<CUmemoryPool>(0x200);

struct DevicePointer : ::testing::Test {
  ~DevicePointer() override { EXPECT_TRUE(cuda.stack.empty()) << "CUDA's current context is not what it was"; }

  std::uint64_t checked(CUdeviceptr address, std::uint64_t bytes) {
    return checkDevicePointer(context, reinterpret_cast<void*>(address), bytes);
  }
  // Each of the allocation's bytes is in; one more word is not.
  void expectExact(CUdeviceptr address, std::uint64_t bytes) {
    EXPECT_EQ(checked(address, bytes), address);
    EXPECT_EQ(checked(address + bytes - 4, 4), address + bytes - 4);
    expectRefused(address, bytes + 4, endsAfter(bytes + 4, bytes));
    expectRefused(address + bytes - 4, 8, endsAfter(8, 4));
    expectRefused(address + 4, ~std::uint64_t{3}, endsAfter(~std::uint64_t{3}, bytes - 4));
  }
  void expectRefused(CUdeviceptr address, std::uint64_t bytes, const std::string& part) {
    EXPECT_SENTENCE(sentenceOf(SLU_ERROR_INVALID_ARGUMENT, [&] { checked(address, bytes); }), part);
  }
  static std::string endsAfter(std::uint64_t size, std::uint64_t bytes) {
    return "buffer.size: is " + std::to_string(size) + ", CUDA's memory at cudaBuffer.devicePointer ends after " +
           std::to_string(bytes) + " bytes that device 0 can access";
  }
  FakeCuda::Allocation& add(CUdeviceptr address, std::uint64_t bytes) {
    cuda.allocations[address].bytes = bytes;
    return cuda.allocations[address];
  }
  FakeCuda::Allocation& addVirtual(CUdeviceptr address, std::uint64_t bytes) {
    FakeCuda::Allocation& mapping = add(address, bytes);
    mapping.context = nullptr;
    return mapping;
  }

  FakeCuda cuda;
  CudaContext context{0, cuda.functions()};
};

TEST_F(DevicePointer, IsHeldToItsAllocation) {
  add(kBase, kBytes);
  expectExact(kBase, kBytes);
  expectExact(kBase + 256, kBytes - 256);
  cuda.knowsAddressRanges = false;  // then the attributes tell
  expectExact(kBase + 256, kBytes - 256);
}

// Two allocations that happen to touch are not one.
TEST_F(DevicePointer, EndsWhereANeighbourBegins) {
  for (const CUmemoryPool pool : {CUmemoryPool{nullptr}, kPool}) {
    for (const CUdeviceptr address : {kBase, kBase + kBytes}) {
      add(address, kBytes).pool = pool;
      if (pool != nullptr) cuda.allocations[address].context = nullptr;
    }
    expectExact(kBase, kBytes);
  }
}

TEST_F(DevicePointer, IsTakenForRightWhereTheDriverTellsNothing) {
  add(kBase, kBytes);
  cuda.knowsAddressRanges = false;
  cuda.unanswered = {CU_POINTER_ATTRIBUTE_CONTEXT,        CU_POINTER_ATTRIBUTE_RANGE_START_ADDR,
                     CU_POINTER_ATTRIBUTE_RANGE_SIZE,     CU_POINTER_ATTRIBUTE_MAPPED,
                     CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, CU_POINTER_ATTRIBUTE_ACCESS_FLAGS};
  EXPECT_EQ(checked(kBase, 2 * kBytes), kBase);
}

TEST_F(DevicePointer, RefusesOrdinaryHostMemoryAndWhatIsNotAligned) {
  expectRefused(kBase, 4,
                "which no kernel can access: it is ordinary host memory, was freed, or nothing is mapped there");
  add(kBase, kBytes);
  expectRefused(kBase + 2, 4, "must be aligned to 4");
  cuda.failing = "pointer attributes";
  EXPECT_SENTENCE(sentenceOf(SLU_ERROR_DRIVER, [&] { checked(kBase, 4); }), "cuPointerGetAttributes: ");
}

TEST_F(DevicePointer, RefusesDeviceMemoryOfAnotherContext) {
  add(kBase, kBytes).context = kOtherContext;
  expectRefused(kBase, kBytes,
                "cudaBuffer.devicePointer: was allocated in a CUcontext that is not the primary context of device 0");
  // All contexts share what is not the device's own.
  cuda.allocations[kBase].isManaged = true;
  expectExact(kBase, kBytes);
  cuda.allocations[kBase].isManaged = false;
  cuda.allocations[kBase].type = CU_MEMORYTYPE_HOST;
  expectExact(kBase, kBytes);
}

TEST_F(DevicePointer, OfHostMemoryMayDifferFromTheHosts) {
  constexpr CUdeviceptr kAlias = kBase + 0x100000;
  FakeCuda::Allocation& registered = add(kBase, kBytes);
  registered.type = CU_MEMORYTYPE_HOST;
  registered.deviceOffset = kAlias - kBase;
  cuda.allocations[kAlias] = registered;
  EXPECT_EQ(checked(kBase + 64, kBytes - 64), kAlias + 64);
  expectRefused(kBase + 64, kBytes, endsAfter(kBytes, kBytes - 64));
  cuda.allocations[kBase].hasDevicePointer = false;
  expectRefused(kBase, 4, "which no kernel can access");
}

TEST_F(DevicePointer, OfAPeerNeedsAccess) {
  constexpr const char* kNoAccess = "lies on device 1, and the context's device 0 has no access to it";
  FakeCuda::Allocation& peers = add(kBase, kBytes);
  peers.device = 1;
  for (const bool isPooled : {false, true}) {
    peers.context = isPooled ? nullptr : kOtherContext;
    peers.pool = isPooled ? kPool : nullptr;
    peers.access = CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READWRITE;
    expectExact(kBase, kBytes);
    peers.access = CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READ;
    expectExact(kBase, kBytes);
    peers.access = CU_POINTER_ATTRIBUTE_ACCESS_FLAG_NONE;
    expectRefused(kBase, kBytes, kNoAccess);
  }
  peers.access = CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READWRITE;
  peers.hasDevicePointer = false;  // the other way in which a driver says so
  expectRefused(kBase, kBytes, kNoAccess);
}

TEST_F(DevicePointer, MayLieInSeveralMappings) {
  addVirtual(kBase, kBytes);
  addVirtual(kBase + kBytes, 2 * kBytes);
  addVirtual(kBase + 3 * kBytes, kBytes);
  expectExact(kBase + 512, 4 * kBytes - 512);
  cuda.unanswered = {CU_POINTER_ATTRIBUTE_CONTEXT, CU_POINTER_ATTRIBUTE_MAPPED};
  expectExact(kBase, 4 * kBytes);
}

TEST_F(DevicePointer, EndsWhereNothingIsMapped) {
  addVirtual(kBase, kBytes);
  addVirtual(kBase + kBytes, kBytes).isMapped = false;
  addVirtual(kBase + 2 * kBytes, kBytes);
  expectRefused(kBase, 3 * kBytes, endsAfter(3 * kBytes, kBytes));
  expectRefused(kBase + kBytes, 4, endsAfter(4, 0));
}

TEST_F(DevicePointer, EndsWhereAMappingIsForOthersAlone) {
  addVirtual(kBase, kBytes);
  addVirtual(kBase + kBytes, kBytes).access = CU_POINTER_ATTRIBUTE_ACCESS_FLAG_NONE;
  expectRefused(kBase, 2 * kBytes, endsAfter(2 * kBytes, kBytes));
  expectRefused(kBase + kBytes, kBytes, "has no access to it");
}

// Whatever lies behind the mappings.
TEST_F(DevicePointer, EndsWhereVirtualMemoryDoes) {
  addVirtual(kBase, kBytes);
  add(kBase + kBytes, kBytes);
  expectExact(kBase, kBytes);
  addVirtual(kBase + kBytes, kBytes).pool = kPool;
  expectExact(kBase, kBytes);
}

}  // namespace
}  // namespace slu::test

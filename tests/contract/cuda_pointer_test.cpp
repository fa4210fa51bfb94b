// What the library makes of pointers that a real driver knows: how far each kind of memory goes, and whose it is. Each
// test prints what the driver tells.
#include <gtest/gtest.h>

#include <iostream>

#include "cuda_driver.h"
#include "cuda_memory.h"
#include "machines.h"

namespace slu::test {
namespace {

constexpr std::uint64_t kBytes = 4 << 20;

std::uint64_t addressOf(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

class CudaPointer : public testing::Test {
 protected:
  void SetUp() override {
    std::string reason;
    machine = findMachine(MachineKind::cuda, reason);
    if (machine == nullptr) GTEST_SKIP() << reason;
    driver = std::make_unique<CudaDriver>();
    check(cudaSetDevice(0), "cudaSetDevice");
    check(cudaFree(nullptr), "cudaFree");  // the primary context is current from here on
    check(driver->cuCtxGetCurrent(&primary), "cuCtxGetCurrent");
  }

  // "" when the library takes the bytes for a buffer, else its sentence. It leaves CUDA as it was.
  std::string refusal(std::uint64_t address, std::uint64_t bytes) {
    CUcontext before = nullptr, after = nullptr;
    check(driver->cuCtxGetCurrent(&before), "cuCtxGetCurrent");
    auto cuda = SLU_INIT(CUDA_BUFFER_INFO, SluCudaBufferInfo);
    cuda.devicePointer = reinterpret_cast<void*>(address);
    auto info = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
    info.pNext = &cuda;
    info.size = bytes;
    Buffer buffer;
    const SluResult result = sluCreateBuffer(machine->context(), &info, buffer.put());
    check(driver->cuCtxGetCurrent(&after), "cuCtxGetCurrent");
    EXPECT_EQ(before, after) << "another context is current";
    EXPECT_EQ(cudaGetLastError(), cudaSuccess) << "an error is left for the host";
    if (result == SLU_SUCCESS) return "";
    EXPECT_EQ(result, SLU_ERROR_INVALID_ARGUMENT);
    return sluGetErrorMessage(machine->context());
  }
  void expectAccepted(std::uint64_t address, std::uint64_t bytes) { EXPECT_EQ(refusal(address, bytes), ""); }
  void expectRefused(std::uint64_t address, std::uint64_t bytes, const std::string& part) {
    const std::string sentence = refusal(address, bytes);
    EXPECT_NE(sentence.find(part), std::string::npos) << "not named: " << part << "; " << sentence;
  }
  // The memory ends after so many bytes: they are a buffer, as their parts are, and one word more is not.
  void expectExact(std::uint64_t address, std::uint64_t bytes) {
    expectAccepted(address, bytes);
    if (!isTold(address)) {
      std::cout << "  the driver does not tell how far this memory goes\n";
      return expectAccepted(address, 2 * bytes);
    }
    expectAccepted(address + bytes / 2, bytes / 2);
    expectAccepted(address + 4, bytes / 2);
    expectRefused(address, bytes + 4, endsAfter(bytes));
    expectRefused(address + bytes / 2, bytes / 2 + 4, endsAfter(bytes / 2));
    expectRefused(address, 2 * bytes, endsAfter(bytes));
  }
  // Whether the driver tells how far the memory goes.
  bool isTold(std::uint64_t address) const {
    CUdeviceptr start = 0;
    std::size_t size = 0;
    return driver->cuMemGetAddressRange(&start, &size, address) == CUDA_SUCCESS ||
           driver->cuPointerGetAttribute(&size, CU_POINTER_ATTRIBUTE_RANGE_SIZE, address) == CUDA_SUCCESS;
  }
  static std::string endsAfter(std::uint64_t bytes) { return " ends after " + std::to_string(bytes) + " bytes"; }

  void describe(const char* what, std::uint64_t address) const {
    std::cout << "  " << what << " at " << std::hex << address << ":" << std::dec;
    tell<CUcontext>(" context", CU_POINTER_ATTRIBUTE_CONTEXT, address);
    tell<unsigned>(" type", CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address);
    tell<CUdeviceptr>(" pointer", CU_POINTER_ATTRIBUTE_DEVICE_POINTER, address);
    tell<unsigned>(" managed", CU_POINTER_ATTRIBUTE_IS_MANAGED, address);
    tell<int>(" device", CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, address);
    tell<CUdeviceptr>(" start", CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, address);
    tell<std::size_t>(" size", CU_POINTER_ATTRIBUTE_RANGE_SIZE, address);
    tell<unsigned>(" mapped", CU_POINTER_ATTRIBUTE_MAPPED, address);
    tell<unsigned>(" access", CU_POINTER_ATTRIBUTE_ACCESS_FLAGS, address);
    tell<CUmemoryPool>(" pool", CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, address);
    tell<CUdeviceptr>(" mapping", CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR, address);
    tell<std::size_t>(" mapping's size", CU_POINTER_ATTRIBUTE_MAPPING_SIZE, address);
    CUdeviceptr base = 0;
    std::size_t size = 0;
    const CUresult ranged = driver->cuMemGetAddressRange(&base, &size, address);
    std::cout << " cuMemGetAddressRange " << ranged << " " << std::hex << base << std::dec << " " << size;
    cudaPointerAttributes runtime{};
    const cudaError_t attributed = cudaPointerGetAttributes(&runtime, reinterpret_cast<void*>(address));
    cudaGetLastError();
    std::cout << " runtime " << attributed << " type " << runtime.type << " device " << runtime.device << " "
              << runtime.devicePointer << " (primary context " << primary << ")\n";
  }

  Machine* machine = nullptr;
  std::unique_ptr<CudaDriver> driver;
  CUcontext primary = nullptr;

 private:
  template <typename T>
  void tell(const char* name, CUpointer_attribute attribute, std::uint64_t address) const {
    T value{};
    const CUresult result = driver->cuPointerGetAttribute(&value, attribute, address);
    std::cout << name << " ";
    result == CUDA_SUCCESS ? std::cout << value : std::cout << "(" << result << ")";
  }
};

TEST_F(CudaPointer, OfEachKindGoesAsFarAsItsMemory) {
  for (const CudaMemoryKind kind : {CudaMemoryKind::device, CudaMemoryKind::pooled, CudaMemoryKind::pinned,
                                    CudaMemoryKind::registered, CudaMemoryKind::managed}) {
    const char* const names[] = {"device", "pooled", "mapped", "pinned", "registered", "managed"};
    SCOPED_TRACE(names[static_cast<int>(kind)]);
    for (const std::uint64_t bytes : {kBytes, 64 * kBytes}) {
      const std::shared_ptr<void> memory = allocateCuda(kind, bytes);
      describe(names[static_cast<int>(kind)], addressOf(memory.get()));
      expectExact(addressOf(memory.get()), bytes);
    }
  }
}

// Small allocations lie side by side, as a host's one buffer after the other does.
TEST_F(CudaPointer, EndsBeforeItsNeighbour) {
  for (const CudaMemoryKind kind : {CudaMemoryKind::device, CudaMemoryKind::pooled}) {
    SCOPED_TRACE(static_cast<int>(kind));
    std::vector<std::shared_ptr<void>> memories;
    for (int i = 0; i < 16; ++i) memories.push_back(allocateCuda(kind, 4096));
    for (std::size_t i = 0; i + 1 < memories.size(); ++i) {
      if (i < 2) describe("small", addressOf(memories[i].get()));
      expectAccepted(addressOf(memories[i].get()), 4096);
      expectRefused(addressOf(memories[i].get()), 8192, endsAfter(4096));
    }
  }
}

TEST_F(CudaPointer, OfFreedMemoryIsRefused) {
  std::shared_ptr<void> memory = allocateCuda(CudaMemoryKind::device, kBytes);
  const std::uint64_t address = addressOf(memory.get());
  memory.reset();
  describe("freed", address);
  expectRefused(address, kBytes, "it is ordinary host memory, was freed, or nothing is mapped there");
  std::vector<std::uint32_t> words(16);
  describe("malloc", addressOf(words.data()));
  expectRefused(addressOf(words.data()), 64, "which no kernel can access: it is ordinary host memory");
}

// Device memory of a CUcontext is its own; the host's memory is every context's.
TEST_F(CudaPointer, OfAnotherContextIsRefused) {
  CUcontext other = nullptr;
  check(driver->cuCtxCreate(&other, nullptr, 0, 0, 0), "cuCtxCreate");
  CUdeviceptr device = 0;
  void* host = nullptr;
  check(driver->cuMemAlloc(&device, kBytes), "cuMemAlloc");
  check(driver->cuMemAllocHost(&host, kBytes), "cuMemAllocHost");
  for (const CUcontext current : {other, primary, CUcontext{nullptr}}) {
    check(driver->cuCtxSetCurrent(current), "cuCtxSetCurrent");
    expectRefused(device, kBytes, "was allocated in a CUcontext that is not the primary context of device 0");
    expectAccepted(addressOf(host), kBytes);
  }
  check(driver->cuCtxSetCurrent(primary), "cuCtxSetCurrent");
  describe("device memory of another context", device);
  describe("host memory of another context", addressOf(host));
  check(driver->cuCtxSetCurrent(other), "cuCtxSetCurrent");
  check(driver->cuMemFree(device), "cuMemFree");
  check(driver->cuMemFreeHost(host), "cuMemFreeHost");
  check(driver->cuCtxDestroy(other), "cuCtxDestroy");
  check(driver->cuCtxSetCurrent(primary), "cuCtxSetCurrent");
}

TEST_F(CudaPointer, GoesThroughSeveralMappings) {
  VirtualMemory memory(*driver, 4, 2 << 20);
  const std::uint64_t first = memory.address(), slot = memory.slotBytes();
  describe("reserved", first);
  EXPECT_NE(refusal(first, slot), "") << "nothing is mapped";
  for (const std::uint32_t i : {0u, 1u, 3u}) memory.map(i);
  describe("mapped without access", first);
  EXPECT_NE(refusal(first, slot), "") << "no device has access";
  for (const std::uint32_t i : {0u, 1u}) memory.allow(i);
  describe("mapped", first);
  describe("mapped, the second", first + slot);
  expectExact(first, 2 * slot);
  expectRefused(first, 4 * slot, endsAfter(2 * slot));  // a gap is amid
  memory.map(2);
  expectRefused(first, 4 * slot, endsAfter(2 * slot));  // nobody has access to it
  memory.allow(2);
  expectExact(first, 3 * slot);
  memory.allow(3);
  expectExact(first, 4 * slot);
}

// A range that grows by reservations one behind the other.
TEST_F(CudaPointer, GoesThroughSeveralReservations) {
  const VirtualMemory whole(*driver, 2, 2 << 20);  // finds addresses that are free
  const std::uint64_t first = whole.address() + 64 * whole.bytes();
  VirtualMemory one(*driver, 1, 2 << 20, first), two(*driver, 1, 2 << 20, first + whole.slotBytes());
  if (two.address() != one.address() + one.bytes()) GTEST_SKIP() << "the driver reserves elsewhere";
  for (VirtualMemory* memory : {&one, &two}) {
    memory->map(0);
    memory->allow(0);
    describe("one of two reservations", memory->address());
  }
  expectExact(one.address(), one.bytes() + two.bytes());
}

class PeersPointer : public CudaPointer {
 protected:
  void SetUp() override {
    CudaPointer::SetUp();
    if (IsSkipped()) return;
    int count = 0, canAccess = 0;
    check(cudaGetDeviceCount(&count), "cudaGetDeviceCount");
    if (count < 2) GTEST_SKIP() << "there is one GPU";
    check(cudaDeviceCanAccessPeer(&canAccess, 0, 1), "cudaDeviceCanAccessPeer");
    if (canAccess == 0) GTEST_SKIP() << "GPU 0 cannot access GPU 1";
  }
  std::shared_ptr<void> onPeer(CudaMemoryKind kind) {
    check(cudaSetDevice(1), "cudaSetDevice");
    std::shared_ptr<void> memory = allocateCuda(kind, kBytes);
    check(cudaSetDevice(0), "cudaSetDevice");
    return memory;
  }
  void expectNoAccess(std::uint64_t address) {
    expectRefused(address, kBytes, "lies on device 1, and the context's device 0 has no access to it");
  }
};

TEST_F(PeersPointer, NeedsPeerAccess) {
  const std::shared_ptr<void> memory = onPeer(CudaMemoryKind::device);
  const std::uint64_t address = addressOf(memory.get());
  describe("a peer's", address);
  expectNoAccess(address);
  check(cudaDeviceEnablePeerAccess(1, 0), "cudaDeviceEnablePeerAccess");
  describe("a peer's, enabled", address);
  expectExact(address, kBytes);
  check(cudaDeviceDisablePeerAccess(1), "cudaDeviceDisablePeerAccess");
  describe("a peer's, disabled", address);
  expectNoAccess(address);
}

TEST_F(PeersPointer, OfAPoolNeedsItsAccess) {
  const std::shared_ptr<void> memory = onPeer(CudaMemoryKind::pooled);
  const std::uint64_t address = addressOf(memory.get());
  describe("a peer's pool", address);
  expectNoAccess(address);
  cudaMemPool_t pool = nullptr;
  check(cudaDeviceGetDefaultMemPool(&pool, 1), "cudaDeviceGetDefaultMemPool");
  cudaMemAccessDesc access{};
  access.location.type = cudaMemLocationTypeDevice;
  access.flags = cudaMemAccessFlagsProtReadWrite;
  check(cudaMemPoolSetAccess(pool, &access, 1), "cudaMemPoolSetAccess");
  describe("a peer's pool, with access", address);
  expectExact(address, kBytes);
}

TEST_F(PeersPointer, OfAMappingNeedsItsAccess) {
  VirtualMemory memory(*driver, 2, kBytes);
  memory.map(0, 1);
  memory.allow(0, 1);
  describe("a peer's mapping", memory.address());
  expectRefused(memory.address(), kBytes, "has no access to it");
  memory.allow(0);
  describe("a peer's mapping, with access", memory.address());
  expectExact(memory.address(), memory.slotBytes());
  memory.map(1);
  memory.allow(1);
  expectExact(memory.address(), memory.bytes());
}

}  // namespace
}  // namespace slu::test

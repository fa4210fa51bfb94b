#include "cuda_memory.h"

#include <cstdlib>

#include "cuda_driver.h"

namespace slu::test {
namespace {

constexpr std::uint64_t kPage = 4096;

std::uint64_t wholePages(std::uint64_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }

std::shared_ptr<void> allocatePooled(std::uint64_t size) {
  void* pointer = nullptr;
  check(cudaMallocAsync(&pointer, size, nullptr), "cudaMallocAsync");
  check(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize");
  return {pointer, [](void* pooled) { cudaFreeAsync(pooled, nullptr); }};
}

std::shared_ptr<void> allocateMapped(std::uint64_t size) {
  static const CudaDriver driver;
  const auto memory = std::make_shared<VirtualMemory>(driver, 2, wholePages(size));
  for (const std::uint32_t slot : {0u, 1u}) {
    memory->map(slot);
    memory->allow(slot);
  }
  const CUdeviceptr first = memory->address() + memory->slotBytes() - size / 2 / kPage * kPage;
  return {memory, reinterpret_cast<void*>(first)};
}

std::shared_ptr<void> allocateRegistered(std::uint64_t size) {
  const std::shared_ptr<void> pages(std::aligned_alloc(kPage, wholePages(size)), std::free);
  check(cudaHostRegister(pages.get(), size, cudaHostRegisterDefault), "cudaHostRegister");
  return {pages.get(), [pages](void* pointer) { cudaHostUnregister(pointer); }};
}

}  // namespace

std::shared_ptr<void> allocateCuda(CudaMemoryKind kind, std::uint64_t size) {
  void* pointer = nullptr;
  switch (kind) {
    case CudaMemoryKind::pooled:
      return allocatePooled(size);
    case CudaMemoryKind::mapped:
      return allocateMapped(size);
    case CudaMemoryKind::registered:
      return allocateRegistered(size);
    case CudaMemoryKind::pinned:
      check(cudaMallocHost(&pointer, size), "cudaMallocHost");
      return {pointer, cudaFreeHost};
    case CudaMemoryKind::managed:
      check(cudaMallocManaged(&pointer, size), "cudaMallocManaged");
      return {pointer, cudaFree};
    case CudaMemoryKind::device:
      break;
  }
  check(cudaMalloc(&pointer, size), "cudaMalloc");
  return {pointer, cudaFree};
}

}  // namespace slu::test

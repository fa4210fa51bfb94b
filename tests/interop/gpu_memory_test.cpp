// Imports on a real driver: data, ownership of fds, and the host's context.
#include <unistd.h>

#include <iostream>

#include "cuda_memory.h"
#include "gpu_host.h"
#include "interop/exportable_buffer.h"
#include "interop/external_memory.h"
#include "interop/external_semaphore.h"
#include "open_handles.h"
#include "sentence.h"

namespace slu::test {
namespace {

constexpr std::uint64_t kBufferBytes = 1 << 20;

// Functions that fail in place of the driver's own.
CudaFunctions driversOwn;
int semaphoreImportsLeft = 0;

CUresult failToMap(CUdeviceptr*, CUexternalMemory, const CUDA_EXTERNAL_MEMORY_BUFFER_DESC*) {
  return CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult failToImportSomeSemaphores(CUexternalSemaphore* semaphore,
                                    const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC* descriptor) {
  return semaphoreImportsLeft-- > 0 ? driversOwn.cuImportExternalSemaphore(semaphore, descriptor)
                                    : CUDA_ERROR_OPERATING_SYSTEM;
}

class GpuMemory : public GpuTest {
 protected:
  // Runs cycle until the driver has opened what it opens once, then 1,000 times more while other fds come and go:
  // neither fds nor the GPU's memory may become more or fewer.
  template <typename Cycle>
  void repeat(const Cycle& cycle) {
    for (int i = 0; i < 16; ++i) cycle();
    HandleChurn churn;
    const std::size_t fdsBefore = openHandleCount();
    const std::size_t freeBefore = freeBytes();
    for (int i = 0; i < 1000; ++i) {
      churn.step();
      cycle();
      ASSERT_EQ(openHandleCount(), fdsBefore + churn.count()) << "cycle " << i;
      ASSERT_TRUE(churn.areAllOurs()) << "cycle " << i;
    }
    constexpr std::size_t kSlack = 256 << 20;  // far below 1,000 leaks of kBufferBytes
    EXPECT_GE(freeBytes() + kSlack, freeBefore);
  }

  std::size_t freeBytes() const {
    const CudaScope scope(*context);
    std::size_t free = 0, total = 0;
    check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
    return free;
  }

  std::vector<std::uint32_t> readInCuda(const std::byte* pointer, std::uint64_t bytes) const {
    const CudaScope scope(*context);
    std::vector<std::uint32_t> words(bytes / 4);
    check(cudaMemcpy(words.data(), pointer, bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
    return words;
  }

  void fill(VkBuffer buffer, std::uint32_t word) const {
    host->vulkan.runOnce([&](VkCommandBuffer commands) {
      host->vulkan.functions.vkCmdFillBuffer(commands, buffer, 0, VK_WHOLE_SIZE, word);
    });
  }

  ExportableBuffer makeBuffer() const { return ExportableBuffer(host->external, kBufferBytes, kTestUsage, "test"); }
};

TEST_F(GpuMemory, ADedicatedBufferIsTheSameMemory) {
  const ExportableBuffer buffer(host->external, 4 * 12345, kTestUsage, "test");
  ImportedMemoryCache cache(host->external, *context);
  const ImportedRange range(cache.import(buffer.memory.get(), buffer.allocation), 0, buffer.size);
  fill(buffer.buffer.get(), 0xabcd1234);
  EXPECT_EQ(readInCuda(range.pointer, range.bytes), std::vector<std::uint32_t>(12345, 0xabcd1234));
  {
    const CudaScope scope(*context);
    ASSERT_EQ(cudaMemset(range.pointer, 0x77, range.bytes), cudaSuccess);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  }
  EXPECT_EQ(host->read(buffer.buffer.get(), buffer.size), std::vector<std::uint32_t>(12345, 0x77777777));
}

TEST_F(GpuMemory, TheBuffersOfAPoolAreWhereTheyAreBound) {
  const auto support = host->external.bufferSupport(kTestUsage, VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT);
  if (support.isDedicatedOnly) GTEST_SKIP() << "the device exports dedicated allocations only";
  const Pool pool(*host, 5, 4 * 1001);
  ImportedMemoryCache cache(host->external, *context);
  for (std::uint32_t i = 0; i < 5; ++i) fill(pool.buffers[i].get(), i + 100);
  std::shared_ptr<const ImportedMemory> first;
  for (std::uint32_t i = 0; i < 5; ++i) {
    const ImportedRange range(cache.import(pool.memory.get(), pool.allocation), pool.offsets[i], 4 * 1001);
    if (first == nullptr) first = range.memory;
    EXPECT_EQ(range.memory, first);
    EXPECT_EQ(readInCuda(range.pointer, range.bytes), std::vector<std::uint32_t>(1001, i + 100));
  }
}

TEST_F(GpuMemory, AForeignFdStaysTheCallers) {
  const ExportableBuffer buffer = makeBuffer();
  fill(buffer.buffer.get(), 42);
  const UniqueHandle fd = host->external.exportMemory(buffer.memory.get());
  CudaFunctions functions = findCudaFunctions();
  functions.cuExternalMemoryGetMappedBuffer = failToMap;
  const CudaContext failing(device, functions);
  EXPECT_THROW(importForeign(failing, fd.get(), buffer.allocation), Error);
  ASSERT_TRUE(isOpen(fd.get()));
  const auto memory = importForeign(*context, fd.get(), buffer.allocation);
  EXPECT_TRUE(isOpen(fd.get()));
  EXPECT_EQ(readInCuda(memory->pointer(), 4), std::vector<std::uint32_t>{42});
}

// The driver's own refusal, which must leave the fd, and no last error of the host's runtime.
TEST_F(GpuMemory, AnFdThatIsNoMemoryIsRefusedAndStaysOpen) {
  const int fd = openAnything();
  try {
    importForeign(*context, fd, {.bytes = kBufferBytes, .isDedicated = true});
    ADD_FAILURE() << "the driver takes it";
  } catch (const Error& error) {
    EXPECT_SENTENCE(error.what(), "cuImportExternalMemory: ");
  }
  EXPECT_TRUE(isOpen(fd));
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  close(fd);
}

// Nothing but the driver knows the size behind an opaque fd; whatever it makes of a wrong one, nothing is left of it.
TEST_F(GpuMemory, AnOverstatedAllocationLeavesNothing) {
  const ExportableBuffer buffer = makeBuffer();
  const UniqueHandle fd = host->external.exportMemory(buffer.memory.get());
  for (const std::uint64_t bytes : {buffer.allocation.bytes + 4, 64 * buffer.allocation.bytes}) {
    const std::size_t fdsBefore = openHandleCount();
    try {
      importForeign(*context, fd.get(), {.bytes = bytes, .isDedicated = true});
      std::cout << "  " << bytes << " bytes of " << buffer.allocation.bytes << " are imported\n";
    } catch (const Error& error) {
      std::cout << "  " << bytes << " bytes of " << buffer.allocation.bytes << ": " << error.what() << "\n";
    }
    EXPECT_TRUE(isOpen(fd.get()));
    EXPECT_EQ(openHandleCount(), fdsBefore);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  }
}

TEST_F(GpuMemory, NothingStaysBehind) {
  ImportedMemoryCache cache(host->external, *context);
  repeat([&] {
    const ExportableBuffer buffer = makeBuffer();
    const ImportedRange range(cache.import(buffer.memory.get(), buffer.allocation), 0, kBufferBytes);
  });
}

TEST_F(GpuMemory, NothingStaysBehindWhenMappingFails) {
  CudaFunctions functions = findCudaFunctions();
  functions.cuExternalMemoryGetMappedBuffer = failToMap;
  const CudaContext failing(device, functions);
  ImportedMemoryCache cache(host->external, failing);
  repeat([&] {
    const ExportableBuffer buffer = makeBuffer();
    EXPECT_THROW(cache.import(buffer.memory.get(), buffer.allocation), Error);
  });
}

TEST_F(GpuMemory, NothingStaysBehindWhenWhatFollowsTheMappingFails) {
  CudaFunctions functions = driversOwn = findCudaFunctions();
  functions.cuImportExternalSemaphore = failToImportSomeSemaphores;
  const CudaContext failing(device, functions);
  ImportedMemoryCache cache(host->external, failing);
  repeat([&] {
    const ExportableBuffer buffer = makeBuffer();
    semaphoreImportsLeft = 1;
    EXPECT_THROW(
        {
          const ImportedRange range(cache.import(buffer.memory.get(), buffer.allocation), 0, kBufferBytes);
          const Timelines timelines(host->external, failing);
        },
        Error);
  });
}

TEST_F(GpuMemory, NoTimelineStaysBehind) {
  repeat([&] { const Timelines timelines(host->external, *context); });
}

TEST_F(GpuMemory, TheHostsContextIsLeftAsItWas) {
  ImportedMemoryCache cache(host->external, *context);
  expectContextsUntouched(device, [&](const HostsDriver& driver) {
    const CUcontext before = driver.current();
    {
      const ExportableBuffer buffer = makeBuffer();
      const ImportedRange range(cache.import(buffer.memory.get(), buffer.allocation), 0, kBufferBytes);
      EXPECT_EQ(driver.current(), before);
      const Timelines timelines(host->external, *context);
    }
    EXPECT_THROW(importForeign(*context, STDERR_FILENO, {.bytes = kBufferBytes, .isDedicated = true}), Error);
    EXPECT_EQ(driver.current(), before);
  });
}

}  // namespace
}  // namespace slu::test

#include "interop/external_memory.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "external_host.h"
#include "fake_cuda.h"
#include "file_descriptors.h"
#include "interop/exportable_buffer.h"
#include "sentence.h"

namespace slu::test {
namespace {

constexpr ExternalAllocation kDedicated{.bytes = 8192, .isDedicated = true};
constexpr ExternalAllocation kPooled{.bytes = 65536, .isDedicated = false};

struct ExternalMemory : ::testing::Test {
  ~ExternalMemory() override {
    EXPECT_TRUE(cuda.isEmpty());
    EXPECT_TRUE(cuda.stack.empty());
    EXPECT_EQ(openFdCount(), fdsBefore);
  }
  std::size_t fdsBefore = openFdCount();
  FakeCuda cuda;
  CudaContext context{0, cuda.functions()};
};

TEST_F(ExternalMemory, TheDescriptorSaysWhatTheAllocationIs) {
  for (const ExternalAllocation& allocation : {kDedicated, kPooled}) {
    const CUDA_EXTERNAL_MEMORY_HANDLE_DESC descriptor = importDescriptor(allocation, 5);
    EXPECT_EQ(descriptor.type, CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD);
    EXPECT_EQ(descriptor.handle.fd, 5);
    EXPECT_EQ(descriptor.size, allocation.bytes);
    EXPECT_EQ(descriptor.flags, allocation.isDedicated ? unsigned{CUDA_EXTERNAL_MEMORY_DEDICATED} : 0u);
  }
}

TEST_F(ExternalMemory, RefusesOtherKindsAndNoSize) {
  ExternalAllocation allocation = kDedicated;
  for (const auto type :
       {VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32_BIT, VK_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_HEAP_BIT,
        VK_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_RESOURCE_BIT}) {
    allocation.handleType = type;
    EXPECT_SENTENCE(sentenceOf(SLU_ERROR_INVALID_ARGUMENT, [&] { importDescriptor(allocation, 5); }),
                    "handles of type " + std::to_string(type) + " are not supported");
  }
  EXPECT_SENTENCE(sentenceOf(SLU_ERROR_INVALID_ARGUMENT, [] { importDescriptor(ExternalAllocation{}, 5); }),
                  "size is 0");
}

TEST_F(ExternalMemory, TheFdIsCudasAfterAnImport) {
  UniqueFd fd(openAnything());
  {
    const ImportedMemory memory(context, fd, kDedicated);
    EXPECT_FALSE(fd);
    EXPECT_NE(memory.pointer(), nullptr);
    EXPECT_EQ(cuda.maps.at(0).offset, 0u);
    EXPECT_EQ(cuda.maps.at(0).size, kDedicated.bytes);
  }
  const std::vector<std::string> order = {"import memory", "map", "free", "destroy memory"};
  EXPECT_EQ(cuda.calls, order);
}

TEST_F(ExternalMemory, AFailedImportLeavesTheFdOurs) {
  cuda.failing = "import memory";
  UniqueFd fd(openAnything());
  EXPECT_SENTENCE(sentenceOf(SLU_ERROR_DRIVER, [&] { const ImportedMemory memory(context, fd, kDedicated); }),
                  "cuImportExternalMemory: ");
  EXPECT_TRUE(fd && isOpen(fd.get()));
  EXPECT_EQ(cuda.calls.size(), 1u);
}

TEST_F(ExternalMemory, AFailedMappingDestroysTheImport) {
  cuda.failing = "map";
  UniqueFd fd(openAnything());
  EXPECT_SENTENCE(
      sentenceOf(SLU_ERROR_OUT_OF_DEVICE_MEMORY, [&] { const ImportedMemory memory(context, fd, kDedicated); }),
      "cuExternalMemoryGetMappedBuffer: ");
  EXPECT_FALSE(fd);
  const std::vector<std::string> order = {"import memory", "map", "destroy memory"};
  EXPECT_EQ(cuda.calls, order);
}

TEST_F(ExternalMemory, AContextThatIsGoneLeavesTheFdOurs) {
  cuda.failing = "push";
  UniqueFd fd(openAnything());
  EXPECT_THROW(ImportedMemory(context, fd, kDedicated), Error);
  EXPECT_TRUE(fd && isOpen(fd.get()));
}

TEST_F(ExternalMemory, AFailureAfterTheMappingLeavesNothing) {
  UniqueFd fd(openAnything());
  const auto attach = [&] {
    const ImportedRange range(std::make_shared<const ImportedMemory>(context, fd, kDedicated), 0, kDedicated.bytes + 1);
  };
  EXPECT_SENTENCE(sentenceOf(SLU_ERROR_INVALID_ARGUMENT, attach), "8193 bytes at offset 0 is not within");
  EXPECT_EQ(cuda.calls.back(), "destroy memory");
}

TEST_F(ExternalMemory, RangesStayWithinTheAllocation) {
  UniqueFd fd(openAnything());
  const auto pooled = std::make_shared<const ImportedMemory>(context, fd, kPooled);
  const ImportedRange range(pooled, 4096, kPooled.bytes - 4096);
  EXPECT_EQ(range.pointer, pooled->pointer() + 4096);
  for (const std::uint64_t offset : {std::uint64_t{8192}, kPooled.bytes + 4, ~std::uint64_t{0}}) {
    EXPECT_SENTENCE(
        sentenceOf(SLU_ERROR_INVALID_ARGUMENT, [&] { ImportedRange(pooled, offset, kPooled.bytes - 4096); }),
        "is not within the allocation of 65536");
  }
  UniqueFd other(openAnything());
  const auto dedicated = std::make_shared<const ImportedMemory>(context, other, kDedicated);
  EXPECT_SENTENCE(sentenceOf(SLU_ERROR_INVALID_ARGUMENT, [&] { ImportedRange(dedicated, 256, 256); }),
                  "a dedicated allocation holds its buffer at offset 0, not at 256");
}

TEST_F(ExternalMemory, RangesKeepTheImport) {
  UniqueFd fd(openAnything());
  auto memory = std::make_shared<const ImportedMemory>(context, fd, kPooled);
  {
    const ImportedRange range(memory, 0, 16);
    memory.reset();
    EXPECT_EQ(cuda.memories.size(), 1u);
  }
  EXPECT_TRUE(cuda.isEmpty());
}

TEST_F(ExternalMemory, AForeignFdIsDuplicated) {
  const UniqueFd fd(openAnything());
  {
    const auto memory = importForeign(context, fd.get(), kDedicated);
    EXPECT_NE(cuda.imports.at(0).handle.fd, fd.get());
    EXPECT_TRUE(isOpen(cuda.imports.at(0).handle.fd));
  }
  EXPECT_TRUE(isOpen(fd.get()));
}

TEST_F(ExternalMemory, AForeignFdStaysTheCallersOnFailure) {
  const int fd = openAnything();
  for (const char* call : {"import memory", "map", "push"}) {
    cuda.failing = call;
    cuda.failAfter = 0;
    EXPECT_THROW(importForeign(context, fd, kDedicated), Error) << call;
    EXPECT_TRUE(isOpen(fd)) << call;
    EXPECT_EQ(openFdCount(), fdsBefore + 1) << call;
    EXPECT_TRUE(cuda.isEmpty()) << call;
  }
  cuda.failing.clear();
  EXPECT_THROW(importForeign(context, fd, ExternalAllocation{}), Error);
  EXPECT_TRUE(isOpen(fd));
  close(fd);
}

TEST_F(ExternalMemory, AForeignFdThatIsNotOpenGetsASentence) {
  EXPECT_SENTENCE(sentenceOf(SLU_ERROR_INVALID_ARGUMENT, [&] { importForeign(context, -1, kDedicated); }),
                  "file descriptor -1 cannot be duplicated");
  EXPECT_TRUE(cuda.calls.empty());
}

TEST_F(ExternalMemory, NothingStaysBehindWhileOtherFdsComeAndGo) {
  FdChurn churn;
  for (int i = 0; i < 1000; ++i) {
    churn.step();
    cuda.failing = i % 4 == 1 ? "import memory" : i % 4 == 2 ? "map" : "";
    try {
      const UniqueFd fd(openAnything());
      const auto memory = importForeign(context, fd.get(), kDedicated);
      churn.step();
    } catch (const Error&) {
    }
    ASSERT_TRUE(cuda.isEmpty());
    ASSERT_EQ(openFdCount(), fdsBefore + churn.count());
    ASSERT_TRUE(churn.areAllOurs());
  }
}

// Vulkan's side real, CUDA's played.
class ExportedMemory : public ExternalTest {
 protected:
  void SetUp() override {
    ExternalTest::SetUp();
    if (host == nullptr) return;
    if (!host->external.bufferSupport(kTestUsage, kPooled.handleType).isExportable) {
      GTEST_SKIP() << "the device exports no buffers";
    }
    context = std::make_unique<CudaContext>(0, cuda.functions());
    cache = std::make_unique<ImportedMemoryCache>(host->external, *context);
  }
  FakeCuda cuda;
  std::unique_ptr<CudaContext> context;
  std::unique_ptr<ImportedMemoryCache> cache;
};

TEST_F(ExportedMemory, WhatIsAllocatedForTheHostIsImportedAsItIs) {
  const ExportableBuffer buffer(host->external, 4 * 33, kTestUsage, "test");
  const auto memory = cache->import(buffer.memory.get(), buffer.allocation);
  ASSERT_EQ(cuda.imports.size(), 1u);
  EXPECT_EQ(cuda.imports[0].flags, unsigned{CUDA_EXTERNAL_MEMORY_DEDICATED});
  VkMemoryRequirements needs{};
  host->device.functions.vkGetBufferMemoryRequirements(host->device.handle, buffer.buffer.get(), &needs);
  EXPECT_EQ(cuda.imports[0].size, needs.size);
}

TEST_F(ExportedMemory, TheBuffersOfAPoolShareOneImport) {
  const Pool pool(*host, 3, 10000);
  const std::size_t before = openFdCount();
  {
    std::vector<ImportedRange> ranges;
    for (std::size_t i = 0; i < pool.buffers.size(); ++i) {
      ranges.emplace_back(cache->import(pool.memory.get(), pool.allocation), pool.offsets[i], 10000);
      EXPECT_EQ(ranges[i].pointer - ranges[0].pointer, static_cast<std::ptrdiff_t>(pool.offsets[i]));
    }
    ASSERT_EQ(cuda.imports.size(), 1u);
    EXPECT_EQ(cuda.maps.size(), 1u);
    EXPECT_EQ(cuda.imports[0].flags, 0u);
    EXPECT_EQ(cuda.imports[0].size, pool.allocation.bytes);
    ranges.erase(ranges.begin());
    EXPECT_EQ(cuda.memories.size(), 1u);
  }
  EXPECT_TRUE(cuda.isEmpty());
  EXPECT_EQ(openFdCount(), before);
  cache->import(pool.memory.get(), pool.allocation);  // after the last use anew
  EXPECT_EQ(cuda.imports.size(), 2u);
}

TEST_F(ExportedMemory, TheSameMemoryCannotBeTwoThings) {
  const Pool pool(*host, 1, 10000);
  const auto memory = cache->import(pool.memory.get(), pool.allocation);
  ExternalAllocation other = pool.allocation;
  other.isDedicated = true;
  EXPECT_SENTENCE(sentenceOf(SLU_ERROR_INVALID_ARGUMENT, [&] { cache->import(pool.memory.get(), other); }),
                  "is imported already");
  EXPECT_EQ(cuda.imports.size(), 1u);
}

TEST_F(ExportedMemory, FailuresLeaveNothingAndCanBeTriedAgain) {
  const ExportableBuffer buffer(host->external, 4096, kTestUsage, "test");
  const std::size_t before = openFdCount();
  for (const char* call : {"import memory", "map", "push"}) {
    cuda.failing = call;
    cuda.failAfter = 0;
    EXPECT_THROW(cache->import(buffer.memory.get(), buffer.allocation), Error) << call;
    EXPECT_EQ(openFdCount(), before) << call;
    EXPECT_TRUE(cuda.isEmpty()) << call;
  }
  cuda.failing.clear();
  EXPECT_NE(cache->import(buffer.memory.get(), buffer.allocation)->pointer(), nullptr);
  EXPECT_EQ(openFdCount(), before);
}

TEST_F(ExportedMemory, NothingStaysBehindOverManyCycles) {
  FdChurn churn;
  const std::size_t before = openFdCount();
  for (int i = 0; i < 500; ++i) {
    churn.step();
    cuda.failing = i % 4 == 1 ? "import memory" : i % 4 == 2 ? "map" : "";
    const ExportableBuffer buffer(host->external, 4096, kTestUsage, "test");
    try {
      const auto memory = cache->import(buffer.memory.get(), buffer.allocation);
    } catch (const Error&) {
    }
    ASSERT_TRUE(cuda.isEmpty()) << "cycle " << i;
    ASSERT_TRUE(churn.areAllOurs()) << "cycle " << i;
  }
  EXPECT_EQ(openFdCount(), before + churn.count());
}

}  // namespace
}  // namespace slu::test

// What Vulkan exports, as CUDA imports it.
#include <gtest/gtest.h>

#include "external_host.h"
#include "fake_cuda.h"
#include "interop/exportable_buffer.h"
#include "interop/external_memory.h"
#include "open_handles.h"
#include "sentence.h"

namespace slu::test {
namespace {

// Vulkan's side real, CUDA's played.
class ExportedMemory : public ExternalTest {
 protected:
  void SetUp() override {
    ExternalTest::SetUp();
    if (host == nullptr) return;
    if (!host->external.bufferSupport(kTestUsage, kMemoryHandleType).isExportable) {
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
  const std::size_t before = openHandleCount();
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
  EXPECT_EQ(openHandleCount(), before);
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
  const std::size_t before = openHandleCount();
  for (const char* call : {"import memory", "map", "push"}) {
    cuda.failing = call;
    cuda.failAfter = 0;
    EXPECT_THROW(cache->import(buffer.memory.get(), buffer.allocation), Error) << call;
    EXPECT_EQ(openHandleCount(), before) << call;
    EXPECT_TRUE(cuda.isEmpty()) << call;
  }
  cuda.failing.clear();
  EXPECT_NE(cache->import(buffer.memory.get(), buffer.allocation)->pointer(), nullptr);
  EXPECT_EQ(openHandleCount(), before);
}

TEST_F(ExportedMemory, NothingStaysBehindOverManyCycles) {
  HandleChurn churn;
  const std::size_t before = openHandleCount();
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
  EXPECT_EQ(openHandleCount(), before + churn.count());
}

}  // namespace
}  // namespace slu::test

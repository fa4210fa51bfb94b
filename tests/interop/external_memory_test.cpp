#include "interop/external_memory.h"

#include <gtest/gtest.h>

#include "fake_cuda.h"
#include "open_handles.h"
#include "sentence.h"

namespace slu::test {
namespace {

constexpr ExternalAllocation kDedicated{.bytes = 8192, .isDedicated = true};
constexpr ExternalAllocation kPooled{.bytes = 65536, .isDedicated = false};

void* const kNtHandle = reinterpret_cast<void*>(0x40);  // no system's

#ifdef _WIN32
constexpr bool kIsCudasAfterImport = false;
SystemHandle handleOf(const CUDA_EXTERNAL_MEMORY_HANDLE_DESC& descriptor) { return descriptor.handle.win32.handle; }
#else
constexpr bool kIsCudasAfterImport = true;
SystemHandle handleOf(const CUDA_EXTERNAL_MEMORY_HANDLE_DESC& descriptor) { return descriptor.handle.fd; }
#endif

struct ExternalMemory : ::testing::Test {
  ~ExternalMemory() override {
    EXPECT_TRUE(cuda.isEmpty());
    EXPECT_TRUE(cuda.stack.empty());
    EXPECT_EQ(openHandleCount(), fdsBefore);
  }
  std::size_t fdsBefore = openHandleCount();
  FakeCuda cuda;
  CudaContext context{0, cuda.functions()};
};

TEST_F(ExternalMemory, TheDescriptorSaysWhatTheAllocationIs) {
  for (ExternalAllocation allocation : {kDedicated, kPooled}) {
    allocation.handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
    const CUDA_EXTERNAL_MEMORY_HANDLE_DESC fd = importDescriptor(allocation, 5);
    EXPECT_EQ(fd.type, CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD);
    EXPECT_EQ(fd.handle.fd, 5);
    EXPECT_EQ(fd.size, allocation.bytes);
    EXPECT_EQ(fd.flags, allocation.isDedicated ? unsigned{CUDA_EXTERNAL_MEMORY_DEDICATED} : 0u);

    allocation.handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32_BIT;
    const CUDA_EXTERNAL_MEMORY_HANDLE_DESC nt = importDescriptor(allocation, kNtHandle);
    EXPECT_EQ(nt.type, CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32);
    EXPECT_EQ(nt.handle.win32.handle, kNtHandle);
    EXPECT_EQ(nt.handle.win32.name, nullptr);
    EXPECT_EQ(nt.size, allocation.bytes);
    EXPECT_EQ(nt.flags, allocation.isDedicated ? unsigned{CUDA_EXTERNAL_MEMORY_DEDICATED} : 0u);
  }
}

TEST_F(ExternalMemory, RefusesOtherKindsAndNoSize) {
  const auto refuse = [](const ExternalAllocation& allocation, auto handle) {
    return sentenceOf(SLU_ERROR_INVALID_ARGUMENT, [&] { importDescriptor(allocation, handle); });
  };
  ExternalAllocation allocation = kDedicated;
  for (const auto type :
       {VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32_BIT, VK_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_HEAP_BIT,
        VK_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_RESOURCE_BIT}) {
    allocation.handleType = type;
    EXPECT_SENTENCE(refuse(allocation, 5), "handles of type " + std::to_string(type) + " are not supported");
  }
  allocation.handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
  EXPECT_SENTENCE(refuse(allocation, kNtHandle), "handles of type 1 are not supported");
  EXPECT_SENTENCE(refuse(ExternalAllocation{}, kNoHandle), kNoHandle == SystemHandle{} ? "is null" : "size is 0");
  allocation.handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32_BIT;
  EXPECT_SENTENCE(refuse(allocation, static_cast<void*>(nullptr)), "the NT handle is null");
}

TEST_F(ExternalMemory, TheHandleIsGoneAfterAnImport) {
  UniqueHandle handle(openAnything());
  {
    const ImportedMemory memory(context, handle, kDedicated);
    EXPECT_FALSE(handle);
    EXPECT_NE(memory.pointer(), nullptr);
    EXPECT_EQ(cuda.maps.at(0).offset, 0u);
    EXPECT_EQ(cuda.maps.at(0).size, kDedicated.bytes);
  }
  const std::vector<std::string> order = {"import memory", "map", "free", "destroy memory"};
  EXPECT_EQ(cuda.calls, order);
}

TEST_F(ExternalMemory, AFailedImportLeavesTheHandleOurs) {
  cuda.failing = "import memory";
  UniqueHandle handle(openAnything());
  EXPECT_SENTENCE(sentenceOf(SLU_ERROR_DRIVER, [&] { const ImportedMemory memory(context, handle, kDedicated); }),
                  "cuImportExternalMemory: ");
  EXPECT_TRUE(handle && isOpen(handle.get()));
  EXPECT_EQ(cuda.calls.size(), 1u);
}

TEST_F(ExternalMemory, AFailedMappingDestroysTheImport) {
  cuda.failing = "map";
  UniqueHandle handle(openAnything());
  EXPECT_SENTENCE(
      sentenceOf(SLU_ERROR_OUT_OF_DEVICE_MEMORY, [&] { const ImportedMemory memory(context, handle, kDedicated); }),
      "cuExternalMemoryGetMappedBuffer: ");
  EXPECT_FALSE(handle);
  const std::vector<std::string> order = {"import memory", "map", "destroy memory"};
  EXPECT_EQ(cuda.calls, order);
}

TEST_F(ExternalMemory, AContextThatIsGoneLeavesTheHandleOurs) {
  cuda.failing = "push";
  UniqueHandle handle(openAnything());
  EXPECT_THROW(ImportedMemory(context, handle, kDedicated), Error);
  EXPECT_TRUE(handle && isOpen(handle.get()));
}

TEST_F(ExternalMemory, AFailureAfterTheMappingLeavesNothing) {
  UniqueHandle handle(openAnything());
  const auto attach = [&] {
    const ImportedRange range(std::make_shared<const ImportedMemory>(context, handle, kDedicated), 0,
                              kDedicated.bytes + 1);
  };
  EXPECT_SENTENCE(sentenceOf(SLU_ERROR_INVALID_ARGUMENT, attach), "8193 bytes at offset 0 is not within");
  EXPECT_EQ(cuda.calls.back(), "destroy memory");
}

TEST_F(ExternalMemory, RangesStayWithinTheAllocation) {
  UniqueHandle handle(openAnything());
  const auto pooled = std::make_shared<const ImportedMemory>(context, handle, kPooled);
  const ImportedRange range(pooled, 4096, kPooled.bytes - 4096);
  EXPECT_EQ(range.pointer, pooled->pointer() + 4096);
  for (const std::uint64_t offset : {std::uint64_t{8192}, kPooled.bytes + 4, ~std::uint64_t{0}}) {
    EXPECT_SENTENCE(
        sentenceOf(SLU_ERROR_INVALID_ARGUMENT, [&] { ImportedRange(pooled, offset, kPooled.bytes - 4096); }),
        "is not within the allocation of 65536");
  }
  UniqueHandle other(openAnything());
  const auto dedicated = std::make_shared<const ImportedMemory>(context, other, kDedicated);
  EXPECT_SENTENCE(sentenceOf(SLU_ERROR_INVALID_ARGUMENT, [&] { ImportedRange(dedicated, 256, 256); }),
                  "a dedicated allocation holds its buffer at offset 0, not at 256");
}

TEST_F(ExternalMemory, RangesKeepTheImport) {
  UniqueHandle handle(openAnything());
  auto memory = std::make_shared<const ImportedMemory>(context, handle, kPooled);
  {
    const ImportedRange range(memory, 0, 16);
    memory.reset();
    EXPECT_EQ(cuda.memories.size(), 1u);
  }
  EXPECT_TRUE(cuda.isEmpty());
}

TEST_F(ExternalMemory, AForeignHandleIsDuplicated) {
  const UniqueHandle handle(openAnything());
  {
    const auto memory = importForeign(context, handle.get(), kDedicated);
    EXPECT_NE(handleOf(cuda.imports.at(0)), handle.get());
    EXPECT_EQ(isOpen(handleOf(cuda.imports.at(0))), kIsCudasAfterImport);
  }
  EXPECT_TRUE(isOpen(handle.get()));
}

TEST_F(ExternalMemory, AForeignHandleStaysTheCallersOnFailure) {
  const SystemHandle handle = openAnything();
  for (const char* call : {"import memory", "map", "push"}) {
    cuda.failing = call;
    cuda.failAfter = 0;
    EXPECT_THROW(importForeign(context, handle, kDedicated), Error) << call;
    EXPECT_TRUE(isOpen(handle)) << call;
    EXPECT_EQ(openHandleCount(), fdsBefore + 1) << call;
    EXPECT_TRUE(cuda.isEmpty()) << call;
  }
  cuda.failing.clear();
  EXPECT_THROW(importForeign(context, handle, ExternalAllocation{}), Error);
  EXPECT_TRUE(isOpen(handle));
  closeHandle(handle);
}

TEST_F(ExternalMemory, AForeignHandleThatIsNotOpenGetsASentence) {
  EXPECT_SENTENCE(sentenceOf(SLU_ERROR_INVALID_ARGUMENT, [&] { importForeign(context, kNoHandle, kDedicated); }),
                  "cannot be duplicated");
  EXPECT_TRUE(cuda.calls.empty());
}

TEST_F(ExternalMemory, NothingStaysBehindWhileOtherHandlesComeAndGo) {
  HandleChurn churn;
  for (int i = 0; i < 1000; ++i) {
    churn.step();
    cuda.failing = i % 4 == 1 ? "import memory" : i % 4 == 2 ? "map" : "";
    try {
      const UniqueHandle handle(openAnything());
      const auto memory = importForeign(context, handle.get(), kDedicated);
      churn.step();
    } catch (const Error&) {
    }
    ASSERT_TRUE(cuda.isEmpty());
    ASSERT_EQ(openHandleCount(), fdsBefore + churn.count());
    ASSERT_TRUE(churn.areAllOurs());
  }
}

}  // namespace
}  // namespace slu::test

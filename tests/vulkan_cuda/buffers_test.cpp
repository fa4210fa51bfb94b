// Buffers that Vulkan and CUDA share: every way to describe one, every field, every failure.
#include <unistd.h>

#include "api/objects.h"
#include "interop/exportable_buffer.h"
#include "link_fixture.h"
#include "open_handles.h"
#include "shared_buffers.h"

namespace slu::test {
namespace {

class SharedBuffer : public LinkTest {
 protected:
  void SetUp() override {
    LinkTest::SetUp();
    if (IsSkipped()) return;
    context = makeContext();
    own = std::make_unique<ExportableBuffer>(host->external, 4096, allUsages(host->instance), "test");
    vulkan.buffer = own->buffer.get();
    vulkan.usage = allUsages(host->instance);
    vulkan.pNext = &memory;
    memory.memory = own->memory.get();
    memory.allocationSize = own->allocation.bytes;
    memory.dedicated = 1;
    foreign.allocationSize = own->allocation.bytes;
    foreign.dedicated = 1;
    info.size = 4096;
    info.pNext = &vulkan;
    host->external.exportMemory(own->memory.get());  // a driver may open files at its first export, and keep them
    fdsBefore = openHandleCount();
    aliveBefore = shim->aliveCount();
  }
  void TearDown() override {
    own.reset();
    context.reset();
    LinkTest::TearDown();
  }

  SluResult create(Buffer& buffer) { return sluCreateBuffer(context, &info, buffer.put()); }

  // Nothing appears, and nothing is left of what was tried; an fd of the caller's stays open.
  void expectRefused(const std::string& part, SluResult result = SLU_ERROR_INVALID_ARGUMENT) {
    SluBuffer untouched = nullptr;
    expectFailure(sluCreateBuffer(context, &info, &untouched), result, context, part);
    EXPECT_EQ(untouched, nullptr);
    EXPECT_EQ(openHandleCount(), fdsBefore) << part;
    EXPECT_EQ(shim->aliveCount(), aliveBefore) << part;
    EXPECT_TRUE(cuda.memories.empty() && cuda.mappings.empty()) << part;
  }

  void useFd() {
    foreign.fd = host->external.exportMemory(own->memory.get()).release();
    vulkan.pNext = &foreign;
    ++fdsBefore;
  }

  Context context;
  std::unique_ptr<ExportableBuffer> own;
  SluVulkanBufferInfo vulkan = SLU_INIT(VULKAN_BUFFER_INFO, SluVulkanBufferInfo);
  SluVulkanMemoryInfo memory = SLU_INIT(VULKAN_MEMORY_INFO, SluVulkanMemoryInfo);
  SluMemoryFdInfo foreign = SLU_INIT(MEMORY_FD_INFO, SluMemoryFdInfo);
  SluBufferCreateInfo info = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
  std::size_t fdsBefore = 0;
  std::int64_t aliveBefore = 0;
};

TEST_F(SharedBuffer, IsOneOfEveryRoute) {
  Buffer buffer;
  ASSERT_EQ(create(buffer), SLU_SUCCESS) << sluGetErrorMessage(context);
  ASSERT_NE(buffer.get()->attachments[SLU_ROUTE_VULKAN], nullptr);
  ASSERT_NE(buffer.get()->attachments[SLU_ROUTE_CUDA], nullptr);
  EXPECT_EQ(sluGetVulkanBuffer(buffer), vulkan.buffer);
  ASSERT_EQ(cuda.imports.size(), 1u);
  EXPECT_EQ(cuda.imports[0].size, memory.allocationSize);
  EXPECT_EQ(cuda.imports[0].flags, unsigned{CUDA_EXTERNAL_MEMORY_DEDICATED});
  ASSERT_EQ(cuda.mappings.size(), 1u);
  EXPECT_EQ(reinterpret_cast<CUdeviceptr>(sluGetCudaPointer(buffer)), cuda.mappings.begin()->first);
  buffer.reset();
  EXPECT_TRUE(cuda.memories.empty());
}

TEST_F(SharedBuffer, OutlivesItsContext) {
  Buffer buffer;
  ASSERT_EQ(create(buffer), SLU_SUCCESS) << sluGetErrorMessage(context);
  context.reset();
  EXPECT_EQ(cuda.memories.size(), 1u);
  EXPECT_EQ(cuda.semaphores.size(), 2u);
  buffer.reset();
  EXPECT_TRUE(cuda.isEmpty());
}

TEST_F(SharedBuffer, HasNoCudaPointerWhereCudaDoesNotUseIt) {
  vulkan.pNext = nullptr;  // no memory that CUDA could import
  Buffer buffer;
  ASSERT_EQ(create(buffer), SLU_SUCCESS) << sluGetErrorMessage(context);
  EXPECT_EQ(sluGetVulkanBuffer(buffer), vulkan.buffer);
  EXPECT_EQ(sluGetCudaPointer(buffer), nullptr);
  EXPECT_EQ(sluGetCudaPointer(nullptr), nullptr);
}

// A usage that the Vulkan route cannot do without is no business of CUDA's.
TEST_F(SharedBuffer, NeedsNoUsageForCuda) {
  vulkan.usage = VK_BUFFER_USAGE_VERTEX_BUFFER_BIT;
  Buffer buffer;
  ASSERT_EQ(create(buffer), SLU_SUCCESS) << sluGetErrorMessage(context);
  EXPECT_EQ(buffer.get()->attachments[SLU_ROUTE_VULKAN], nullptr);
  EXPECT_NE(buffer.get()->attachments[SLU_ROUTE_CUDA], nullptr);
  EXPECT_EQ(sluGetVulkanBuffer(buffer), vulkan.buffer);
}

TEST_F(SharedBuffer, ThePoolIsImportedOnce) {
  Random random;
  const std::size_t count = random.between(2, 30);
  const Pool pool(*host, count, 1000);
  std::vector<Buffer> buffers(count);
  info.size = 1000;
  memory.memory = pool.memory.get();
  memory.allocationSize = pool.allocation.bytes;
  memory.dedicated = 0;
  for (std::size_t i = 0; i < count; ++i) {
    vulkan.buffer = pool.buffers[i].get();
    vulkan.usage = 0;
    memory.memoryOffset = pool.offsets[i];
    ASSERT_EQ(create(buffers[i]), SLU_SUCCESS) << sluGetErrorMessage(context);
    EXPECT_EQ(
        buffers[i].get()->attachments[SLU_ROUTE_CUDA]->address - buffers[0].get()->attachments[SLU_ROUTE_CUDA]->address,
        pool.offsets[i]);
  }
  ASSERT_EQ(cuda.imports.size(), 1u);
  EXPECT_EQ(cuda.imports[0].flags, 0u);
  EXPECT_EQ(cuda.imports[0].size, pool.allocation.bytes);
  buffers.clear();
  EXPECT_TRUE(cuda.memories.empty());
}

TEST_F(SharedBuffer, RefusesEachFieldOfItsMemory) {
  const SluVulkanMemoryInfo good = memory;
  memory.memory = VK_NULL_HANDLE;
  expectRefused("vulkanMemory.memory");
  memory = good;
  for (const std::uint64_t size : {std::uint64_t{0}, info.size - 4}) {
    memory.allocationSize = size;
    expectRefused("vulkanMemory.allocationSize");
  }
  memory = good;
  memory.dedicated = 2;
  expectRefused("vulkanMemory.dedicated");
  memory = good;
  memory.memoryOffset = 256;
  expectRefused("vulkanMemory.memoryOffset");
  memory.dedicated = 0;
  memory.memoryOffset = 2;
  expectRefused("vulkanMemory.memoryOffset");
  for (const std::uint64_t offset : {good.allocationSize - info.size + 4, ~std::uint64_t{3}}) {
    memory.memoryOffset = offset;
    expectRefused("vulkanMemory.allocationSize");
  }
  memory = good;
  memory.structSize -= 8;
  expectRefused("vulkanMemory.structSize");
  memory = good;
  memory.pNext = &good;
  expectRefused("buffer.pNext");
  memory = good;
  vulkan.buffer = VK_NULL_HANDLE;
  expectRefused("vulkanBuffer.buffer");
  vulkan.usage = 0;
  expectRefused("vulkanBuffer.buffer");
}

// However the host describes the memory, which is large enough here, and whichever routes use it.
TEST_F(SharedBuffer, RefusesASizeBeyondTheVkBuffer) {
  const Pool pool(*host, 2, 4096);
  std::vector<std::uint32_t> words(4096);
  cuda.allocations[reinterpret_cast<CUdeviceptr>(words.data())].bytes = 4 * words.size();
  auto pointer = SLU_INIT(CUDA_BUFFER_INFO, SluCudaBufferInfo);
  pointer.devicePointer = words.data();
  vulkan.buffer = pool.buffers[0].get();
  VkMemoryRequirements needs{};
  host->vulkan.functions.vkGetBufferMemoryRequirements(host->vulkan.handle, vulkan.buffer, &needs);
  memory.memory = pool.memory.get();
  foreign.fd = host->external.exportMemory(pool.memory.get()).release();
  fdsBefore = openHandleCount();
  memory.allocationSize = foreign.allocationSize = pool.allocation.bytes;
  memory.dedicated = foreign.dedicated = 0;
  for (const bool isForVulkan : {true, false}) {
    vulkan.usage = isForVulkan ? allUsages(host->instance) : VkBufferUsageFlags{VK_BUFFER_USAGE_VERTEX_BUFFER_BIT};
    for (const void* where :
         {static_cast<const void*>(&memory), static_cast<const void*>(&foreign), static_cast<const void*>(&pointer)}) {
      vulkan.pNext = where;
      for (const std::uint64_t size : {needs.size + 4, std::uint64_t{8192}}) {
        info.size = size;
        expectRefused("buffer.size: is " + std::to_string(size) + ", vulkanBuffer.buffer has " +
                      std::to_string(needs.size) + " bytes of memory at most");
      }
    }
  }
  EXPECT_TRUE(isOpen(foreign.fd));
  info.size = needs.size;
  Buffer buffer;
  EXPECT_EQ(create(buffer), SLU_SUCCESS) << sluGetErrorMessage(context);
  close(foreign.fd);
}

// What a host gets wrong that states the buffer's size for the allocation's, on a driver that needs more.
TEST_F(SharedBuffer, RefusesAnAllocationThatCannotHoldTheVkBuffer) {
  const std::uint64_t driverBytes = own->allocation.bytes;
  exports->extraBytes = 256;
  memory.dedicated = 0;
  for (const std::uint64_t offset : {std::uint64_t{0}, std::uint64_t{1024}}) {
    memory.memoryOffset = offset;
    memory.allocationSize = offset + driverBytes + 252;
    expectRefused("vulkanMemory.allocationSize: is " + std::to_string(memory.allocationSize) +
                  ", vulkanBuffer.buffer's memory requirements end at " + std::to_string(offset) + " + " +
                  std::to_string(driverBytes + 256));
    memory.allocationSize += 4;
    Buffer buffer;
    EXPECT_EQ(create(buffer), SLU_SUCCESS) << sluGetErrorMessage(context);
  }
}

// Nothing played: a part of the VkBuffer is no smaller an allocation.
TEST_F(SharedBuffer, RefusesAnAllocationOfAPartOfTheVkBuffer) {
  info.size = 2048;
  memory.allocationSize = info.size;
  expectRefused("vulkanMemory.allocationSize");
  memory.allocationSize = own->allocation.bytes;
  Buffer buffer;
  EXPECT_EQ(create(buffer), SLU_SUCCESS) << sluGetErrorMessage(context);
}

TEST_F(SharedBuffer, RefusesAPoolWhereTheDeviceSharesDedicatedAllocationsOnly) {
  exports->isDedicatedOnly = true;
  memory.dedicated = 0;
  expectRefused("vulkanMemory.dedicated: is 0");
  memory.dedicated = 1;
  Buffer buffer;
  EXPECT_EQ(create(buffer), SLU_SUCCESS) << sluGetErrorMessage(context);
}

TEST_F(SharedBuffer, RefusesWhatContradicts) {
  info.pNext = &memory;
  expectRefused("buffer.pNext: SluVulkanMemoryInfo needs");
  info.pNext = &vulkan;
  memory.pNext = &foreign;
  expectRefused("buffer.pNext");
  auto pointer = SLU_INIT(CUDA_BUFFER_INFO, SluCudaBufferInfo);
  memory.pNext = &pointer;
  expectRefused("buffer.pNext");
  memory.pNext = nullptr;
  auto allocate = SLU_INIT(VULKAN_ALLOCATE_INFO, SluVulkanAllocateInfo);
  allocate.pNext = &vulkan;
  info.pNext = &allocate;
  expectRefused("buffer.pNext");
}

TEST_F(SharedBuffer, TheSameMemoryIsNotTwoThings) {
  const Pool pool(*host, 2, 4096);
  Buffer first;
  memory.memory = pool.memory.get();
  memory.allocationSize = pool.allocation.bytes;
  memory.dedicated = 0;
  ASSERT_EQ(create(first), SLU_SUCCESS) << sluGetErrorMessage(context);
  memory.allocationSize -= 4;
  Buffer second;
  expectFailure(create(second), SLU_ERROR_INVALID_ARGUMENT, context,
                "vulkanMemory.memory: the VkDeviceMemory is imported already");
}

TEST_F(SharedBuffer, FailuresOfEachStepLeaveNothing) {
  for (const char* call : {"import memory", "map", "push"}) {
    cuda.failing = call;
    cuda.failAfter = 0;
    expectRefused("", std::string(call) == "map" ? SLU_ERROR_OUT_OF_DEVICE_MEMORY : SLU_ERROR_DRIVER);
  }
  cuda.failing.clear();
  shim->failCall("vkGetMemoryFdKHR", 0, VK_ERROR_TOO_MANY_OBJECTS);
  expectRefused("vkGetMemoryFdKHR", SLU_ERROR_OUT_OF_DEVICE_MEMORY);
  EXPECT_TRUE(shim->hasFailed());
  shim->recover();
  Buffer buffer;
  EXPECT_EQ(create(buffer), SLU_SUCCESS) << sluGetErrorMessage(context);
}

TEST_F(SharedBuffer, AForeignFdIsConsumedOnSuccess) {
  useFd();
  Buffer buffer;
  ASSERT_EQ(create(buffer), SLU_SUCCESS) << sluGetErrorMessage(context);
  EXPECT_FALSE(isOpen(foreign.fd));
  EXPECT_NE(cuda.imports.at(0).handle.fd, foreign.fd);
  EXPECT_EQ(sluGetVulkanBuffer(buffer), vulkan.buffer);
  EXPECT_NE(buffer.get()->attachments[SLU_ROUTE_VULKAN], nullptr);
}

// CUDA alone can use it then, and there is nothing to release.
TEST_F(SharedBuffer, AForeignFdNeedsNoVkBuffer) {
  useFd();
  info.pNext = &foreign;
  Buffer buffer;
  ASSERT_EQ(create(buffer), SLU_SUCCESS) << sluGetErrorMessage(context);
  EXPECT_EQ(sluGetVulkanBuffer(buffer), VkBuffer{VK_NULL_HANDLE});
  auto transfer = SLU_INIT(TRANSFER_INFO, SluTransferInfo);
  const SluBuffer handle = buffer;
  transfer.bufferCount = 1;
  transfer.buffers = &handle;
  transfer.stages = VK_PIPELINE_STAGE_TRANSFER_BIT;
  host->vulkan.runOnce([&](VkCommandBuffer commands) {
    expectFailure(sluCmdRelease(context, commands, &transfer), SLU_ERROR_INVALID_ARGUMENT, context,
                  "transfer.buffers[0]");
  });
}

TEST_F(SharedBuffer, AForeignFdStaysTheCallersOnEveryFailure) {
  useFd();
  for (const char* call : {"import memory", "map", "push"}) {
    cuda.failing = call;
    cuda.failAfter = 0;
    expectRefused("", std::string(call) == "map" ? SLU_ERROR_OUT_OF_DEVICE_MEMORY : SLU_ERROR_DRIVER);
    EXPECT_TRUE(isOpen(foreign.fd)) << call;
  }
  cuda.failing.clear();
  const SluMemoryFdInfo good = foreign;
  foreign.allocationSize = info.size - 4;
  expectRefused("memoryFd.allocationSize");
  foreign = good;
  foreign.memoryOffset = 4;
  expectRefused("memoryFd.memoryOffset");
  foreign = good;
  foreign.dedicated = 7;
  expectRefused("memoryFd.dedicated");
  foreign = good;
  foreign.structSize = 8;
  expectRefused("memoryFd.structSize");
  foreign = good;
  vulkan.buffer = VK_NULL_HANDLE;
  expectRefused("vulkanBuffer.buffer");
  EXPECT_TRUE(isOpen(good.fd));
  foreign.fd = -1;
  expectRefused("vulkanBuffer.buffer");
  vulkan.buffer = own->buffer.get();
  expectRefused("memoryFd.fd");
  foreign.fd = 1'000'000;
  expectRefused("memoryFd.fd: file descriptor 1000000 cannot be duplicated");
  close(good.fd);
}

TEST_F(SharedBuffer, AForeignFdIsHeldToTheVkBuffersRequirements) {
  useFd();
  exports->extraBytes = 256;
  expectRefused("memoryFd.allocationSize: is " + std::to_string(foreign.allocationSize));
  EXPECT_TRUE(isOpen(foreign.fd));
  exports->extraBytes = 0;
  exports->isDedicatedOnly = true;
  foreign.dedicated = 0;
  expectRefused("memoryFd.dedicated: is 0");
  EXPECT_TRUE(isOpen(foreign.fd));
  exports->extraBytes = 256;
  info.pNext = &foreign;  // without a VkBuffer there is nothing to ask about
  foreign.pNext = nullptr;
  Buffer buffer;
  EXPECT_EQ(create(buffer), SLU_SUCCESS) << sluGetErrorMessage(context);
  EXPECT_FALSE(isOpen(foreign.fd));
}

// The host imported the VkBuffer's memory itself. Such a buffer is handed over like the others.
TEST_F(SharedBuffer, MayBeADevicePointerWithAVkBuffer) {
  std::uint32_t there[1024] = {};
  cuda.allocations[reinterpret_cast<CUdeviceptr>(there)].bytes = sizeof(there);
  auto pointer = SLU_INIT(CUDA_BUFFER_INFO, SluCudaBufferInfo);
  pointer.devicePointer = there;
  vulkan.pNext = &pointer;
  for (const bool isForVulkan : {true, false}) {
    vulkan.usage = isForVulkan ? allUsages(host->instance) : VkBufferUsageFlags{VK_BUFFER_USAGE_VERTEX_BUFFER_BIT};
    Buffer buffer;
    ASSERT_EQ(create(buffer), SLU_SUCCESS) << sluGetErrorMessage(context);
    EXPECT_EQ(buffer.get()->attachments[SLU_ROUTE_VULKAN] != nullptr, isForVulkan);
    EXPECT_EQ(sluGetCudaPointer(buffer), there);
    EXPECT_EQ(sluGetVulkanBuffer(buffer), vulkan.buffer);
    auto transfer = SLU_INIT(TRANSFER_INFO, SluTransferInfo);
    const SluBuffer handle = buffer;
    transfer.bufferCount = 1;
    transfer.buffers = &handle;
    transfer.queueFamilyIndex = host->vulkan.queueFamily;
    transfer.stages = VK_PIPELINE_STAGE_TRANSFER_BIT;
    exports->barriers.clear();
    host->vulkan.runOnce([&](VkCommandBuffer commands) {
      EXPECT_EQ(sluCmdRelease(context, commands, &transfer), SLU_SUCCESS) << sluGetErrorMessage(context);
      EXPECT_EQ(sluCmdAcquire(context, commands, &transfer), SLU_SUCCESS) << sluGetErrorMessage(context);
    });
    ASSERT_EQ(exports->barriers.size(), 2u);
    for (const RecordedBarriers& command : exports->barriers) {
      ASSERT_EQ(command.buffers.size(), 1u);
      EXPECT_EQ(command.buffers[0].buffer, vulkan.buffer);
    }
  }
  cuda.allocations[reinterpret_cast<CUdeviceptr>(there)].bytes -= 4;
  expectRefused("buffer.size: is 4096, CUDA's memory at cudaBuffer.devicePointer ends after 4092 bytes");
  pointer.devicePointer = nullptr;
  expectRefused("cudaBuffer.devicePointer: is null");
}

TEST_F(SharedBuffer, IsAllocatedForTheHost) {
  auto allocate = SLU_INIT(VULKAN_ALLOCATE_INFO, SluVulkanAllocateInfo);
  allocate.usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  info.pNext = &allocate;
  for (const char* function : {"vkCreateBuffer", "vkAllocateMemory", "vkBindBufferMemory", "vkGetMemoryFdKHR"}) {
    shim->failCall(function, 0, VK_ERROR_OUT_OF_DEVICE_MEMORY);
    expectRefused(function, SLU_ERROR_OUT_OF_DEVICE_MEMORY);
    EXPECT_TRUE(shim->hasFailed()) << function;
  }
  shim->recover();
  for (const char* call : {"import memory", "map"}) {
    cuda.failing = call;
    cuda.failAfter = 0;
    expectRefused("", std::string(call) == "map" ? SLU_ERROR_OUT_OF_DEVICE_MEMORY : SLU_ERROR_DRIVER);
  }
  cuda.failing.clear();
  cuda.imports.clear();
  Buffer buffer;
  ASSERT_EQ(create(buffer), SLU_SUCCESS) << sluGetErrorMessage(context);
  const VkBuffer handle = sluGetVulkanBuffer(buffer);
  VkMemoryRequirements needs{};
  host->vulkan.functions.vkGetBufferMemoryRequirements(host->vulkan.handle, handle, &needs);
  ASSERT_EQ(cuda.imports.size(), 1u);
  EXPECT_EQ(cuda.imports[0].size, needs.size);
  EXPECT_EQ(cuda.imports[0].flags, unsigned{CUDA_EXTERNAL_MEMORY_DEDICATED});
  EXPECT_NE(buffer.get()->attachments[SLU_ROUTE_VULKAN], nullptr);
  host->vulkan.runOnce(
      [&](VkCommandBuffer commands) { host->vulkan.functions.vkCmdFillBuffer(commands, handle, 0, VK_WHOLE_SIZE, 9); });
  EXPECT_EQ(host->read(handle, 4096), std::vector<std::uint32_t>(1024, 9));
}

TEST_F(SharedBuffer, NothingStaysBehindOverManyCycles) {
  Random random;
  HandleChurn churn;
  for (int i = 0; i < 300; ++i) {
    churn.step();
    cuda.failing = random.pick({"", "import memory", "map"});
    cuda.failAfter = 0;
    try {
      const SharedBuffers shared(host->vulkan, context, {4096, 64, 1024}, allUsages(host->instance),
                                 pickWays(3, random));
      churn.step();
    } catch (const std::runtime_error&) {
      EXPECT_NE(cuda.failing, "");
    }
    ASSERT_TRUE(cuda.memories.empty() && cuda.mappings.empty()) << "cycle " << i;
    ASSERT_TRUE(churn.areAllOurs()) << "cycle " << i;
    ASSERT_EQ(openHandleCount(), fdsBefore + churn.count()) << "cycle " << i;
    ASSERT_EQ(shim->aliveCount(), aliveBefore) << "cycle " << i;
  }
}

}  // namespace
}  // namespace slu::test

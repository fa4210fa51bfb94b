// SluVulkanAllocateInfo where the Vulkan route alone is there, and sluGetVulkanBuffer.
#include "plans.h"
#include "shim_fixture.h"

namespace slu::test {
namespace {

class AllocateInfo : public ShimTest {
 protected:
  void SetUp() override {
    ShimTest::SetUp();
    if (IsSkipped()) return;
    aliveBefore = shim->aliveCount();
    allocate.usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
    info.size = 4096;
    info.pNext = &allocate;
  }

  SluResult create(Buffer& buffer) { return sluCreateBuffer(context, &info, buffer.put()); }

  void expectRefused(SluResult expected, const std::string& part) {
    SluBuffer untouched = nullptr;
    EXPECT_TRUE(failsWith(sluCreateBuffer(context, &info, &untouched), expected, context, part));
    EXPECT_EQ(untouched, nullptr);
    EXPECT_EQ(shim->aliveCount(), aliveBefore) << "objects are left behind";
  }

  std::int64_t aliveBefore = 0;
  SluVulkanAllocateInfo allocate = SLU_INIT(VULKAN_ALLOCATE_INFO, SluVulkanAllocateInfo);
  SluBufferCreateInfo info = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
};

TEST_F(AllocateInfo, MakesABufferThatTheHostCanUse) {
  Buffer buffer;
  ASSERT_EQ(create(buffer), SLU_SUCCESS) << sluGetErrorMessage(context);
  const VkBuffer handle = sluGetVulkanBuffer(buffer);
  ASSERT_NE(handle, VkBuffer{VK_NULL_HANDLE});
  const VulkanBuffer copy(device(), info.size, allUsages(instance()), VulkanBuffer::Kind::mapped);
  device().runOnce([&](VkCommandBuffer commands) {
    device().functions.vkCmdFillBuffer(commands, handle, 0, VK_WHOLE_SIZE, 0x12345678);
    device().barrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                     VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT);
    const VkBufferCopy all{0, 0, info.size};
    device().functions.vkCmdCopyBuffer(commands, handle, copy.handle, 1, &all);
    device().barrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
                     VK_ACCESS_HOST_READ_BIT);
  });
  for (std::uint64_t i = 0; i < info.size; i += 4) {
    ASSERT_EQ(*reinterpret_cast<const std::uint32_t*>(copy.mapped + i), 0x12345678u) << i;
  }
}

TEST_F(AllocateInfo, IsUsableInAPlan) {
  allocate.usage |= VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT;
  const PlanSpec spec = simplePlan(SLU_ORDER_UNORDERED, 4, 100);
  Plan plan;
  require(context, sluCreatePlan(context, PlanArguments(spec, SLU_ROUTE_VULKAN).get(), plan.put()), "sluCreatePlan");
  Buffer buffer;
  ASSERT_EQ(create(buffer), SLU_SUCCESS) << sluGetErrorMessage(context);
  auto frame = SLU_INIT(FRAME_INFO, SluFrameInfo);
  frame.recordCount = 100;
  frame.viewCount = 1;
  std::uint64_t offset = 0;
  for (SluBinding* binding :
       {&frame.records, &frame.indices, &frame.keptRecords, &frame.statistics, &frame.bucketCounts}) {
    *binding = {buffer, std::exchange(offset, offset + 512)};
  }
  device().runOnce([&](VkCommandBuffer commands) {
    device().functions.vkCmdFillBuffer(commands, sluGetVulkanBuffer(buffer), 0, VK_WHOLE_SIZE, 0);
    device().barrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                     SLU_VULKAN_INPUT_STAGES | SLU_VULKAN_OUTPUT_STAGES,
                     SLU_VULKAN_INPUT_ACCESS | SLU_VULKAN_OUTPUT_ACCESS);
    EXPECT_EQ(sluCmdCompact(plan, commands, &frame), SLU_SUCCESS) << sluGetErrorMessage(context);
  });
}

TEST_F(AllocateInfo, OutlivesTheContext) {
  Buffer buffer;
  ASSERT_EQ(create(buffer), SLU_SUCCESS) << sluGetErrorMessage(context);
  context.reset();
  EXPECT_NE(sluGetVulkanBuffer(buffer), VkBuffer{VK_NULL_HANDLE});
  EXPECT_GT(shim->aliveCount(), 0);
}

TEST_F(AllocateInfo, ExcludesAllThatNamesMemory) {
  std::uint32_t word = 0;
  info.hostPointer = &word;
  expectRefused(SLU_ERROR_INVALID_ARGUMENT, "buffer.hostPointer");
  info.hostPointer = nullptr;
  const auto vulkan = SLU_INIT(VULKAN_BUFFER_INFO, SluVulkanBufferInfo);
  allocate.pNext = &vulkan;
  expectRefused(SLU_ERROR_INVALID_ARGUMENT, "buffer.pNext");
}

TEST_F(AllocateInfo, RefusesMalformedStructs) {
  allocate.structSize = sizeof(allocate) - 8;
  expectRefused(SLU_ERROR_INVALID_ARGUMENT, "vulkanAllocate.structSize");
  allocate = SLU_INIT(VULKAN_ALLOCATE_INFO, SluVulkanAllocateInfo);
  allocate.sType = SLU_STRUCTURE_TYPE_TRANSFER_INFO;
  expectRefused(SLU_ERROR_INVALID_ARGUMENT, "buffer.pNext");
}

TEST_F(AllocateInfo, FaultsLeaveNothingAndCanBeTriedAgain) {
  for (const char* function : {"vkCreateBuffer", "vkAllocateMemory", "vkBindBufferMemory"}) {
    shim->failCall(function, 0, VK_ERROR_OUT_OF_DEVICE_MEMORY);
    expectRefused(SLU_ERROR_OUT_OF_DEVICE_MEMORY, function);
    EXPECT_TRUE(shim->hasFailed()) << function;
  }
  shim->recover();
  Buffer buffer;
  EXPECT_EQ(create(buffer), SLU_SUCCESS) << sluGetErrorMessage(context);
  EXPECT_EQ(shim->complaints(), std::vector<std::string>());
}

TEST_F(AllocateInfo, TheHostsOwnBufferIsItsVulkanBuffer) {
  const VulkanBuffer own(device(), 4096, allUsages(instance()), VulkanBuffer::Kind::mapped);
  Buffer buffer;
  require(context, registerBuffer(context, own, buffer.put()), "sluCreateBuffer");
  EXPECT_EQ(sluGetVulkanBuffer(buffer), own.handle);
  std::uint32_t word = 0;
  info.pNext = nullptr;
  info.hostPointer = &word;
  info.size = 4;
  ASSERT_EQ(create(buffer), SLU_SUCCESS);
  EXPECT_EQ(sluGetVulkanBuffer(buffer), VkBuffer{VK_NULL_HANDLE});
  EXPECT_EQ(sluGetVulkanBuffer(nullptr), VkBuffer{VK_NULL_HANDLE});
}

}  // namespace
}  // namespace slu::test

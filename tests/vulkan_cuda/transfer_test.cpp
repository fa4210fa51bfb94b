// sluCmdRelease and sluCmdAcquire: what they record, and that they record nothing when they fail.
#include "link_fixture.h"
#include "shared_buffers.h"

namespace slu::test {
namespace {

class Transfer : public LinkTest {
 protected:
  void SetUp() override {
    LinkTest::SetUp();
    if (IsSkipped()) return;
    context = makeContext();
    const std::size_t count = random.between(1, 40);
    shared = std::make_unique<SharedBuffers>(host->vulkan, context, std::vector<std::uint64_t>(count, 4096),
                                             allUsages(host->instance), pickWays(count, random));
    info.bufferCount = static_cast<std::uint32_t>(count);
    info.buffers = shared->registered().data();
    info.queueFamilyIndex = host->vulkan.queueFamily;
    info.stages = VK_PIPELINE_STAGE_TRANSFER_BIT;
    info.access = VK_ACCESS_TRANSFER_WRITE_BIT;
  }
  void TearDown() override {
    shared.reset();
    context.reset();
    LinkTest::TearDown();
  }

  // All barriers of the buffers, in their order, whatever commands they were recorded with.
  void expectBarriers(VkPipelineStageFlags from, VkPipelineStageFlags to, VkBufferMemoryBarrier expected) {
    std::size_t i = 0;
    for (const RecordedBarriers& command : exports->barriers) {
      EXPECT_EQ(command.from, from);
      EXPECT_EQ(command.to, to);
      for (const VkBufferMemoryBarrier& barrier : command.buffers) {
        ASSERT_LT(i, info.bufferCount);
        EXPECT_EQ(barrier.buffer, shared->buffer(i++));
        EXPECT_EQ(barrier.srcAccessMask, expected.srcAccessMask);
        EXPECT_EQ(barrier.dstAccessMask, expected.dstAccessMask);
        EXPECT_EQ(barrier.srcQueueFamilyIndex, expected.srcQueueFamilyIndex);
        EXPECT_EQ(barrier.dstQueueFamilyIndex, expected.dstQueueFamilyIndex);
        EXPECT_EQ(barrier.offset, 0u);
        EXPECT_EQ(barrier.size, VK_WHOLE_SIZE);
      }
    }
    EXPECT_EQ(i, info.bufferCount);
    EXPECT_EQ(shim->callsThatStartWith("vkCmd"), exports->barriers.size()) << "barriers and nothing else";
    EXPECT_EQ(exports->barriers.size(), (info.bufferCount + 15) / 16);
  }

  void expectRefused(const std::string& part, SluResult result = SLU_ERROR_INVALID_ARGUMENT) {
    host->vulkan.runOnce([&](VkCommandBuffer commands) {
      expectFailure(sluCmdRelease(context, commands, &info), result, context, part);
      expectFailure(sluCmdAcquire(context, commands, &info), result, context, part);
    });
    EXPECT_TRUE(exports->barriers.empty());
    EXPECT_TRUE(exports->labels.empty());
  }

  Random random;
  Context context;
  std::unique_ptr<SharedBuffers> shared;
  SluTransferInfo info = SLU_INIT(TRANSFER_INFO, SluTransferInfo);
};

TEST_F(Transfer, AReleaseIsWhatTheHeaderSays) {
  const std::uint32_t created = shim->callsThatStartWith("vkCreate") + shim->callsThatStartWith("vkAllocate");
  host->vulkan.runOnce([&](VkCommandBuffer commands) {
    ASSERT_EQ(sluCmdRelease(context, commands, &info), SLU_SUCCESS) << sluGetErrorMessage(context);
  });
  VkBufferMemoryBarrier expected{};
  expected.srcAccessMask = info.access;
  expected.srcQueueFamilyIndex = info.queueFamilyIndex;
  expected.dstQueueFamilyIndex = VK_QUEUE_FAMILY_EXTERNAL;
  expectBarriers(info.stages, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, expected);
  EXPECT_EQ(exports->labels, (std::vector<std::string>{"sluice release to CUDA", ""}));
  EXPECT_EQ(shim->callsThatStartWith("vkCreate") + shim->callsThatStartWith("vkAllocate"), created);
}

TEST_F(Transfer, AnAcquireIsWhatTheHeaderSays) {
  info.stages = SLU_VULKAN_DRAW_STAGES;
  info.access = SLU_VULKAN_DRAW_ACCESS;
  host->vulkan.runOnce([&](VkCommandBuffer commands) {
    ASSERT_EQ(sluCmdAcquire(context, commands, &info), SLU_SUCCESS) << sluGetErrorMessage(context);
  });
  VkBufferMemoryBarrier expected{};
  expected.dstAccessMask = info.access;
  expected.srcQueueFamilyIndex = VK_QUEUE_FAMILY_EXTERNAL;
  expected.dstQueueFamilyIndex = info.queueFamilyIndex;
  expectBarriers(info.stages, info.stages, expected);
  EXPECT_EQ(exports->labels, (std::vector<std::string>{"sluice acquire from CUDA", ""}));
}

// Validation would judge the barriers by the buffers, which are exclusive here: lavapipe has one queue family, and
// VK_SHARING_MODE_CONCURRENT is for several.
TEST_F(Transfer, ConcurrentBuffersBelongToNoFamily) {
  exports->forwardsBarriers = false;
  info.queueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  host->vulkan.runOnce([&](VkCommandBuffer commands) {
    ASSERT_EQ(sluCmdRelease(context, commands, &info), SLU_SUCCESS) << sluGetErrorMessage(context);
    ASSERT_EQ(sluCmdAcquire(context, commands, &info), SLU_SUCCESS) << sluGetErrorMessage(context);
  });
  std::vector<std::pair<std::uint32_t, std::uint32_t>> families;
  for (const RecordedBarriers& command : exports->barriers) {
    for (const VkBufferMemoryBarrier& barrier : command.buffers) {
      families.emplace_back(barrier.srcQueueFamilyIndex, barrier.dstQueueFamilyIndex);
    }
  }
  std::vector<std::pair<std::uint32_t, std::uint32_t>> expected(info.bufferCount,
                                                                {VK_QUEUE_FAMILY_IGNORED, VK_QUEUE_FAMILY_EXTERNAL});
  expected.resize(2 * info.bufferCount, {VK_QUEUE_FAMILY_EXTERNAL, VK_QUEUE_FAMILY_IGNORED});
  EXPECT_EQ(families, expected);
}

TEST_F(Transfer, NoBuffersNeedNoBarrier) {
  info.bufferCount = 0;
  info.buffers = nullptr;
  host->vulkan.runOnce([&](VkCommandBuffer commands) {
    EXPECT_EQ(sluCmdRelease(context, commands, &info), SLU_SUCCESS) << sluGetErrorMessage(context);
    EXPECT_EQ(sluCmdAcquire(context, commands, &info), SLU_SUCCESS) << sluGetErrorMessage(context);
  });
  EXPECT_EQ(shim->callsThatStartWith("vkCmd"), 0u);
}

// Under the validation layer: the content goes through.
TEST_F(Transfer, ARoundTripIsValid) {
  host->vulkan.runOnce([&](VkCommandBuffer commands) {
    for (std::size_t i = 0; i < info.bufferCount; ++i) {
      host->vulkan.functions.vkCmdFillBuffer(commands, shared->buffer(i), 0, VK_WHOLE_SIZE,
                                             static_cast<std::uint32_t>(i + 1));
    }
    ASSERT_EQ(sluCmdRelease(context, commands, &info), SLU_SUCCESS) << sluGetErrorMessage(context);
  });
  info.access = VK_ACCESS_TRANSFER_READ_BIT;
  host->vulkan.runOnce([&](VkCommandBuffer commands) {
    ASSERT_EQ(sluCmdAcquire(context, commands, &info), SLU_SUCCESS) << sluGetErrorMessage(context);
  });
  for (std::size_t i = 0; i < info.bufferCount; ++i) {
    EXPECT_EQ(host->read(shared->buffer(i), 4096), std::vector<std::uint32_t>(1024, static_cast<std::uint32_t>(i + 1)));
  }
}

TEST_F(Transfer, RefusesNullArguments) {
  expectFailure(sluCmdRelease(context, VK_NULL_HANDLE, &info), SLU_ERROR_INVALID_ARGUMENT, context, "commandBuffer");
  expectFailure(sluCmdAcquire(context, VK_NULL_HANDLE, &info), SLU_ERROR_INVALID_ARGUMENT, context, "commandBuffer");
  host->vulkan.runOnce([&](VkCommandBuffer commands) {
    expectFailure(sluCmdRelease(context, commands, nullptr), SLU_ERROR_INVALID_ARGUMENT, context, "transfer");
    expectFailure(sluCmdAcquire(context, commands, nullptr), SLU_ERROR_INVALID_ARGUMENT, context, "transfer");
  });
  EXPECT_TRUE(exports->barriers.empty());
}

TEST_F(Transfer, RefusesMalformedStructs) {
  const SluTransferInfo good = info;
  info.sType = SLU_STRUCTURE_TYPE_HANDOFF_INFO;
  expectRefused("transfer.sType");
  info = good;
  info.structSize -= 8;
  expectRefused("transfer.structSize");
  info = good;
  info.pNext = &good;
  expectRefused("transfer.pNext");
  info = good;
  info.buffers = nullptr;
  expectRefused("transfer.buffers");
}

TEST_F(Transfer, RefusesStagesAndFamiliesThatAreNone) {
  info.stages = 0;
  expectRefused("transfer.stages");
  info.stages = VK_PIPELINE_STAGE_TRANSFER_BIT;
  for (const std::uint32_t family : {1000u, VK_QUEUE_FAMILY_EXTERNAL, VK_QUEUE_FAMILY_FOREIGN_EXT}) {
    info.queueFamilyIndex = family;
    expectRefused("transfer.queueFamilyIndex");
  }
}

TEST_F(Transfer, RefusesBuffersThatCudaDoesNotShare) {
  std::vector<SluBuffer> buffers = shared->registered();
  info.buffers = buffers.data();
  const std::size_t spoiled = random.below(info.bufferCount);
  const std::string field = "transfer.buffers[" + std::to_string(spoiled) + "]";
  buffers[spoiled] = nullptr;
  expectRefused(field);

  const VulkanBuffer plain(host->vulkan, 4096, allUsages(host->instance), VulkanBuffer::Kind::mapped);
  Buffer notShared;
  ASSERT_EQ(registerBuffer(context, plain, notShared.put()), SLU_SUCCESS);
  buffers[spoiled] = notShared;
  expectRefused(field);

  const Context other = makeContext();
  const SharedBuffers others(host->vulkan, other, {4096}, allUsages(host->instance), {Sharing::dedicated});
  buffers[spoiled] = others.registered()[0];
  expectRefused(field);
}

}  // namespace
}  // namespace slu::test

#include "interop/queue_transfer.h"

#include <gtest/gtest.h>

#include "external_host.h"
#include "interop/exportable_buffer.h"

namespace slu::test {
namespace {

struct Recorded {
  VkPipelineStageFlags from, to;
  std::vector<VkBufferMemoryBarrier> barriers;
};
std::vector<Recorded> recorded;

VKAPI_ATTR void VKAPI_CALL recordBarrier(VkCommandBuffer, VkPipelineStageFlags from, VkPipelineStageFlags to,
                                         VkDependencyFlags, std::uint32_t memoryCount, const VkMemoryBarrier*,
                                         std::uint32_t count, const VkBufferMemoryBarrier* barriers,
                                         std::uint32_t imageCount, const VkImageMemoryBarrier*) {
  EXPECT_EQ(memoryCount + imageCount, 0u);
  recorded.push_back({from, to, {barriers, barriers + count}});
}

class QueueTransferTest : public ExternalTest {};

TEST(QueueTransfer, ReleasesToTheExternalFamilyAndAcquiresFromIt) {
  const VkBuffer buffer = VK_NULL_HANDLE;
  const VkBufferMemoryBarrier release =
      releaseBarrier(buffer, {3, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT});
  EXPECT_EQ(release.srcQueueFamilyIndex, 3u);
  EXPECT_EQ(release.dstQueueFamilyIndex, VK_QUEUE_FAMILY_EXTERNAL);
  EXPECT_EQ(release.srcAccessMask, VkAccessFlags{VK_ACCESS_TRANSFER_WRITE_BIT});
  EXPECT_EQ(release.dstAccessMask, 0u);
  EXPECT_EQ(release.size, VK_WHOLE_SIZE);

  const VkBufferMemoryBarrier acquire = acquireBarrier(buffer, {3, SLU_VULKAN_DRAW_STAGES, SLU_VULKAN_DRAW_ACCESS});
  EXPECT_EQ(acquire.srcQueueFamilyIndex, VK_QUEUE_FAMILY_EXTERNAL);
  EXPECT_EQ(acquire.dstQueueFamilyIndex, 3u);
  EXPECT_EQ(acquire.srcAccessMask, 0u);
  EXPECT_EQ(acquire.dstAccessMask, SLU_VULKAN_DRAW_ACCESS);
}

// What hosts are told to use; NVIDIA's own sample lacks it.
TEST(QueueTransfer, DrawingCoversIndirectCommandsAndVertices) {
  constexpr VkAccessFlags kReads =
      VK_ACCESS_INDIRECT_COMMAND_READ_BIT | VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT | VK_ACCESS_SHADER_READ_BIT;
  constexpr VkPipelineStageFlags kStages = VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_VERTEX_INPUT_BIT;
  EXPECT_EQ(SLU_VULKAN_DRAW_ACCESS & kReads, kReads);
  EXPECT_EQ(SLU_VULKAN_DRAW_STAGES & kStages, kStages);
}

// A barrier that begins at TOP_OF_PIPE would not come after a semaphore wait at the later stages.
TEST_F(QueueTransferTest, AnAcquireBeginsAtTheStagesThatTheSubmissionWaitsAt) {
  Device device(host->info);
  device.functions.vkCmdPipelineBarrier = recordBarrier;
  const std::vector<VkBuffer> buffers(37);
  recorded.clear();
  recordAcquire(device, VK_NULL_HANDLE, buffers, {0, SLU_VULKAN_DRAW_STAGES, SLU_VULKAN_DRAW_ACCESS});
  recordRelease(device, VK_NULL_HANDLE, buffers, {0, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT});
  ASSERT_EQ(recorded.size(), 6u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(recorded[i].from, SLU_VULKAN_DRAW_STAGES);
    EXPECT_EQ(recorded[i].to, SLU_VULKAN_DRAW_STAGES);
    EXPECT_EQ(recorded[3 + i].from, VkPipelineStageFlags{VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT});
    EXPECT_EQ(recorded[i].barriers.size(), i == 2 ? 5u : 16u);
  }
}

TEST_F(QueueTransferTest, ARoundTripIsValid) {
  const ExportableBuffer first(host->external, 4096, kTestUsage, "first");
  const ExportableBuffer second(host->external, 4096, kTestUsage, "second");
  const std::vector<VkBuffer> buffers = {first.buffer.get(), second.buffer.get()};
  host->vulkan.runOnce([&](VkCommandBuffer commands) {
    host->vulkan.functions.vkCmdFillBuffer(commands, first.buffer.get(), 0, VK_WHOLE_SIZE, 5);
    recordRelease(host->device, commands, buffers,
                  {host->vulkan.queueFamily, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT});
  });
  host->vulkan.runOnce([&](VkCommandBuffer commands) {
    recordAcquire(host->device, commands, buffers,
                  {host->vulkan.queueFamily, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT});
  });
  EXPECT_EQ(host->read(first.buffer.get(), 4096), std::vector<std::uint32_t>(1024, 5));
}

}  // namespace
}  // namespace slu::test

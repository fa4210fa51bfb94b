// The verbs of sluice_vulkan_cuda.h in a context that cannot hand anything to CUDA: each says why, and records nothing.
#include <sluice/sluice_vulkan_cuda.h>

#include "fixture.h"
#include "shim.h"

namespace slu::test {
namespace {

class HandoffRefused : public VulkanTest {
 protected:
  void expectRefused(SluContext context, SluResult result, const std::string& part) {
    auto route = SLU_INIT(ROUTE_INFO, SluRouteInfo);
    ASSERT_EQ(sluGetRouteInfo(context, SLU_ROUTE_CUDA, &route), SLU_SUCCESS);
    EXPECT_FALSE(route.available);
    EXPECT_NE(std::string(route.reason).find(part), std::string::npos) << route.reason;

    auto timelines = SLU_INIT(VULKAN_TIMELINES, SluVulkanTimelines);
    EXPECT_TRUE(failsWith(sluGetVulkanTimelines(context, &timelines), result, context, part));
    EXPECT_EQ(timelines.released, VkSemaphore{VK_NULL_HANDLE});
    auto handoff = SLU_INIT(HANDOFF_INFO, SluHandoffInfo);
    EXPECT_TRUE(failsWith(sluEnqueueHandoff(context, nullptr, &handoff), result, context, part));
    auto transfer = SLU_INIT(TRANSFER_INFO, SluTransferInfo);
    transfer.stages = VK_PIPELINE_STAGE_TRANSFER_BIT;
    device().runOnce([&](VkCommandBuffer commands) {
      EXPECT_TRUE(failsWith(sluCmdRelease(context, commands, &transfer), result, context, part));
      EXPECT_TRUE(failsWith(sluCmdAcquire(context, commands, &transfer), result, context, part));
    });
  }
};

// The device of the fixture enables what the Vulkan route needs and no more.
TEST_F(HandoffRefused, ForWhatTheDeviceDoesNotEnable) {
  Shim shim;
  SluVulkanDeviceInfo info = device().info();
  info.getInstanceProcAddr = shim.entry();
  const Context context = makeContext(info);
#ifdef SLUICE_CUDA
  expectRefused(context, SLU_ERROR_MISSING_FEATURE, VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME);
#else
  expectRefused(context, SLU_ERROR_ROUTE_UNAVAILABLE, "this build of the library has no cuda route");
#endif
  EXPECT_EQ(shim.callsThatStartWith("vkCmd"), 0u);
}

TEST_F(HandoffRefused, InAContextWithoutVulkan) {
  Context context;
  const auto info = SLU_INIT(CONTEXT_CREATE_INFO, SluContextCreateInfo);
  ASSERT_EQ(sluCreateContext(&info, context.put(), nullptr), SLU_SUCCESS);
#ifdef SLUICE_CUDA
  expectRefused(context, SLU_ERROR_ROUTE_UNAVAILABLE, "SluVulkanDeviceInfo");
#else
  expectRefused(context, SLU_ERROR_ROUTE_UNAVAILABLE, "this build of the library has no cuda route");
#endif
}

// A call that succeeds takes the fd, so one that cannot use it must not succeed.
TEST_F(HandoffRefused, ForForeignMemory) {
  const Context context = makeContext();
  const VulkanBuffer own(device(), 4096, allUsages(instance()), VulkanBuffer::Kind::mapped);
  auto vulkan = SLU_INIT(VULKAN_BUFFER_INFO, SluVulkanBufferInfo);
  vulkan.buffer = own.handle;
  vulkan.usage = own.usage;
  auto foreign = SLU_INIT(MEMORY_FD_INFO, SluMemoryFdInfo);
  foreign.pNext = &vulkan;
  foreign.fd = 2;
  foreign.allocationSize = 4096;
  auto info = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
  info.pNext = &foreign;
  info.size = 4096;
  SluBuffer buffer = nullptr;
  EXPECT_TRUE(
      failsWith(sluCreateBuffer(context, &info, &buffer), SLU_ERROR_ROUTE_UNAVAILABLE, context, "buffer.pNext"));
  EXPECT_EQ(buffer, nullptr);
}

TEST_F(HandoffRefused, WithoutAContext) {
  EXPECT_EQ(sluGetVulkanTimelines(nullptr, nullptr), SLU_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(sluCmdRelease(nullptr, VK_NULL_HANDLE, nullptr), SLU_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(sluCmdAcquire(nullptr, VK_NULL_HANDLE, nullptr), SLU_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(sluEnqueueHandoff(nullptr, nullptr, nullptr), SLU_ERROR_INVALID_ARGUMENT);
}

}  // namespace
}  // namespace slu::test

// sluCmdSelfTest on the Vulkan route. tests/inline has the inline route's.
#include <cfenv>

#include "fixture.h"
#include "shim.h"

namespace slu::test {
namespace {

class SelfTests : public VulkanTest {};

TEST_F(SelfTests, PassOnceExecuted) {
  const Context context = makeContext();
  for (const SluRoute route : {SLU_ROUTE_VULKAN, SLU_ROUTE_AUTO}) {
    device().runOnce([&](VkCommandBuffer commands) {
      EXPECT_EQ(sluCmdSelfTest(context, route, commands), SLU_SUCCESS) << sluGetErrorMessage(context);
    });
    EXPECT_EQ(sluGetSelfTestResult(context, route), SLU_SUCCESS) << sluGetErrorMessage(context);
  }
}

TEST_F(SelfTests, FailWhereNothingWasWritten) {
  const Context context = makeContext();
  EXPECT_TRUE(failsWith(sluGetSelfTestResult(context, SLU_ROUTE_VULKAN), SLU_ERROR_INVALID_ARGUMENT, context,
                        "no sluCmdSelfTest"));
  const VkCommandBuffer commands = device().beginCommands(0);
  ASSERT_EQ(sluCmdSelfTest(context, SLU_ROUTE_VULKAN, commands), SLU_SUCCESS) << sluGetErrorMessage(context);
  EXPECT_TRUE(failsWith(sluGetSelfTestResult(context, SLU_ROUTE_VULKAN), SLU_ERROR_DRIVER, context,
                        "self-test of the vulkan route, unordered, indices of up to 12011 records of 16 bytes into 1 "
                        "bucket: statistics: word 0 is 0, must be 12011"));
  check(device().functions.vkEndCommandBuffer(commands), "vkEndCommandBuffer");
  device().freeCommands(commands);
}

TEST_F(SelfTests, NeedARecordedRouteAndACommandBuffer) {
  const Context context = makeContext();
  EXPECT_TRUE(failsWith(sluCmdSelfTest(context, SLU_ROUTE_CPU, VK_NULL_HANDLE), SLU_ERROR_INVALID_ARGUMENT, context,
                        "records into no command buffer"));
  EXPECT_TRUE(failsWith(sluCmdSelfTest(context, SLU_ROUTE_VULKAN, VK_NULL_HANDLE), SLU_ERROR_INVALID_ARGUMENT, context,
                        "commandBuffer: is null"));
  EXPECT_EQ(sluCmdSelfTest(nullptr, SLU_ROUTE_VULKAN, VK_NULL_HANDLE), SLU_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(sluGetSelfTestResult(nullptr, SLU_ROUTE_VULKAN), SLU_ERROR_INVALID_ARGUMENT);
}

// lavapipe's threads round as the thread did that created its device.
TEST_F(SelfTests, FailWhereFloatsAreRoundedOtherwise) {
  if (std::string(instance().properties.deviceName).find("llvmpipe") == std::string::npos) {
    GTEST_SKIP() << "only lavapipe rounds as its host does";
  }
  for (const int rounding : {FE_TOWARDZERO, FE_UPWARD}) {
    ASSERT_EQ(std::fesetround(rounding), 0);
    const VulkanInstance otherInstance;
    const VulkanDevice other(otherInstance);
    std::fesetround(FE_TONEAREST);
    const Context context = makeContext(other.info());
    other.runOnce([&](VkCommandBuffer commands) {
      ASSERT_EQ(sluCmdSelfTest(context, SLU_ROUTE_VULKAN, commands), SLU_SUCCESS) << sluGetErrorMessage(context);
    });
    EXPECT_TRUE(failsWith(sluGetSelfTestResult(context, SLU_ROUTE_VULKAN), SLU_ERROR_DRIVER, context, "culling, "));
  }
}

// What it makes goes with the context, also when a call of the driver's fails.
TEST_F(SelfTests, LeaveNothingBehind) {
  Shim shim;
  SluVulkanDeviceInfo info = device().info();
  info.getInstanceProcAddr = shim.entry();
  {
    const Context context = makeContext(info);
    device().runOnce([&](VkCommandBuffer commands) {
      const std::int64_t before = shim.aliveCount();
      shim.failCall("vkAllocateMemory", 2, VK_ERROR_OUT_OF_DEVICE_MEMORY);
      EXPECT_TRUE(failsWith(sluCmdSelfTest(context, SLU_ROUTE_VULKAN, commands), SLU_ERROR_OUT_OF_DEVICE_MEMORY,
                            context, "vkAllocateMemory"));
      EXPECT_GE(shim.aliveCount(), before) << "pipelines may stay";
      EXPECT_EQ(shim.callsThatStartWith("vkCmd"), 0u);
      shim.recover();
      EXPECT_EQ(sluCmdSelfTest(context, SLU_ROUTE_VULKAN, commands), SLU_SUCCESS) << sluGetErrorMessage(context);
    });
    EXPECT_EQ(sluGetSelfTestResult(context, SLU_ROUTE_VULKAN), SLU_SUCCESS) << sluGetErrorMessage(context);
  }
  EXPECT_EQ(shim.aliveCount(), 0);
}

}  // namespace
}  // namespace slu::test

// Why the inline route is refused: each thing that a driver or a host can leave out, by name, and without harm to the
// rest.
#include "../vulkan/fixture.h"
#include "fake_kernels.h"
#include "kernels/kernel_names.h"
#include "kernels/table.h"
#include "plans.h"

namespace slu::test {
namespace {

constexpr const char* kNvx = VK_NVX_BINARY_IMPORT_EXTENSION_NAME;
constexpr const char* kCounts = VK_NV_SHADER_SM_BUILTINS_EXTENSION_NAME;

SluRouteInfo routeInfo(SluContext context, SluRoute route) {
  auto info = SLU_INIT(ROUTE_INFO, SluRouteInfo);
  require(context, sluGetRouteInfo(context, route, &info), "sluGetRouteInfo");
  return info;
}

class InlineRefusal : public VulkanTest {
 protected:
  // The reason names each of the words; the Vulkan route is there all the same, and auto takes it.
  void expectRefusal(const FakeDriver& driver, std::initializer_list<const char*> words) {
    FakeKernels fake(device(), driver);
    {
      const Context context = makeContext(fake.info());
      const SluRouteInfo info = routeInfo(context, SLU_ROUTE_INLINE);
      EXPECT_EQ(info.available, 0u);
      for (const char* word : words) EXPECT_PRED_FORMAT2(testing::IsSubstring, word, std::string(info.reason));
      EXPECT_EQ(routeInfo(context, SLU_ROUTE_VULKAN).available, 1u);
      const SluRouteInfo picked = routeInfo(context, SLU_ROUTE_AUTO);
      EXPECT_EQ(picked.route, SLU_ROUTE_VULKAN);
      EXPECT_EQ(picked.reason, std::string("inline: ") + info.reason);
      Plan plan;
      const PlanSpec spec = simplePlan(SLU_ORDER_STABLE, 16, 100);
      EXPECT_NE(sluCreatePlan(context, PlanArguments(spec, SLU_ROUTE_INLINE).get(), plan.put()), SLU_SUCCESS);
    }
    EXPECT_EQ(fake.aliveCount(), 0);
    EXPECT_EQ(fake.complaints(), std::vector<std::string>());
  }

  // Of a physical device with these extensions.
  SluVulkanRequirements requirements(SluRoute route, std::vector<std::string> offered) {
    const FakeKernels fake(device(), {.offered = std::move(offered)});
    auto filled = SLU_INIT(VULKAN_REQUIREMENTS, SluVulkanRequirements);
    SluMessage message{};
    EXPECT_EQ(sluGetVulkanRequirements(fake.info().getInstanceProcAddr, instance().handle, instance().physicalDevice,
                                       route, &filled, &message),
              SLU_SUCCESS)
        << message.text;
    return filled;
  }
};

TEST_F(InlineRefusal, OfADeviceWithoutTheExtension) {
  if (instance().properties.deviceType != VK_PHYSICAL_DEVICE_TYPE_CPU) GTEST_SKIP() << "for lavapipe";
  const Context context = makeContext();
  const SluRouteInfo info = routeInfo(context, SLU_ROUTE_INLINE);
  EXPECT_EQ(info.available, 0u);
  for (const char* word : {kNv, kNvx, "llvmpipe", "does not offer"}) {
    EXPECT_PRED_FORMAT2(testing::IsSubstring, word, std::string(info.reason));
  }
  auto requirements = SLU_INIT(VULKAN_REQUIREMENTS, SluVulkanRequirements);
  SluMessage message{};
  EXPECT_TRUE(failsWith(sluGetVulkanRequirements(loadVulkan(), instance().handle, instance().physicalDevice,
                                                 SLU_ROUTE_INLINE, &requirements, &message),
                        SLU_ERROR_MISSING_FEATURE, message, kNvx));
}

TEST_F(InlineRefusal, OfADriverThatOffersTooLittle) {
  expectRefusal({.offered = {}, .enabled = {kNvx}}, {kNv, kNvx, "does not offer"});
  expectRefusal({.offered = {kNvx}}, {kCounts, "does not offer"});
  expectRefusal({.multiprocessorCount = 0}, {"multiprocessors"});
}

TEST_F(InlineRefusal, OfAHostThatEnablesTooLittle) {
  expectRefusal({.enabled = {}}, {kNv, kNvx, "created with neither"});
  expectRefusal({.offered = {kNv, kCounts}, .enabled = {kNv}, .enablesFeature = false},
                {"cudaKernelLaunchFeatures", "vulkanDevice.deviceCreateInfo does not enable"});
}

TEST_F(InlineRefusal, OfADriverThatLacksAFunction) {
  for (const char* name : {"vkCreateCuModuleNVX", "vkCreateCuFunctionNVX", "vkDestroyCuModuleNVX",
                           "vkDestroyCuFunctionNVX", "vkCmdCuLaunchKernelNVX"}) {
    expectRefusal({.missing = {name}}, {name, kNvx});
  }
  for (const char* name : {"vkCreateCudaModuleNV", "vkCreateCudaFunctionNV", "vkDestroyCudaModuleNV",
                           "vkDestroyCudaFunctionNV", "vkCmdCudaLaunchKernelNV"}) {
    expectRefusal({.offered = {kNv, kCounts}, .enabled = {kNv}, .missing = {name}}, {name, kNv});
  }
}

TEST_F(InlineRefusal, OfADriverThatTakesNoModule) {
  for (const VkResult result : {VK_ERROR_INITIALIZATION_FAILED, VK_ERROR_OUT_OF_HOST_MEMORY,
                                VK_ERROR_OUT_OF_DEVICE_MEMORY, VK_ERROR_DEVICE_LOST}) {
    expectRefusal({.moduleResult = result}, {"vkCreateCuModuleNVX"});
  }
}

// Of any one that the route can launch: if it is there, it has them all.
TEST_F(InlineRefusal, OfADriverThatDoesNotFindAKernel) {
  for (const KernelRow& row : kernelTable()) {
    if (row.sharedBytes(row.leastBytes, 1) > kPortableSharedBytes) continue;
    expectRefusal({.unknownKernels = {kernelName(row.kernel)}}, {"vkCreateCuFunctionNVX"});
  }
}

// What to enable: the older extension where there is one, else the newer one and its feature; what the Vulkan route
// needs in both cases. auto asks for the same.
TEST_F(InlineRefusal, RequirementsNameTheExtension) {
  for (const SluRoute route : {SLU_ROUTE_INLINE, SLU_ROUTE_AUTO}) {
    const SluVulkanRequirements older = requirements(route, {kNvx, kNv, kCounts});
    ASSERT_EQ(older.extensionCount, 1u);
    EXPECT_STREQ(older.extensions[0], kNvx);
    EXPECT_EQ(older.cudaKernelLaunch, 0u);
    EXPECT_EQ(older.vulkan12.bufferDeviceAddress, VK_TRUE);
    EXPECT_EQ(older.features.shaderInt64, VK_TRUE);
    const SluVulkanRequirements newer = requirements(route, {kNv, kCounts});
    ASSERT_EQ(newer.extensionCount, 1u);
    EXPECT_STREQ(newer.extensions[0], kNv);
    EXPECT_EQ(newer.cudaKernelLaunch, 1u);
  }
}

TEST_F(InlineRefusal, RequirementsOfAutoAreTheVulkanRoutesWithoutTheExtension) {
  for (const std::vector<std::string>& offered : {std::vector<std::string>{}, {kNvx}, {kCounts}}) {
    const SluVulkanRequirements filled = requirements(SLU_ROUTE_AUTO, offered);
    EXPECT_EQ(filled.extensionCount, 0u);
    EXPECT_EQ(filled.cudaKernelLaunch, 0u);
    EXPECT_EQ(filled.features.shaderInt64, VK_TRUE);
  }
}

TEST_F(InlineRefusal, LackingAutoTakesTheRoute) {
  const FakeKernels fake(device());
  const Context context = makeContext(fake.info());
  const SluRouteInfo info = routeInfo(context, SLU_ROUTE_AUTO);
  EXPECT_EQ(info.route, SLU_ROUTE_INLINE);
  EXPECT_STREQ(info.reason, "");
  Plan plan;
  const PlanSpec spec = simplePlan(SLU_ORDER_STABLE, 16, 100);
  require(context, sluCreatePlan(context, PlanArguments(spec, SLU_ROUTE_AUTO).get(), plan.put()), "sluCreatePlan");
  auto properties = SLU_INIT(PLAN_PROPERTIES, SluPlanProperties);
  require(context, sluGetPlanProperties(plan, &properties), "sluGetPlanProperties");
  EXPECT_EQ(properties.route, SLU_ROUTE_INLINE);
}

}  // namespace
}  // namespace slu::test

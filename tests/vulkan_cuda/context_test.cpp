// What a context says about the CUDA route of a Vulkan host, and what is left when making one fails.
#include <algorithm>

#include "api/objects.h"
#include "base/cuda_error.h"
#include "interop/device_match.h"
#include "kernels/kernel_image.h"
#include "link_fixture.h"
#include "routes/cuda/cuda_route.h"
#include "routes/cuda/vulkan_requirements.h"
#include "sentence.h"

namespace slu::test {
namespace {

bool hasDriver() { return findInCudaDriver("cuInit") != nullptr; }

class LinkContext : public LinkTest {
 protected:
  // The reason why a context of this device has no CUDA route; "" when it has one.
  std::string reasonOf(const SluVulkanDeviceInfo& vulkan, SluResult expected) {
    auto info = SLU_INIT(CONTEXT_CREATE_INFO, SluContextCreateInfo);
    info.pNext = &vulkan;
    Context context;
    SluMessage message{};
    EXPECT_EQ(sluCreateContext(&info, context.put(), &message), SLU_SUCCESS) << message.text;
    auto route = SLU_INIT(ROUTE_INFO, SluRouteInfo);
    EXPECT_EQ(sluGetRouteInfo(context, SLU_ROUTE_CUDA, &route), SLU_SUCCESS);
    EXPECT_EQ(context.get()->state->refusals[SLU_ROUTE_CUDA], expected);
    return route.reason;
  }
};

// Before CUDA is looked for: with or without a driver, the sentence is the same.
TEST_F(LinkContext, NamesWhatTheDeviceDoesNotEnable) {
  const SluVulkanDeviceInfo good = deviceInfo();
  const char* extensions[] = {kExternalExtensions[0], kExternalExtensions[1]};
  for (int lacking = 0; lacking < 2; ++lacking) {
    VkDeviceCreateInfo createInfo = *good.deviceCreateInfo;
    const char* only = extensions[1 - lacking];
    createInfo.enabledExtensionCount = 1;
    createInfo.ppEnabledExtensionNames = &only;
    SluVulkanDeviceInfo info = good;
    info.deviceCreateInfo = &createInfo;
    EXPECT_SENTENCE(reasonOf(info, SLU_ERROR_MISSING_FEATURE), extensions[lacking]);
  }
}

TEST_F(LinkContext, FindsTimelinesInEitherStruct) {
  SluVulkanDeviceInfo info = deviceInfo();
  VkDeviceCreateInfo createInfo = *info.deviceCreateInfo;
  info.deviceCreateInfo = &createInfo;
  createInfo.pNext = nullptr;
  EXPECT_SENTENCE(sentenceOf(SLU_ERROR_MISSING_FEATURE, [&] { checkCudaEnabled(info); }), "timelineSemaphore");
  VkPhysicalDeviceVulkan12Features all{};
  all.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
  createInfo.pNext = &all;
  EXPECT_SENTENCE(sentenceOf(SLU_ERROR_MISSING_FEATURE, [&] { checkCudaEnabled(info); }), "timelineSemaphore");
  all.timelineSemaphore = VK_TRUE;
  checkCudaEnabled(info);
  VkPhysicalDeviceTimelineSemaphoreFeatures timeline{};
  timeline.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES;
  timeline.timelineSemaphore = VK_TRUE;
  createInfo.pNext = &timeline;
  checkCudaEnabled(info);
}

TEST_F(LinkContext, AMachineWithoutCudaIsAReasonAndNoFailure) {
  if (hasDriver()) GTEST_SKIP() << "this machine has a CUDA driver";
  EXPECT_EQ(reasonOf(deviceInfo(), SLU_ERROR_ROUTE_UNAVAILABLE), "there is no CUDA driver on this machine");
  const auto ordinal = SLU_INIT(CUDA_DEVICE_INFO, SluCudaDeviceInfo);
  SluVulkanDeviceInfo both = deviceInfo();
  both.pNext = &ordinal;
  EXPECT_EQ(reasonOf(both, SLU_ERROR_ROUTE_UNAVAILABLE), "there is no CUDA driver on this machine");
}

// lavapipe is none.
TEST_F(LinkContext, ADeviceThatCudaDoesNotSeeIsAReason) {
  if (!hasDriver()) GTEST_SKIP() << "this machine has no CUDA driver";
  if (host->instance.properties.deviceType != VK_PHYSICAL_DEVICE_TYPE_CPU) GTEST_SKIP() << "the device is no CPU";
  EXPECT_SENTENCE(reasonOf(deviceInfo(), SLU_ERROR_ROUTE_UNAVAILABLE), "no CUDA device is the Vulkan device");
}

TEST_F(LinkContext, AutoPrefersTheRouteWithoutAHandoff) {
  const Context context = makeContext();
  auto route = SLU_INIT(ROUTE_INFO, SluRouteInfo);
  ASSERT_EQ(sluGetRouteInfo(context, SLU_ROUTE_CUDA, &route), SLU_SUCCESS);
  EXPECT_TRUE(route.available);
  ASSERT_EQ(sluGetRouteInfo(context, SLU_ROUTE_AUTO, &route), SLU_SUCCESS);
  EXPECT_EQ(route.route, SLU_ROUTE_VULKAN);
}

TEST_F(LinkContext, LoadsTheLibrarysKernelsOnce) {
  makeRoute();
  EXPECT_EQ(cuda.image, kernelImage().data());
  EXPECT_EQ(std::count(cuda.calls.begin(), cuda.calls.end(), "load"), 1);
  EXPECT_EQ(std::count(cuda.calls.begin(), cuda.calls.end(), "unload"), 1);
}

TEST_F(LinkContext, AGpuThatTheKernelsAreNotCompiledForHasNoRoute) {
  for (const char* call : {"load", "get kernel", "load kernel"}) {
    SCOPED_TRACE(call);
    cuda.failing = call;
    for (const CUresult error : {CUDA_ERROR_NO_BINARY_FOR_GPU, CUDA_ERROR_NOT_FOUND}) {
      cuda.libraryError = error;
      cuda.failAfter = 0;
      EXPECT_EQ(sentenceOf(SLU_ERROR_MISSING_FEATURE, [&] { makeRoute(); }),
                "this build of the library has no CUDA code for the device, whose compute capability is 7.0");
    }
    cuda.libraryError = CUDA_ERROR_ILLEGAL_ADDRESS;
    EXPECT_SENTENCE(sentenceOf(SLU_ERROR_DEVICE_LOST, [&] { makeRoute(); }), "cu");
  }
}

TEST_F(LinkContext, HasTwoTimelines) {
  const Context context = makeContext();
  auto timelines = SLU_INIT(VULKAN_TIMELINES, SluVulkanTimelines);
  ASSERT_EQ(sluGetVulkanTimelines(context, &timelines), SLU_SUCCESS) << sluGetErrorMessage(context);
  EXPECT_NE(timelines.released, timelines.compacted);
  for (const VkSemaphore semaphore : {timelines.released, timelines.compacted}) {
    std::uint64_t value = 1;
    ASSERT_EQ(host->vkGetSemaphoreCounterValue(host->vulkan.handle, semaphore, &value), VK_SUCCESS);
    EXPECT_EQ(value, 0u);
  }
  auto again = SLU_INIT(VULKAN_TIMELINES, SluVulkanTimelines);
  ASSERT_EQ(sluGetVulkanTimelines(context, &again), SLU_SUCCESS);
  EXPECT_EQ(again.released, timelines.released);
  EXPECT_EQ(again.compacted, timelines.compacted);
}

TEST_F(LinkContext, ChecksTheTimelinesStruct) {
  const Context context = makeContext();
  auto timelines = SLU_INIT(VULKAN_TIMELINES, SluVulkanTimelines);
  expectFailure(sluGetVulkanTimelines(context, nullptr), SLU_ERROR_INVALID_ARGUMENT, context, "timelines");
  timelines.sType = SLU_STRUCTURE_TYPE_HANDOFF_INFO;
  expectFailure(sluGetVulkanTimelines(context, &timelines), SLU_ERROR_INVALID_ARGUMENT, context, "timelines.sType");
  timelines = SLU_INIT(VULKAN_TIMELINES, SluVulkanTimelines);
  timelines.structSize -= 8;
  expectFailure(sluGetVulkanTimelines(context, &timelines), SLU_ERROR_INVALID_ARGUMENT, context,
                "timelines.structSize");
  timelines = SLU_INIT(VULKAN_TIMELINES, SluVulkanTimelines);
  timelines.pNext = &timelines;
  expectFailure(sluGetVulkanTimelines(context, &timelines), SLU_ERROR_INVALID_ARGUMENT, context, "timelines.pNext");
  EXPECT_EQ(timelines.released, VkSemaphore{VK_NULL_HANDLE});
}

// A context of a CUDA host has no Vulkan device to hand anything over with.
TEST_F(LinkContext, WithoutAVulkanDeviceThereAreNone) {
  const Context context = makeContext();
  context.get()->state->routes[SLU_ROUTE_CUDA] =
      makeCudaRoute(std::make_unique<const CudaContext>(0, cuda.functions()), nullptr);
  auto timelines = SLU_INIT(VULKAN_TIMELINES, SluVulkanTimelines);
  expectFailure(sluGetVulkanTimelines(context, &timelines), SLU_ERROR_ROUTE_UNAVAILABLE, context,
                "SluVulkanDeviceInfo");
}

// TearDown counts what is left.
TEST_F(LinkContext, EveryFailureLeavesNothing) {
  exports->exportsTimelines = false;
  EXPECT_SENTENCE(sentenceOf(SLU_ERROR_MISSING_FEATURE, [&] { makeRoute(); }), "cannot export timeline semaphores");
  exports->exportsTimelines = true;
  for (int nth = 0; nth < 2; ++nth) {
    shim->failCall("vkCreateSemaphore", static_cast<std::uint32_t>(nth), VK_ERROR_OUT_OF_DEVICE_MEMORY);
    EXPECT_SENTENCE(sentenceOf(SLU_ERROR_OUT_OF_DEVICE_MEMORY, [&] { makeRoute(); }), "vkCreateSemaphore");
    EXPECT_EQ(shim->aliveCount(), 0);
    shim->recover();
    exports->semaphoreFdsLeft = nth;
    EXPECT_SENTENCE(sentenceOf(SLU_ERROR_OUT_OF_DEVICE_MEMORY, [&] { makeRoute(); }), "vkGetSemaphoreFdKHR");
    EXPECT_EQ(shim->aliveCount(), 0);
    exports->semaphoreFdsLeft = 1000;
    cuda.failing = "import semaphore";
    cuda.failAfter = nth;
    EXPECT_SENTENCE(sentenceOf(SLU_ERROR_DRIVER, [&] { makeRoute(); }), "cuImportExternalSemaphore");
    EXPECT_EQ(shim->aliveCount(), 0);
    cuda.failing.clear();
  }
  EXPECT_NE(makeRoute(), nullptr);
}

}  // namespace
}  // namespace slu::test

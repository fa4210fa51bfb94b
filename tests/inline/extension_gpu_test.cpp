// Each extension on a driver that offers it: the contract suite runs on the one that the library prefers.
#include <sluice/sluice_cuda.h>

#include <cstring>

#include "../vulkan/fixture.h"
#include "base/vulkan_extensions.h"
#include "plans.h"
#include "routes/inline/kernel_extension.h"

namespace slu::test {
namespace {

const KernelExtension& extensionAt(std::size_t index) { return kernelExtensions()[index]; }

class InlineExtension : public VulkanTest, public testing::WithParamInterface<std::size_t> {
 protected:
  // Calls use(device, context) with a device that enables this extension alone of the two; skips where it is not
  // offered.
  template <typename Use>
  void withContext(const Use& use) {
    const KernelExtension& extension = extensionAt(GetParam());
    if (!isOffered(extensionsOf(InstanceFunctions(loadVulkan(), instance().handle), instance().physicalDevice),
                   extension.name)) {
      GTEST_SKIP() << "the device does not offer " << extension.name;
    }
    DeviceFeatures features(requirementsOf(instance()));
    features.extensions.push_back(extension.name);
    features.cudaKernelLaunch.cudaKernelLaunchFeatures = extension.feature != nullptr ? VK_TRUE : VK_FALSE;
    for (const QueueKind queue : {QueueKind::computeAlone, QueueKind::any}) {
      const VulkanDevice own(instance(), features, queue);
      const Context context = makeContext(own.info());
      auto info = SLU_INIT(ROUTE_INFO, SluRouteInfo);
      require(context, sluGetRouteInfo(context, SLU_ROUTE_INLINE, &info), "sluGetRouteInfo");
      ASSERT_EQ(info.available, 1u) << info.reason;
      use(own, context);
    }
  }
};

TEST_P(InlineExtension, PassesTheSelfTest) {
  withContext([](const VulkanDevice& own, SluContext context) {
    own.runOnce([&](VkCommandBuffer commands) {
      EXPECT_EQ(sluCmdSelfTest(context, SLU_ROUTE_INLINE, commands), SLU_SUCCESS) << sluGetErrorMessage(context);
    });
    EXPECT_EQ(sluGetSelfTestResult(context, SLU_ROUTE_INLINE), SLU_SUCCESS) << sluGetErrorMessage(context);
  });
}

// Of two plans that share it, the one that is left.
TEST_P(InlineExtension, RunsSourceOfTheHosts) {
  withContext([this](const VulkanDevice& own, SluContext context) {
    constexpr std::uint32_t kCount = 5000;
    auto source = SLU_INIT(CUDA_SOURCE_INFO, SluCudaSourceInfo);
    source.source =
        "struct SluPredicate { __device__ bool operator()(const void*, unsigned i) const { return i % 3 == 0; } };";
    PlanSpec spec = simplePlan(SLU_ORDER_STABLE, 8, kCount);
    spec.info.live = {SLU_LIVE_CUSTOM, 0, 0};
    spec.info.outputs = SLU_OUTPUT_STATISTICS_BIT;
    spec.info.pNext = &source;
    const PlanArguments arguments(spec, SLU_ROUTE_INLINE);
    Plan first, plan;
    const SluResult result = sluCreatePlan(context, arguments.get(), first.put());
    if (result == SLU_ERROR_ROUTE_UNAVAILABLE) GTEST_SKIP() << sluGetErrorMessage(context);
    require(context, result, "sluCreatePlan");
    require(context, sluCreatePlan(context, arguments.get(), plan.put()), "sluCreatePlan");
    first.reset();

    const VulkanBuffer memory(own, kCount * 8 + sizeof(SluStatistics), allUsages(instance()),
                              VulkanBuffer::Kind::mapped);
    std::memset(memory.mapped, 0, memory.size);
    Buffer buffer;
    require(context, registerBuffer(context, memory, buffer.put()), "sluCreateBuffer");
    auto frame = SLU_INIT(FRAME_INFO, SluFrameInfo);
    frame.recordCount = kCount;
    frame.viewCount = 1;
    frame.records = {buffer, 0};
    frame.statistics = {buffer, kCount * 8};
    own.runOnce([&](VkCommandBuffer commands) {
      require(context, sluCmdCompact(plan, commands, &frame), "sluCmdCompact");
      own.barrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                  VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
    });
    SluStatistics statistics;
    std::memcpy(&statistics, memory.mapped + kCount * 8, sizeof(statistics));
    EXPECT_EQ(statistics.keptCount, (kCount + 2) / 3);
  });
}

INSTANTIATE_TEST_SUITE_P(, InlineExtension, testing::Range<std::size_t>(0, 2),
                         [](const auto& extension) { return std::string(extensionAt(extension.param).name); });

}  // namespace
}  // namespace slu::test

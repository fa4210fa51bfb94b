// What a host lends the library: its allocation callbacks and its pipeline cache.
#include <map>
#include <memory>

#include "counting_allocator.h"
#include "fixture.h"
#include "plans.h"
#include "shim.h"

namespace slu::test {
namespace {

// With objects of every kind that a plan may have.
PlanSpec makePlan() {
  PlanSpec plan = simplePlan(SLU_ORDER_STABLE, 32, 1000);
  plan.info.flags = SLU_PLAN_IN_PLACE_BIT;
  addBuckets(plan, 3, 1, 100, 4);
  return plan;
}

class LentCallbacks : public VulkanTest {
 protected:
  // The struct of callbacks is the host's, and gone after the call.
  SluResult makeContext(Context& context, SluMessage& message) {
    auto callbacks = std::make_unique<VkAllocationCallbacks>(allocator.callbacks());
    SluVulkanDeviceInfo info = device().info();
    info.getInstanceProcAddr = shim.entry();
    info.allocationCallbacks = callbacks.get();
    shim.expectCallbacks(&allocator);
    return createContext(info, context.put(), &message);
  }

  void expectNothingLeft() const {
    EXPECT_EQ(shim.aliveCount(), 0);
    EXPECT_EQ(shim.complaints(), std::vector<std::string>());
    EXPECT_EQ(allocator.aliveCount(), 0u);
    EXPECT_EQ(allocator.complaints(), std::vector<std::string>());
  }

  Shim shim;
  CountingAllocator allocator;
};

// A plan's, those of an allocated buffer, and those of the self-test. The shim complains of calls without the callbacks.
TEST_F(LentCallbacks, AllocateForEveryObject) {
  std::map<std::string, std::uint32_t> counts;  // of allocations, by the function that made them
  allocator.onAllocation = [&] { ++counts[shim.running()]; };
  {
    Context context;
    SluMessage message{};
    ASSERT_EQ(makeContext(context, message), SLU_SUCCESS) << message.text;
    Plan plan;
    require(context, sluCreatePlan(context, PlanArguments(makePlan(), SLU_ROUTE_VULKAN).get(), plan.put()), "plan");
    auto allocate = SLU_INIT(VULKAN_ALLOCATE_INFO, SluVulkanAllocateInfo);
    auto bufferInfo = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
    bufferInfo.pNext = &allocate;
    bufferInfo.size = 1000;
    Buffer buffer;
    require(context, sluCreateBuffer(context, &bufferInfo, buffer.put()), "sluCreateBuffer");
    const std::uint32_t before = allocator.allocationCount();
    device().runOnce([&](VkCommandBuffer commands) {
      EXPECT_EQ(sluCmdSelfTest(context, SLU_ROUTE_VULKAN, commands), SLU_SUCCESS) << sluGetErrorMessage(context);
    });
    EXPECT_GT(allocator.allocationCount(), before);
  }
  for (const char* function :
       {"vkAllocateMemory", "vkCreateBuffer", "vkCreateDescriptorPool", "vkCreateShaderModule"}) {
    EXPECT_GT(counts[function], 0u) << function << " allocates nothing through the callbacks";
  }
  // Mesa keeps these in memory of the device, since they may have to outlive their handles.
  for (const char* function : {"vkCreateComputePipelines", "vkCreateDescriptorSetLayout", "vkCreatePipelineLayout"}) {
    EXPECT_GT(shim.calls(function), 0u) << function << " is never called";
  }
  expectNothingLeft();
}

// Of each in turn. Names of objects may fail to be set, which the library ignores; the shim does not watch that call.
TEST_F(LentCallbacks, FailAtAnyAllocation) {
  allocator.mayFail = [&] { return !shim.running().empty(); };
  constexpr std::uint32_t kMost = 1000;
  const PlanSpec spec = makePlan();
  std::uint32_t plans = 0, nth = 0;
  for (; nth < kMost; ++nth) {
    SCOPED_TRACE("allocation " + std::to_string(nth));
    allocator.failAllocation(nth);
    Context context;
    SluMessage message{};
    const SluResult made = makeContext(context, message);
    if (allocator.hasFailed()) {
      EXPECT_TRUE(failsWith(made, SLU_ERROR_OUT_OF_HOST_MEMORY, message, "out of host memory"));
    } else {
      Plan plan;
      const SluResult planned = sluCreatePlan(context, PlanArguments(spec, SLU_ROUTE_VULKAN).get(), plan.put());
      if (!allocator.hasFailed()) break;
      EXPECT_TRUE(failsWith(planned, SLU_ERROR_OUT_OF_HOST_MEMORY, context, "out of host memory"));
      ++plans;
      allocator.recover();
      EXPECT_EQ(sluCreatePlan(context, PlanArguments(spec, SLU_ROUTE_VULKAN).get(), plan.put()), SLU_SUCCESS)
          << "the context is of no use after the failure: " << sluGetErrorMessage(context);
    }
    context.reset();
    expectNothingLeft();
  }
  EXPECT_LT(nth, kMost);
  EXPECT_GT(plans, 0u);  // Mesa asks for nothing when a context is made
}

class LentPipelineCache : public VulkanTest {
 protected:
  void SetUp() override {
    VulkanTest::SetUp();
    if (IsSkipped()) return;
    VkPipelineCacheCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO;
    check(device().functions.vkCreatePipelineCache(device().handle, &info, nullptr, &cache), "vkCreatePipelineCache");
  }
  void TearDown() override {
    if (cache != VK_NULL_HANDLE) device().functions.vkDestroyPipelineCache(device().handle, cache, nullptr);
    VulkanTest::TearDown();
  }

  std::size_t cachedBytes() const {
    std::size_t bytes = 0;
    check(device().functions.vkGetPipelineCacheData(device().handle, cache, &bytes, nullptr), "vkGetPipelineCacheData");
    return bytes;
  }

  SluVulkanDeviceInfo info() const {
    SluVulkanDeviceInfo info = device().info();
    info.pipelineCache = cache;
    return info;
  }

  void createPlan(SluContext context) const {
    Plan plan;
    require(context, sluCreatePlan(context, PlanArguments(makePlan(), SLU_ROUTE_VULKAN).get(), plan.put()), "plan");
  }

  VkPipelineCache cache = VK_NULL_HANDLE;
};

TEST_F(LentPipelineCache, IsUsedForEveryPipeline) {
  Shim shim;
  SluVulkanDeviceInfo shimmed = info();
  shimmed.getInstanceProcAddr = shim.entry();
  shim.expectPipelineCache(cache);
  {
    const Context context = makeContext(shimmed);
    createPlan(context);
  }
  EXPECT_GT(shim.calls("vkCreateComputePipelines"), 0u);
  EXPECT_EQ(shim.complaints(), std::vector<std::string>());
}

// The library neither empties nor destroys it.
TEST_F(LentPipelineCache, GrowsAndStays) {
  const std::size_t empty = cachedBytes();
  createPlan(makeContext(info()));
  const std::size_t filled = cachedBytes();
  createPlan(makeContext(info()));
  EXPECT_GE(cachedBytes(), filled);
  if (filled == empty) GTEST_SKIP() << "the driver keeps nothing in pipeline caches";
  EXPECT_GT(filled, empty);
}

}  // namespace
}  // namespace slu::test

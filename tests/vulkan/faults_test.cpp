// The driver fails: each call that can, each time it is made, in each way.
#include "fixture.h"
#include "plans.h"
#include "shim.h"

namespace slu::test {
namespace {

struct Fault {
  VkResult injected;
  SluResult expected;
};
constexpr Fault kFaults[] = {{VK_ERROR_OUT_OF_HOST_MEMORY, SLU_ERROR_OUT_OF_HOST_MEMORY},
                             {VK_ERROR_OUT_OF_DEVICE_MEMORY, SLU_ERROR_OUT_OF_DEVICE_MEMORY},
                             {VK_ERROR_DEVICE_LOST, SLU_ERROR_DEVICE_LOST},
                             {VK_ERROR_UNKNOWN, SLU_ERROR_DRIVER}};

constexpr const char* kFunctions[] = {"vkAllocateDescriptorSets",    "vkAllocateMemory",
                                      "vkBindBufferMemory",          "vkCreateBuffer",
                                      "vkCreateComputePipelines",    "vkCreateDescriptorPool",
                                      "vkCreateDescriptorSetLayout", "vkCreatePipelineLayout",
                                      "vkCreateShaderModule",        "vkMapMemory"};

// With all that a plan may allocate.
PlanSpec makeGreedyPlan() {
  PlanSpec plan = simplePlan(SLU_ORDER_STABLE, 32, 1000);
  plan.info.flags = SLU_PLAN_IN_PLACE_BIT;
  plan.info.maxViewCount = 2;
  addBuckets(plan, 3, 1, 100, 4);
  return plan;
}

class Faults : public VulkanTest {
 protected:
  // Makes a context and a plan while a call fails. True when the call was reached.
  bool runWithFault(const char* function, std::uint32_t nth, const Fault& fault) {
    Shim shim;
    SluVulkanDeviceInfo info = device().info();
    info.getInstanceProcAddr = shim.entry();
    shim.failCall(function, nth, fault.injected);
    {
      Context context;
      SluMessage message{};
      SluResult result = createContext(info, context.put(), &message);
      if (shim.hasFailed()) {
        EXPECT_TRUE(failsWith(result, fault.expected, message, function));
        EXPECT_EQ(context.get(), nullptr);
      } else {
        EXPECT_EQ(result, SLU_SUCCESS) << message.text;
        createPlan(context, shim, function, fault);
      }
    }
    EXPECT_EQ(shim.aliveCount(), 0) << "objects are left behind";
    EXPECT_EQ(shim.complaints(), std::vector<std::string>());
    return shim.hasFailed();
  }

 private:
  void createPlan(SluContext context, Shim& shim, const char* function, const Fault& fault) {
    const PlanSpec spec = makeGreedyPlan();
    const std::int64_t aliveBefore = shim.aliveCount();
    Plan plan;
    const SluResult result = sluCreatePlan(context, PlanArguments(spec, SLU_ROUTE_VULKAN).get(), plan.put());
    if (!shim.hasFailed()) {
      EXPECT_EQ(result, SLU_SUCCESS) << sluGetErrorMessage(context);
      return;
    }
    EXPECT_TRUE(failsWith(result, fault.expected, context, function));
    EXPECT_EQ(plan.get(), nullptr);
    shim.recover();
    EXPECT_GE(shim.aliveCount(), aliveBefore) << "pipelines may stay for the next plan, nothing else may go";
    EXPECT_EQ(sluCreatePlan(context, PlanArguments(spec, SLU_ROUTE_VULKAN).get(), plan.put()), SLU_SUCCESS)
        << "the context is of no use after the fault: " << sluGetErrorMessage(context);
  }
};

// Each way at the first call; the later calls take them in turn.
TEST_F(Faults, OfEveryCall) {
  constexpr std::uint32_t kMostCalls = 100;
  for (const char* function : kFunctions) {
    const auto fails = [&](std::uint32_t nth, const Fault& fault) {
      SCOPED_TRACE(std::string(function) + ", call " + std::to_string(nth) + ", VkResult " +
                   std::to_string(fault.injected));
      return runWithFault(function, nth, fault);
    };
    for (const Fault& fault : kFaults) EXPECT_TRUE(fails(0, fault)) << function << " is never called";
    std::uint32_t nth = 1;
    while (nth < kMostCalls && fails(nth, kFaults[nth % std::size(kFaults)])) ++nth;
    EXPECT_LT(nth, kMostCalls);
  }
}

// Nothing is left behind without faults either, and calls in any order of destruction are legal.
TEST_F(Faults, NoneAndNothingIsLeft) {
  const PlanSpec spec = makeGreedyPlan();
  Shim shim;
  SluVulkanDeviceInfo info = device().info();
  info.getInstanceProcAddr = shim.entry();
  Context context = makeContext(info);
  Plan plan;
  require(context, sluCreatePlan(context, PlanArguments(spec, SLU_ROUTE_VULKAN).get(), plan.put()), "sluCreatePlan");
  EXPECT_GT(shim.aliveCount(), 0);
  context.reset();  // the plan stays valid
  auto properties = SLU_INIT(PLAN_PROPERTIES, SluPlanProperties);
  EXPECT_EQ(sluGetPlanProperties(plan, &properties), SLU_SUCCESS);
  EXPECT_GT(shim.aliveCount(), 0);
  plan.reset();
  EXPECT_EQ(shim.aliveCount(), 0);
  EXPECT_EQ(shim.complaints(), std::vector<std::string>());
}

// 512 GiB for the copy of the input.
TEST_F(Faults, PlanThatNoMemoryHolds) {
  Shim shim;
  SluVulkanDeviceInfo info = device().info();
  info.getInstanceProcAddr = shim.entry();
  {
    const Context context = makeContext(info);
    PlanSpec spec = simplePlan(SLU_ORDER_UNORDERED, 256, SLU_MAX_RECORDS);
    spec.info.flags = SLU_PLAN_IN_PLACE_BIT;
    Plan plan;
    EXPECT_TRUE(failsWith(sluCreatePlan(context, PlanArguments(spec, SLU_ROUTE_VULKAN).get(), plan.put()),
                          SLU_ERROR_OUT_OF_DEVICE_MEMORY, context, "memory"));
  }
  EXPECT_EQ(shim.aliveCount(), 0);
}

// A Vulkan entry point that knows nothing.
TEST_F(Faults, LoaderWithoutFunctions) {
  SluVulkanDeviceInfo info = device().info();
  info.getInstanceProcAddr = [](VkInstance, const char*) -> PFN_vkVoidFunction { return nullptr; };
  const Context context = makeContext(info);
  auto route = SLU_INIT(ROUTE_INFO, SluRouteInfo);
  ASSERT_EQ(sluGetRouteInfo(context, SLU_ROUTE_VULKAN, &route), SLU_SUCCESS);
  EXPECT_FALSE(route.available);
  EXPECT_NE(std::string(route.reason).find("getInstanceProcAddr"), std::string::npos) << route.reason;
  auto requirements = SLU_INIT(VULKAN_REQUIREMENTS, SluVulkanRequirements);
  SluMessage message{};
  const SluResult result = sluGetVulkanRequirements(info.getInstanceProcAddr, instance().handle,
                                                    instance().physicalDevice, SLU_ROUTE_AUTO, &requirements, &message);
  EXPECT_TRUE(failsWith(result, SLU_ERROR_MISSING_FEATURE, message, "getInstanceProcAddr"));
}

}  // namespace
}  // namespace slu::test

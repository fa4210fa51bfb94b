// Which plans sort records by bucket, and in tiles of which length, and how long the lists of persistent kernels are: told
// by what the device has of shared memory.
#include <cstring>

#include "fixture.h"
#include "plan/plan_checks.h"
#include "plans.h"
#include "routes/vulkan/pipelines.h"

namespace slu::test {
namespace {

constexpr std::uint32_t kFewest = 1u << 17;  // records of a plan that sorts
constexpr std::uint32_t kSortedStride = 16;

PFN_vkGetPhysicalDeviceProperties2 getRealProperties = nullptr;
std::uint32_t sharedLimit = 0;

VKAPI_ATTR void VKAPI_CALL getLimited(VkPhysicalDevice physicalDevice, VkPhysicalDeviceProperties2* properties) {
  getRealProperties(physicalDevice, properties);
  properties->properties.limits.maxComputeSharedMemorySize = sharedLimit;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL limitedFunction(VkInstance instance, const char* name) {
  const PFN_vkVoidFunction real = loadVulkan()(instance, name);
  return std::strcmp(name, "vkGetPhysicalDeviceProperties2") == 0 ? replace(getRealProperties, real, getLimited) : real;
}

PlanSpec bucketedPlan(std::uint32_t stride, std::uint32_t bucketCount) {
  PlanSpec plan = simplePlan(SLU_ORDER_UNORDERED, stride, kFewest);
  plan.info.outputs = SLU_OUTPUT_RECORDS_BIT;
  addBuckets(plan, bucketCount, 1, 10, 4);
  return plan;
}

class Sorted : public VulkanTest {
 protected:
  // Of a device that has `limit` bytes of shared memory.
  KernelConstants constantsOf(const PlanSpec& spec, std::uint32_t limit) {
    sharedLimit = limit;
    SluVulkanDeviceInfo info = device().info();
    info.getInstanceProcAddr = limitedFunction;
    const Device limited(info);
    const PlanLayout layout = checkPlan(*PlanArguments(spec, SLU_ROUTE_VULKAN).get(), {"vulkan", {}});
    return kernelConstants(layout, limited, {});
  }

  // 0 where records are not sorted.
  std::uint32_t tileOf(const PlanSpec& spec, std::uint32_t limit) {
    const KernelConstants constants = constantsOf(spec, limit);
    return compactKernel(constants) == Kernel::sorted ? constants.tileRecords() : 0;
  }
};

// Tiles that fit are as long as they can be; what Vulkan guarantees holds none.
TEST_F(Sorted, TilesFitIntoSharedMemory) {
  for (const auto& [bucketCount, limit, tile] : {std::tuple{5u, 16u << 10, 0u},
                                                 {5u, 24u << 10, 1024u},
                                                 {5u, 32u << 10, 1024u},
                                                 {1024u, 32u << 10, 1024u},
                                                 {5u, 48u << 10, 2048u},
                                                 {1024u, 48u << 10, 2048u}}) {
    EXPECT_EQ(tileOf(bucketedPlan(kSortedStride, bucketCount), limit), tile)
        << bucketCount << " buckets, " << limit << " bytes of shared memory";
  }
}

// Two of them, of a word per record.
TEST_F(Sorted, ListsOfManyRecordsFitIntoSharedMemory) {
  for (const SluLiveTest test : {SLU_LIVE_NON_EMPTY, SLU_LIVE_FLAG_BITS}) {
    for (const std::uint32_t stride : {4u, 16u, 64u, 256u}) {
      PlanSpec plan = simplePlan(SLU_ORDER_STABLE, stride, 1u << 23);
      plan.info.live = {test, 0, test == SLU_LIVE_NON_EMPTY ? 4u : 0u};
      plan.info.outputs = SLU_OUTPUT_INDICES_BIT;
      for (const auto& [limit, most] : {std::pair{16u << 10, 1024u}, {32u << 10, 2048u}, {48u << 10, 2048u}}) {
        SCOPED_TRACE(testing::Message() << stride << " bytes, test " << test << ", " << limit << " of shared memory");
        const KernelConstants constants = constantsOf(plan, limit);
        ASSERT_EQ(compactKernel(constants), Kernel::persistent);
        EXPECT_EQ(constants.tileRecords(), test == SLU_LIVE_NON_EMPTY && stride > 48 ? 1024 : most);
      }
    }
  }
}

TEST_F(Sorted, ManyRecordsAloneIntoSeveralBuckets) {
  constexpr std::uint32_t kLimit = 48u << 10;
  EXPECT_NE(tileOf(bucketedPlan(kSortedStride, 1024), kLimit), 0u);
  EXPECT_EQ(tileOf(bucketedPlan(kSortedStride, 1025), kLimit), 0u) << "more than are counted";
  EXPECT_EQ(tileOf(bucketedPlan(kSortedStride, 1), kLimit), 0u) << "one bucket";
  PlanSpec plan = bucketedPlan(kSortedStride, 5);
  plan.info.maxRecordCount = kFewest - 1;
  EXPECT_EQ(tileOf(plan, kLimit), 0u) << "few records";
  plan = bucketedPlan(kSortedStride, 5);
  plan.info.order = SLU_ORDER_STABLE;
  EXPECT_EQ(tileOf(plan, kLimit), 0u) << "stable";
  plan = bucketedPlan(kSortedStride, 5);
  plan.info.outputs |= SLU_OUTPUT_INDICES_BIT;
  EXPECT_EQ(tileOf(plan, kLimit), 0u) << "indices as well";
  plan = bucketedPlan(kSortedStride, 5);
  plan.info.live = {};
  EXPECT_EQ(tileOf(plan, kLimit), 0u) << "no test of the record";
  for (const std::uint32_t stride : {8u, 12u, 20u, 32u, 64u}) {
    EXPECT_EQ(tileOf(bucketedPlan(stride, 5), kLimit), 0u) << "records of another size";
  }
}

}  // namespace
}  // namespace slu::test

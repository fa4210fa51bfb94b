// Which plans sort records by bucket, and in tiles of which length: told by what the device has of shared memory.
#include <cstring>

#include "fixture.h"
#include "plans.h"

namespace slu::test {
namespace {

constexpr std::uint32_t kFewest = 1u << 17;  // records of a plan that sorts
constexpr std::uint32_t kUnsortedTile = 1024;

PFN_vkGetPhysicalDeviceProperties2 getRealProperties = nullptr;
std::uint32_t sharedLimit = 0;

VKAPI_ATTR void VKAPI_CALL getLimited(VkPhysicalDevice physicalDevice, VkPhysicalDeviceProperties2* properties) {
  getRealProperties(physicalDevice, properties);
  properties->properties.limits.maxComputeSharedMemorySize = sharedLimit;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL limitedFunction(VkInstance instance, const char* name) {
  const PFN_vkVoidFunction real = loadVulkan()(instance, name);
  if (std::strcmp(name, "vkGetPhysicalDeviceProperties2") != 0) return real;
  getRealProperties = reinterpret_cast<PFN_vkGetPhysicalDeviceProperties2>(real);
  return reinterpret_cast<PFN_vkVoidFunction>(getLimited);
}

PlanSpec bucketedPlan(std::uint32_t stride, std::uint32_t bucketCount) {
  PlanSpec plan = simplePlan(SLU_ORDER_UNORDERED, stride, kFewest);
  plan.info.outputs = SLU_OUTPUT_RECORDS_BIT;
  addBuckets(plan, bucketCount, 1, 10, 4);
  return plan;
}

class Sorted : public VulkanTest {
 protected:
  // Of a context that finds `limit` bytes of shared memory.
  std::uint64_t tileOf(const PlanSpec& spec, std::uint32_t limit) {
    sharedLimit = limit;
    SluVulkanDeviceInfo info = device().info();
    info.getInstanceProcAddr = limitedFunction;
    const Context context = makeContext(info);
    Plan plan;
    require(context, sluCreatePlan(context, PlanArguments(spec, SLU_ROUTE_VULKAN).get(), plan.put()), "sluCreatePlan");
    auto properties = SLU_INIT(PLAN_PROPERTIES, SluPlanProperties);
    require(context, sluGetPlanProperties(plan, &properties), "sluGetPlanProperties");
    return properties.tileRecords;
  }
  bool has(std::uint32_t limit) const { return instance().properties.limits.maxComputeSharedMemorySize >= limit; }
};

// Tiles that fit are as long as they can be; what Vulkan guarantees holds none.
TEST_F(Sorted, TilesFitIntoSharedMemory) {
  for (const auto& [stride, bucketCount, limit, tile] : {std::tuple{16u, 5u, 16u << 10, kUnsortedTile},
                                                         {32u, 5u, 16u << 10, kUnsortedTile},
                                                         {32u, 5u, 32u << 10, 512u},
                                                         {64u, 1024u, 32u << 10, 256u},
                                                         {16u, 5u, 48u << 10, 2048u},
                                                         {16u, 1024u, 48u << 10, 2048u},
                                                         {48u, 5u, 48u << 10, 512u},
                                                         {64u, 1024u, 48u << 10, 512u}}) {
    if (!has(limit)) continue;
    EXPECT_EQ(tileOf(bucketedPlan(stride, bucketCount), limit), tile)
        << stride << " bytes, " << bucketCount << " buckets, " << limit << " bytes of shared memory";
  }
}

TEST_F(Sorted, ManyRecordsAloneIntoSeveralBuckets) {
  constexpr std::uint32_t kLimit = 32u << 10;
  if (!has(kLimit)) GTEST_SKIP() << "the device has less shared memory";
  constexpr std::uint32_t kLongest = 64;
  EXPECT_EQ(tileOf(bucketedPlan(kLongest, 1024), kLimit), 256u);
  EXPECT_EQ(tileOf(bucketedPlan(kLongest, 1025), kLimit), kUnsortedTile) << "more than are counted";
  PlanSpec plan = bucketedPlan(kLongest, 5);
  plan.info.maxRecordCount = kFewest - 1;
  EXPECT_EQ(tileOf(plan, kLimit), kUnsortedTile) << "few records";
  plan = bucketedPlan(kLongest, 5);
  plan.info.order = SLU_ORDER_STABLE;
  EXPECT_EQ(tileOf(plan, kLimit), kUnsortedTile) << "stable";
  plan = bucketedPlan(kLongest, 5);
  plan.info.outputs |= SLU_OUTPUT_INDICES_BIT;
  EXPECT_EQ(tileOf(plan, kLimit), kUnsortedTile) << "indices as well";
  plan = bucketedPlan(kLongest, 5);
  plan.info.live = {};
  EXPECT_EQ(tileOf(plan, kLimit), kUnsortedTile) << "no test of the record";
  plan = bucketedPlan(80, 5);
  EXPECT_EQ(tileOf(plan, kLimit), kUnsortedTile) << "long records";
}

}  // namespace
}  // namespace slu::test

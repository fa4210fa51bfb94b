// Memory of the library's own buffers: many plans share few allocations, and a device may be full where the host can map
// its memory.
#include <algorithm>
#include <cstring>
#include <map>
#include <set>

#include "base/vulkan_memory.h"
#include "fixture.h"
#include "plans.h"
#include "random.h"
#include "shim.h"

namespace slu::test {
namespace {

// The device's own memory type that the host can map, and one that the driver does not have, which stands for memory of
// the host and reaches the driver as the former.
std::uint32_t first = VK_MAX_MEMORY_TYPES, another = VK_MAX_MEMORY_TYPES;

// The functions behind the ones below.
PFN_vkGetInstanceProcAddr nextInstanceFunction = nullptr;
PFN_vkGetDeviceProcAddr nextDeviceFunction = nullptr;
PFN_vkGetPhysicalDeviceMemoryProperties getMemoryProperties = nullptr;
PFN_vkGetBufferMemoryRequirements getRequirements = nullptr;
PFN_vkAllocateMemory allocate = nullptr;
PFN_vkMapMemory map = nullptr;

enum class Lack { room, mappings } lack;
std::uint32_t refusals = 0, substitutes = 0;
std::set<VkDeviceMemory> unmappable;

VKAPI_ATTR void VKAPI_CALL addType(VkPhysicalDevice physicalDevice, VkPhysicalDeviceMemoryProperties* properties) {
  constexpr VkMemoryPropertyFlags kBoth =
      VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  getMemoryProperties(physicalDevice, properties);
  for (first = 0; first < properties->memoryTypeCount; ++first) {
    if ((properties->memoryTypes[first].propertyFlags & kBoth) == kBoth) break;
  }
  if (first == properties->memoryTypeCount || properties->memoryTypeCount == VK_MAX_MEMORY_TYPES) {
    first = another = VK_MAX_MEMORY_TYPES;
    return;
  }
  another = properties->memoryTypeCount++;
  properties->memoryTypes[another] = properties->memoryTypes[first];
  properties->memoryTypes[another].propertyFlags &= ~VkFlags{VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT};
}

// Buffers that may lie in the first type may lie in the other one, but in no third, whatever else the driver has.
VKAPI_ATTR void VKAPI_CALL allowType(VkDevice device, VkBuffer buffer, VkMemoryRequirements* requirements) {
  getRequirements(device, buffer, requirements);
  if (first == VK_MAX_MEMORY_TYPES) return;
  if ((requirements->memoryTypeBits >> first & 1u) != 0) requirements->memoryTypeBits = 1u << first | 1u << another;
}

VKAPI_ATTR VkResult VKAPI_CALL refuseFirst(VkDevice device, const VkMemoryAllocateInfo* info,
                                           const VkAllocationCallbacks* callbacks, VkDeviceMemory* memory) {
  if (lack == Lack::room && info->memoryTypeIndex == first) {
    ++refusals;
    return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  }
  VkMemoryAllocateInfo real = *info;
  if (real.memoryTypeIndex == another) {
    ++substitutes;
    real.memoryTypeIndex = first;
  }
  const VkResult result = allocate(device, &real, callbacks, memory);
  if (lack == Lack::mappings && info->memoryTypeIndex == first) unmappable.insert(*memory);
  return result;
}

VKAPI_ATTR VkResult VKAPI_CALL refuseMapping(VkDevice device, VkDeviceMemory memory, VkDeviceSize offset,
                                             VkDeviceSize size, VkMemoryMapFlags flags, void** mapped) {
  if (unmappable.erase(memory) == 0) return map(device, memory, offset, size, flags, mapped);
  ++refusals;
  return VK_ERROR_MEMORY_MAP_FAILED;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL deviceFunction(VkDevice device, const char* name) {
  const PFN_vkVoidFunction real = nextDeviceFunction(device, name);
  if (std::strcmp(name, "vkGetBufferMemoryRequirements") == 0) return replace(getRequirements, real, allowType);
  if (std::strcmp(name, "vkAllocateMemory") == 0) return replace(allocate, real, refuseFirst);
  if (std::strcmp(name, "vkMapMemory") == 0) return replace(map, real, refuseMapping);
  return real;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL instanceFunction(VkInstance instance, const char* name) {
  const PFN_vkVoidFunction real = nextInstanceFunction(instance, name);
  if (std::strcmp(name, "vkGetDeviceProcAddr") == 0) return replace(nextDeviceFunction, real, deviceFunction);
  if (std::strcmp(name, "vkGetPhysicalDeviceMemoryProperties") == 0) return replace(getMemoryProperties, real, addType);
  return real;
}

class FullMemory : public VulkanTest {
 protected:
  // Makes a plan while the first memory type lacks something.
  SluResult createPlan(const PlanSpec& spec, Lack what, std::string& message) {
    const Shim shim;
    nextInstanceFunction = shim.entry();
    lack = what;
    refusals = substitutes = 0;
    unmappable.clear();
    SluVulkanDeviceInfo info = device().info();
    info.getInstanceProcAddr = instanceFunction;
    SluResult result = SLU_SUCCESS;
    {
      const Context context = makeContext(info);
      Plan plan;
      result = sluCreatePlan(context, PlanArguments(spec, SLU_ROUTE_VULKAN).get(), plan.put());
      message = sluGetErrorMessage(context);
    }
    EXPECT_EQ(shim.aliveCount(), 0);
    EXPECT_EQ(shim.complaints(), std::vector<std::string>());
    return result;
  }
};

TEST_F(FullMemory, ThatIsMappedIsTakenFromTheHost) {
  for (const Lack what : {Lack::room, Lack::mappings}) {
    std::string message;
    const SluResult result = createPlan(simplePlan(SLU_ORDER_UNORDERED, 16, 10'000), what, message);
    if (another == VK_MAX_MEMORY_TYPES) GTEST_SKIP() << "the device has no memory of its own that the host can map";
    EXPECT_EQ(result, SLU_SUCCESS) << message;
    EXPECT_GE(refusals, 1u);
    EXPECT_EQ(substitutes, 1u) << "the table and the counters share a block";
  }
}

TEST_F(FullMemory, ThatIsNotMappedIsAnError) {
  std::string message;
  PlanSpec spec = simplePlan(SLU_ORDER_UNORDERED, 16, 10'000);
  spec.info.flags = SLU_PLAN_IN_PLACE_BIT;  // the frame's input is copied to memory that is not mapped
  const SluResult result = createPlan(spec, Lack::room, message);
  if (another == VK_MAX_MEMORY_TYPES) GTEST_SKIP() << "the device has no memory of its own that the host can map";
  EXPECT_EQ(result, SLU_ERROR_OUT_OF_DEVICE_MEMORY);
  EXPECT_EQ(substitutes, 1u) << "the table and the counters, but not the copy";
  EXPECT_NE(message.find("vkAllocateMemory"), std::string::npos) << message;
}

class SharedMemoryOfPlans : public VulkanTest {
 protected:
  SluVulkanDeviceInfo info() {
    SluVulkanDeviceInfo info = device().info();
    info.getInstanceProcAddr = shim.entry();
    return info;
  }

  // Some of each kind: in place or not, in either order, with one bucket and with several.
  Plan createPlan(SluContext context, std::uint32_t number) {
    PlanSpec spec = simplePlan(number % 2 == 0 ? SLU_ORDER_UNORDERED : SLU_ORDER_STABLE, 16, 256);
    if (number % 3 == 0) spec.info.flags = SLU_PLAN_IN_PLACE_BIT;
    if (number % 5 == 0) addBuckets(spec, 3, 1, 100, 4);
    Plan plan;
    require(context, sluCreatePlan(context, PlanArguments(spec, SLU_ROUTE_VULKAN).get(), plan.put()), "sluCreatePlan");
    return plan;
  }

  Shim shim;
};

TEST_F(SharedMemoryOfPlans, TakesFewAllocations) {
  constexpr std::uint32_t kPlans = 2100, kMostAllocations = 64;
  {
    const Context context = makeContext(info());
    std::vector<Plan> plans;
    for (std::uint32_t i = 0; i < kPlans; ++i) plans.push_back(createPlan(context, i));
    EXPECT_LE(shim.calls("vkAllocateMemory"), kMostAllocations);
    EXPECT_GE(shim.calls("vkCreateBuffer"), 2 * kPlans);
  }
  EXPECT_EQ(shim.aliveCount(), 0);
  EXPECT_EQ(shim.complaints(), std::vector<std::string>());
}

// Plans come and go in any order, and what is free is used again.
TEST_F(SharedMemoryOfPlans, IsUsedAgain) {
  Random random;
  const Context context = makeContext(info());
  std::map<std::uint32_t, Plan> plans;
  const auto churn = [&](std::uint32_t rounds) {
    for (std::uint32_t i = 0; i < rounds; ++i) {
      const std::uint32_t number = random.below(200);
      plans.erase(number);
      plans.emplace(number, createPlan(context, number));
    }
  };
  churn(2000);
  const std::uint32_t settled = shim.calls("vkAllocateMemory");
  churn(2000);
  EXPECT_LE(shim.calls("vkAllocateMemory"), settled + 4) << describeSeed();
  const std::int64_t withPlans = shim.aliveCount();
  plans.clear();
  EXPECT_LT(shim.aliveCount(), withPlans - 200);
}

// Each buffer lies where its memory requirements ask for it, in memory of its own.
TEST_F(SharedMemoryOfPlans, RangesAreApartAndAligned) {
  Random random;
  const Device real(device().info());
  std::vector<MemoryPool::Range> ranges;
  std::map<VkDeviceMemory, std::map<std::uint64_t, std::uint64_t>> taken;
  for (int i = 0; i < 3000; ++i) {
    if (!ranges.empty() && random.below(3) == 0) {
      const std::uint32_t gone = random.below(static_cast<std::uint32_t>(ranges.size()));
      ASSERT_EQ(taken[ranges[gone].memory()].erase(ranges[gone].offset()), 1u);
      std::swap(ranges[gone], ranges.back());
      ranges.pop_back();
      continue;
    }
    const std::uint64_t alignment = std::uint64_t{4} << random.below(10);
    const std::uint64_t size = 1 + random.below(random.below(20) == 0 ? 3'000'000 : 5'000);
    const MemoryKind kind = random.below(2) == 0 ? MemoryKind::device : MemoryKind::mapped;
    ranges.push_back(real.pool->take({size, alignment, ~0u}, kind));
    const MemoryPool::Range& range = ranges.back();
    ASSERT_EQ(range.offset() % alignment, 0u) << describeSeed();
    ASSERT_EQ(range.mapped() != nullptr, kind == MemoryKind::mapped);
    auto& others = taken[range.memory()];
    const auto [place, isNew] = others.emplace(range.offset(), range.offset() + size);
    ASSERT_TRUE(isNew) << describeSeed();
    if (place != others.begin()) {
      ASSERT_LE(std::prev(place)->second, place->first) << describeSeed();
    }
    if (std::next(place) != others.end()) {
      ASSERT_LE(place->second, std::next(place)->first) << describeSeed();
    }
    if (range.mapped() != nullptr) std::memset(range.mapped(), i, size);
  }
}

}  // namespace
}  // namespace slu::test

// A device whose own memory is full where the host can map it.
#include <cstring>
#include <set>

#include "fixture.h"
#include "plans.h"
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

template <typename Function>
PFN_vkVoidFunction replace(Function& behind, PFN_vkVoidFunction real, Function ours) {
  behind = reinterpret_cast<Function>(real);
  return reinterpret_cast<PFN_vkVoidFunction>(ours);
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
    EXPECT_EQ(refusals, 2u) << "the table and the counters";
    EXPECT_EQ(substitutes, 2u);
  }
}

TEST_F(FullMemory, ThatIsNotMappedIsAnError) {
  std::string message;
  PlanSpec spec = simplePlan(SLU_ORDER_UNORDERED, 16, 10'000);
  spec.info.flags = SLU_PLAN_IN_PLACE_BIT;  // the frame's input is copied to memory that is not mapped
  const SluResult result = createPlan(spec, Lack::room, message);
  if (another == VK_MAX_MEMORY_TYPES) GTEST_SKIP() << "the device has no memory of its own that the host can map";
  EXPECT_EQ(result, SLU_ERROR_OUT_OF_DEVICE_MEMORY);
  EXPECT_EQ(refusals, 3u) << "the table, the counters and the copy";
  EXPECT_EQ(substitutes, 2u);
  EXPECT_NE(message.find("vkAllocateMemory"), std::string::npos) << message;
}

}  // namespace
}  // namespace slu::test

// Devices that were created without what the library asked for.
#include <cstring>
#include <functional>

#include "fixture.h"
#include "plans.h"

namespace slu::test {
namespace {

struct Feature {
  const char* name;
  VkBool32* value;
};

// The features that the library may ask for by name; a test fails when it asks for another.
std::vector<Feature> namedFeatures(DeviceFeatures& features) {
  return {{"uniformBufferStandardLayout", &features.vulkan12.uniformBufferStandardLayout}};
}

// Without either of them buffers are bound.
std::vector<Feature> addressFeatures(DeviceFeatures& features) {
  return {{"shaderInt64", &features.features.features.shaderInt64},
          {"bufferDeviceAddress", &features.vulkan12.bufferDeviceAddress}};
}

// What is asked for where the device has it, and can be left out.
void takeOptionalFeatures(DeviceFeatures& features) {
  features.features.features.drawIndirectFirstInstance = VK_FALSE;
  features.features.features.multiDrawIndirect = VK_FALSE;
  features.vulkan12.drawIndirectCount = VK_FALSE;
  features.vulkan12.shaderBufferInt64Atomics = VK_FALSE;
}

class Features : public VulkanTest {
 protected:
  // The self-test's records and outputs lie at multiples of 64 bytes and of 4. Its draws are in the library's own buffers.
  void expectSelfTestPasses(const VulkanDevice& device) {
    const Context context = makeContext(device.info());
    device.runOnce([&](VkCommandBuffer commands) {
      ASSERT_EQ(sluCmdSelfTest(context, SLU_ROUTE_VULKAN, commands), SLU_SUCCESS) << sluGetErrorMessage(context);
    });
    EXPECT_EQ(sluGetSelfTestResult(context, SLU_ROUTE_VULKAN), SLU_SUCCESS) << sluGetErrorMessage(context);
  }

  // The route is absent for a reason that holds `part`, and plans and buffers that want it say the same.
  void expectUnavailable(const SluVulkanDeviceInfo& info, const std::string& part) {
    const Context context = makeContext(info);
    auto route = SLU_INIT(ROUTE_INFO, SluRouteInfo);
    ASSERT_EQ(sluGetRouteInfo(context, SLU_ROUTE_VULKAN, &route), SLU_SUCCESS);
    EXPECT_FALSE(route.available);
    EXPECT_NE(std::string(route.reason).find(part), std::string::npos) << route.reason;
    ASSERT_EQ(sluGetRouteInfo(context, SLU_ROUTE_AUTO, &route), SLU_SUCCESS);
    EXPECT_EQ(route.route, SLU_ROUTE_CPU);
    EXPECT_NE(std::string(route.reason).find(part), std::string::npos) << route.reason;

    const PlanSpec spec = simplePlan(SLU_ORDER_UNORDERED, 4, 10);
    Plan plan;
    const SluResult result = sluCreatePlan(context, PlanArguments(spec, SLU_ROUTE_VULKAN).get(), plan.put());
    EXPECT_TRUE(failsWith(result, SLU_ERROR_MISSING_FEATURE, context, part));
    EXPECT_EQ(plan.get(), nullptr);
    EXPECT_EQ(sluCreatePlan(context, PlanArguments(spec, SLU_ROUTE_AUTO).get(), plan.put()), SLU_SUCCESS);
  }
};

TEST_F(Features, EachIsMissedByName) {
  const SluVulkanRequirements requirements = requirementsOf(instance());
  if (requirements.vulkan12.bufferDeviceAddress == VK_FALSE) {
    GTEST_SKIP() << "the device has no buffer addresses, and bound buffers need no feature";
  }
  const std::size_t count = namedFeatures(*std::make_unique<DeviceFeatures>(requirements)).size();
  for (std::size_t i = 0; i < count; ++i) {
    DeviceFeatures features(requirements);
    const Feature feature = namedFeatures(features)[i];
    ASSERT_EQ(*feature.value, VK_TRUE) << feature.name << " is not asked for";
    *feature.value = VK_FALSE;
    const VulkanDevice lacking(instance(), features);
    expectUnavailable(lacking.info(), feature.name);
  }
}

TEST_F(Features, AllHaveNames) {
  DeviceFeatures features(requirementsOf(instance()));
  for (const Feature& feature : namedFeatures(features)) *feature.value = VK_FALSE;
  for (const Feature& feature : addressFeatures(features)) *feature.value = VK_FALSE;
  takeOptionalFeatures(features);
  const VkPhysicalDeviceFeatures none{};
  EXPECT_EQ(std::memcmp(&features.features.features, &none, sizeof(none)), 0) << "add the new feature's name above";
  auto none12 = features.vulkan12;
  std::memset(&none12.samplerMirrorClampToEdge, 0,
              sizeof(none12) - offsetof(decltype(none12), samplerMirrorClampToEdge));
  EXPECT_EQ(std::memcmp(&features.vulkan12, &none12, sizeof(none12)), 0) << "add the new feature's name above";
}

TEST_F(Features, EachExtensionIsMissedByName) {
  const SluVulkanRequirements requirements = requirementsOf(instance());
  if (requirements.extensionCount == 0) GTEST_SKIP() << "no extension is asked for";
  for (std::uint32_t i = 0; i < requirements.extensionCount; ++i) {
    DeviceFeatures features(requirements);
    features.extensions.erase(features.extensions.begin() + i);
    const VulkanDevice lacking(instance(), features);
    expectUnavailable(lacking.info(), requirements.extensions[i]);
  }
}

TEST_F(Features, OfAddressesMayBeMissing) {
  for (std::size_t i = 0; i < 2; ++i) {
    DeviceFeatures features(requirementsOf(instance()));
    takeOptionalFeatures(features);
    *addressFeatures(features)[i].value = VK_FALSE;
    expectSelfTestPasses(VulkanDevice(instance(), features));
  }
}

// Without 64-bit atomics unordered frames go another way.
TEST_F(Features, WorkWithoutTheOptionalOnes) {
  DeviceFeatures features(requirementsOf(instance()));
  takeOptionalFeatures(features);
  expectSelfTestPasses(VulkanDevice(instance(), features));
}

// What a device says of float controls, and how many of the modules declare that floats are rounded to nearest.
VkPhysicalDeviceFloatControlsProperties offered{};
std::uint32_t moduleCount = 0, declaringCount = 0;
PFN_vkGetPhysicalDeviceProperties2 getRealProperties = nullptr;
PFN_vkGetDeviceProcAddr getRealFunction = nullptr;
PFN_vkCreateShaderModule createRealModule = nullptr;

VKAPI_ATTR void VKAPI_CALL getOffered(VkPhysicalDevice physicalDevice, VkPhysicalDeviceProperties2* properties) {
  getRealProperties(physicalDevice, properties);
  for (auto* next = static_cast<VkBaseOutStructure*>(properties->pNext); next != nullptr; next = next->pNext) {
    if (next->sType != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES) continue;
    auto& floats = *reinterpret_cast<VkPhysicalDeviceFloatControlsProperties*>(next);
    floats.shaderRoundingModeRTEFloat32 = offered.shaderRoundingModeRTEFloat32;
    floats.roundingModeIndependence = offered.roundingModeIndependence;
  }
}

VKAPI_ATTR VkResult VKAPI_CALL createCounted(VkDevice device, const VkShaderModuleCreateInfo* info,
                                             const VkAllocationCallbacks* allocator, VkShaderModule* module) {
  constexpr std::uint32_t kHeaderWords = 5, kRoundingModeRteCapability = 4467;
  ++moduleCount;
  if (info->pCode[kHeaderWords + 1] == kRoundingModeRteCapability) ++declaringCount;
  return createRealModule(device, info, allocator, module);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL deviceFunction(VkDevice device, const char* name) {
  const PFN_vkVoidFunction real = getRealFunction(device, name);
  return std::strcmp(name, "vkCreateShaderModule") == 0 ? replace(createRealModule, real, createCounted) : real;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL instanceFunction(VkInstance instance, const char* name) {
  const PFN_vkVoidFunction real = loadVulkan()(instance, name);
  if (std::strcmp(name, "vkGetPhysicalDeviceProperties2") == 0) return replace(getRealProperties, real, getOffered);
  if (std::strcmp(name, "vkGetDeviceProcAddr") == 0) return replace(getRealFunction, real, deviceFunction);
  return real;
}

TEST_F(Features, RoundingIsDeclaredWhereTheDeviceLetsShaders) {
  VkPhysicalDeviceFloatControlsProperties real{};
  real.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES;
  VkPhysicalDeviceProperties2 properties{};
  properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  properties.pNext = &real;
  reinterpret_cast<PFN_vkGetPhysicalDeviceProperties2>(
      loadVulkan()(instance().handle, "vkGetPhysicalDeviceProperties2"))(instance().physicalDevice, &properties);
  for (const auto& [rounds, independence, declares] :
       {std::tuple{VK_TRUE, VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_ALL, true},
        {VK_TRUE, VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_32_BIT_ONLY, true},
        {VK_TRUE, VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_NONE, false},
        {VK_FALSE, VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_ALL, false}}) {
    if (declares && real.shaderRoundingModeRTEFloat32 == VK_FALSE) continue;  // the validation layer would object
    offered.shaderRoundingModeRTEFloat32 = rounds;
    offered.roundingModeIndependence = independence;
    moduleCount = declaringCount = 0;
    SluVulkanDeviceInfo info = device().info();
    info.getInstanceProcAddr = instanceFunction;
    const Context context = makeContext(info);
    Plan plan;
    ASSERT_EQ(
        sluCreatePlan(context, PlanArguments(simplePlan(SLU_ORDER_STABLE, 4, 10), SLU_ROUTE_VULKAN).get(), plan.put()),
        SLU_SUCCESS);
    EXPECT_GT(moduleCount, 0u);
    EXPECT_EQ(declaringCount, declares ? moduleCount : 0);
  }
}

// Vulkan has several structs that enable the same feature.
TEST_F(Features, AreFoundInEveryStruct) {
  VkPhysicalDeviceBufferDeviceAddressFeatures address{};
  address.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES;
  address.bufferDeviceAddress = VK_TRUE;
  VkPhysicalDeviceUniformBufferStandardLayoutFeatures layout{};
  layout.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_UNIFORM_BUFFER_STANDARD_LAYOUT_FEATURES;
  layout.pNext = &address;
  layout.uniformBufferStandardLayout = VK_TRUE;
  VkPhysicalDeviceFeatures core{};
  core.shaderInt64 = VK_TRUE;
  VkDeviceCreateInfo createInfo = *device().info().deviceCreateInfo;
  createInfo.pNext = &layout;
  createInfo.pEnabledFeatures = &core;
  SluVulkanDeviceInfo info = device().info();
  info.deviceCreateInfo = &createInfo;
  const Context context = makeContext(info);
  auto route = SLU_INIT(ROUTE_INFO, SluRouteInfo);
  ASSERT_EQ(sluGetRouteInfo(context, SLU_ROUTE_VULKAN, &route), SLU_SUCCESS);
  EXPECT_TRUE(route.available) << route.reason;
}

}  // namespace
}  // namespace slu::test

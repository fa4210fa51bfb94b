// Every field of SluVulkanDeviceInfo.
#include <cstddef>
#include <cstring>
#include <memory>

#include "counting_allocator.h"
#include "fixture.h"

namespace slu::test {
namespace {

class DeviceInfo : public VulkanTest {
 protected:
  // The device's info after `change` is refused with a sentence that holds `part`, and no context appears.
  template <typename Change>
  void expectRefused(const Change& change, const std::string& part) {
    SluVulkanDeviceInfo info = device().info();
    change(info);
    SluContext context = nullptr;
    SluMessage message{};
    const SluResult result = createContext(info, &context, &message);
    EXPECT_TRUE(failsWith(result, SLU_ERROR_INVALID_ARGUMENT, message, part));
    EXPECT_EQ(context, nullptr);
    sluDestroyContext(context);
  }
};

TEST_F(DeviceInfo, RefusesNullHandles) {
  expectRefused([](SluVulkanDeviceInfo& info) { info.getInstanceProcAddr = nullptr; }, "getInstanceProcAddr");
  expectRefused([](SluVulkanDeviceInfo& info) { info.instance = VK_NULL_HANDLE; }, "instance");
  expectRefused([](SluVulkanDeviceInfo& info) { info.physicalDevice = VK_NULL_HANDLE; }, "physicalDevice");
  expectRefused([](SluVulkanDeviceInfo& info) { info.device = VK_NULL_HANDLE; }, "device");
  expectRefused([](SluVulkanDeviceInfo& info) { info.deviceCreateInfo = nullptr; }, "deviceCreateInfo");
}

TEST_F(DeviceInfo, RefusesMalformedStructs) {
  expectRefused([](SluVulkanDeviceInfo& info) { info.structSize = 0; }, "structSize");
  expectRefused([](SluVulkanDeviceInfo& info) { info.structSize = offsetof(SluVulkanDeviceInfo, enabledFeatures) - 4; },
                "structSize");
  expectRefused([](SluVulkanDeviceInfo& info) { info.sType = SLU_STRUCTURE_TYPE_VULKAN_BUFFER_INFO; }, "pNext");
  const auto unknown = SLU_INIT(FRAME_INFO, SluFrameInfo);
  expectRefused([&](SluVulkanDeviceInfo& info) { info.pNext = &unknown; }, "pNext");
  const SluVulkanDeviceInfo again = device().info();
  expectRefused([&](SluVulkanDeviceInfo& info) { info.pNext = &again; }, "pNext");
  const VkDeviceCreateInfo empty{};
  expectRefused([&](SluVulkanDeviceInfo& info) { info.deviceCreateInfo = &empty; }, "deviceCreateInfo");
}

TEST_F(DeviceInfo, RefusesQueueFamiliesThatAreNotThere) {
  for (const std::uint32_t family : {1000u, VK_QUEUE_FAMILY_IGNORED}) {
    expectRefused([=](SluVulkanDeviceInfo& info) { info.queueFamilyIndex = family; }, "queueFamilyIndex");
  }
}

TEST_F(DeviceInfo, RefusesQueueFamiliesWithoutCompute) {
  std::uint32_t count = 0;
  instance().functions.vkGetPhysicalDeviceQueueFamilyProperties(instance().physicalDevice, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  instance().functions.vkGetPhysicalDeviceQueueFamilyProperties(instance().physicalDevice, &count, families.data());
  bool found = false;
  for (std::uint32_t i = 0; i < count; ++i) {
    if ((families[i].queueFlags & VK_QUEUE_COMPUTE_BIT) != 0) continue;
    found = true;
    expectRefused([=](SluVulkanDeviceInfo& info) { info.queueFamilyIndex = i; }, "queueFamilyIndex");
  }
  if (!found) GTEST_SKIP() << "each of the device's " << count << " queue families has compute";
}

TEST_F(DeviceInfo, RefusesOddSubgroupSizes) {
  for (const std::uint32_t size : {1u, 2u, 3u, 5u, 12u, 127u, 256u, 0x80000000u}) {
    expectRefused([=](SluVulkanDeviceInfo& info) { info.emulatedSubgroupSize = size; }, "emulatedSubgroupSize");
  }
  for (std::uint32_t size = 4; size <= 128; size *= 2) {
    SluVulkanDeviceInfo info = device().info();
    info.emulatedSubgroupSize = size;
    makeContext(info);
  }
}

TEST_F(DeviceInfo, RefusesUnknownFlags) {
  expectRefused([](SluVulkanDeviceInfo& info) { info.flags = 1u << 20; }, "vulkanDevice.flags");
  expectRefused([](SluVulkanDeviceInfo& info) { info.reserved = 1; }, "vulkanDevice.reserved");
}

// As Vulkan demands of allocation callbacks.
TEST_F(DeviceInfo, RefusesIncompleteCallbacks) {
  const CountingAllocator allocator;
  VkAllocationCallbacks callbacks = allocator.callbacks();
  const auto given = [&](SluVulkanDeviceInfo& info) { info.allocationCallbacks = &callbacks; };
  const auto expectField = [&](auto member, const std::string& field) {
    callbacks = allocator.callbacks();
    callbacks.*member = nullptr;
    expectRefused(given, "vulkanDevice.allocationCallbacks." + field + ": ");
  };
  expectField(&VkAllocationCallbacks::pfnAllocation, "pfnAllocation");
  expectField(&VkAllocationCallbacks::pfnReallocation, "pfnReallocation");
  expectField(&VkAllocationCallbacks::pfnFree, "pfnFree");
  expectField(&VkAllocationCallbacks::pfnInternalAllocation, "pfnInternalAllocation");
  expectField(&VkAllocationCallbacks::pfnInternalFree, "pfnInternalAllocation");
  callbacks.pfnInternalAllocation = nullptr;  // as pfnInternalFree is
  SluVulkanDeviceInfo info = device().info();
  given(info);
  makeContext(info);
}

TEST_F(DeviceInfo, DoesWithoutAMessage) {
  SluVulkanDeviceInfo info = device().info();
  info.device = VK_NULL_HANDLE;
  SluContext context = nullptr;
  EXPECT_EQ(createContext(info, &context, nullptr), SLU_ERROR_INVALID_ARGUMENT);
}

// What Vulkan would not have taken either, and what no route has read before it is refused.
TEST_F(DeviceInfo, RefusesMalformedCreateInfos) {
  VkDeviceCreateInfo created = *device().info().deviceCreateInfo;
  const auto given = [&](SluVulkanDeviceInfo& info) { info.deviceCreateInfo = &created; };
  created.enabledExtensionCount = 1;
  created.ppEnabledExtensionNames = nullptr;
  expectRefused(given, "vulkanDevice.deviceCreateInfo.ppEnabledExtensionNames: is null");
  const char* const names[] = {VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME, nullptr};
  created.enabledExtensionCount = 2;
  created.ppEnabledExtensionNames = names;
  expectRefused(given, "vulkanDevice.deviceCreateInfo.ppEnabledExtensionNames[1]: is null");
  VkPhysicalDeviceFeatures2 circle{};
  circle.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  circle.pNext = &circle;
  created = *device().info().deviceCreateInfo;
  created.pNext = &circle;
  expectRefused(given, "vulkanDevice.deviceCreateInfo.pNext");
}

// Of a host whose device a wrapper made.
TEST_F(DeviceInfo, TakesEnabledFeaturesInsteadOfACreateInfo) {
  const VkDeviceCreateInfo& created = *device().info().deviceCreateInfo;
  SluVulkanDeviceInfo info = device().info();
  info.deviceCreateInfo = nullptr;
  info.enabledFeatures = created.pNext;
  info.enabledExtensionCount = created.enabledExtensionCount;
  info.enabledExtensions = created.ppEnabledExtensionNames;
  const Context context = makeContext(info);
  auto route = SLU_INIT(ROUTE_INFO, SluRouteInfo);
  ASSERT_EQ(sluGetRouteInfo(context, SLU_ROUTE_VULKAN, &route), SLU_SUCCESS);
  EXPECT_TRUE(route.available) << route.reason;

  VkPhysicalDeviceFeatures2 none{};
  none.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  info.enabledFeatures = &none;
  const Context without = makeContext(info);
  ASSERT_EQ(sluGetRouteInfo(without, SLU_ROUTE_VULKAN, &route), SLU_SUCCESS);
  EXPECT_TRUE(route.available) << "by bound buffers: " << route.reason;
  // Where there are no addresses no feature can be missing.
  if ((requirementsOf(instance()).bufferUsage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT) == 0) return;

  VkPhysicalDeviceFeatures2 some = none;
  VkPhysicalDeviceBufferDeviceAddressFeatures address{};
  address.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES;
  address.bufferDeviceAddress = VK_TRUE;
  some.pNext = &address;
  some.features.shaderInt64 = VK_TRUE;
  info.enabledFeatures = &some;
  const Context lacking = makeContext(info);
  ASSERT_EQ(sluGetRouteInfo(lacking, SLU_ROUTE_VULKAN, &route), SLU_SUCCESS);
  EXPECT_FALSE(route.available);
  EXPECT_NE(
      std::string(route.reason).find("uniformBufferStandardLayout, which vulkanDevice.enabledFeatures does not enable"),
      std::string::npos)
      << route.reason;
}

TEST_F(DeviceInfo, RefusesMalformedEnabledFeatures) {
  VkPhysicalDeviceFeatures2 features{};
  const auto given = [&](SluVulkanDeviceInfo& info) {
    info.deviceCreateInfo = nullptr;
    info.enabledFeatures = &features;
  };
  features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  expectRefused([&](SluVulkanDeviceInfo& info) { info.enabledFeatures = &features; }, "vulkanDevice.enabledFeatures");
  const auto withExtension = [&](SluVulkanDeviceInfo& info) {
    given(info);
    info.enabledExtensionCount = 1;
  };
  expectRefused(withExtension, "vulkanDevice.enabledExtensions: is null");
  features.pNext = &features;
  expectRefused(given, "vulkanDevice.enabledFeatures: has over");
}

// Structs are read during the call only: sanitizers see what is read later.
TEST_F(DeviceInfo, IsNotKept) {
  const VkDeviceCreateInfo& created = *device().info().deviceCreateInfo;
  auto vulkan12 = std::make_unique<VkPhysicalDeviceVulkan12Features>();
  auto core = std::make_unique<VkPhysicalDeviceFeatures2>();
  for (auto* at = static_cast<const VkBaseInStructure*>(created.pNext); at != nullptr; at = at->pNext) {
    if (at->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2) std::memcpy(core.get(), at, sizeof(*core));
    if (at->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES) {
      std::memcpy(vulkan12.get(), at, sizeof(*vulkan12));
    }
  }
  vulkan12->pNext = nullptr;
  core->pNext = vulkan12.get();
  std::vector<std::string> names(created.ppEnabledExtensionNames,
                                 created.ppEnabledExtensionNames + created.enabledExtensionCount);
  names.emplace_back("VK_of_no_meaning");
  std::vector<const char*> pointers;
  for (const std::string& name : names) pointers.push_back(name.c_str());
  auto info = std::make_unique<SluVulkanDeviceInfo>(device().info());
  info->deviceCreateInfo = nullptr;
  info->enabledFeatures = core.get();
  info->enabledExtensionCount = static_cast<std::uint32_t>(pointers.size());
  info->enabledExtensions = pointers.data();
  const Context context = makeContext(*info);
  info.reset();
  core.reset();
  vulkan12.reset();
  pointers = {};
  names = {};
  device().runOnce([&](VkCommandBuffer commands) {
    ASSERT_EQ(sluCmdSelfTest(context, SLU_ROUTE_VULKAN, commands), SLU_SUCCESS) << sluGetErrorMessage(context);
  });
  EXPECT_EQ(sluGetSelfTestResult(context, SLU_ROUTE_VULKAN), SLU_SUCCESS) << sluGetErrorMessage(context);
}

// A host of the first version has a create info, one of the second may have enabled features, and nothing behind their
// structs is read.
TEST_F(DeviceInfo, TakesEarlierVersions) {
  for (const std::size_t bytes :
       {offsetof(SluVulkanDeviceInfo, enabledFeatures), offsetof(SluVulkanDeviceInfo, allocationCallbacks)}) {
    SluVulkanDeviceInfo info = device().info();
    info.structSize = static_cast<std::uint32_t>(bytes);
    std::memset(reinterpret_cast<char*>(&info) + bytes, 0x77, sizeof(info) - bytes);
    const Context context = makeContext(info);
    auto route = SLU_INIT(ROUTE_INFO, SluRouteInfo);
    ASSERT_EQ(sluGetRouteInfo(context, SLU_ROUTE_VULKAN, &route), SLU_SUCCESS);
    EXPECT_TRUE(route.available) << route.reason;
  }
}

}  // namespace
}  // namespace slu::test

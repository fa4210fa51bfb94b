// Every field of SluVulkanDeviceInfo.
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
  expectRefused([](SluVulkanDeviceInfo& info) { info.structSize -= 8; }, "structSize");
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

TEST_F(DeviceInfo, DoesWithoutAMessage) {
  SluVulkanDeviceInfo info = device().info();
  info.device = VK_NULL_HANDLE;
  SluContext context = nullptr;
  EXPECT_EQ(createContext(info, &context, nullptr), SLU_ERROR_INVALID_ARGUMENT);
}

// Structs are read during the call only.
TEST_F(DeviceInfo, IsNotKept) {
  VkDeviceCreateInfo createInfo = *device().info().deviceCreateInfo;
  SluVulkanDeviceInfo info = device().info();
  info.deviceCreateInfo = &createInfo;
  const Context context = makeContext(info);
  createInfo.pNext = nullptr;
  info = {};
  auto route = SLU_INIT(ROUTE_INFO, SluRouteInfo);
  ASSERT_EQ(sluGetRouteInfo(context, SLU_ROUTE_AUTO, &route), SLU_SUCCESS);
  EXPECT_EQ(route.route, SLU_ROUTE_VULKAN);
}

}  // namespace
}  // namespace slu::test

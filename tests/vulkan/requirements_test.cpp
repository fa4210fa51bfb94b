// sluGetVulkanRequirements: what it asks for is enough, and what it refuses.
#include <cstddef>
#include <cstring>
#include <utility>

#include "fixture.h"

namespace slu::test {
namespace {

class Requirements : public VulkanTest {
 protected:
  SluResult get(SluRoute route, SluVulkanRequirements* filled) {
    return sluGetVulkanRequirements(loadVulkan(), instance().handle, instance().physicalDevice, route, filled,
                                    &message);
  }
  // What creating a context says.
  static std::string logOf(const SluVulkanDeviceInfo& vulkan) {
    std::string log;
    auto info = SLU_INIT(CONTEXT_CREATE_INFO, SluContextCreateInfo);
    info.pNext = &vulkan;
    info.log = [](void* text, SluLogSeverity, const char* sentence) {
      *static_cast<std::string*>(text) += std::string(sentence) + "\n";
    };
    info.logUserData = &log;
    Context context;
    EXPECT_EQ(sluCreateContext(&info, context.put(), nullptr), SLU_SUCCESS) << log;
    return log;
  }
  SluVulkanRequirements requirements = SLU_INIT(VULKAN_REQUIREMENTS, SluVulkanRequirements);
  SluMessage message{};
};

TEST_F(Requirements, AreFilledAndEnough) {
  for (const SluRoute route : {SLU_ROUTE_AUTO, SLU_ROUTE_VULKAN}) {
    auto filled = SLU_INIT(VULKAN_REQUIREMENTS, SluVulkanRequirements);
    ASSERT_EQ(get(route, &filled), SLU_SUCCESS) << message.text;
    EXPECT_EQ(filled.apiVersion, filled.boundBuffers ? VK_API_VERSION_1_1 : VK_API_VERSION_1_2);
    EXPECT_LE(filled.extensionCount, SLU_MAX_VULKAN_EXTENSIONS);
    for (std::uint32_t i = 0; i < filled.extensionCount; ++i) EXPECT_NE(filled.extensions[i], nullptr);
    EXPECT_NE(filled.bufferUsage & VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, 0u);
    EXPECT_NE((filled.bufferUsage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT) != 0, filled.boundBuffers != 0);
    EXPECT_EQ(filled.sType, SLU_STRUCTURE_TYPE_VULKAN_REQUIREMENTS);
    EXPECT_EQ(filled.structSize, sizeof(filled));
  }
  // The device of the fixture has nothing but what they ask for.
  const Context context = makeContext();
  auto info = SLU_INIT(ROUTE_INFO, SluRouteInfo);
  ASSERT_EQ(sluGetRouteInfo(context, SLU_ROUTE_VULKAN, &info), SLU_SUCCESS);
  EXPECT_TRUE(info.available) << info.reason;
  EXPECT_STREQ(info.reason, "");
}

TEST_F(Requirements, RefuseNullArguments) {
  const VkInstance vkInstance = instance().handle;
  const VkPhysicalDevice physicalDevice = instance().physicalDevice;
  const SluVulkanRequirements before = requirements;
  EXPECT_TRUE(failsWith(
      sluGetVulkanRequirements(nullptr, vkInstance, physicalDevice, SLU_ROUTE_VULKAN, &requirements, &message),
      SLU_ERROR_INVALID_ARGUMENT, message, "getInstanceProcAddr"));
  EXPECT_TRUE(failsWith(
      sluGetVulkanRequirements(loadVulkan(), VK_NULL_HANDLE, physicalDevice, SLU_ROUTE_VULKAN, &requirements, &message),
      SLU_ERROR_INVALID_ARGUMENT, message, "instance"));
  EXPECT_TRUE(failsWith(
      sluGetVulkanRequirements(loadVulkan(), vkInstance, VK_NULL_HANDLE, SLU_ROUTE_VULKAN, &requirements, &message),
      SLU_ERROR_INVALID_ARGUMENT, message, "physicalDevice"));
  EXPECT_TRUE(failsWith(get(SLU_ROUTE_VULKAN, nullptr), SLU_ERROR_INVALID_ARGUMENT, message, "requirements"));
  EXPECT_EQ(std::memcmp(&before, &requirements, sizeof(before)), 0) << "outputs of a failing call stay untouched";
}

TEST_F(Requirements, DoWithoutAMessage) {
  EXPECT_EQ(sluGetVulkanRequirements(nullptr, instance().handle, instance().physicalDevice, SLU_ROUTE_VULKAN,
                                     &requirements, nullptr),
            SLU_ERROR_INVALID_ARGUMENT);
}

TEST_F(Requirements, RefuseOtherRoutes) {
  EXPECT_TRUE(failsWith(get(SLU_ROUTE_CPU, &requirements), SLU_ERROR_ROUTE_UNAVAILABLE, message, "route"));
}

TEST_F(Requirements, OfInlineAreFilledOrRefusedForAReason) {
  const SluVulkanRequirements before = requirements;
  const SluResult result = get(SLU_ROUTE_INLINE, &requirements);
  if (result != SLU_SUCCESS) {
    EXPECT_TRUE(result == SLU_ERROR_MISSING_FEATURE || result == SLU_ERROR_ROUTE_UNAVAILABLE);
    EXPECT_NE(std::string(message.text).find("inline route"), std::string::npos) << message.text;
    EXPECT_EQ(std::memcmp(&before, &requirements, sizeof(before)), 0) << "outputs of a failing call stay untouched";
    return;
  }
  EXPECT_EQ(requirements.extensionCount, 1u);
  EXPECT_EQ(requirements.vulkan12.bufferDeviceAddress, VK_TRUE);
}

TEST_F(Requirements, OfCudaAreFilledOrRefusedForAReason) {
  const SluVulkanRequirements before = requirements;
  const SluResult result = get(SLU_ROUTE_CUDA, &requirements);
  if (result != SLU_SUCCESS) {
    EXPECT_TRUE(result == SLU_ERROR_MISSING_FEATURE || result == SLU_ERROR_ROUTE_UNAVAILABLE);
    const std::string sentence = message.text;
    EXPECT_TRUE(sentence.find("CUDA") != std::string::npos || sentence.find("cuda") != std::string::npos) << sentence;
    EXPECT_EQ(std::memcmp(&before, &requirements, sizeof(before)), 0) << "outputs of a failing call stay untouched";
    return;
  }
  EXPECT_EQ(requirements.extensionCount, 2u);
  EXPECT_STREQ(requirements.extensions[0], VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME);
  EXPECT_STREQ(requirements.extensions[1], VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME);
  EXPECT_EQ(requirements.vulkan12.timelineSemaphore, VK_TRUE);
  EXPECT_EQ(requirements.apiVersion, VK_API_VERSION_1_2);
  EXPECT_EQ(requirements.bufferUsage, 0u) << "CUDA sees memory and no usage";
}

TEST_F(Requirements, NameWhatIndirectDrawsNeed) {
  VkPhysicalDeviceVulkan12Features vulkan12{};
  vulkan12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
  VkPhysicalDeviceFeatures2 offered{};
  offered.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  offered.pNext = &vulkan12;
  const auto getOffered = reinterpret_cast<PFN_vkGetPhysicalDeviceFeatures2>(
      loadVulkan()(instance().handle, "vkGetPhysicalDeviceFeatures2"));
  getOffered(instance().physicalDevice, &offered);
  ASSERT_EQ(get(SLU_ROUTE_VULKAN, &requirements), SLU_SUCCESS) << message.text;
  EXPECT_EQ(requirements.features.drawIndirectFirstInstance, offered.features.drawIndirectFirstInstance);
  EXPECT_EQ(requirements.features.multiDrawIndirect, offered.features.multiDrawIndirect);
  EXPECT_EQ(requirements.vulkan12.drawIndirectCount, vulkan12.drawIndirectCount);
}

// As a loader answers for an instance of Vulkan 1.0: the core features alone.
PFN_vkGetPhysicalDeviceFeatures2 getFeatures = nullptr;

VKAPI_ATTR void VKAPI_CALL getCoreFeatures(VkPhysicalDevice physicalDevice, VkPhysicalDeviceFeatures2* features) {
  void* const chain = std::exchange(features->pNext, nullptr);
  getFeatures(physicalDevice, features);
  features->pNext = chain;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL functionOfAnOldInstance(VkInstance instance, const char* name) {
  const PFN_vkVoidFunction real = loadVulkan()(instance, name);
  return std::strcmp(name, "vkGetPhysicalDeviceFeatures2") == 0 ? replace(getFeatures, real, getCoreFeatures) : real;
}

TEST_F(Requirements, OfOldInstancesAreBoundBuffers) {
  for (const SluRoute route : {SLU_ROUTE_VULKAN, SLU_ROUTE_AUTO}) {
    ASSERT_EQ(sluGetVulkanRequirements(functionOfAnOldInstance, instance().handle, instance().physicalDevice, route,
                                       &requirements, &message),
              SLU_SUCCESS)
        << message.text;
    EXPECT_EQ(requirements.apiVersion, VK_API_VERSION_1_1);
    EXPECT_EQ(requirements.boundBuffers, VK_TRUE);
    EXPECT_EQ(requirements.bufferUsage, VkBufferUsageFlags{VK_BUFFER_USAGE_STORAGE_BUFFER_BIT});
    EXPECT_EQ(requirements.features.shaderInt64, VK_FALSE);
    EXPECT_EQ(requirements.vulkan12.bufferDeviceAddress, VK_FALSE);
    EXPECT_EQ(requirements.vulkan12.uniformBufferStandardLayout, VK_FALSE);
  }
  SluVulkanDeviceInfo info = device().info();
  info.getInstanceProcAddr = functionOfAnOldInstance;
  EXPECT_NE(logOf(info).find("route vulkan: available, by bound buffers, since instance or device is below Vulkan 1.2"),
            std::string::npos)
      << logOf(info);
}

// A host of the first version has no drawIndirectCountExtension.
TEST_F(Requirements, LeaveAloneWhatAnOlderHostLacks) {
  requirements.structSize = offsetof(SluVulkanRequirements, drawIndirectCountExtension);
  requirements.drawIndirectCountExtension = 77;
  ASSERT_EQ(get(SLU_ROUTE_VULKAN, &requirements), SLU_SUCCESS) << message.text;
  EXPECT_EQ(requirements.drawIndirectCountExtension, 77u);
}

// What physical devices say of themselves, changed.
PFN_vkGetPhysicalDeviceProperties2 getProperties = nullptr;
void (*change)(VkBaseOutStructure* properties) = nullptr;

VKAPI_ATTR void VKAPI_CALL getChanged(VkPhysicalDevice physicalDevice, VkPhysicalDeviceProperties2* properties) {
  getProperties(physicalDevice, properties);
  change(reinterpret_cast<VkBaseOutStructure*>(properties));
  for (auto* chained = static_cast<VkBaseOutStructure*>(properties->pNext); chained != nullptr;
       chained = chained->pNext) {
    change(chained);
  }
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL changedFunction(VkInstance instance, const char* name) {
  const PFN_vkVoidFunction real = loadVulkan()(instance, name);
  return std::strcmp(name, "vkGetPhysicalDeviceProperties2") == 0 ? replace(getProperties, real, getChanged) : real;
}

// Its subgroups can be emulated, which the host says when it makes a context.
TEST_F(Requirements, AreToldOfDevicesWithoutBallots) {
  change = [](VkBaseOutStructure* properties) {
    if (properties->sType != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES) return;
    reinterpret_cast<VkPhysicalDeviceSubgroupProperties*>(properties)->supportedOperations = 0;
  };
  EXPECT_EQ(sluGetVulkanRequirements(changedFunction, instance().handle, instance().physicalDevice, SLU_ROUTE_VULKAN,
                                     &requirements, &message),
            SLU_SUCCESS)
      << message.text;
  for (const std::uint32_t size : {0u, 32u}) {
    SluVulkanDeviceInfo info = device().info();
    info.getInstanceProcAddr = changedFunction;
    info.emulatedSubgroupSize = size;
    const Context context = makeContext(info);
    auto route = SLU_INIT(ROUTE_INFO, SluRouteInfo);
    ASSERT_EQ(sluGetRouteInfo(context, SLU_ROUTE_VULKAN, &route), SLU_SUCCESS);
    EXPECT_EQ(route.available, size == 0 ? 0u : 1u) << route.reason;
    EXPECT_EQ(std::string(route.reason).find("emulatedSubgroupSize") != std::string::npos, size == 0) << route.reason;
  }
}

TEST_F(Requirements, OfDevicesOfVulkan11AreBoundBuffers) {
  change = [](VkBaseOutStructure* properties) {
    if (properties->sType != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2) return;
    reinterpret_cast<VkPhysicalDeviceProperties2*>(properties)->properties.apiVersion = VK_API_VERSION_1_1;
  };
  ASSERT_EQ(sluGetVulkanRequirements(changedFunction, instance().handle, instance().physicalDevice, SLU_ROUTE_VULKAN,
                                     &requirements, &message),
            SLU_SUCCESS)
      << message.text;
  EXPECT_EQ(requirements.boundBuffers, VK_TRUE);
  EXPECT_EQ(requirements.apiVersion, VK_API_VERSION_1_1);
  for (std::uint32_t i = 0; i < requirements.extensionCount; ++i) {
    const std::string extension = requirements.extensions[i];
    EXPECT_TRUE(extension == VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME ||
                extension == VK_KHR_SHADER_FLOAT_CONTROLS_EXTENSION_NAME)
        << extension;
  }
}

TEST_F(Requirements, TellLimits) {
  change = [](VkBaseOutStructure* properties) {
    if (properties->sType != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2) return;
    VkPhysicalDeviceLimits& limits = reinterpret_cast<VkPhysicalDeviceProperties2*>(properties)->properties.limits;
    limits.maxPerStageDescriptorStorageBuffers = 5;
    limits.maxStorageBufferRange = 1u << 27;
  };
  ASSERT_EQ(sluGetVulkanRequirements(changedFunction, instance().handle, instance().physicalDevice, SLU_ROUTE_VULKAN,
                                     &requirements, &message),
            SLU_SUCCESS)
      << message.text;
  EXPECT_EQ(requirements.maxBindings, 5u);
  EXPECT_EQ(requirements.maxBindingBytes, 1u << 27);
}

TEST_F(Requirements, RefuseOldDevicesByTheirVersion) {
  change = [](VkBaseOutStructure* properties) {
    if (properties->sType != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2) return;
    reinterpret_cast<VkPhysicalDeviceProperties2*>(properties)->properties.apiVersion = VK_API_VERSION_1_0;
  };
  EXPECT_TRUE(failsWith(sluGetVulkanRequirements(changedFunction, instance().handle, instance().physicalDevice,
                                                 SLU_ROUTE_VULKAN, &requirements, &message),
                        SLU_ERROR_MISSING_FEATURE, message, "has Vulkan 1.0"));
}

TEST_F(Requirements, RefuseMalformedStructs) {
  requirements.sType = SLU_STRUCTURE_TYPE_FRAME_INFO;
  EXPECT_TRUE(failsWith(get(SLU_ROUTE_AUTO, &requirements), SLU_ERROR_INVALID_ARGUMENT, message, "sType"));
  requirements = SLU_INIT(VULKAN_REQUIREMENTS, SluVulkanRequirements);
  for (const std::uint32_t size :
       {0u, static_cast<std::uint32_t>(offsetof(SluVulkanRequirements, drawIndirectCountExtension) - 4)}) {
    requirements.structSize = size;
    EXPECT_TRUE(failsWith(get(SLU_ROUTE_AUTO, &requirements), SLU_ERROR_INVALID_ARGUMENT, message, "structSize"));
  }
  requirements = SLU_INIT(VULKAN_REQUIREMENTS, SluVulkanRequirements);
  auto unknown = SLU_INIT(FRAME_INFO, SluFrameInfo);
  requirements.pNext = &unknown;
  EXPECT_TRUE(failsWith(get(SLU_ROUTE_AUTO, &requirements), SLU_ERROR_INVALID_ARGUMENT, message, "pNext"));
}

}  // namespace
}  // namespace slu::test

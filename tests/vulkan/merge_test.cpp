// sluMergeVulkanRequirements: chains of every shape, each of which then creates a device that the library takes.
#include <algorithm>
#include <cstring>

#include "fixture.h"

namespace slu::test {
namespace {

template <typename Struct>
Struct chained(VkStructureType type, void* pNext = nullptr) {
  Struct result{};
  result.sType = type;
  result.pNext = pNext;
  return result;
}

auto addressStruct(void* pNext = nullptr) {
  return chained<VkPhysicalDeviceBufferDeviceAddressFeatures>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES, pNext);
}
auto vulkan12Struct(void* pNext = nullptr) {
  return chained<VkPhysicalDeviceVulkan12Features>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, pNext);
}
auto vulkan11Struct(void* pNext = nullptr) {
  return chained<VkPhysicalDeviceVulkan11Features>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, pNext);
}
auto coreStruct(void* pNext = nullptr) {
  return chained<VkPhysicalDeviceFeatures2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, pNext);
}

class Merge : public VulkanTest {
 protected:
  void SetUp() override {
    VulkanTest::SetUp();
    if (!IsSkipped()) requirements = requirementsOf(instance());
  }

  SluResult merge() { return sluMergeVulkanRequirements(&requirements, &info, &message); }

  std::vector<VkStructureType> types() const {
    std::vector<VkStructureType> found;
    for (auto* at = static_cast<const VkBaseInStructure*>(info.featureChain); at != nullptr; at = at->pNext) {
      found.push_back(at->sType);
    }
    return found;
  }
  bool has(VkStructureType type) const {
    const std::vector<VkStructureType> all = types();
    return std::count(all.begin(), all.end(), type) == 1;
  }
  std::vector<std::string> extensions() const { return {info.extensions, info.extensions + info.extensionCount}; }

  std::vector<VkExtensionProperties> offeredExtensions() const {
    const auto enumerate = reinterpret_cast<PFN_vkEnumerateDeviceExtensionProperties>(
        loadVulkan()(instance().handle, "vkEnumerateDeviceExtensionProperties"));
    std::uint32_t count = 0;
    enumerate(instance().physicalDevice, nullptr, &count, nullptr);
    std::vector<VkExtensionProperties> all(count);
    enumerate(instance().physicalDevice, nullptr, &count, all.data());
    return all;
  }

  // Merges, creates a device with what came out, which the validation layer judges, and a context that is told of it as a
  // wrapper's host tells it. The Vulkan route is there, and draws may begin at any instance.
  void expectEnough() {
    // A host goes on with the head that it had, which shows all if it is the VkPhysicalDeviceFeatures2.
    const auto* const before = static_cast<const VkBaseInStructure*>(info.featureChain);
    const bool isCore = before != nullptr && before->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
    const void* const hostsHead = isCore ? before : nullptr;
    ASSERT_EQ(merge(), SLU_SUCCESS) << message.text;
    const float priority = 1.0f;
    VkDeviceQueueCreateInfo queue{};
    queue.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
    queue.queueFamilyIndex = device().queueFamily;
    queue.queueCount = 1;
    queue.pQueuePriorities = &priority;
    VkDeviceCreateInfo createInfo{};
    createInfo.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
    createInfo.pNext = info.featureChain;
    createInfo.pEnabledFeatures = info.coreFeatures;
    createInfo.queueCreateInfoCount = 1;
    createInfo.pQueueCreateInfos = &queue;
    createInfo.enabledExtensionCount = info.extensionCount;
    createInfo.ppEnabledExtensionNames = info.extensions;
    VkDevice created = VK_NULL_HANDLE;
    ASSERT_EQ(instance().functions.vkCreateDevice(instance().physicalDevice, &createInfo, nullptr, &created),
              VK_SUCCESS);
    SluVulkanDeviceInfo told = device().info();
    told.device = created;
    told.deviceCreateInfo = &createInfo;
    expectAvailable(told);
    told.deviceCreateInfo = nullptr;
    told.enabledExtensionCount = info.extensionCount;
    told.enabledExtensions = info.extensions;
    for (const void* head : {static_cast<const void*>(info.featureChain), hostsHead}) {
      if (head == nullptr || info.coreFeatures != nullptr) continue;
      told.enabledFeatures = head;
      expectAvailable(told);
    }
    reinterpret_cast<PFN_vkDestroyDevice>(instance().functions.vkGetDeviceProcAddr(created, "vkDestroyDevice"))(
        created, nullptr);
  }

  void expectRefused(const std::string& part) {
    const SluVulkanMergeInfo before = info;
    EXPECT_TRUE(failsWith(merge(), SLU_ERROR_INVALID_ARGUMENT, message, part));
    EXPECT_EQ(std::memcmp(&before, &info, sizeof(info)), 0) << "a failing call changes nothing";
  }

  SluVulkanRequirements requirements{};
  std::vector<const char*> names = std::vector<const char*>(SLU_MAX_VULKAN_EXTENSIONS + 8);
  SluVulkanMergeInfo info = [this] {
    auto made = SLU_INIT(VULKAN_MERGE_INFO, SluVulkanMergeInfo);
    made.extensions = names.data();
    made.extensionCapacity = static_cast<std::uint32_t>(names.size());
    return made;
  }();
  SluMessage message{};

 private:
  void expectAvailable(const SluVulkanDeviceInfo& told) {
    const Context context = makeContext(told);
    auto route = SLU_INIT(ROUTE_INFO, SluRouteInfo);
    ASSERT_EQ(sluGetRouteInfo(context, SLU_ROUTE_VULKAN, &route), SLU_SUCCESS);
    EXPECT_TRUE(route.available) << route.reason;
    SluBucket buckets[2] = {{8, {3, 0, 0, 0, 0}}, {8, {3, 0, 3, 0, 0}}};
    auto planInfo = SLU_INIT(PLAN_CREATE_INFO, SluPlanCreateInfo);
    planInfo.route = SLU_ROUTE_VULKAN;
    planInfo.recordStride = 4;
    planInfo.maxRecordCount = 16;
    planInfo.key.keyCount = planInfo.bucketCount = 2;
    planInfo.buckets = buckets;
    planInfo.outputs = SLU_OUTPUT_INDICES_BIT | SLU_OUTPUT_DRAWS_BIT;
    planInfo.draws = {SLU_DRAW_INDEXED_INSTANCES, 20, 0};
    Plan plan;
    EXPECT_EQ(sluCreatePlan(context, &planInfo, plan.put()), SLU_SUCCESS) << sluGetErrorMessage(context);
  }
};

// What is asked for where shaders reach buffers by addresses. Where they cannot, no feature is needed.
class MergeOfAddresses : public Merge {
 protected:
  void SetUp() override {
    Merge::SetUp();
    if (!IsSkipped() && requirements.vulkan12.bufferDeviceAddress == VK_FALSE) {
      GTEST_SKIP() << "the device has no buffer addresses, so that the requirements ask for few features";
    }
  }
};

TEST_F(MergeOfAddresses, MakesAChainWhereThereIsNone) {
  expectEnough();
  EXPECT_EQ(types().size(), 2u);
  EXPECT_TRUE(has(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2));
  EXPECT_TRUE(has(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES));
}

TEST_F(MergeOfAddresses, WritesIntoTheStructsThatAreThere) {
  auto vulkan12 = vulkan12Struct();
  vulkan12.hostQueryReset = VK_TRUE;
  auto core = coreStruct(&vulkan12);
  auto vulkan11 = vulkan11Struct(&core);
  info.featureChain = &vulkan11;
  expectEnough();
  EXPECT_EQ(info.featureChain, &vulkan11);
  EXPECT_EQ(types().size(), 3u);
  EXPECT_EQ(core.features.shaderInt64, VK_TRUE);
  EXPECT_EQ(vulkan12.bufferDeviceAddress, VK_TRUE);
  EXPECT_EQ(vulkan12.hostQueryReset, VK_TRUE) << "the host's own features stay";
}

TEST_F(MergeOfAddresses, KeepsToStructsOfSingleFeatures) {
  auto hostQueryReset =
      chained<VkPhysicalDeviceHostQueryResetFeatures>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_QUERY_RESET_FEATURES);
  auto address = addressStruct(&hostQueryReset);
  auto core = coreStruct(&address);
  info.featureChain = &core;
  expectEnough();
  EXPECT_FALSE(has(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES));
  EXPECT_TRUE(has(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES));
  EXPECT_TRUE(has(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_UNIFORM_BUFFER_STANDARD_LAYOUT_FEATURES));
  EXPECT_EQ(address.bufferDeviceAddress, VK_TRUE);
  EXPECT_EQ(address.bufferDeviceAddressCaptureReplay, VK_FALSE);
  const std::vector<std::string> all = extensions();
  EXPECT_EQ(std::count(all.begin(), all.end(), VK_KHR_DRAW_INDIRECT_COUNT_EXTENSION_NAME),
            requirements.vulkan12.drawIndirectCount == VK_TRUE && requirements.drawIndirectCountExtension != 0 ? 1 : 0);
}

// All that VkPhysicalDeviceVulkan12Features replaces, whether the library needs it or not.
TEST_F(MergeOfAddresses, KnowsEveryStructThatExcludesTheOtherForm) {
  for (const VkStructureType type : {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES,
                                     VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_INT64_FEATURES,
                                     VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES,
                                     VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_FEATURES,
                                     VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SCALAR_BLOCK_LAYOUT_FEATURES,
                                     VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGELESS_FRAMEBUFFER_FEATURES,
                                     VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_UNIFORM_BUFFER_STANDARD_LAYOUT_FEATURES,
                                     VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SUBGROUP_EXTENDED_TYPES_FEATURES,
                                     VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SEPARATE_DEPTH_STENCIL_LAYOUTS_FEATURES,
                                     VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_QUERY_RESET_FEATURES,
                                     VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES,
                                     VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
                                     VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES}) {
    auto single = chained<VkPhysicalDeviceDescriptorIndexingFeatures>(type);  // the longest of them
    info.featureChain = &single;
    ASSERT_EQ(merge(), SLU_SUCCESS) << message.text;
    EXPECT_FALSE(has(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES)) << type;
    EXPECT_TRUE(has(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES)) << type;
    EXPECT_TRUE(has(type));
    auto vulkan12 = vulkan12Struct(&single);
    single.pNext = nullptr;
    info.featureChain = &vulkan12;
    expectRefused("merge.featureChain: has VkPhysicalDeviceVulkan12Features and");
  }
}

// Structs of other versions exclude none of the features that are asked for.
TEST_F(MergeOfAddresses, LeavesOtherVersionsAlone) {
  auto later = chained<VkPhysicalDeviceVulkan13Features>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES);
  auto vulkan11 = vulkan11Struct(&later);
  info.featureChain = &vulkan11;
  ASSERT_EQ(merge(), SLU_SUCCESS) << message.text;
  EXPECT_EQ(types().size(), 4u);
  EXPECT_TRUE(has(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES));
}

TEST_F(MergeOfAddresses, WritesIntoPEnabledFeatures) {
  VkPhysicalDeviceFeatures core{};
  core.geometryShader = VK_TRUE;
  info.coreFeatures = &core;
  expectEnough();
  EXPECT_FALSE(has(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2));
  EXPECT_EQ(core.shaderInt64, VK_TRUE);
  EXPECT_EQ(core.geometryShader, VK_TRUE);
}

// What the extensions of the host's list became in Vulkan 1.2 must then be enabled, which the validation layer checks.
TEST_F(MergeOfAddresses, EnablesWhatTheHostsExtensionsBecame) {
  const std::vector<VkExtensionProperties> offered = offeredExtensions();
  const std::pair<const char*, VkBool32 VkPhysicalDeviceVulkan12Features::*> promoted[] = {
      {VK_KHR_DRAW_INDIRECT_COUNT_EXTENSION_NAME, &VkPhysicalDeviceVulkan12Features::drawIndirectCount},
      {VK_KHR_SAMPLER_MIRROR_CLAMP_TO_EDGE_EXTENSION_NAME, &VkPhysicalDeviceVulkan12Features::samplerMirrorClampToEdge},
      {VK_EXT_DESCRIPTOR_INDEXING_EXTENSION_NAME, &VkPhysicalDeviceVulkan12Features::descriptorIndexing},
      {VK_EXT_SAMPLER_FILTER_MINMAX_EXTENSION_NAME, &VkPhysicalDeviceVulkan12Features::samplerFilterMinmax},
      {VK_EXT_SHADER_VIEWPORT_INDEX_LAYER_EXTENSION_NAME, &VkPhysicalDeviceVulkan12Features::shaderOutputLayer}};
  for (const auto& [name, feature] : promoted) {
    const bool isOffered = std::any_of(offered.begin(), offered.end(), [&name = name](const auto& extension) {
      return std::strcmp(extension.extensionName, name) == 0;
    });
    if (isOffered) names[info.extensionCount++] = name;
  }
  if (info.extensionCount == 0) GTEST_SKIP() << "the device offers none of these extensions";
  expectEnough();
  for (const auto& [name, feature] : promoted) {
    for (const std::string& listed : extensions()) {
      if (listed == name) {
        EXPECT_EQ(info.vulkan12.*feature, VK_TRUE) << name;
      }
    }
  }
}

TEST_F(MergeOfAddresses, AddsUpOverSeveralCalls) {
  ASSERT_EQ(merge(), SLU_SUCCESS) << message.text;
  requirements = SLU_INIT(VULKAN_REQUIREMENTS, SluVulkanRequirements);
  requirements.vulkan12.timelineSemaphore = VK_TRUE;
  requirements.extensions[requirements.extensionCount++] = VK_KHR_DEDICATED_ALLOCATION_EXTENSION_NAME;
  expectEnough();
  EXPECT_EQ(types().size(), 2u);
  EXPECT_EQ(info.vulkan12.timelineSemaphore, VK_TRUE);
  EXPECT_EQ(info.vulkan12.bufferDeviceAddress, VK_TRUE) << "of the first call";
  const std::uint32_t count = info.extensionCount;
  ASSERT_EQ(merge(), SLU_SUCCESS) << message.text;
  EXPECT_EQ(info.extensionCount, count) << "names that are in the list are not added again";
}

// Also of extensions that the host lists between two calls.
TEST_F(MergeOfAddresses, EnablesWhatLaterExtensionsBecame) {
  ASSERT_EQ(merge(), SLU_SUCCESS) << message.text;
  names[info.extensionCount++] = VK_EXT_DESCRIPTOR_INDEXING_EXTENSION_NAME;
  ASSERT_EQ(merge(), SLU_SUCCESS) << message.text;
  EXPECT_EQ(info.vulkan12.descriptorIndexing, VK_TRUE);
}

TEST_F(Merge, ChainsWhatCudaLaunchesNeedOnce) {
  requirements.cudaKernelLaunch = 1;
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(merge(), SLU_SUCCESS) << message.text;
    EXPECT_TRUE(has(static_cast<VkStructureType>(1000307003)));
    EXPECT_EQ(info.cudaKernelLaunch.features[0], VK_TRUE);
  }
}

TEST_F(Merge, RefusesWhatVulkanForbids) {
  auto address = addressStruct();
  auto vulkan12 = vulkan12Struct(&address);
  info.featureChain = &vulkan12;
  expectRefused("merge.featureChain: has VkPhysicalDeviceVulkan12Features and");
  auto core = coreStruct();
  info.featureChain = &core;
  VkPhysicalDeviceFeatures alone{};
  info.coreFeatures = &alone;
  expectRefused("merge.coreFeatures");
  info.coreFeatures = nullptr;
  core.pNext = &core;
  expectRefused("circle");
  info.featureChain = nullptr;
  requirements.vulkan12.bufferDeviceAddress = VK_TRUE;
  names[info.extensionCount++] = VK_EXT_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME;
  expectRefused("VK_EXT_buffer_device_address");
  requirements.vulkan12.bufferDeviceAddress = VK_FALSE;  // as of the CUDA route
  EXPECT_EQ(merge(), SLU_SUCCESS) << message.text;
}

TEST_F(Merge, RefusesListsThatAreTooShort) {
  requirements.extensions[requirements.extensionCount++] = VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME;
  names[info.extensionCount++] = VK_KHR_SWAPCHAIN_EXTENSION_NAME;
  info.extensionCapacity = 1;
  expectRefused("merge.extensionCapacity: is 1, must be at least 2");
  info.extensionCapacity = 0;
  expectRefused("merge.extensionCount");
  info.extensions = nullptr;
  info.extensionCount = 0;
  expectRefused("merge.extensionCapacity: is 0, must be at least 1");
  info.extensionCapacity = 4;
  expectRefused("merge.extensions: is null");
  info.extensions = names.data();
  info.extensionCount = 2;
  names[1] = nullptr;
  expectRefused("merge.extensions[1]: is null");
  info.extensionCount = 0;
  requirements.extensionCount = SLU_MAX_VULKAN_EXTENSIONS + 1;
  expectRefused("requirements.extensionCount");
}

TEST_F(Merge, RefusesMalformedStructs) {
  info.sType = SLU_STRUCTURE_TYPE_FRAME_INFO;
  expectRefused("merge.sType");
  info = SLU_INIT(VULKAN_MERGE_INFO, SluVulkanMergeInfo);
  info.structSize -= 8;
  expectRefused("merge.structSize");
  EXPECT_TRUE(failsWith(sluMergeVulkanRequirements(&requirements, nullptr, &message), SLU_ERROR_INVALID_ARGUMENT,
                        message, "merge"));
  info.structSize = sizeof(info);
  EXPECT_TRUE(failsWith(sluMergeVulkanRequirements(nullptr, &info, &message), SLU_ERROR_INVALID_ARGUMENT, message,
                        "requirements"));
  EXPECT_EQ(sluMergeVulkanRequirements(nullptr, &info, nullptr), SLU_ERROR_INVALID_ARGUMENT);
  struct {
    SluVulkanMergeInfo known;
    std::uint32_t tail[2];
  } newer{SLU_INIT(VULKAN_MERGE_INFO, SluVulkanMergeInfo), {0, 1}};
  newer.known.structSize = sizeof(newer);
  EXPECT_TRUE(failsWith(sluMergeVulkanRequirements(&requirements, &newer.known, &message), SLU_ERROR_INVALID_ARGUMENT,
                        message, "merge.structSize"));
}

}  // namespace
}  // namespace slu::test

// sluMergeVulkanRequirements, and contexts that are told of a device by a chain of features: chains of a fuzzer's bytes,
// with structs of every kind, twice, in a circle, and with values that are no VkBool32.
#include <sluice/sluice_vulkan.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <sluice/sluice.hpp>
#include <vector>

#include "choices.h"
#include "expect.h"

namespace slu::fuzz {
namespace {

struct StructType {
  VkStructureType type;
  std::size_t size;
  bool isReplaced;  // by VkPhysicalDeviceVulkan12Features
};

constexpr auto kCudaKernelLaunch = static_cast<VkStructureType>(1000307003);

constexpr StructType kTypes[] = {
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, sizeof(VkPhysicalDeviceFeatures2), false},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, sizeof(VkPhysicalDeviceVulkan12Features), false},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, sizeof(VkPhysicalDeviceVulkan11Features), false},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
     sizeof(VkPhysicalDeviceBufferDeviceAddressFeatures), true},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES_EXT,
     sizeof(VkPhysicalDeviceBufferDeviceAddressFeaturesEXT), false},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_INT64_FEATURES, sizeof(VkPhysicalDeviceShaderAtomicInt64Features),
     true},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES, sizeof(VkPhysicalDeviceTimelineSemaphoreFeatures),
     true},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_UNIFORM_BUFFER_STANDARD_LAYOUT_FEATURES,
     sizeof(VkPhysicalDeviceUniformBufferStandardLayoutFeatures), true},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_QUERY_RESET_FEATURES, sizeof(VkPhysicalDeviceHostQueryResetFeatures), true},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_FEATURES, sizeof(VkPhysicalDeviceDescriptorIndexingFeatures),
     true},
    {kCudaKernelLaunch, sizeof(VkBaseInStructure) + 8, false},
    {static_cast<VkStructureType>(0x7ffffff0), sizeof(VkBaseInStructure), false}};

constexpr const char* kExcluded = VK_EXT_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME;  // beside what the library requires
constexpr const char* kNames[] = {VK_KHR_DRAW_INDIRECT_COUNT_EXTENSION_NAME,
                                  VK_EXT_DESCRIPTOR_INDEXING_EXTENSION_NAME,
                                  kExcluded,
                                  VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME,
                                  VK_NVX_BINARY_IMPORT_EXTENSION_NAME,
                                  "VK_of_no_meaning",
                                  ""};

// The chain, each struct in a heap block of its exact size.
class Chain {
 public:
  explicit Chain(Choices& choices) {
    for (std::uint32_t i = choices.below(8); i > 0; --i) add(choices, kTypes[choices.below(std::size(kTypes))]);
    if (!nodes_.empty() && choices.chance(1)) {
      base(nodes_.size() - 1).pNext = &base(choices.below(static_cast<std::uint32_t>(nodes_.size())));
      isCircle_ = true;
    }
  }

  void* head() { return nodes_.empty() ? nullptr : nodes_[0].get(); }
  bool isCircle() const { return isCircle_; }
  std::size_t size() const { return nodes_.size(); }
  VkBaseOutStructure& base(std::size_t i) { return *reinterpret_cast<VkBaseOutStructure*>(nodes_[i].get()); }
  bool has(VkStructureType type) {
    for (std::size_t i = 0; i < size(); ++i) {
      if (base(i).sType == type) return true;
    }
    return false;
  }

  std::vector<std::vector<std::byte>> bytes() const {
    std::vector<std::vector<std::byte>> copies;
    for (std::size_t i = 0; i < nodes_.size(); ++i) copies.emplace_back(nodes_[i].get(), nodes_[i].get() + sizes_[i]);
    return copies;
  }

  // A feature that was enabled still is, and only VK_TRUE was written.
  void expectNothingTaken(const std::vector<std::vector<std::byte>>& before) const {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      for (std::size_t at = sizeof(VkBaseInStructure); at + 4 <= sizes_[i]; at += 4) {
        VkBool32 was = 0, is = 0;
        std::memcpy(&was, &before[i][at], 4);
        std::memcpy(&is, nodes_[i].get() + at, 4);
        expect(is == was || is == VK_TRUE, "a feature of the host's was taken");
      }
    }
  }

 private:
  void add(Choices& choices, const StructType& type) {
    auto node = std::make_unique<std::byte[]>(type.size);
    for (std::size_t at = sizeof(VkBaseInStructure); at + 4 <= type.size; at += 4) {
      const VkBool32 value = choices.pick({VK_FALSE, VK_TRUE, 0x5a5a5a5au});
      std::memcpy(&node[at], &value, 4);
    }
    auto& header = *reinterpret_cast<VkBaseOutStructure*>(node.get());
    header.sType = type.type;
    header.pNext = nullptr;
    if (!nodes_.empty()) base(nodes_.size() - 1).pNext = &header;
    nodes_.push_back(std::move(node));
    sizes_.push_back(type.size);
  }

  std::vector<std::unique_ptr<std::byte[]>> nodes_;
  std::vector<std::size_t> sizes_;
  bool isCircle_ = false;
};

const char* pickName(Choices& choices) {
  return choices.chance(1) ? nullptr : kNames[choices.below(std::size(kNames))];
}

SluVulkanRequirements makeRequirements(Choices& choices) {
  auto requirements = SLU_INIT(VULKAN_REQUIREMENTS, SluVulkanRequirements);
  requirements.features.shaderInt64 = choices.below(2);
  requirements.features.drawIndirectFirstInstance = choices.below(2);
  requirements.vulkan12.bufferDeviceAddress = choices.below(2);
  requirements.vulkan12.shaderBufferInt64Atomics = choices.below(2);
  requirements.vulkan12.timelineSemaphore = choices.below(2);
  requirements.vulkan12.uniformBufferStandardLayout = choices.below(2);
  requirements.vulkan12.drawIndirectCount = choices.below(2);
  requirements.drawIndirectCountExtension = choices.below(2);
  requirements.cudaKernelLaunch = choices.below(2);
  requirements.extensionCount = choices.chance(1) ? choices.number() : choices.below(4);
  for (std::uint32_t i = 0; i < std::min(requirements.extensionCount, SLU_MAX_VULKAN_EXTENSIONS); ++i) {
    do {
      requirements.extensions[i] = pickName(choices);
    } while (requirements.extensions[i] == kExcluded);
  }
  return requirements;
}

std::vector<VkStructureType> typesOf(const void* chain) {
  std::vector<VkStructureType> types;
  for (auto* at = static_cast<const VkBaseInStructure*>(chain); at != nullptr; at = at->pNext) {
    expect(types.size() < 32, "the chain became a circle");
    types.push_back(at->sType);
  }
  return types;
}

template <typename Visit>
void visit(const void* chain, VkStructureType type, const Visit& body) {
  for (auto* at = static_cast<const VkBaseInStructure*>(chain); at != nullptr; at = at->pNext) {
    if (at->sType == type) body(at);
  }
}

bool enablesFirstInstance(const void* chain) {
  bool enabled = false;
  visit(chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, [&](const void* at) {
    enabled |= static_cast<const VkPhysicalDeviceFeatures2*>(at)->features.drawIndirectFirstInstance == VK_TRUE;
  });
  return enabled;
}

void expectMerged(const SluVulkanRequirements& requirements, const SluVulkanMergeInfo& merge, Chain& chain,
                  const std::vector<const char*>& before) {
  const std::vector<VkStructureType> types = typesOf(merge.featureChain);
  const bool has12 =
      std::find(types.begin(), types.end(), VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES) != types.end();
  for (const StructType& type : kTypes) {
    const auto count = std::count(types.begin(), types.end(), type.type);
    expect(!has12 || !type.isReplaced || count == 0, "both forms of one feature are in the chain");
    expect(count <= 1 || chain.has(type.type), "a struct was added twice");
  }
  for (std::size_t i = 0; i < chain.size(); ++i) {
    bool found = false;
    visit(merge.featureChain, chain.base(i).sType, [&](const void* at) { found |= at == &chain.base(i); });
    expect(found, "a struct of the host's is no longer in the chain");
  }
  expect(merge.coreFeatures != nullptr || requirements.features.drawIndirectFirstInstance != VK_TRUE ||
             enablesFirstInstance(merge.featureChain),
         "drawIndirectFirstInstance is not enabled");
  visit(merge.featureChain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, [&](const void* at) {
    const auto& features = *static_cast<const VkPhysicalDeviceVulkan12Features*>(at);
    // Of several such structs, which Vulkan forbids, the last one is written.
    if (chain.has(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES)) return;
    expect(features.timelineSemaphore >= requirements.vulkan12.timelineSemaphore, "timelineSemaphore is not enabled");
  });
  expect(merge.extensionCount >= before.size() && merge.extensionCount <= merge.extensionCapacity, "a wrong count");
  expect(std::equal(before.begin(), before.end(), merge.extensions), "the host's names were changed");
  for (std::uint32_t i = 0; i < requirements.extensionCount; ++i) {
    expect(std::any_of(merge.extensions, merge.extensions + merge.extensionCount,
                       [&](const char* name) { return std::strcmp(name, requirements.extensions[i]) == 0; }),
           "a required extension is not in the list");
  }
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL findNothing(VkInstance, const char*) { return nullptr; }

// A context that is told of a device by the chain; its GPU routes find no function, and its plans know what it enables.
void describeDevice(const void* chain, const std::vector<const char*>& extensions) {
  static int handle;
  auto device = SLU_INIT(VULKAN_DEVICE_INFO, SluVulkanDeviceInfo);
  device.getInstanceProcAddr = findNothing;
  device.instance = reinterpret_cast<VkInstance>(&handle);
  device.physicalDevice = reinterpret_cast<VkPhysicalDevice>(&handle);
  device.device = reinterpret_cast<VkDevice>(&handle);
  device.enabledFeatures = chain;
  device.enabledExtensionCount = static_cast<std::uint32_t>(extensions.size());
  device.enabledExtensions = extensions.data();
  auto info = SLU_INIT(CONTEXT_CREATE_INFO, SluContextCreateInfo);
  info.pNext = &device;
  Context context;
  SluMessage message{};
  const SluResult created = sluCreateContext(&info, context.put(), &message);
  if (created != SLU_SUCCESS) return expectSentence(created, message.text);
  const SluBucket buckets[2] = {{8, {3, 0, 0, 0, 0}}, {8, {3, 0, 3, 0, 0}}};
  auto plan = SLU_INIT(PLAN_CREATE_INFO, SluPlanCreateInfo);
  plan.route = SLU_ROUTE_CPU;
  plan.recordStride = 4;
  plan.maxRecordCount = 16;
  plan.key.keyCount = plan.bucketCount = 2;
  plan.buckets = buckets;
  plan.outputs = SLU_OUTPUT_DRAWS_BIT;
  plan.draws = {SLU_DRAW_INDEXED_INSTANCES, 20, 0};
  Plan made;
  const SluResult result = sluCreatePlan(context, &plan, made.put());
  expect(result == (enablesFirstInstance(chain) ? SLU_SUCCESS : SLU_ERROR_MISSING_FEATURE),
         "a plan of two buckets gives ", sluGetResultName(result));
}

void run(Choices choices) {
  Chain chain(choices);
  SluVulkanRequirements requirements = makeRequirements(choices);
  const std::uint32_t capacity = choices.below(24);
  const std::uint32_t count = choices.chance(1) ? choices.number() : choices.below(capacity + 1);
  auto names = std::make_unique<const char*[]>(capacity);
  for (std::uint32_t i = 0; i < capacity; ++i) names[i] = i < count ? pickName(choices) : nullptr;
  VkPhysicalDeviceFeatures core{};
  auto merge = SLU_INIT(VULKAN_MERGE_INFO, SluVulkanMergeInfo);
  merge.featureChain = chain.head();
  merge.coreFeatures = choices.chance(4) ? &core : nullptr;
  merge.extensions = capacity == 0 ? nullptr : names.get();
  merge.extensionCount = count;
  merge.extensionCapacity = capacity;

  const std::vector<std::vector<std::byte>> structs = chain.bytes();
  const SluVulkanMergeInfo before = merge;
  const std::vector<const char*> listed(names.get(), names.get() + std::min(count, capacity));
  SluMessage message{};
  const SluResult result = sluMergeVulkanRequirements(&requirements, &merge, &message);
  if (result != SLU_SUCCESS) {
    expectSentence(result, message.text);
    expect(std::memcmp(&before, &merge, sizeof(merge)) == 0, "a failing call changed its struct");
    expect(chain.bytes() == structs, "a failing call changed the chain");
    expect(std::equal(listed.begin(), listed.end(), names.get()), "a failing call changed the list");
    return describeDevice(chain.head(), {});
  }
  expect(!chain.isCircle(), "a circle was taken for a chain");
  chain.expectNothingTaken(structs);
  expectMerged(requirements, merge, chain, listed);

  const SluVulkanMergeInfo once = merge;
  expect(sluMergeVulkanRequirements(&requirements, &merge, &message) == SLU_SUCCESS, "not taken again: ", message.text);
  expect(std::memcmp(&once, &merge, sizeof(merge)) == 0, "the second call changed something");
  describeDevice(merge.featureChain, {merge.extensions, merge.extensions + merge.extensionCount});
}

}  // namespace
}  // namespace slu::fuzz

extern "C" int LLVMFuzzerInitialize(int*, char***) { return 0; }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  slu::fuzz::run(slu::fuzz::Choices(data, size));
  return 0;
}

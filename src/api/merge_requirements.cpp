#include "api/merge_requirements.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

#include "base/error.h"
#include "base/host_device.h"

namespace slu {
namespace {

// These structs must not be in a chain with VkPhysicalDeviceVulkan12Features, which replaces them
// (VUID-VkDeviceCreateInfo-pNext-02830).
constexpr VkStructureType kReplacedBy12[] = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES,
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
                                             VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES};

// Returns the room of a merge for each struct of kSingleFeatures, in its order.
constexpr SluVulkanFeatureStruct SluVulkanMergeInfo::*kRooms[] = {
    &SluVulkanMergeInfo::bufferDeviceAddress, &SluVulkanMergeInfo::shaderAtomicInt64,
    &SluVulkanMergeInfo::timelineSemaphore, &SluVulkanMergeInfo::uniformBufferStandardLayout};
static_assert(std::size(kRooms) == std::size(kSingleFeatures));
static_assert(sizeof(SluVulkanFeatureStruct) >= sizeof(VkPhysicalDeviceBufferDeviceAddressFeatures));
static_assert(offsetof(SluVulkanFeatureStruct, features) == offsetof(SingleFeature, enabled));

// The structs of the host's chain that matter here.
struct HostChain {
  VkPhysicalDeviceFeatures2* core = nullptr;
  VkPhysicalDeviceVulkan12Features* vulkan12 = nullptr;
  std::vector<SingleFeature*> singles;  // those with a member in Vulkan 1.2, and that of CUDA launches
  bool hasReplaced = false;             // there is a struct that excludes vulkan12

  explicit HostChain(const void* head) {
    visitChain(head, [&](VkBaseOutStructure& chained) {
      const bool isReplaced =
          std::find(std::begin(kReplacedBy12), std::end(kReplacedBy12), chained.sType) != std::end(kReplacedBy12);
      hasReplaced = hasReplaced || isReplaced;
      if (chained.sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2) {
        core = reinterpret_cast<VkPhysicalDeviceFeatures2*>(&chained);
      } else if (chained.sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES) {
        vulkan12 = reinterpret_cast<VkPhysicalDeviceVulkan12Features*>(&chained);
      } else if (isReplaced || chained.sType == kCudaKernelLaunchFeatures) {
        singles.push_back(reinterpret_cast<SingleFeature*>(&chained));
      }
    });
  }

  SingleFeature* single(VkStructureType type) const {
    const auto found =
        std::find_if(singles.begin(), singles.end(), [&](auto* chained) { return chained->sType == type; });
    return found == singles.end() ? nullptr : *found;
  }
};

// These extensions became features of Vulkan 1.2. If the chain has VkPhysicalDeviceVulkan12Features, a device that
// enables one must enable its feature (VUID-VkDeviceCreateInfo-ppEnabledExtensionNames-02831 to 02835).
struct PromotedExtension {
  const char* name;
  VkBool32 VkPhysicalDeviceVulkan12Features::*feature;
};
constexpr PromotedExtension kPromoted[] = {
    {VK_KHR_DRAW_INDIRECT_COUNT_EXTENSION_NAME, &VkPhysicalDeviceVulkan12Features::drawIndirectCount},
    {VK_KHR_SAMPLER_MIRROR_CLAMP_TO_EDGE_EXTENSION_NAME, &VkPhysicalDeviceVulkan12Features::samplerMirrorClampToEdge},
    {VK_EXT_DESCRIPTOR_INDEXING_EXTENSION_NAME, &VkPhysicalDeviceVulkan12Features::descriptorIndexing},
    {VK_EXT_SAMPLER_FILTER_MINMAX_EXTENSION_NAME, &VkPhysicalDeviceVulkan12Features::samplerFilterMinmax},
    {VK_EXT_SHADER_VIEWPORT_INDEX_LAYER_EXTENSION_NAME, &VkPhysicalDeviceVulkan12Features::shaderOutputViewportIndex},
    {VK_EXT_SHADER_VIEWPORT_INDEX_LAYER_EXTENSION_NAME, &VkPhysicalDeviceVulkan12Features::shaderOutputLayer}};

bool holds(const char* const* names, std::uint32_t count, const char* extension) {
  return std::any_of(names, names + count, [&](const char* name) { return std::strcmp(name, extension) == 0; });
}

class Merge {
 public:
  Merge(const SluVulkanRequirements& requirements, SluVulkanMergeInfo& merge)
      : required_(requirements),
        merge_(merge),
        chain_(merge.featureChain),
        usesSingles_(chooseSingles()),
        missing_(missingExtensions()) {}

  void check() const {
    require(chain_.vulkan12 == nullptr || !chain_.hasReplaced,
            "merge.featureChain: has VkPhysicalDeviceVulkan12Features and a struct that it replaces, which Vulkan "
            "forbids; keep one form");
    require(chain_.core == nullptr || merge_.coreFeatures == nullptr,
            "merge.coreFeatures: is set, and merge.featureChain has a VkPhysicalDeviceFeatures2, which Vulkan forbids; "
            "keep one of them");
    // VUID-VkDeviceCreateInfo-pNext-04748
    require(required_.vulkan12.bufferDeviceAddress != VK_TRUE ||
                !holds(merge_.extensions, merge_.extensionCount, VK_EXT_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME),
            "merge.extensions: has VK_EXT_buffer_device_address, which excludes the feature bufferDeviceAddress of "
            "Vulkan 1.2; take it out");
    require(missing_.size() <= merge_.extensionCapacity - merge_.extensionCount, "merge.extensionCapacity: is ",
            merge_.extensionCapacity, ", must be at least ", merge_.extensionCount + missing_.size());
  }

  void run() {
    for (const char* extension : missing_) merge_.extensions[merge_.extensionCount++] = extension;
    addFeatureBools(core(), required_.features, 0, sizeof(VkPhysicalDeviceFeatures));
    if (usesSingles_) {
      mergeSingles();
    } else {
      merge12();
    }
    if (required_.cudaKernelLaunch != 0) single(kCudaKernelLaunchFeatures, merge_.cudaKernelLaunch).enabled = VK_TRUE;
  }

 private:
  // Returns whether the features of Vulkan 1.2 go into structs of single features, because the chain has any of these.
  bool chooseSingles() const { return chain_.vulkan12 == nullptr && chain_.hasReplaced; }

  std::vector<const char*> missingExtensions() const {
    std::vector<const char*> missing;
    const auto add = [&](const char* extension) {
      if (!holds(merge_.extensions, merge_.extensionCount, extension)) missing.push_back(extension);
    };
    for (std::uint32_t i = 0; i < required_.extensionCount; ++i) add(required_.extensions[i]);
    if (usesSingles_ && required_.vulkan12.drawIndirectCount == VK_TRUE && required_.drawIndirectCountExtension != 0) {
      add(VK_KHR_DRAW_INDIRECT_COUNT_EXTENSION_NAME);  // there is no struct for it
    }
    return missing;
  }

  // Puts a struct of the merge behind the chain's VkPhysicalDeviceFeatures2, or at the front if there is none.
  template <typename Struct>
  Struct& add(Struct& room, VkStructureType type) {
    room = {};
    room.sType = type;
    void*& link = chain_.core != nullptr ? chain_.core->pNext : merge_.featureChain;
    room.pNext = link;
    link = &room;
    return room;
  }

  VkPhysicalDeviceFeatures& core() {
    if (merge_.coreFeatures != nullptr) return *merge_.coreFeatures;
    if (chain_.core == nullptr) chain_.core = &add(merge_.features2, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
    return chain_.core->features;
  }

  // A device of Vulkan 1.1 is asked for nothing of 1.2, and would not know the struct.
  void merge12() {
    if (chain_.vulkan12 == nullptr && !requires12()) return;
    VkPhysicalDeviceVulkan12Features& features =
        chain_.vulkan12 != nullptr ? *chain_.vulkan12
                                   : add(merge_.vulkan12, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
    addFeatureBools(features, required_.vulkan12, kFirst12, kEnd12);
    for (const PromotedExtension& promoted : kPromoted) {
      if (holds(merge_.extensions, merge_.extensionCount, promoted.name)) features.*promoted.feature = VK_TRUE;
    }
  }

  bool requires12() const {
    VkPhysicalDeviceVulkan12Features required{};
    addFeatureBools(required, required_.vulkan12, kFirst12, kEnd12);
    const auto* bytes = reinterpret_cast<const std::byte*>(&required);
    return std::any_of(bytes + kFirst12, bytes + kEnd12, [](std::byte byte) { return byte != std::byte{0}; });
  }

  SingleFeature& single(VkStructureType type, SluVulkanFeatureStruct& room) {
    if (SingleFeature* chained = chain_.single(type)) return *chained;
    return reinterpret_cast<SingleFeature&>(add(room, type));
  }

  void mergeSingles() {
    for (std::size_t i = 0; i < std::size(kSingleFeatures); ++i) {
      const SingleFeatureType& type = kSingleFeatures[i];
      if (required_.vulkan12.*type.member == VK_TRUE) single(type.sType, merge_.*kRooms[i]).enabled = VK_TRUE;
    }
  }

  const SluVulkanRequirements& required_;
  SluVulkanMergeInfo& merge_;
  HostChain chain_;
  const bool usesSingles_;
  const std::vector<const char*> missing_;  // extensions that the host's list lacks
};

}  // namespace

void mergeRequirements(const SluVulkanRequirements& requirements, SluVulkanMergeInfo& merge) {
  require(requirements.extensionCount <= SLU_MAX_VULKAN_EXTENSIONS, "requirements.extensionCount: is ",
          requirements.extensionCount, ", must be at most ", SLU_MAX_VULKAN_EXTENSIONS);
  checkExtensionNames(requirements.extensions, requirements.extensionCount, "requirements.extensions",
                      "requirements.extensionCount");
  require(merge.extensionCount <= merge.extensionCapacity, "merge.extensionCount: is ", merge.extensionCount,
          ", must be at most merge.extensionCapacity, ", merge.extensionCapacity);
  require(merge.extensions != nullptr || merge.extensionCapacity == 0,
          "merge.extensions: is null, and merge.extensionCapacity is ", merge.extensionCapacity);
  checkExtensionNames(merge.extensions, merge.extensionCount, "merge.extensions", "merge.extensionCount");
  checkVulkanChain(merge.featureChain, "merge.featureChain");
  Merge merging(requirements, merge);
  merging.check();
  merging.run();
}

}  // namespace slu

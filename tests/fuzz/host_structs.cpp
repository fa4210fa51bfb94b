#include "host_structs.h"

#include <sluice/sluice_cuda.h>
#include <sluice/sluice_glsl.h>
#include <sluice/sluice_hlsl.h>
#ifdef SLUICE_VULKAN
#include <sluice/sluice_vulkan_cuda.h>
#endif

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace slu::fuzz {
namespace {

constexpr std::uint32_t kHeaderBytes = 16;
constexpr std::size_t kNextOffset = 8;

// A struct of the API and those of its words that are plain numbers.
struct Kind {
  SluStructureType type;
  std::uint32_t bytes;
  std::vector<std::uint32_t> words;
};

template <typename T>
Kind kind(SluStructureType type, std::initializer_list<std::size_t> offsets) {
  Kind made{type, sizeof(T), {}};
  for (const std::size_t offset : offsets) made.words.push_back(static_cast<std::uint32_t>(offset));
  return made;
}

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all = {
      kind<SluFrameInfo>(SLU_STRUCTURE_TYPE_FRAME_INFO, {offsetof(SluFrameInfo, viewCount)}),
      kind<SluCudaDeviceInfo>(SLU_STRUCTURE_TYPE_CUDA_DEVICE_INFO, {}),
      kind<SluCudaBufferInfo>(SLU_STRUCTURE_TYPE_CUDA_BUFFER_INFO, {}),
      kind<SluCudaPredicateInfo>(SLU_STRUCTURE_TYPE_CUDA_PREDICATE_INFO,
                                 {offsetof(SluCudaPredicateInfo, version), offsetof(SluCudaPredicateInfo, stateSize)}),
      kind<SluPredicateState>(SLU_STRUCTURE_TYPE_PREDICATE_STATE, {offsetof(SluPredicateState, stateSize)}),
      kind<SluHostPredicateInfo>(SLU_STRUCTURE_TYPE_HOST_PREDICATE_INFO,
                                 {offsetof(SluHostPredicateInfo, stateSize), offsetof(SluHostPredicateInfo, reserved)}),
      kind<SluGlslSourceInfo>(SLU_STRUCTURE_TYPE_GLSL_SOURCE_INFO, {offsetof(SluGlslSourceInfo, stateSize)}),
      kind<SluHlslSourceInfo>(SLU_STRUCTURE_TYPE_HLSL_SOURCE_INFO, {offsetof(SluHlslSourceInfo, stateSize)}),
      kind<SluSpirvPredicateInfo>(
          SLU_STRUCTURE_TYPE_SPIRV_PREDICATE_INFO,
          {offsetof(SluSpirvPredicateInfo, moduleCount), offsetof(SluSpirvPredicateInfo, stateSize)}),
      kind<SluCudaSourceInfo>(SLU_STRUCTURE_TYPE_CUDA_SOURCE_INFO,
                              {offsetof(SluCudaSourceInfo, optionCount), offsetof(SluCudaSourceInfo, stateSize)}),
#ifdef SLUICE_VULKAN
      kind<SluVulkanDeviceInfo>(
          SLU_STRUCTURE_TYPE_VULKAN_DEVICE_INFO,
          {offsetof(SluVulkanDeviceInfo, queueFamilyIndex), offsetof(SluVulkanDeviceInfo, emulatedSubgroupSize)}),
      kind<SluVulkanBufferInfo>(SLU_STRUCTURE_TYPE_VULKAN_BUFFER_INFO, {offsetof(SluVulkanBufferInfo, usage)}),
      kind<SluVulkanAllocateInfo>(SLU_STRUCTURE_TYPE_VULKAN_ALLOCATE_INFO, {}),
      kind<SluVulkanMemoryInfo>(SLU_STRUCTURE_TYPE_VULKAN_MEMORY_INFO, {offsetof(SluVulkanMemoryInfo, allocationSize),
                                                                        offsetof(SluVulkanMemoryInfo, memoryOffset),
                                                                        offsetof(SluVulkanMemoryInfo, dedicated)}),
      kind<SluMemoryFdInfo>(SLU_STRUCTURE_TYPE_MEMORY_FD_INFO,
                            {offsetof(SluMemoryFdInfo, dedicated), offsetof(SluMemoryFdInfo, allocationSize)}),
      kind<SluHandoffInfo>(SLU_STRUCTURE_TYPE_HANDOFF_INFO,
                           {offsetof(SluHandoffInfo, waitValue), offsetof(SluHandoffInfo, signalValue)}),
      kind<SluVulkanPyramidInfo>(SLU_STRUCTURE_TYPE_VULKAN_PYRAMID_INFO,
                                 {offsetof(SluVulkanPyramidInfo, format), offsetof(SluVulkanPyramidInfo, samples),
                                  offsetof(SluVulkanPyramidInfo, viewType), offsetof(SluVulkanPyramidInfo, reserved)}),
      // Without a view, since no view is there.
      kind<SluVulkanDepthInfo>(SLU_STRUCTURE_TYPE_VULKAN_DEPTH_INFO,
                               {offsetof(SluVulkanDepthInfo, layout), offsetof(SluVulkanDepthInfo, reserved)}),
#endif
      // Without a phase, so that no frame tests what its maker does not know of.
      kind<SluOcclusionInfo>(SLU_STRUCTURE_TYPE_OCCLUSION_INFO,
                             {offsetof(SluOcclusionInfo, viewStride), offsetof(SluOcclusionInfo, width)}),
  };
  return all;
}

void setWord(std::byte* info, std::size_t offset, std::uint32_t value) { std::memcpy(info + offset, &value, 4); }

SluBool32 isThird(const void*, const void*, std::uint32_t index) { return index % 3 == 0 ? 1 : 0; }

// Whether a struct of the type has pointers or handles where others have numbers.
bool hasPointers(std::uint32_t type) {
  const std::uint32_t types[] = {SLU_STRUCTURE_TYPE_HOST_PREDICATE_INFO, SLU_STRUCTURE_TYPE_PREDICATE_STATE,
                                 SLU_STRUCTURE_TYPE_GLSL_SOURCE_INFO,    SLU_STRUCTURE_TYPE_SPIRV_PREDICATE_INFO,
                                 SLU_STRUCTURE_TYPE_HLSL_SOURCE_INFO,    SLU_STRUCTURE_TYPE_CUDA_SOURCE_INFO,
                                 SLU_STRUCTURE_TYPE_CUDA_PREDICATE_INFO, SLU_STRUCTURE_TYPE_OCCLUSION_INFO,
                                 SLU_STRUCTURE_TYPE_VULKAN_DEPTH_INFO};
  return std::ranges::find(types, type) != std::end(types);
}

}  // namespace

void* HostStructs::place(Choices& choices, const void* info, std::uint32_t bytes) {
  std::uint32_t size;
  std::memcpy(&size, static_cast<const std::byte*>(info) + offsetof(SluFrameInfo, structSize), sizeof(size));
  const bool isJudged = size <= bytes + kLargestTail;
  const std::uint32_t owned = isJudged ? std::max(size, kHeaderBytes) : kHeaderBytes;
  std::byte* placed = block(owned);
  std::memcpy(placed, info, std::min(owned, bytes));
  if (isJudged && size > bytes && choices.chance(4)) placed[bytes + choices.below(size - bytes)] = std::byte{1};
  return placed;
}

const void* HostStructs::chain(Choices& choices) {
  const std::uint32_t count = choices.chance(2) ? 1 + choices.below(3) : 0;
  std::byte* first = nullptr;
  std::byte* next = nullptr;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Kind& chosen = kinds()[choices.below(static_cast<std::uint32_t>(kinds().size()))];
    std::vector<std::byte> info(chosen.bytes);
    setWord(info.data(), offsetof(SluFrameInfo, sType), chosen.type);
    setWord(info.data(), offsetof(SluFrameInfo, structSize), choices.chance(2) ? choices.number() : chosen.bytes);
    for (const std::uint32_t word : chosen.words) setWord(info.data(), word, choices.number());
    // No fd and no device is the host's: numbers of others would be closed, or opened.
    if (chosen.type == SLU_STRUCTURE_TYPE_CUDA_DEVICE_INFO || chosen.type == SLU_STRUCTURE_TYPE_MEMORY_FD_INFO) {
      setWord(info.data(), kHeaderBytes, 0xffffffffu);
    }
    if (chosen.type == SLU_STRUCTURE_TYPE_HOST_PREDICATE_INFO && choices.chance(8)) {
      const SluHostPredicateFunction function = isThird;
      std::memcpy(info.data() + offsetof(SluHostPredicateInfo, isLive), &function, sizeof(function));
    }
    auto* placed = static_cast<std::byte*>(place(choices, info.data(), chosen.bytes));
    const std::uint32_t type = choices.number();
    if (choices.chance(1) && !hasPointers(type)) setWord(placed, offsetof(SluFrameInfo, sType), type);
    std::memcpy(placed + kNextOffset, &next, sizeof(next));
    if (first == nullptr) first = placed;
    next = placed;
  }
  if (first != nullptr && choices.chance(1)) std::memcpy(first + kNextOffset, &next, sizeof(next));  // a circle
  return next;
}

void mutate(Choices& choices, void* info, std::uint32_t bytes, std::initializer_list<std::size_t> pointers) {
  auto* words = static_cast<std::byte*>(info);
  const std::uint32_t count = 1 + choices.below(3);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::size_t offset = choices.below(bytes / 4) * 4;
    const auto isIn = [&](std::size_t pointer) { return offset == pointer || offset == pointer + 4; };
    if (isIn(kNextOffset) || std::any_of(pointers.begin(), pointers.end(), isIn)) continue;
    std::uint32_t value;
    std::memcpy(&value, words + offset, sizeof(value));
    const std::uint32_t kind = choices.below(4);
    if (kind == 0) value = choices.number();
    if (kind == 1) value += choices.pick({1u, 4u, 0xffffffffu, 0xfffffffcu});
    if (kind == 2) value ^= 1u << choices.below(32);
    if (kind == 3) value = 0;
    setWord(words, offset, value);
  }
}

}  // namespace slu::fuzz

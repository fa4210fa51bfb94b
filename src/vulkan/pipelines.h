// The route's compute pipelines, one per kernel and set of constants, compiled on first need and shared by all plans.
#pragma once

#include <array>
#include <map>

#include "plan/layout.h"
#include "vulkan/device.h"

namespace slu {

enum class Kernel : std::uint32_t { compact, ordered, sorted, mark, move, count, scan };
constexpr std::uint32_t kKernelCount = 7;

// The specialization constants of shaders/kernel.glsl, in the order of their ids.
struct KernelConstants {
  std::uint32_t recordWords;
  std::uint32_t liveTest;
  std::uint32_t cullFlags;
  std::uint32_t sphereSource;
  std::uint32_t transformFlags;
  std::uint32_t keyed;
  std::uint32_t lodCount;
  std::uint32_t outputs;
  std::uint32_t bucketBits;
  std::uint32_t group;
  std::uint32_t stable;
  std::uint32_t subgroupSize;
  std::uint32_t rows;
  std::uint32_t moves;
  std::uint32_t aligned;
  std::uint32_t patience;  // of the kernel that looks back; else 0

  auto operator<=>(const KernelConstants&) const = default;
  std::uint32_t tileRecords() const;
};

// Whether a dispatch is for one view, which is pushed.
bool readsView(Kernel kernel, const KernelConstants& constants);

// The kernel that writes what is kept.
Kernel compactKernel(const KernelConstants& constants);
// patience: that of plans that look back.
KernelConstants kernelConstants(const PlanLayout& layout, const Device& device, std::uint32_t patience);

// How often a workgroup asks for what another is to tell before it finds out by itself: about 3 ms, when it would have
// to be told within microseconds.
constexpr std::uint32_t kPatience = 4096;

class Pipelines {
 public:
  // patience: 1 for tests, where workgroups then also come in the worst order.
  explicit Pipelines(const Device& device, std::uint32_t patience = kPatience);

  VkDescriptorSetLayout setLayout() const { return setLayout_.get(); }
  VkPipelineLayout layout() const { return layout_.get(); }
  std::uint32_t patience() const { return patience_; }
  VkPipeline get(Kernel kernel, const KernelConstants& constants);

 private:
  const Device& device_;
  const std::uint32_t patience_;
  OwnedDescriptorSetLayout setLayout_;  // bindings 0: PlanPart and a bucket; 1: BoundPart, at a dynamic offset
  OwnedPipelineLayout layout_;
  std::array<OwnedShaderModule, kKernelCount> modules_;
  std::map<std::pair<Kernel, KernelConstants>, OwnedPipeline> pipelines_;
};

}  // namespace slu

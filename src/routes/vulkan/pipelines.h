// The route's compute pipelines, one per kernel and set of constants, compiled on first need and shared by all plans.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <tuple>

#include "base/vulkan_device.h"
#include "plan/layout.h"
#include "plan/source_cache.h"
#include "routes/vulkan/rebinding.h"
#include "routes/vulkan/route_limits.h"
#include "routes/vulkan/spirv/shader_code.h"
#include "routes/vulkan/spirv/shader_variant.h"
#include "shaders/shared/frame.h"

namespace slu {

// The specialization constants of shaders/kernel.glsl, in the order of their ids.
struct KernelConstants {
  std::uint32_t recordWords;
  std::uint32_t liveTest;
  std::uint32_t cullFlags;
  std::uint32_t boundsSource;
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
  std::uint32_t patience;  // of tiles that look back or take tickets; else 0
  std::uint32_t lists;     // 2: of the persistent kernel
  std::uint32_t flagTest;
  std::uint32_t boundsShape;
  std::uint32_t matrixForm;
  std::uint32_t scene;  // SLU_SCENE_*

  auto operator<=>(const KernelConstants&) const = default;
  std::uint32_t tileRecords() const;
};

// Whether a dispatch is for one view, which is bound. constants: the plan's.
bool readsView(Kernel kernel, const KernelConstants& constants);

// The kernel that writes what is kept. In stable order `emit` does, behind `count` and `scan`, unless one pass does all.
Kernel compactKernel(const KernelConstants& constants);

KernelConstants kernelConstants(const PlanLayout& layout, const Device& device, const RouteLimits& limits);

// Of frames that read records once for all views, and so count, scan and emit.
KernelConstants viewsConstants(const PlanLayout& layout, const Device& device);

constexpr VkDescriptorType kPlanBinding = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
constexpr VkDescriptorType kFrameBindings[] = {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC,
                                               VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC};

// Kernels of one code: their pipelines, made on first need.
class KernelSet {
 public:
  // computesKey: of a predicate in the code.
  KernelSet(const Device& device, bool bindsBuffers, std::unique_ptr<const ShaderCode> code, bool computesKey = false);

  bool computesKey() const { return computesKey_; }

  // constants: those that the kernel reads. layout: that of the map.
  VkPipeline get(Kernel kernel, const KernelConstants& constants, const BindingMap& map, VkPipelineLayout layout);

 private:
  OwnedShaderModule makeModule(Kernel kernel, const KernelConstants& constants, const BindingMap& map) const;

  const Device& device_;
  const bool bindsBuffers_;
  const std::unique_ptr<const ShaderCode> code_;
  const bool computesKey_;
  std::map<std::tuple<Kernel, KernelConstants, BindingMap>, OwnedPipeline> pipelines_;
};

class Pipelines {
 public:
  // Of shaders that reach buffers by bindings, if bindsBuffers; else by their addresses.
  Pipelines(const Device& device, bool bindsBuffers, const RouteLimits& limits);

  VkDescriptorSetLayout planSetLayout() const { return planSetLayout_.get(); }
  VkDescriptorSetLayout frameSetLayout() const { return frameSetLayout_.get(); }
  bool bindsBuffers() const { return bindsBuffers_; }
  const RouteLimits& limits() const { return limits_; }

  // map: of the plan; where shaders use addresses, an empty one. The layouts are made on first need.
  VkDescriptorSetLayout bufferSetLayout(const BindingMap& map);
  VkPipelineLayout layout(const BindingMap& map);
  // predicate: of the plan, or null.
  VkPipeline get(Kernel kernel, const KernelConstants& constants, const BindingMap& map = {},
                 KernelSet* predicate = nullptr);

  // The kernels with the plan's predicate, which plans share; null if the plan has none.
  std::shared_ptr<KernelSet> kernelsOf(const PlanLayout& plan);

 private:
  const Device& device_;
  const bool bindsBuffers_;
  const RouteLimits limits_;
  OwnedDescriptorSetLayout planSetLayout_;   // set 0, binding 0: PlanPart and a bucket
  OwnedDescriptorSetLayout frameSetLayout_;  // set 1, at dynamic offsets, bindings 0: FramePart; 1: SluViewBlock
  std::array<OwnedDescriptorSetLayout, SLU_BINDING_COUNT + 1> bufferSetLayouts_;  // by how many buffers a plan binds
  std::array<OwnedPipelineLayout, SLU_BINDING_COUNT + 1> layouts_;                // likewise
  KernelSet own_;                                                                 // of the library
  SourceCache<KernelSet, Kernel> predicates_;
};

}  // namespace slu

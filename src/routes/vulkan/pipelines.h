// The route's compute pipelines, one per kernel and set of constants, compiled on first need and shared by all plans.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <tuple>

#include "base/vulkan_device.h"
#include "plan/layout.h"
#include "plan/source_cache.h"
#include "routes/shaders/kernel_constants.h"
#include "routes/vulkan/rebinding.h"
#include "routes/vulkan/spirv/shader_code.h"
#include "routes/vulkan/spirv/shader_variant.h"

namespace slu {

// What the shaders of a plan are made for on the device.
ShaderTarget targetOf(const Device& device);

inline KernelConstants kernelConstants(const PlanLayout& layout, const Device& device, const RouteLimits& limits) {
  return kernelConstants(layout, targetOf(device), limits);
}

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

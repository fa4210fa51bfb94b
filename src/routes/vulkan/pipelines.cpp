#include "routes/vulkan/pipelines.h"

#include <bit>
#include <span>
#include <string>
#include <vector>

#include "routes/vulkan/spirv/rounding.h"
#include "routes/vulkan/spirv/specialization.h"

namespace slu {
namespace {

// By constant_id.
using ConstantValues = std::array<std::uint32_t, sizeof(KernelConstants) / sizeof(std::uint32_t)>;

// Of modules and pipelines, for debuggers.
std::string objectName(Kernel kernel) { return std::string("sluice ") + kernelName(kernel); }

OwnedDescriptorSetLayout makeSetLayout(const Device& device, std::span<const VkDescriptorType> types,
                                       VkDescriptorSetLayoutCreateFlags flags = 0) {
  std::vector<VkDescriptorSetLayoutBinding> bindings;
  for (const VkDescriptorType type : types) {
    bindings.push_back({static_cast<std::uint32_t>(bindings.size()), type, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr});
  }
  VkDescriptorSetLayoutCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
  info.flags = flags;
  info.bindingCount = static_cast<std::uint32_t>(bindings.size());
  info.pBindings = bindings.data();
  OwnedDescriptorSetLayout layout(device);
  layout.create(device.functions.vkCreateDescriptorSetLayout, info, "vkCreateDescriptorSetLayout");
  return layout;
}

}  // namespace

ShaderTarget targetOf(const Device& device) {
  ShaderTarget target;
  target.sharedBytes = device.limits.maxComputeSharedMemorySize;
  target.mostWorkgroups = device.limits.maxComputeWorkGroupCount[0];
  target.emulatedSubgroupSize = device.emulatedSubgroupSize;
  target.severalDispatches = device.severalDispatches;
  target.draws = (device.queueFlags & VK_QUEUE_GRAPHICS_BIT) != 0;
  target.isCpu = device.isCpu;
  return target;
}

KernelSet::KernelSet(const Device& device, bool bindsBuffers, std::unique_ptr<const ShaderCode> code, bool computesKey)
    : device_(device), bindsBuffers_(bindsBuffers), code_(std::move(code)), computesKey_(computesKey) {}

OwnedShaderModule KernelSet::makeModule(Kernel kernel, const KernelConstants& constants, const BindingMap& map) const {
  std::vector<std::uint32_t> code = code_->of(kernel, variantFor(kernel, device_, bindsBuffers_));
  code = specialize(code, std::bit_cast<ConstantValues>(constants));
  if (bindsBuffers_) code = rebind(code, map);
  if (device_.roundsOnRequest) code = roundToNearest(code);
  VkShaderModuleCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
  info.codeSize = code.size() * sizeof(std::uint32_t);
  info.pCode = code.data();
  OwnedShaderModule module(device_);
  module.create(device_.functions.vkCreateShaderModule, info, "vkCreateShaderModule");
  device_.setName(module.get(), VK_OBJECT_TYPE_SHADER_MODULE, objectName(kernel).c_str());
  return module;
}

VkPipeline KernelSet::get(Kernel kernel, const KernelConstants& constants, const BindingMap& map,
                          VkPipelineLayout layout) {
  const auto [place, isNew] = pipelines_.try_emplace({kernel, constants, map}, device_);
  OwnedPipeline& pipeline = place->second;
  if (!isNew && pipeline.get() != VK_NULL_HANDLE) return pipeline.get();

  const OwnedShaderModule module = makeModule(kernel, constants, map);
  VkComputePipelineCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
  if (readsView(kernel, constants)) info.flags = VK_PIPELINE_CREATE_DISPATCH_BASE_BIT;
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = module.get();
  info.stage.pName = "main";
  info.layout = layout;
  pipeline.take(device_.functions.vkCreateComputePipelines(device_.handle, device_.pipelineCache, 1, &info,
                                                           device_.callbacks(), pipeline.put()),
                "vkCreateComputePipelines");
  device_.setName(pipeline.get(), VK_OBJECT_TYPE_PIPELINE, objectName(kernel).c_str());
  return pipeline.get();
}

Pipelines::Pipelines(const Device& device, bool bindsBuffers, const RouteLimits& limits)
    : device_(device),
      bindsBuffers_(bindsBuffers),
      limits_(limits),
      planSetLayout_(makeSetLayout(device, std::span(&kPlanBinding, 1))),
      frameSetLayout_(makeSetLayout(device, kFrameBindings)),
      own_(device, bindsBuffers, makeOwnCode()) {
  if (!bindsBuffers) layout({});
}

std::shared_ptr<KernelSet> Pipelines::kernelsOf(const PlanLayout& plan) {
  if (plan.live.test != SLU_LIVE_CUSTOM) return nullptr;
  return predicates_.get(plan.predicate, {}, [&] {
    return std::make_shared<KernelSet>(device_, bindsBuffers_, makePredicateCode(plan.predicate),
                                       plan.predicate.computesKey);
  });
}

VkDescriptorSetLayout Pipelines::bufferSetLayout(const BindingMap& map) {
  OwnedDescriptorSetLayout& layout = bufferSetLayouts_[map.slotCount];
  if (layout.get() == VK_NULL_HANDLE) {
    const std::vector<VkDescriptorType> types(map.slotCount, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER);
    layout = makeSetLayout(device_, types,
                           device_.pushesDescriptors ? VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR : 0);
  }
  return layout.get();
}

VkPipelineLayout Pipelines::layout(const BindingMap& map) {
  OwnedPipelineLayout& layout = layouts_[map.slotCount];
  if (layout.get() != VK_NULL_HANDLE) return layout.get();
  std::vector<VkDescriptorSetLayout> setLayouts = {planSetLayout_.get(), frameSetLayout_.get()};
  if (bindsBuffers_) setLayouts.push_back(bufferSetLayout(map));
  VkPipelineLayoutCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
  info.setLayoutCount = static_cast<std::uint32_t>(setLayouts.size());
  info.pSetLayouts = setLayouts.data();
  layout = OwnedPipelineLayout(device_);
  layout.create(device_.functions.vkCreatePipelineLayout, info, "vkCreatePipelineLayout");
  return layout.get();
}

VkPipeline Pipelines::get(Kernel kernel, const KernelConstants& planConstants, const BindingMap& map,
                          KernelSet* predicate) {
  const KernelConstants constants = usedConstants(kernel, planConstants);
  const bool asks = predicate != nullptr && asksPredicate(kernel, predicate->computesKey());
  KernelSet& kernels = asks ? *predicate : own_;
  return kernels.get(kernel, constants, map, layout(map));
}

}  // namespace slu

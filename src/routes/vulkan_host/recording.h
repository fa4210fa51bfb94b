// Commands that the frames of every recorded route are made of.
#pragma once

#include "base/vulkan_device.h"
#include "plan/layout.h"

namespace slu {

constexpr VkPipelineStageFlags kCompute = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
constexpr VkPipelineStageFlags kTransfer = VK_PIPELINE_STAGE_TRANSFER_BIT;

// Records a memory barrier between kCompute, kTransfer or both, for all accesses of the library's own. Name only stages
// that take part: on an NVIDIA GPU kTransfer costs 2.7 us, on either side.
void recordBarrier(const Device& device, VkCommandBuffer commands, VkPipelineStageFlags from, VkPipelineStageFlags to);

// Copies the frame's records to the staging buffer of an in-place plan. Returns false if there are none.
bool recordInputCopy(const Device& device, VkCommandBuffer commands, const PlanLayout& layout, const Frame& frame,
                     VkBuffer staging);

}  // namespace slu

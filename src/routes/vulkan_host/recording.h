// Commands that the frames of every recorded route are made of.
#pragma once

#include "base/vulkan_device.h"
#include "plan/layout.h"

namespace slu {

constexpr VkPipelineStageFlags kCompute = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
constexpr VkPipelineStageFlags kTransfer = VK_PIPELINE_STAGE_TRANSFER_BIT;

// A memory barrier between kCompute, kTransfer or both, for all accesses of the library's own. Name no stage that does not take part: on an NVIDIA GPU kTransfer costs 2.7
// us, on either side.
void recordBarrier(const Device& device, VkCommandBuffer commands, VkPipelineStageFlags from, VkPipelineStageFlags to);

// Copies the frame's records to the staging buffer of an in-place plan. False when there are none.
bool recordInputCopy(const Device& device, VkCommandBuffer commands, const PlanLayout& layout, const Frame& frame,
                     VkBuffer staging);

}  // namespace slu

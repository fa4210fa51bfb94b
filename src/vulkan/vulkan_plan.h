// A plan of the Vulkan route.
#pragma once

#include "route.h"
#include "vulkan/pipelines.h"

namespace slu {

struct VulkanBuffer : RouteBuffer {
  std::uint64_t vulkanBuffer() const override { return reinterpret_cast<std::uint64_t>(handle); }
  VkBuffer handle = VK_NULL_HANDLE;
  VkBufferUsageFlags usage = 0;
};

// device and pipelines outlive the plan.
std::unique_ptr<RoutePlan> makeVulkanPlan(const Device& device, Pipelines& pipelines, const PlanLayout& layout);

}  // namespace slu

// The C ABI of sluice_vulkan.h.
#include "api/objects.h"
#include "api/structs.h"
#include "vulkan/requirements.h"

SluResult sluGetVulkanRequirements(PFN_vkGetInstanceProcAddr getInstanceProcAddr, VkInstance instance,
                                   VkPhysicalDevice physicalDevice, SluRoute route, SluVulkanRequirements* requirements,
                                   SluMessage* message) {
  using namespace slu;
  return guard(message, [&] {
    require(getInstanceProcAddr != nullptr, "getInstanceProcAddr: is null");
    require(instance != VK_NULL_HANDLE, "instance: is null");
    require(physicalDevice != VK_NULL_HANDLE, "physicalDevice: is null");
    checkHeader(requirements, SLU_STRUCTURE_TYPE_VULKAN_REQUIREMENTS, sizeof(*requirements), "requirements");
    checkChain(requirements->pNext, {}, "requirements");
    if (route != SLU_ROUTE_AUTO && route != SLU_ROUTE_VULKAN) {
      fail(SLU_ERROR_ROUTE_UNAVAILABLE, "route: ", sluGetRouteName(route), " is no Vulkan route of this build");
    }
    checkPhysicalDevice(InstanceFunctions(getInstanceProcAddr, instance), physicalDevice, true);
    writeStruct(requirements, vulkanRequirements());
  });
}

SluResult sluCmdCompact(SluPlan plan, VkCommandBuffer commandBuffer, const SluFrameInfo* frame) {
  return slu::runPlan(plan, frame, commandBuffer, SLU_ROUTE_VULKAN, "sluCmdCompact");
}

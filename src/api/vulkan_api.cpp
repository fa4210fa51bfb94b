// The C ABI of sluice_vulkan.h.
#include <cstddef>

#include "api/merge_requirements.h"
#include "api/objects.h"
#include "api/structs.h"
#include "routes/vulkan_host/requirements.h"
#include "routes/vulkan_host/self_test.h"
#ifdef SLUICE_CUDA
#include "routes/cuda/vulkan_requirements.h"
#include "routes/inline/inline_requirements.h"
#endif

namespace slu {
namespace {

static_assert(sizeof(SluVulkanRequirements) == offsetof(SluVulkanRequirements, reserved) + 4);
constexpr std::uint32_t kFirstRequirements = offsetof(SluVulkanRequirements, drawIndirectCountExtension);

struct PhysicalDevice {
  PFN_vkGetInstanceProcAddr getInstanceProcAddr;
  VkInstance instance;
  VkPhysicalDevice handle;
};

// Whether subgroups are to be emulated is known once there is a context: a device without ballots is refused there.
SluVulkanRequirements requireVulkan(const PhysicalDevice& device, bool needsBallots) {
  const InstanceFunctions functions(device.getInstanceProcAddr, device.instance);
  checkPhysicalDevice(functions, device.handle, needsBallots);
  return vulkanRequirements(functions, device.handle);
}

SluVulkanRequirements requireCuda([[maybe_unused]] const PhysicalDevice& device) {
#ifdef SLUICE_CUDA
  checkCudaPhysicalDevice(device.getInstanceProcAddr, device.instance, device.handle);
  return cudaRequirements(InstanceFunctions(device.getInstanceProcAddr, device.instance), device.handle);
#else
  fail(SLU_ERROR_ROUTE_UNAVAILABLE, "this build of the library has no CUDA route");
#endif
}

// With what the Vulkan route needs, which takes over where the inline route is refused.
SluVulkanRequirements requireInline([[maybe_unused]] const PhysicalDevice& device) {
#ifdef SLUICE_CUDA
  const InstanceFunctions functions(device.getInstanceProcAddr, device.instance);
  checkPhysicalDevice(functions, device.handle, true);
  return inlineRequirements(functions, device.handle);
#else
  fail(SLU_ERROR_ROUTE_UNAVAILABLE, "this build of the library has no inline route");
#endif
}

SluVulkanRequirements requirementsOf(const PhysicalDevice& device, SluRoute route, bool needsBallots) {
  switch (route) {
    case SLU_ROUTE_VULKAN:
      return requireVulkan(device, needsBallots);
    case SLU_ROUTE_CUDA:
      return requireCuda(device);
    case SLU_ROUTE_INLINE:
      return requireInline(device);
    default:
      fail(SLU_ERROR_ROUTE_UNAVAILABLE, "route: ", sluGetRouteName(route), " is no Vulkan route of this build");
  }
}

// Of the best route that the device can run.
SluVulkanRequirements requireBest(const PhysicalDevice& device) {
  std::string reasons;
  for (const SluRoute route : kPreference) {
    if (route == SLU_ROUTE_CPU) continue;
    try {
      return requirementsOf(device, route, true);
    } catch (const Error& error) {  // what the device lacks; the CUDA route's probe may fail in any way
      const bool isLack = error.result() == SLU_ERROR_MISSING_FEATURE || error.result() == SLU_ERROR_ROUTE_UNAVAILABLE;
      if (!isLack && route != SLU_ROUTE_CUDA) throw;
      if (!reasons.empty()) reasons += "; ";
      reasons += std::string(sluGetRouteName(route)) + ": " + error.what();
    }
  }
  fail(SLU_ERROR_MISSING_FEATURE, reasons);
}

// What auto stands for resolved. Throws unless the route records into command buffers.
SluRoute checkRecorded(const ContextState& state, SluRoute route) {
  checkEnum(route, SLU_ROUTE_COUNT - 1, "route");
  const SluRoute resolved = state.resolve(route);
  if (!state.routes[resolved]) {
    fail(state.refusals[resolved], "route: ", sluGetRouteName(resolved), " is not available: ", state.reason(resolved));
  }
  require(state.routes[resolved]->recorded() != nullptr, "route: ", sluGetRouteName(resolved),
          " records into no command buffer");
  return resolved;
}

}  // namespace
}  // namespace slu

SluResult sluGetVulkanRequirements(PFN_vkGetInstanceProcAddr getInstanceProcAddr, VkInstance instance,
                                   VkPhysicalDevice physicalDevice, SluRoute route, SluVulkanRequirements* requirements,
                                   SluMessage* message) {
  using namespace slu;
  return guard(message, [&] {
    require(getInstanceProcAddr != nullptr, "getInstanceProcAddr: is null");
    require(instance != VK_NULL_HANDLE, "instance: is null");
    require(physicalDevice != VK_NULL_HANDLE, "physicalDevice: is null");
    checkOutput(requirements, SLU_STRUCTURE_TYPE_VULKAN_REQUIREMENTS, kFirstRequirements, "requirements");
    const PhysicalDevice device{getInstanceProcAddr, instance, physicalDevice};
    writeStruct(requirements, route == SLU_ROUTE_AUTO ? requireBest(device) : requirementsOf(device, route, false));
  });
}

SluResult sluMergeVulkanRequirements(const SluVulkanRequirements* requirements, SluVulkanMergeInfo* merge,
                                     SluMessage* message) {
  using namespace slu;
  return guard(message, [&] {
    const auto read =
        readStruct(requirements, SLU_STRUCTURE_TYPE_VULKAN_REQUIREMENTS, kFirstRequirements, "requirements");
    checkOutput(merge, SLU_STRUCTURE_TYPE_VULKAN_MERGE_INFO, sizeof(*merge), "merge");
    checkUnknownBytes(merge, merge->structSize, sizeof(*merge), "merge");
    mergeRequirements(read, *merge);
  });
}

VkBuffer sluGetVulkanBuffer(SluBuffer buffer) {
  if (buffer == nullptr) return VK_NULL_HANDLE;
  for (const auto& attachment : buffer->attachments) {
    if (attachment && attachment->vulkanBuffer() != 0) return reinterpret_cast<VkBuffer>(attachment->vulkanBuffer());
  }
  return VK_NULL_HANDLE;
}

SluResult sluCmdCompact(SluPlan plan, VkCommandBuffer commandBuffer, const SluFrameInfo* frame) {
  const bool isInline = plan != nullptr && plan->route == SLU_ROUTE_INLINE;
  return slu::runPlan(plan, frame, commandBuffer, isInline ? SLU_ROUTE_INLINE : SLU_ROUTE_VULKAN, "sluCmdCompact");
}

SluResult sluCmdSelfTest(SluContext context, SluRoute route, VkCommandBuffer commandBuffer) {
  using namespace slu;
  if (context == nullptr) return SLU_ERROR_INVALID_ARGUMENT;
  ContextState& state = *context->state;
  return guard(state, [&] {
    const SluRoute resolved = checkRecorded(state, route);
    require(commandBuffer != VK_NULL_HANDLE, "commandBuffer: is null");
    const auto test = std::make_shared<SelfTest>(*state.routes[resolved]->recorded(), resolved);
    test->record(commandBuffer);
    state.selfTests[resolved] = test;
  });
}

SluResult sluGetSelfTestResult(SluContext context, SluRoute route) {
  using namespace slu;
  if (context == nullptr) return SLU_ERROR_INVALID_ARGUMENT;
  ContextState& state = *context->state;
  return guard(state, [&] {
    const std::shared_ptr<const SelfTest>& test = state.selfTests[checkRecorded(state, route)];
    require(test != nullptr, "route: no sluCmdSelfTest came before");
    test->check();
  });
}

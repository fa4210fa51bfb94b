// The C ABI of sluice_vulkan.h.
#include <cstddef>

#include "api/host_devices.h"
#include "api/merge_requirements.h"
#include "api/objects.h"
#include "api/route_table.h"
#include "base/structs.h"
#include "routes/vulkan_host/self_test.h"

namespace slu {
namespace {

static_assert(sizeof(SluVulkanRequirements) == offsetof(SluVulkanRequirements, maxBindingBytes) + 4);
constexpr std::uint32_t kFirstRequirements = offsetof(SluVulkanRequirements, drawIndirectCountExtension);

SluVulkanRequirements requirementsOf(const PhysicalDevice& device, const RouteRow& row, bool needsBallots) {
  if (row.make == nullptr) {
    fail(SLU_ERROR_ROUTE_UNAVAILABLE, "this build of the library has no ", row.name, " route");
  }
  if (row.requirements == nullptr) {
    fail(SLU_ERROR_ROUTE_UNAVAILABLE, "route: ", row.name, " needs nothing of a Vulkan device; ask for another route");
  }
  return row.requirements(device, needsBallots);
}

// Returns the requirements of the best route that the device can run.
SluVulkanRequirements requireBest(const PhysicalDevice& device) {
  std::string reasons;
  for (const RouteRow& row : routeRows()) {
    if (row.verbBit == 0) continue;
    try {
      return requirementsOf(device, row, true);
    } catch (const Error& error) {
      if (!row.isReason(error.result())) throw;
      if (!reasons.empty()) reasons += "; ";
      reasons += std::string(row.name) + ": " + error.what();
    }
  }
  fail(SLU_ERROR_MISSING_FEATURE, reasons);
}

// Only a context tells whether subgroups are emulated, so it is sluCreateContext that refuses a device without ballots.
SluVulkanRequirements requirementsFor(const PhysicalDevice& device, SluRoute route) {
  if (route == SLU_ROUTE_AUTO) return requireBest(device);
  checkEnum(route, SLU_ROUTE_COUNT - 1, "route");
  return requirementsOf(device, rowOf(route), false);
}

// Returns the route, or what auto picks. Throws unless it records into command buffers.
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
    writeStruct(requirements, requirementsFor(device, route));
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
  return slu::runPlan(plan, frame, commandBuffer, "sluCmdCompact");
}

SluResult sluCmdBuildPyramid(SluPyramid pyramid, VkCommandBuffer commandBuffer, const SluPyramidBuildInfo* build) {
  return slu::buildPyramid(pyramid, build, commandBuffer, "sluCmdBuildPyramid");
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

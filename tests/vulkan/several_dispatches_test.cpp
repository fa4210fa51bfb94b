// Frames in several dispatches: what their shaders must not have, and the driver that gets them without asking.
#include <cstdint>
#include <cstring>
#include <map>
#include <string>

#include "compact_atomic64.h"
#include "compact_bound.h"
#include "compact_bound_dispatches.h"
#include "compact_bound_dispatches_emulated.h"
#include "compact_dispatches.h"
#include "compact_dispatches_emulated.h"
#include "compact_emulated.h"
#include "compact_native.h"
#include "count_bound.h"
#include "count_bound_emulated.h"
#include "count_emulated.h"
#include "count_native.h"
#include "emit_bound.h"
#include "emit_bound_emulated.h"
#include "emit_emulated.h"
#include "emit_native.h"
#include "find_visible_bound.h"
#include "find_visible_native.h"
#include "fixture.h"
#include "ordered_native.h"
#include "persistent_native.h"
#include "planted_branch.h"
#include "planted_break.h"
#include "planted_device_atomic.h"
#include "planted_device_barrier.h"
#include "planted_last.h"
#include "planted_loop.h"
#include "planted_memory_barrier.h"
#include "planted_nothing.h"
#include "planted_return.h"
#include "publish_bound.h"
#include "publish_bound_emulated.h"
#include "publish_emulated.h"
#include "publish_native.h"
#include "scan_bound.h"
#include "scan_bound_emulated.h"
#include "scan_emulated.h"
#include "scan_native.h"
#include "shim.h"
#include "sorted_bound.h"
#include "sorted_bound_dispatches.h"
#include "sorted_bound_dispatches_emulated.h"
#include "sorted_dispatches.h"
#include "sorted_dispatches_emulated.h"
#include "sorted_native.h"
#include "sparse_emit_bound.h"
#include "sparse_emit_bound_emulated.h"
#include "sparse_emit_emulated.h"
#include "sparse_emit_native.h"
#include "sparse_places_bound.h"
#include "sparse_places_bound_emulated.h"
#include "sparse_places_emulated.h"
#include "sparse_places_native.h"
#include "sparse_publish_bound.h"
#include "sparse_publish_bound_emulated.h"
#include "sparse_publish_emulated.h"
#include "sparse_publish_native.h"
#include "sparse_rank_bound.h"
#include "sparse_rank_bound_emulated.h"
#include "sparse_rank_emulated.h"
#include "sparse_rank_native.h"
#include "sparse_sums_bound.h"
#include "sparse_sums_bound_emulated.h"
#include "sparse_sums_emulated.h"
#include "sparse_sums_native.h"
#include "uniform_flow.h"

namespace slu::test {
namespace {

const NamedModule kDispatches[] = {{"compact_dispatches", compact_dispatches},
                                   {"compact_dispatches_emulated", compact_dispatches_emulated},
                                   {"sorted_dispatches", sorted_dispatches},
                                   {"sorted_dispatches_emulated", sorted_dispatches_emulated},
                                   {"count_native", count_native},
                                   {"count_emulated", count_emulated},
                                   {"scan_native", scan_native},
                                   {"scan_emulated", scan_emulated},
                                   {"publish_native", publish_native},
                                   {"publish_emulated", publish_emulated},
                                   {"emit_native", emit_native},
                                   {"emit_emulated", emit_emulated},
                                   {"compact_bound_dispatches", compact_bound_dispatches},
                                   {"compact_bound_dispatches_emulated", compact_bound_dispatches_emulated},
                                   {"sorted_bound_dispatches", sorted_bound_dispatches},
                                   {"sorted_bound_dispatches_emulated", sorted_bound_dispatches_emulated},
                                   {"count_bound", count_bound},
                                   {"count_bound_emulated", count_bound_emulated},
                                   {"scan_bound", scan_bound},
                                   {"scan_bound_emulated", scan_bound_emulated},
                                   {"publish_bound", publish_bound},
                                   {"publish_bound_emulated", publish_bound_emulated},
                                   {"emit_bound", emit_bound},
                                   {"emit_bound_emulated", emit_bound_emulated},
                                   {"sparse_rank_native", sparse_rank_native},
                                   {"sparse_rank_emulated", sparse_rank_emulated},
                                   {"sparse_rank_bound", sparse_rank_bound},
                                   {"sparse_rank_bound_emulated", sparse_rank_bound_emulated},
                                   {"sparse_sums_native", sparse_sums_native},
                                   {"sparse_sums_emulated", sparse_sums_emulated},
                                   {"sparse_sums_bound", sparse_sums_bound},
                                   {"sparse_sums_bound_emulated", sparse_sums_bound_emulated},
                                   {"sparse_publish_native", sparse_publish_native},
                                   {"sparse_publish_emulated", sparse_publish_emulated},
                                   {"sparse_publish_bound", sparse_publish_bound},
                                   {"sparse_publish_bound_emulated", sparse_publish_bound_emulated},
                                   {"sparse_places_native", sparse_places_native},
                                   {"sparse_places_emulated", sparse_places_emulated},
                                   {"sparse_places_bound", sparse_places_bound},
                                   {"sparse_places_bound_emulated", sparse_places_bound_emulated},
                                   {"sparse_emit_native", sparse_emit_native},
                                   {"sparse_emit_emulated", sparse_emit_emulated},
                                   {"sparse_emit_bound", sparse_emit_bound},
                                   {"sparse_emit_bound_emulated", sparse_emit_bound_emulated},
                                   {"find_visible_native", find_visible_native},
                                   {"find_visible_bound", find_visible_bound}};

// They finish a frame by themselves, and a check that finds nothing in them finds nothing at all.
const NamedModule kSinglePasses[] = {{"compact_native", compact_native},       {"compact_atomic64", compact_atomic64},
                                     {"compact_emulated", compact_emulated},   {"ordered_native", ordered_native},
                                     {"persistent_native", persistent_native}, {"sorted_native", sorted_native},
                                     {"compact_bound", compact_bound},         {"sorted_bound", sorted_bound}};

// What orders memory beyond the workgroup, or lets one invocation wait for its memory by itself. The scopes and the
// semantics of barriers and atomic operations are constants.
std::size_t orderingsBeyondWorkgroup(Words module) {
  constexpr std::uint32_t kOpConstant = 43, kOpControlBarrier = 224, kOpMemoryBarrier = 225, kOpAtomicLoad = 227,
                          kOpAtomicStore = 228, kOpAtomicXor = 242;
  constexpr std::uint32_t kWorkgroupScope = 2, kOrderings = 0x2 | 0x4 | 0x8 | 0x10;
  std::map<std::uint32_t, std::uint32_t> constants;
  std::size_t found = 0;
  const auto orders = [&](std::uint32_t scope, std::uint32_t semantics) {
    return constants.at(scope) < kWorkgroupScope || constants.at(scope) > 3
               ? (constants.at(semantics) & kOrderings) != 0
               : false;
  };
  forEachInstruction(module, [&](std::uint32_t op, Words operands) {
    if (op == kOpConstant) constants[operands[1]] = operands[2];
    if (op == kOpMemoryBarrier) ++found;
    if (op == kOpControlBarrier) found += orders(operands[1], operands[2]);
    if (op == kOpAtomicStore) found += orders(operands[1], operands[2]);
    if (op >= kOpAtomicLoad && op <= kOpAtomicXor && op != kOpAtomicStore) found += orders(operands[3], operands[4]);
  });
  return found;
}

TEST(SeveralDispatches, OrderNoMemoryBetweenWorkgroups) {
  for (const auto& [name, module] : kDispatches) EXPECT_EQ(orderingsBeyondWorkgroup(module), 0u) << name;
  for (const auto& [name, module] : kSinglePasses) {
    if (name != std::string("ordered_native") && name != std::string("persistent_native")) {
      EXPECT_GT(orderingsBeyondWorkgroup(module), 0u) << name;
    }
  }
  EXPECT_EQ(orderingsBeyondWorkgroup(planted_nothing), 0u);
  EXPECT_EQ(orderingsBeyondWorkgroup(planted_memory_barrier), 1u);
  EXPECT_EQ(orderingsBeyondWorkgroup(planted_device_barrier), 1u);
  EXPECT_EQ(orderingsBeyondWorkgroup(planted_device_atomic), 1u);
}

TEST(SeveralDispatches, AskNobodyWhetherTheyAreLast) {
  for (const auto& [name, module] : kDispatches) EXPECT_EQ(comparisonsOfArrivals(module), 0u) << name;
  for (const auto& [name, module] : kSinglePasses) EXPECT_GT(comparisonsOfArrivals(module), 0u) << name;
  EXPECT_EQ(comparisonsOfArrivals(planted_nothing), 0u);
  EXPECT_EQ(comparisonsOfArrivals(planted_last), 1u);
}

TEST(SeveralDispatches, HaveBarriersInUniformFlowAlone) {
  for (const auto& [name, module] : kDispatches) {
    EXPECT_EQ(barriersInVaryingFlow(module), std::vector<std::string>()) << name;
  }
  for (const auto& [name, module] : kSinglePasses) EXPECT_NE(barriersInVaryingFlow(module).size(), 0u) << name;
  const std::vector<std::string> inMeet = {"main > meet"};
  EXPECT_EQ(barriersInVaryingFlow(planted_nothing), std::vector<std::string>());
  EXPECT_EQ(barriersInVaryingFlow(planted_last), std::vector<std::string>());
  EXPECT_EQ(barriersInVaryingFlow(planted_loop), inMeet);
  EXPECT_EQ(barriersInVaryingFlow(planted_break), inMeet);
  EXPECT_EQ(barriersInVaryingFlow(planted_branch), inMeet);
  EXPECT_EQ(barriersInVaryingFlow(planted_return), inMeet);
}

// ---- MoltenVK ----

PFN_vkGetInstanceProcAddr shimmed = nullptr;
PFN_vkGetPhysicalDeviceProperties2 realProperties = nullptr;

VKAPI_ATTR void VKAPI_CALL propertiesOfMoltenVk(VkPhysicalDevice physicalDevice,
                                                VkPhysicalDeviceProperties2* properties) {
  realProperties(physicalDevice, properties);
  for (auto* chained = static_cast<VkBaseOutStructure*>(properties->pNext); chained != nullptr;
       chained = chained->pNext) {
    if (chained->sType != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES) continue;
    reinterpret_cast<VkPhysicalDeviceDriverProperties*>(chained)->driverID = VK_DRIVER_ID_MOLTENVK;
  }
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL functionOfMoltenVk(VkInstance instance, const char* name) {
  const PFN_vkVoidFunction real = shimmed(instance, name);
  return std::strcmp(name, "vkGetPhysicalDeviceProperties2") == 0 ? replace(realProperties, real, propertiesOfMoltenVk)
                                                                  : real;
}

class MoltenVk : public VulkanTest {
 protected:
  // Runs the self-test, which compares with the CPU route. Returns the dispatches that it took.
  std::uint32_t testItself(PFN_vkGetInstanceProcAddr getInstanceProcAddr, SluFlags flags) {
    SluVulkanDeviceInfo info = device().info();
    info.getInstanceProcAddr = getInstanceProcAddr;
    info.flags = flags;
    const Context context = makeContext(info);
    const std::uint32_t before = dispatches();
    device().runOnce([&](VkCommandBuffer commands) {
      EXPECT_EQ(sluCmdSelfTest(context, SLU_ROUTE_VULKAN, commands), SLU_SUCCESS) << sluGetErrorMessage(context);
    });
    EXPECT_EQ(sluGetSelfTestResult(context, SLU_ROUTE_VULKAN), SLU_SUCCESS) << sluGetErrorMessage(context);
    return dispatches() - before;
  }

  std::uint32_t dispatches() const { return shim_.callsThatStartWith("vkCmdDispatch"); }

  Shim shim_;
};

TEST_F(MoltenVk, GetsSeveralDispatches) {
  shimmed = shim_.entry();
  const std::uint32_t usual = testItself(shim_.entry(), 0);
  const std::uint32_t several = testItself(shim_.entry(), SLU_VULKAN_SEVERAL_DISPATCHES_BIT);
  EXPECT_GT(several, usual);
  EXPECT_EQ(testItself(functionOfMoltenVk, 0), several);
  EXPECT_EQ(testItself(functionOfMoltenVk, SLU_VULKAN_BOUND_BUFFERS_BIT), several);
}

// It offers what the route needs, and is not refused for its name.
TEST_F(MoltenVk, IsTakenForItsFeatures) {
  shimmed = loadVulkan();
  auto requirements = SLU_INIT(VULKAN_REQUIREMENTS, SluVulkanRequirements);
  SluMessage message{};
  EXPECT_EQ(sluGetVulkanRequirements(functionOfMoltenVk, instance().handle, instance().physicalDevice, SLU_ROUTE_VULKAN,
                                     &requirements, &message),
            SLU_SUCCESS)
      << message.text;
}

}  // namespace
}  // namespace slu::test

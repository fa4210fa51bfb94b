// The contract suite with shaders that number their subgroups themselves, as those in HLSL must. Shader modules are
// exchanged on their way to the driver.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <iostream>
#include <span>
#include <vector>

#include "compact_atomic64.h"
#include "compact_native.h"
#include "count_native.h"
#include "emit_native.h"
#include "numbered/compact_atomic64.h"
#include "numbered/compact_native.h"
#include "numbered/count_native.h"
#include "numbered/emit_native.h"
#include "numbered/ordered_native.h"
#include "numbered/persistent_native.h"
#include "numbered/publish_native.h"
#include "numbered/scan_native.h"
#include "numbered/sorted_native.h"
#include "ordered_native.h"
#include "persistent_native.h"
#include "publish_native.h"
#include "routes/vulkan/spirv/rounding.h"
#include "scan_native.h"
#include "sorted_native.h"
#include "vulkan_host.h"

namespace slu::test {
namespace {

using Words = std::span<const std::uint32_t>;

struct Exchange {
  PackedSpirv own;
  Words numbered;
};
const Exchange kExchanges[] = {
    {compact_native, numbered_compact_native}, {compact_atomic64, numbered_compact_atomic64},
    {ordered_native, numbered_ordered_native}, {persistent_native, numbered_persistent_native},
    {sorted_native, numbered_sorted_native},   {count_native, numbered_count_native},
    {scan_native, numbered_scan_native},       {publish_native, numbered_publish_native},
    {emit_native, numbered_emit_native}};

std::uint32_t exchanged = 0;
PFN_vkCreateShaderModule realCreateShaderModule = nullptr;
PFN_vkGetDeviceProcAddr realGetDeviceProcAddr = nullptr;

VKAPI_ATTR VkResult VKAPI_CALL createShaderModule(VkDevice device, const VkShaderModuleCreateInfo* info,
                                                  const VkAllocationCallbacks* callbacks, VkShaderModule* module) {
  const Words code(info->pCode, info->codeSize / 4);
  for (const Exchange& exchange : kExchanges) {
    for (const bool rounds : {false, true}) {
      const auto form = [&](Words words) {
        return rounds ? roundToNearest(words) : std::vector<std::uint32_t>(words.begin(), words.end());
      };
      if (!std::ranges::equal(code, form(unpack(exchange.own)))) continue;
      const std::vector<std::uint32_t> words = form(exchange.numbered);
      VkShaderModuleCreateInfo numbered = *info;
      numbered.codeSize = words.size() * 4;
      numbered.pCode = words.data();
      ++exchanged;
      return realCreateShaderModule(device, &numbered, callbacks, module);
    }
  }
  ADD_FAILURE() << "a shader module that has no counterpart here";
  return VK_ERROR_INITIALIZATION_FAILED;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL getDeviceProcAddr(VkDevice device, const char* name) {
  const PFN_vkVoidFunction real = realGetDeviceProcAddr(device, name);
  return std::strcmp(name, "vkCreateShaderModule") == 0 ? replace(realCreateShaderModule, real, createShaderModule)
                                                        : real;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL getInstanceProcAddr(VkInstance instance, const char* name) {
  const PFN_vkVoidFunction real = loadVulkan()(instance, name);
  if (std::strcmp(name, "vkGetDeviceProcAddr") != 0 || real == nullptr) return real;
  return replace(realGetDeviceProcAddr, real, getDeviceProcAddr);
}

}  // namespace
}  // namespace slu::test

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  slu::test::lookUpThrough(slu::test::getInstanceProcAddr);
  const int result = RUN_ALL_TESTS();
  std::cout << "Shader modules that number their subgroups: " << slu::test::exchanged << "\n";
  const bool hasRun = testing::UnitTest::GetInstance()->successful_test_count() != 0;
  return hasRun && slu::test::exchanged == 0 ? 1 : result;
}

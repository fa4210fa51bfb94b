// A Vulkan host whose device shares memory and, where it can, timeline semaphores.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "interop/external_allocation.h"
#include "interop/vulkan_external.h"
#include "vulkan_host.h"

namespace slu::test {

constexpr VkBufferUsageFlags kTestUsage =
    VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;

#define SLU_TEST_EXTERNAL_FUNCTIONS(X) \
  X(vkGetSemaphoreCounterValue)        \
  X(vkWaitSemaphores)

struct ExternalHost {
  enum class Extensions { all, none };  // of kExternalExtensions, those that the device has

  explicit ExternalHost(Extensions extensions = Extensions::all);  // throws Unavailable

  // A copy of the buffer's content.
  std::vector<std::uint32_t> read(VkBuffer buffer, std::uint64_t size) const;

  VulkanInstance instance;
  VulkanDevice vulkan;
  SluVulkanDeviceInfo info;
  Device device;
  VulkanExternal external;
#define SLU_TEST_DECLARE(name) PFN_##name name = nullptr;
  SLU_TEST_EXTERNAL_FUNCTIONS(SLU_TEST_DECLARE)
#undef SLU_TEST_DECLARE
};

// A host's pool: one exportable block, not dedicated, with buffers at offsets.
struct Pool {
  Pool(const ExternalHost& host, std::size_t count, std::uint64_t bufferBytes);

  OwnedMemory memory;
  std::vector<OwnedBuffer> buffers;
  std::vector<std::uint64_t> offsets;
  ExternalAllocation allocation;
};

// Skips where there is no Vulkan device; a test must leave no message of the validation layer.
class ExternalTest : public ::testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;
  std::unique_ptr<ExternalHost> host;
};

}  // namespace slu::test

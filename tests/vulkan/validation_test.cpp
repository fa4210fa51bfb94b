// The validation layer that all other tests rely on.
#include <cstdlib>
#include <cstring>
#include <iostream>

#include "fixture.h"

namespace slu::test {
namespace {

// SLUICE_REQUIRE_VALIDATION=1 makes a missing layer, or a missing device, an error.
bool isRequired() {
  const char* variable = std::getenv("SLUICE_REQUIRE_VALIDATION");
  return variable != nullptr && std::strcmp(variable, "1") == 0;
}

TEST(Validation, IsPresent) {
  std::string missing;
  try {
    const VulkanInstance instance;
    std::cout << "Vulkan device: " << describeDevice(instance) << "; lacks " << describeLacks(instance) << "\n";
    if (!instance.isValidated) missing = std::string(kValidationLayer) + " is not installed: nothing is validated";
  } catch (const Unavailable& unavailable) {
    missing = unavailable.what();
  }
  if (missing.empty()) return;
  if (isRequired()) FAIL() << missing;
  GTEST_SKIP() << missing;
}

// Versions of the layer word their messages differently. So these tests look for a message where there is a mistake, and
// for none where the same commands are without it: a host's mistake is noticed, or the other tests prove nothing.

TEST_F(VulkanTest, ValidationReportsMistakes) {
  if (!instance().isValidated) GTEST_SKIP() << kValidationLayer << " is not installed";
  const VulkanBuffer buffer(device(), 64, VK_BUFFER_USAGE_TRANSFER_DST_BIT, VulkanBuffer::Kind::mapped);
  const auto fillFrom = [&](VkDeviceSize offset) {
    device().runOnce(
        [&](VkCommandBuffer commands) { device().functions.vkCmdFillBuffer(commands, buffer.handle, offset, 4, 0); });
    return takeMessages();
  };
  EXPECT_EQ(fillFrom(4), "");
  EXPECT_NE(fillFrom(2), "") << "offsets are multiples of 4";
}

// Synchronization validation is on: a copy reads what another command wrote, with a barrier and without.
TEST_F(VulkanTest, ValidationReportsHazards) {
  if (!instance().isValidated) GTEST_SKIP() << kValidationLayer << " is not installed";
  const VkBufferUsageFlags usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
  const VulkanBuffer from(device(), 64, usage, VulkanBuffer::Kind::mapped);
  const VulkanBuffer to(device(), 64, usage, VulkanBuffer::Kind::mapped);
  const auto copy = [&](bool hasBarrier) {
    device().runOnce([&](VkCommandBuffer commands) {
      const VkBufferCopy all{0, 0, 64};
      device().functions.vkCmdFillBuffer(commands, from.handle, 0, 64, 1);
      if (hasBarrier) {
        device().barrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                         VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT);
      }
      device().functions.vkCmdCopyBuffer(commands, from.handle, to.handle, 1, &all);
    });
    return takeMessages();
  };
  EXPECT_EQ(copy(true), "");
  EXPECT_NE(copy(false), "");
}

}  // namespace
}  // namespace slu::test

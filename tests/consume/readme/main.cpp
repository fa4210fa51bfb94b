// Runs the README's example as a renderer would: random spheres, one frame, the draw command counted on the CPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

#include "random.h"
#include "readme_example.hpp"
#include "vulkan_host.h"

namespace slu::test {
namespace {

struct Sphere {
  float x, y, z, radius;
};

// An orthographic box: x and y from -1 to 1, z from 0 to 1.
constexpr float kIdentity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

bool isInBox(const Sphere& s) {
  return s.x >= -1 - s.radius && s.x <= 1 + s.radius && s.y >= -1 - s.radius && s.y <= 1 + s.radius &&
         s.z >= -s.radius && s.z <= 1 + s.radius;
}

TEST(ReadmeExample, CullsWhatIsOutsideTheFrustum) {
  Random random;
  SCOPED_TRACE(describeSeed());
  const VulkanInstance instance;
  const VulkanDevice device(instance);
  constexpr std::uint32_t kCount = 10007;
  constexpr std::uint32_t kIndexCount = 36;

  // Coordinates in sixteenths, so that no rounding decides.
  std::vector<Sphere> spheres(kCount);
  const auto sixteenths = [&](std::uint32_t range) { return static_cast<float>(random.below(range)) / 16.0f; };
  for (Sphere& s : spheres) s = {sixteenths(96) - 3, sixteenths(96) - 3, sixteenths(96) - 3, sixteenths(8)};

  const VkBufferUsageFlags usage = allUsages(instance);
  const VulkanBuffer input(device, kCount * sizeof(Sphere), usage, VulkanBuffer::Kind::mapped);
  const VulkanBuffer indices(device, kCount * 4, usage, VulkanBuffer::Kind::mapped);
  const VulkanBuffer command(device, sizeof(VkDrawIndexedIndirectCommand), usage, VulkanBuffer::Kind::mapped);
  std::memcpy(input.mapped, spheres.data(), input.size);

  InstanceCulling culling;
  ASSERT_EQ(culling.create(device.info(), kCount, kIndexCount), SLU_SUCCESS);
  ASSERT_EQ(culling.add(culling.spheres, input.handle, input.size, usage), SLU_SUCCESS);
  ASSERT_EQ(culling.add(culling.visible, indices.handle, indices.size, usage), SLU_SUCCESS);
  ASSERT_EQ(culling.add(culling.draw, command.handle, command.size, usage), SLU_SUCCESS);
  device.runOnce([&](VkCommandBuffer commands) {
    ASSERT_EQ(culling.record(commands, kCount, kIdentity), SLU_SUCCESS) << sluGetErrorMessage(culling.context);
    device.barrier(commands, SLU_VULKAN_OUTPUT_STAGES, VK_ACCESS_SHADER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
                   VK_ACCESS_HOST_READ_BIT);
  });

  std::vector<std::uint32_t> expected;
  for (std::uint32_t i = 0; i < kCount; ++i) {
    if (isInBox(spheres[i])) expected.push_back(i);
  }
  VkDrawIndexedIndirectCommand written{};
  std::memcpy(&written, command.mapped, sizeof(written));
  ASSERT_EQ(written.instanceCount, expected.size());
  EXPECT_EQ(written.indexCount, kIndexCount);
  EXPECT_EQ(written.firstInstance, 0u);
  std::vector<std::uint32_t> visible(written.instanceCount);
  std::memcpy(visible.data(), indices.mapped, visible.size() * 4);
  std::sort(visible.begin(), visible.end());
  EXPECT_EQ(visible, expected);
  EXPECT_TRUE(takeValidationMessages().empty());
}

}  // namespace
}  // namespace slu::test

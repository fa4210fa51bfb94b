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

// An orthographic box: x and y from -1 to 1, z from 0 to 1.
constexpr float kIdentity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
// The box's middle is as far away as the example's farther LOD begins.
constexpr float kEye[3] = {50, 0, 0};

bool isInBox(const Instance& instance) {
  const auto [x, y, z] = instance.center;
  const float radius = instance.radius;
  return x >= -1 - radius && x <= 1 + radius && y >= -1 - radius && y <= 1 + radius && z >= -radius && z <= 1 + radius;
}

bool isFar(const Instance& instance) {
  const auto [x, y, z] = instance.center;
  return (x - 50) * (x - 50) + y * y + z * z >= 50 * 50;
}

TEST(ReadmeExample, DrawsWhatIsInTheFrustumByMeshAndLod) {
  Random random;
  SCOPED_TRACE(describeSeed());
  const VulkanInstance instance;
  const VulkanDevice device(instance);
  constexpr std::uint32_t kCount = 10007;
  constexpr SluDrawTemplate kTemplates[4] = {{36, 0, 0, 0, 0}, {12, 0, 36, 0, 0}, {24, 0, 48, 8, 0}, {6, 0, 72, 8, 0}};

  // Coordinates in sixteenths, so that no rounding decides.
  std::vector<Instance> instances(kCount);
  const auto sixteenths = [&](std::uint32_t range) { return static_cast<float>(random.below(range)) / 16.0f; };
  for (Instance& i : instances) {
    i = {{sixteenths(96) - 3, sixteenths(96) - 3, sixteenths(96) - 3}, sixteenths(8), random.below(2)};
  }

  const VkBufferUsageFlags usage = allUsages(instance);
  const VulkanBuffer input(device, kCount * sizeof(Instance), usage, VulkanBuffer::Kind::mapped);
  const VulkanBuffer indices(device, 4 * kCount * 4, usage, VulkanBuffer::Kind::mapped);
  const VulkanBuffer commands(device, 4 * sizeof(VkDrawIndexedIndirectCommand), usage, VulkanBuffer::Kind::mapped);
  std::memcpy(input.mapped, instances.data(), input.size);

  InstanceCulling culling;
  ASSERT_EQ(culling.create(device.info(), kCount, kTemplates), SLU_SUCCESS);
  ASSERT_EQ(culling.add(culling.instances, input.handle, input.size, usage), SLU_SUCCESS);
  ASSERT_EQ(culling.add(culling.visible, indices.handle, indices.size, usage), SLU_SUCCESS);
  ASSERT_EQ(culling.add(culling.draws, commands.handle, commands.size, usage), SLU_SUCCESS);
  device.runOnce([&](VkCommandBuffer recording) {
    ASSERT_EQ(culling.record(recording, kCount, kIdentity, kEye), SLU_SUCCESS) << sluGetErrorMessage(culling.context);
    device.barrier(recording, SLU_VULKAN_OUTPUT_STAGES, VK_ACCESS_SHADER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
                   VK_ACCESS_HOST_READ_BIT);
  });

  for (std::uint32_t draw = 0; draw < 4; ++draw) {
    std::vector<std::uint32_t> expected;
    for (std::uint32_t i = 0; i < kCount; ++i) {
      const std::uint32_t bucket = instances[i].mesh * 2 + isFar(instances[i]);
      if (bucket == draw && isInBox(instances[i])) expected.push_back(i);
    }
    EXPECT_FALSE(expected.empty());
    VkDrawIndexedIndirectCommand written{};
    std::memcpy(&written, commands.mapped + draw * sizeof(written), sizeof(written));
    ASSERT_EQ(written.instanceCount, expected.size());
    EXPECT_EQ(written.indexCount, kTemplates[draw].elementCount);
    EXPECT_EQ(written.firstIndex, kTemplates[draw].firstElement);
    EXPECT_EQ(written.vertexOffset, kTemplates[draw].vertexOffset);
    ASSERT_EQ(written.firstInstance, draw * kCount);
    std::vector<std::uint32_t> visible(written.instanceCount);
    std::memcpy(visible.data(), indices.mapped + written.firstInstance * 4, visible.size() * 4);
    std::sort(visible.begin(), visible.end());
    EXPECT_EQ(visible, expected);
  }
  EXPECT_TRUE(takeValidationMessages().empty());
}

}  // namespace
}  // namespace slu::test

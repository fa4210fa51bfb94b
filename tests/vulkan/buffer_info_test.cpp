// Every field of SluVulkanBufferInfo, and the usages that a frame needs of each binding.
#include "fixture.h"
#include "plans.h"
#include "scene_builder.h"

namespace slu::test {
namespace {

class BufferInfo : public VulkanTest {
 protected:
  void SetUp() override {
    VulkanTest::SetUp();
    if (IsSkipped()) return;
    context = makeContext();
    buffer = std::make_unique<VulkanBuffer>(device(), 4096, allUsages(instance()), VulkanBuffer::Kind::mapped);
    vulkan.buffer = buffer->handle;
    vulkan.usage = buffer->usage;
    info.size = buffer->size;
    info.pNext = &vulkan;
  }
  void TearDown() override {
    context.reset();
    buffer.reset();
    VulkanTest::TearDown();
  }

  void expectRefused(const std::string& part) {
    SluBuffer registered = nullptr;
    const SluResult result = sluCreateBuffer(context, &info, &registered);
    EXPECT_TRUE(failsWith(result, SLU_ERROR_INVALID_ARGUMENT, context, part));
    EXPECT_EQ(registered, nullptr);
    sluDestroyBuffer(registered);
  }

  Context context;
  std::unique_ptr<VulkanBuffer> buffer;
  SluVulkanBufferInfo vulkan = SLU_INIT(VULKAN_BUFFER_INFO, SluVulkanBufferInfo);
  SluBufferCreateInfo info = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
};

TEST_F(BufferInfo, IsAccepted) {
  Buffer registered;
  EXPECT_EQ(sluCreateBuffer(context, &info, registered.put()), SLU_SUCCESS) << sluGetErrorMessage(context);
}

TEST_F(BufferInfo, RefusesANullBuffer) {
  vulkan.buffer = VK_NULL_HANDLE;
  expectRefused("vulkanBuffer.buffer");
}

TEST_F(BufferInfo, RefusesEachMissingUsage) {
  const VkBufferUsageFlags needed = requirementsOf(instance()).bufferUsage;
  for (std::uint32_t bit = 0; bit < 32; ++bit) {
    if ((needed >> bit & 1) == 0) continue;
    vulkan.usage = needed & ~(1u << bit);
    expectRefused("vulkanBuffer.usage");
  }
  vulkan.usage = needed;
  Buffer registered;
  EXPECT_EQ(sluCreateBuffer(context, &info, registered.put()), SLU_SUCCESS) << sluGetErrorMessage(context);
}

TEST_F(BufferInfo, RefusesMalformedStructs) {
  vulkan.structSize = 0;
  expectRefused("structSize");
  vulkan.structSize = sizeof(vulkan) - 8;
  expectRefused("structSize");
  vulkan = SLU_INIT(VULKAN_BUFFER_INFO, SluVulkanBufferInfo);
  vulkan.sType = SLU_STRUCTURE_TYPE_VULKAN_DEVICE_INFO;
  expectRefused("pNext");
}

// A plan of one frame whose buffers are created one by one, each with a usage of its own.
class BufferUse : public VulkanTest {
 protected:
  // Registers a buffer per binding, `lacking` without `bit`, and expects the frame to be refused when it is needed.
  void expectNeeded(const PlanSpec& spec, Place FrameSpec::*lacking, VkBufferUsageFlags bit, const std::string& field) {
    Random random;
    const Scene scene = makeScene(spec, makeInput(spec, 10, Pattern::all, random), 1, random);
    FrameSpec frame = scene.frames[0];
    const Context context = makeContext();
    Plan plan;
    require(context, sluCreatePlan(context, PlanArguments(spec, SLU_ROUTE_VULKAN).get(), plan.put()), "sluCreatePlan");

    const VulkanBuffer whole(device(), 65536, allUsages(instance()), VulkanBuffer::Kind::mapped);
    const VulkanBuffer partial(device(), 65536, allUsages(instance()) & ~bit, VulkanBuffer::Kind::mapped);
    Buffer registered[2];
    require(context, registerBuffer(context, whole, registered[0].put()), "sluCreateBuffer");
    require(context, registerBuffer(context, partial, registered[1].put()), "sluCreateBuffer");
    std::uint64_t offset = 0;
    for (const auto place : {&FrameSpec::records, &FrameSpec::indices, &FrameSpec::keptRecords, &FrameSpec::draws,
                             &FrameSpec::drawCounts, &FrameSpec::statistics, &FrameSpec::bucketCounts}) {
      if (frame.*place) frame.*place = {place == lacking ? 1u : 0u, offset += 4096};
    }
    device().runOnce([&](VkCommandBuffer commands) {
      const FrameArguments arguments(frame, [&](std::uint32_t memory) { return registered[memory].get(); });
      const SluResult result = sluCmdCompact(plan, commands, arguments.get());
      EXPECT_TRUE(failsWith(result, SLU_ERROR_INVALID_ARGUMENT, context, field));
    });
  }
};

TEST_F(BufferUse, DrawsNeedIndirect) {
  Random random;
  PlanSpec plan = simplePlan(SLU_ORDER_UNORDERED, 4, 10);
  addDraws(plan, SLU_DRAW_INSTANCES, 16, 0, random);
  expectNeeded(plan, &FrameSpec::draws, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT, "frame.draws");
  expectNeeded(plan, &FrameSpec::drawCounts, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT, "frame.drawCounts");
}

TEST_F(BufferUse, RecordsOfInPlacePlansNeedTransfer) {
  PlanSpec plan = simplePlan(SLU_ORDER_UNORDERED, 4, 10);
  plan.info.flags = SLU_PLAN_IN_PLACE_BIT;
  expectNeeded(plan, &FrameSpec::records, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, "frame.records");
}

}  // namespace
}  // namespace slu::test

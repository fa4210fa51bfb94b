// Every field of SluVulkanBufferInfo, and the usages that a frame needs of each binding.
#include <string_view>

#include "fixture.h"
#include "plans.h"
#include "scene_builder.h"

namespace slu::test {
namespace {

// A driver that gives no address of one buffer.
struct NoAddress {
  static inline VkBuffer of = VK_NULL_HANDLE;
  static inline PFN_vkGetDeviceProcAddr nextGetDeviceProcAddr = nullptr;
  static inline PFN_vkGetBufferDeviceAddress nextGetBufferDeviceAddress = nullptr;

  static VKAPI_ATTR VkDeviceAddress VKAPI_CALL getAddress(VkDevice device, const VkBufferDeviceAddressInfo* info) {
    return info->buffer == of ? 0 : nextGetBufferDeviceAddress(device, info);
  }
  static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL getDeviceProcAddr(VkDevice device, const char* name) {
    const PFN_vkVoidFunction real = nextGetDeviceProcAddr(device, name);
    if (std::string_view(name) != "vkGetBufferDeviceAddress") return real;
    nextGetBufferDeviceAddress = reinterpret_cast<PFN_vkGetBufferDeviceAddress>(real);
    return reinterpret_cast<PFN_vkVoidFunction>(getAddress);
  }
  static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL entry(VkInstance instance, const char* name) {
    const PFN_vkVoidFunction real = loadVulkan()(instance, name);
    if (std::string_view(name) != "vkGetDeviceProcAddr") return real;
    nextGetDeviceProcAddr = reinterpret_cast<PFN_vkGetDeviceProcAddr>(real);
    return reinterpret_cast<PFN_vkVoidFunction>(getDeviceProcAddr);
  }
};

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

// Vulkan tells how much memory the VkBuffer takes: to the last byte of that it may be larger than it is.
TEST_F(BufferInfo, RefusesASizeBeyondTheVkBuffer) {
  VkMemoryRequirements needs{};
  device().functions.vkGetBufferMemoryRequirements(device().handle, buffer->handle, &needs);
  for (const VkBufferUsageFlags usage : {requirementsOf(instance()).bufferUsage, allUsages(instance())}) {
    vulkan.usage = usage;
    for (const std::uint64_t size : {needs.size + 4, 2 * needs.size, ~std::uint64_t{3}}) {
      info.size = size;
      expectRefused("buffer.size: is " + std::to_string(size) + ", vulkanBuffer.buffer has " +
                    std::to_string(needs.size) + " bytes of memory at most");
    }
    info.size = needs.size;
    Buffer registered;
    EXPECT_EQ(sluCreateBuffer(context, &info, registered.put()), SLU_SUCCESS) << sluGetErrorMessage(context);
  }
}

// What a driver may answer for a buffer that is not bound. Others answer with what they find there, or crash.
TEST_F(BufferInfo, RefusesABufferWithoutAnAddress) {
  if ((requirementsOf(instance()).bufferUsage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT) == 0) {
    GTEST_SKIP() << "the device has no buffer addresses";
  }
  SluVulkanDeviceInfo unknowing = device().info();
  unknowing.getInstanceProcAddr = NoAddress::entry;
  NoAddress::of = buffer->handle;
  context = makeContext(unknowing);
  expectRefused("vulkanBuffer.buffer: has no device address; before sluCreateBuffer, bind it (vkBindBufferMemory)");
  NoAddress::of = VK_NULL_HANDLE;
  Buffer registered;
  EXPECT_EQ(sluCreateBuffer(context, &info, registered.put()), SLU_SUCCESS) << sluGetErrorMessage(context);
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

// Where a frame's data lies: in slots of the plan's, or in memory of the host's, SluFrameInfo::transient.
#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "plans.h"
#include "scene_builder.h"
#include "shim_fixture.h"

namespace slu::test {
namespace {

// Spheres on a line, seen by views that keep those up to a distance.
class FrameDataTest : public ShimTest {
 protected:
  static constexpr std::uint32_t kRecords = 700;
  static constexpr std::uint32_t kViews = 3;
  static constexpr std::uint32_t kStride = 16;
  static constexpr std::uint64_t kCountsBytes = sizeof(SluBucketCount) * kViews;

  void SetUp() override {
    ShimTest::SetUp();
    if (IsSkipped()) return;
    const VkBufferUsageFlags usage = allUsages(instance());
    memory = std::make_unique<VulkanBuffer>(device(), 1 << 20, usage, VulkanBuffer::Kind::mapped);
    require(context, registerBuffer(context, *memory, registered.put()), "sluCreateBuffer");
    for (std::uint32_t i = 0; i < kRecords; ++i) {
      const float sphere[4] = {static_cast<float>(i), 0.0f, 0.0f, 0.0f};
      std::memcpy(memory->mapped + i * kStride, sphere, sizeof(sphere));
    }
    transient = std::make_unique<VulkanBuffer>(device(), kTransientBytes, usage | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT,
                                               VulkanBuffer::Kind::mapped);
    std::fill_n(transient->mapped, transient->size, std::uint8_t{0xa5});
    require(context, registerBuffer(context, *transient, registeredTransient.put(), transient->mapped),
            "sluCreateBuffer");
  }

  void TearDown() override {
    registered.reset();
    registeredTransient.reset();
    memory.reset();
    transient.reset();
    ShimTest::TearDown();
  }

  PlanSpec spec(std::uint32_t framesInFlight) const {
    PlanSpec plan = simplePlan(SLU_ORDER_UNORDERED, kStride, kRecords);
    plan.info.live = {};
    plan.info.maxViewCount = kViews;
    plan.info.framesInFlight = framesInFlight;
    plan.info.outputs = SLU_OUTPUT_BUCKET_COUNTS_BIT;
    plan.info.draws = {};
    plan.buckets.clear();
    plan.info.cullFlags = SLU_CULL_DISTANCE_BIT;
    plan.info.bounds.source = SLU_BOUNDS_IN_RECORD;
    return plan;
  }

  Plan makePlan(std::uint32_t framesInFlight) {
    Plan plan;
    require(context, sluCreatePlan(context, PlanArguments(spec(framesInFlight), SLU_ROUTE_VULKAN).get(), plan.put()),
            "sluCreatePlan");
    return plan;
  }

  // Frame number n keeps n * 10 + view + 1 records, of those from n on.
  struct Call {
    SluView views[kViews]{};
    SluFrameInfo info = SLU_INIT(FRAME_INFO, SluFrameInfo);
  };
  Call callOf(std::uint32_t number) const {
    Call call;
    for (std::uint32_t view = 0; view < kViews; ++view) {
      call.views[view].maxDistance = static_cast<float>(number * 10 + view) + 0.5f;
      call.views[view].eye[0] = static_cast<float>(number);
    }
    call.info.recordCount = kRecords - number;
    call.info.viewCount = kViews;
    call.info.records = {registered, number * kStride};
    call.info.bucketCounts = {registered, kCountsOffset + number * kCountsBytes};
    return call;
  }
  void record(VkCommandBuffer commands, SluPlan plan, std::uint32_t number, SluBinding transientPlace = {}) {
    Call call = callOf(number);
    call.info.views = call.views;
    call.info.transient = transientPlace;
    ASSERT_EQ(sluCmdCompact(plan, commands, &call.info), SLU_SUCCESS) << sluGetErrorMessage(context);
  }

  void poison() { std::memset(memory->mapped + kCountsOffset, 0xa5, memory->size - kCountsOffset); }
  void expectCounts(std::uint32_t number) const {
    SluBucketCount counts[kViews];
    std::memcpy(counts, memory->mapped + kCountsOffset + number * kCountsBytes, sizeof(counts));
    for (std::uint32_t view = 0; view < kViews; ++view) {
      EXPECT_EQ(counts[view].demandedCount, std::min(number * 10 + view + 1, kRecords - number))
          << "frame " << number << ", view " << view;
    }
  }

  static constexpr std::uint64_t kCountsOffset = 1 << 16;
  static constexpr std::uint64_t kTransientBytes = 1 << 16;
  std::unique_ptr<VulkanBuffer> memory, transient;
  Buffer registered, registeredTransient;
};

// As many frames as there are slots are under way; each sees its own views and bindings.
TEST_F(FrameDataTest, SlotsAreTakenInTurn) {
  constexpr std::uint32_t kSlots = 5;
  const Plan plan = makePlan(kSlots);
  for (std::uint32_t batch = 0; batch < 3 * kSlots; batch += kSlots) {
    poison();
    device().runOnce([&](VkCommandBuffer commands) {
      for (std::uint32_t i = 0; i < kSlots; ++i) record(commands, plan, batch + i);
    });
    for (std::uint32_t i = 0; i < kSlots; ++i) expectCounts(batch + i);
  }
  EXPECT_EQ(shim->calls("vkCmdUpdateBuffer"), 0u);
  EXPECT_EQ(shim->calls("vkCmdCopyBuffer"), 0u);
  EXPECT_EQ(shim->complaints(), std::vector<std::string>());
}

// A command buffer that brings its own data may be submitted again, whatever its plan has recorded since.
TEST_F(FrameDataTest, TransientMemoryServesFramesThatAreSubmittedAgain) {
  constexpr std::uint32_t kFrames = 20;
  const Plan plan = makePlan(1);
  auto properties = SLU_INIT(PLAN_PROPERTIES, SluPlanProperties);
  ASSERT_EQ(sluGetPlanProperties(plan, &properties), SLU_SUCCESS);
  const std::uint64_t stride = (properties.transientBytes + 255) / 256 * 256;
  ASSERT_LE(kFrames * stride, kTransientBytes);
  const std::uint32_t before = shim->callsThatStartWith("vkCreate") + shim->callsThatStartWith("vkAllocate");
  const VkCommandBuffer kept = device().beginCommands(0);
  for (std::uint32_t i = 0; i < kFrames; ++i) record(kept, plan, i, {registeredTransient, i * stride});
  check(device().functions.vkEndCommandBuffer(kept), "vkEndCommandBuffer");
  for (int times = 0; times < 3; ++times) {
    poison();
    device().runOnce([&](VkCommandBuffer commands) { record(commands, plan, 40); });
    device().submit({kept});
    for (std::uint32_t i = 0; i < kFrames; ++i) expectCounts(i);
    expectCounts(40);
  }
  device().freeCommands(kept);
  EXPECT_EQ(shim->callsThatStartWith("vkCreate") + shim->callsThatStartWith("vkAllocate"), before)
      << "a frame allocates nothing";
}

// Of a frame, as many bytes are written as the properties say, at most; and none of another's.
TEST_F(FrameDataTest, WritesWithinItsRange) {
  const Plan plan = makePlan(0);
  auto properties = SLU_INIT(PLAN_PROPERTIES, SluPlanProperties);
  ASSERT_EQ(sluGetPlanProperties(plan, &properties), SLU_SUCCESS);
  constexpr std::uint64_t kOffset = 1024;
  device().runOnce([&](VkCommandBuffer commands) { record(commands, plan, 7, {registeredTransient, kOffset}); });
  expectCounts(7);
  const auto* const begin = transient->mapped;
  const auto isPoison = [](std::uint8_t byte) { return byte == 0xa5; };
  EXPECT_TRUE(std::all_of(begin, begin + kOffset, isPoison));
  EXPECT_TRUE(std::all_of(begin + kOffset + properties.transientBytes, begin + transient->size, isPoison));
  EXPECT_FALSE(std::all_of(begin + kOffset, begin + kOffset + properties.transientBytes, isPoison));
}

TEST_F(FrameDataTest, AFrameWithoutAPlaceForItsDataIsRefused) {
  const Plan plan = makePlan(0);
  Call call = callOf(0);
  call.info.views = call.views;
  const auto expectRefused = [&](SluBinding place, const char* beginning) {
    call.info.transient = place;
    device().runOnce([&](VkCommandBuffer commands) {
      const std::size_t before = shim->commands().size();
      EXPECT_TRUE(failsWith(sluCmdCompact(plan, commands, &call.info), SLU_ERROR_INVALID_ARGUMENT, context, beginning));
      EXPECT_EQ(shim->commands().size(), before) << "nothing is recorded";
    });
  };
  auto properties = SLU_INIT(PLAN_PROPERTIES, SluPlanProperties);
  ASSERT_EQ(sluGetPlanProperties(plan, &properties), SLU_SUCCESS);
  expectRefused({}, "frame.transient: is not bound, and plan.framesInFlight is 0");
  expectRefused({registeredTransient, 128}, "frame.transient.offset: is 128, must be a multiple of 256");
  expectRefused({registeredTransient, 1ull << 32}, "frame.transient.offset: is 4294967296, must be below 2^32");
  expectRefused({registeredTransient, kTransientBytes - properties.transientBytes / 256 * 256 + 256},
                "frame.transient: needs ");
  expectRefused({registered, 0}, "frame.transient: the buffer's usage lacks VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT");
  Buffer unmapped;
  require(context, registerBuffer(context, *transient, unmapped.put()), "sluCreateBuffer");
  expectRefused({unmapped, 0}, "frame.transient: the buffer was created without a hostPointer");
  call.info.bucketCounts = {registeredTransient, 4096};
  expectRefused({registeredTransient, 4096}, "frame.bucketCounts: its ");
}

TEST_F(FrameDataTest, PlansOfTooManySlotsAreRefused) {
  Plan plan;
  PlanSpec most = spec(SLU_MAX_FRAMES_IN_FLIGHT + 1);
  EXPECT_TRUE(failsWith(sluCreatePlan(context, PlanArguments(most, SLU_ROUTE_VULKAN).get(), plan.put()),
                        SLU_ERROR_INVALID_ARGUMENT, context, "plan.framesInFlight: is 1025, must be at most 1024"));
}

// Other routes need no such memory, and do not look at what a host gives them for all.
TEST_F(FrameDataTest, OtherRoutesDoWithout) {
  Plan plan;
  require(context, sluCreatePlan(context, PlanArguments(spec(0), SLU_ROUTE_CPU).get(), plan.put()), "sluCreatePlan");
  auto properties = SLU_INIT(PLAN_PROPERTIES, SluPlanProperties);
  properties.transientBytes = 1;
  ASSERT_EQ(sluGetPlanProperties(plan, &properties), SLU_SUCCESS);
  EXPECT_EQ(properties.transientBytes, 0u);
  std::vector<std::uint8_t> bytes(memory->mapped, memory->mapped + memory->size);
  auto info = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
  info.size = bytes.size();
  info.hostPointer = bytes.data();
  Buffer onHost;
  require(context, sluCreateBuffer(context, &info, onHost.put()), "sluCreateBuffer");
  Call call = callOf(3);
  call.info.views = call.views;
  call.info.records.buffer = call.info.bucketCounts.buffer = onHost;
  call.info.transient = {registered, 4};
  ASSERT_EQ(sluCompact(plan, &call.info), SLU_SUCCESS) << sluGetErrorMessage(context);
  std::memcpy(memory->mapped, bytes.data(), bytes.size());
  expectCounts(3);
}

}  // namespace
}  // namespace slu::test

// What the draws of plans need of the host's device, and plans that a device without it is not given.
#include "fixture.h"
#include "plans.h"

namespace slu::test {
namespace {

constexpr SluFlags kFirst = SLU_DRAW_NEEDS_FIRST_INSTANCE_BIT;
constexpr SluFlags kMulti = SLU_DRAW_NEEDS_MULTI_DRAW_BIT;
constexpr SluFlags kCount = SLU_DRAW_NEEDS_DRAW_COUNT_BIT;

constexpr SluBucket kEight{8, {3, 0, 0, 0, 0}};
constexpr SluBucket kNone{0, {3, 0, 0, 0, 0}};
constexpr SluBucket kFive{8, {3, 0, 0, 0, 5}};      // the host's own first instance
constexpr SluBucket kVertices{8, {3, 1, 0, 0, 0}};  // one instance
constexpr SluBucket kLater{8, {3, 1, 0, 0, 7}};

// A plan of one key per bucket.
struct Case {
  const char* name;
  std::vector<SluBucket> buckets;
  SluFlags needs;
  SluDrawType type = SLU_DRAW_INDEXED_INSTANCES;
  SluFlags drawFlags = 0;
  std::uint32_t views = 1;
  SluFlags outputs = SLU_OUTPUT_DRAWS_BIT;
  SluPlacement placement = SLU_PLACEMENT_RESERVED;
  std::uint32_t capacity = 0;

  SluResult create(SluContext context, SluRoute route, Plan& plan) const {
    auto info = SLU_INIT(PLAN_CREATE_INFO, SluPlanCreateInfo);
    info.route = route;
    info.recordStride = 4;
    info.maxRecordCount = 16;
    info.maxViewCount = views;
    info.outputs = SLU_OUTPUT_INDICES_BIT | outputs;
    info.draws = {type, 24, drawFlags};
    info.placement = placement;
    info.capacity = capacity;
    info.bucketCount = info.key.keyCount = static_cast<std::uint32_t>(buckets.size());
    info.buckets = buckets.data();
    return sluCreatePlan(context, &info, plan.put());
  }
};

std::vector<Case> cases() {
  constexpr SluFlags kCounts = SLU_OUTPUT_DRAW_COUNTS_BIT;
  return {{.name = "one bucket", .buckets = {kEight}, .needs = 0},
          {.name = "two buckets", .buckets = {kEight, kEight}, .needs = kFirst | kMulti},
          {.name = "none in the first", .buckets = {kNone, kEight}, .needs = kMulti},
          {.name = "none in the second", .buckets = {kEight, kNone}, .needs = kFirst | kMulti},
          {.name = "empty ones left out",
           .buckets = {kEight, kNone},
           .needs = kMulti,
           .drawFlags = SLU_DRAWS_SKIP_EMPTY_BIT},
          {.name = "two views", .buckets = {kEight}, .needs = kFirst, .views = 2},
          {.name = "two views of nothing", .buckets = {kNone}, .needs = 0, .views = 2},
          {.name = "a template's first instance", .buckets = {kFive}, .needs = kFirst},
          {.name = "vertices", .buckets = {kVertices, kVertices}, .needs = kMulti, .type = SLU_DRAW_VERTICES},
          {.name = "vertices, two views", .buckets = {kVertices}, .needs = 0, .type = SLU_DRAW_VERTICES, .views = 2},
          {.name = "vertices of a later instance", .buckets = {kLater}, .needs = kFirst, .type = SLU_DRAW_VERTICES},
          {.name = "instances", .buckets = {kEight, kEight}, .needs = kFirst | kMulti, .type = SLU_DRAW_INSTANCES},
          {.name = "workgroups", .buckets = {kEight, kEight}, .needs = kMulti, .type = SLU_DRAW_WORKGROUPS},
          {.name = "workgroups, two views", .buckets = {kEight}, .needs = 0, .type = SLU_DRAW_WORKGROUPS, .views = 2},
          {.name = "counts, too", .buckets = {kEight}, .needs = kCount, .outputs = SLU_OUTPUT_DRAWS_BIT | kCounts},
          {.name = "counts alone", .buckets = {kEight, kEight}, .needs = kCount, .outputs = kCounts},
          {.name = "a command per record",
           .buckets = {kNone, kNone},
           .needs = kFirst | kMulti,
           .placement = SLU_PLACEMENT_MERGED},
          {.name = "records in front",
           .buckets = {kNone, kNone},
           .needs = kMulti,
           .drawFlags = SLU_DRAWS_RECORD_IN_FRONT_BIT,
           .placement = SLU_PLACEMENT_MERGED},
          {.name = "data", .buckets = {kEight, kEight}, .needs = 0, .drawFlags = SLU_DRAWS_AS_DATA_BIT}};
}

SluFlags needsOf(SluPlan plan) {
  auto properties = SLU_INIT(PLAN_PROPERTIES, SluPlanProperties);
  EXPECT_EQ(sluGetPlanProperties(plan, &properties), SLU_SUCCESS);
  return properties.drawNeeds;
}

class DrawNeeds : public VulkanTest {};

TEST_F(DrawNeeds, AreTold) {
  const Context context = makeContext();
  for (const SluRoute route : {SLU_ROUTE_CPU, SLU_ROUTE_VULKAN}) {
    for (const Case& test : cases()) {
      Plan plan;
      ASSERT_EQ(test.create(context, route, plan), SLU_SUCCESS) << test.name << ": " << sluGetErrorMessage(context);
      EXPECT_EQ(needsOf(plan), test.needs) << test.name;
    }
  }
}

// One command may be that of any record.
TEST_F(DrawNeeds, OfOneCommandPerView) {
  const Context context = makeContext();
  const Case one{.name = "one command",
                 .buckets = {kNone, kNone},
                 .needs = kFirst,
                 .placement = SLU_PLACEMENT_MERGED,
                 .capacity = 1};
  Plan plan;
  ASSERT_EQ(one.create(context, SLU_ROUTE_CPU, plan), SLU_SUCCESS) << sluGetErrorMessage(context);
  EXPECT_EQ(needsOf(plan), one.needs);
}

// Whatever the route: the host draws with its device.
TEST_F(DrawNeeds, AreRefusedWhereTheDeviceWasCreatedWithoutThem) {
  DeviceFeatures features(requirementsOf(instance()));
  features.features.features.drawIndirectFirstInstance = VK_FALSE;
  features.features.features.multiDrawIndirect = VK_FALSE;
  features.vulkan12.drawIndirectCount = VK_FALSE;
  const VulkanDevice lacking(instance(), features);
  const Context context = makeContext(lacking.info());
  for (const SluRoute route : {SLU_ROUTE_CPU, SLU_ROUTE_VULKAN}) {
    for (const Case& test : cases()) {
      Plan plan;
      const SluResult result = test.create(context, route, plan);
      if ((test.needs & kFirst) == 0) {
        EXPECT_EQ(result, SLU_SUCCESS) << test.name << ": " << sluGetErrorMessage(context);
      } else {
        EXPECT_TRUE(failsWith(result, SLU_ERROR_MISSING_FEATURE, context, "drawIndirectFirstInstance")) << test.name;
        EXPECT_TRUE(failsWith(result, SLU_ERROR_MISSING_FEATURE, context, "SLU_DRAWS_AS_DATA_BIT")) << test.name;
      }
    }
  }
}

// Also of a device that no GPU route can use: the host draws with it what the CPU route compacts.
TEST_F(DrawNeeds, AreThoseOfADeviceWithoutARoute) {
  DeviceFeatures features(requirementsOf(instance()));
  features.features.features.drawIndirectFirstInstance = VK_FALSE;
  features.vulkan12.bufferDeviceAddress = VK_FALSE;
  const VulkanDevice lacking(instance(), features);
  const Context context = makeContext(lacking.info());
  Case two{.name = "two buckets", .buckets = {kEight, kEight}, .needs = kFirst | kMulti};
  Plan plan;
  EXPECT_TRUE(failsWith(two.create(context, SLU_ROUTE_CPU, plan), SLU_ERROR_MISSING_FEATURE, context,
                        "drawIndirectFirstInstance"));
  two.drawFlags = SLU_DRAWS_AS_DATA_BIT;
  EXPECT_EQ(two.create(context, SLU_ROUTE_CPU, plan), SLU_SUCCESS) << sluGetErrorMessage(context);
}

// The commands of each plan, as they are written, with full buckets in all views: a first instance that is not 0 is
// there exactly where the plan's needs say so.
TEST_F(DrawNeeds, AreThoseOfTheCommands) {
  const Context context = makeContext();
  for (const Case& test : cases()) {
    if ((test.outputs & SLU_OUTPUT_DRAWS_BIT) == 0 || test.drawFlags == SLU_DRAWS_AS_DATA_BIT) continue;
    Plan plan;
    ASSERT_EQ(test.create(context, SLU_ROUTE_CPU, plan), SLU_SUCCESS) << sluGetErrorMessage(context);
    std::vector<std::uint32_t> records(16), outputs(256, 0);
    for (std::uint32_t i = 0; i < 16; ++i) records[i] = i % static_cast<std::uint32_t>(test.buckets.size());
    const auto registered = [&](std::vector<std::uint32_t>& words) {
      auto info = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
      info.size = words.size() * 4;
      info.hostPointer = words.data();
      Buffer buffer;
      EXPECT_EQ(sluCreateBuffer(context, &info, buffer.put()), SLU_SUCCESS) << sluGetErrorMessage(context);
      return buffer;
    };
    const Buffer input = registered(records), output = registered(outputs);
    auto frame = SLU_INIT(FRAME_INFO, SluFrameInfo);
    frame.recordCount = 16;
    frame.viewCount = test.views;
    if (test.buckets.size() > 1) frame.records = {input, 0};
    frame.indices = {output, 0};
    frame.draws = {output, 512};
    if ((test.outputs & SLU_OUTPUT_DRAW_COUNTS_BIT) != 0) frame.drawCounts = {output, 1000};
    ASSERT_EQ(sluCompact(plan, &frame), SLU_SUCCESS) << test.name << ": " << sluGetErrorMessage(context);
    const bool isMerged = test.placement == SLU_PLACEMENT_MERGED;
    const std::size_t front = (test.drawFlags & SLU_DRAWS_RECORD_IN_FRONT_BIT) != 0 ? 1 : 0;
    const std::size_t last = front + (test.type == SLU_DRAW_INDEXED_INSTANCES ? 4 : 3);
    bool found = false;
    const std::size_t commands = isMerged ? 16 : test.buckets.size() * frame.viewCount;
    for (std::size_t i = 0; i < commands; ++i) {
      found = found || outputs[128 + i * 6 + last] != 0;
    }
    EXPECT_EQ(found, (test.needs & kFirst) != 0) << test.name;
  }
}

}  // namespace
}  // namespace slu::test

// sluCmdCompact: what it records, and that it records nothing when it fails.
#include <cstring>
#include <tuple>

#include "plans.h"
#include "scene_builder.h"
#include "shim_fixture.h"

namespace slu::test {
namespace {

class Recording : public ShimTest {
 protected:
  void SetUp() override {
    ShimTest::SetUp();
    if (IsSkipped()) return;
    buffer = std::make_unique<VulkanBuffer>(device(), 1 << 20, allUsages(instance()), VulkanBuffer::Kind::mapped);
    require(context, registerBuffer(context, *buffer, registered.put()), "sluCreateBuffer");
  }
  void TearDown() override {
    registered.reset();
    buffer.reset();
    ShimTest::TearDown();
  }

  Plan makePlan(const PlanSpec& spec, SluRoute route = SLU_ROUTE_VULKAN) {
    Plan plan;
    require(context, sluCreatePlan(context, PlanArguments(spec, route).get(), plan.put()), "sluCreatePlan");
    return plan;
  }

  // A valid frame whose bindings follow each other in the one buffer.
  FrameSpec makeFrame(const PlanSpec& spec) {
    SceneBuilder builder(random);
    FrameSpec frame = builder.makeFrame(builder.addPlan(spec), makeInput(spec, 50, Pattern::all, random));
    std::uint64_t offset = 0;
    for (const auto place : {&FrameSpec::records, &FrameSpec::bounds, &FrameSpec::transforms, &FrameSpec::flags,
                             &FrameSpec::layers, &FrameSpec::indices, &FrameSpec::keptRecords, &FrameSpec::draws,
                             &FrameSpec::drawCounts, &FrameSpec::statistics, &FrameSpec::bucketCounts}) {
      if (frame.*place) frame.*place = {0, offset += 65536};
    }
    return frame;
  }

  template <typename Use>
  void withFrame(const FrameSpec& frame, const Use& use) {
    const FrameArguments arguments(frame, [this](std::uint32_t) { return registered.get(); });
    SluFrameInfo info = *arguments.get();
    use(info);
  }

  Random random;
  std::unique_ptr<VulkanBuffer> buffer;
  Buffer registered;
};

TEST_F(Recording, IsWhatTheHeaderPromises) {
  struct Case {
    SluOrder order;
    bool hasBuckets;
    std::uint32_t maxRecordCount;
    std::uint32_t dispatchCount;
    SluFlags outputs = SLU_OUTPUT_INDICES_BIT | SLU_OUTPUT_RECORDS_BIT | SLU_OUTPUT_STATISTICS_BIT;
  };
  constexpr std::uint32_t kFew = 4'000;
  constexpr std::uint32_t kMany = 5'000'000;  // too many to look back
  constexpr Case kCases[] = {{SLU_ORDER_UNORDERED, false, kFew, 1},
                             {SLU_ORDER_UNORDERED, true, kFew, 1},
                             {SLU_ORDER_STABLE, false, kFew, 1},
                             {SLU_ORDER_STABLE, false, kMany, 1},
                             {SLU_ORDER_STABLE, true, kFew, 4},
                             // What keeps nothing has no order.
                             {SLU_ORDER_STABLE, false, kMany, 1, SLU_OUTPUT_STATISTICS_BIT},
                             {SLU_ORDER_STABLE, true, kFew, 1, SLU_OUTPUT_BUCKET_COUNTS_BIT}};
  for (const auto& [order, hasBuckets, maxRecordCount, dispatchCount, outputs] : kCases) {
    PlanSpec spec = simplePlan(order, 16, maxRecordCount);
    spec.info.outputs = outputs;
    if (!hasBuckets) spec.buckets = {{kFew, {}}};
    if (hasBuckets) addBuckets(spec, 3, 1, 100);
    const Plan plan = makePlan(spec);
    const std::uint32_t created = shim->callsThatStartWith("vkCreate") + shim->callsThatStartWith("vkAllocate");
    const std::uint32_t dispatches = shim->calls("vkCmdDispatch");
    device().runOnce([&](VkCommandBuffer commands) {
      withFrame(makeFrame(spec), [&](SluFrameInfo info) {
        info.recordCount = kFew;
        ASSERT_EQ(sluCmdCompact(plan, commands, &info), SLU_SUCCESS) << sluGetErrorMessage(context);
      });
    });
    EXPECT_EQ(shim->calls("vkCmdDispatch") - dispatches, dispatchCount);
    EXPECT_EQ(shim->calls("vkCmdUpdateBuffer"), 0u);
    EXPECT_EQ(shim->calls("vkCmdCopyBuffer"), 0u);
    EXPECT_EQ(shim->callsThatStartWith("vkCreate") + shim->callsThatStartWith("vkAllocate"), created)
        << "a frame allocates nothing";
  }
  EXPECT_EQ(shim->complaints(), std::vector<std::string>());
}

// Where kernels look at views, each is dispatched by itself.
TEST_F(Recording, DispatchesViewByView) {
  constexpr std::uint32_t kViews = 3;
  struct Case {
    std::uint32_t maxRecordCount;
    std::uint32_t bucketCount;
    std::uint32_t viewDispatches;
    std::uint32_t otherDispatches;
  };
  constexpr Case kCases[] = {{4'000, 1, kViews, 0}, {5'000'000, 1, kViews, 0}, {4'000, 3, kViews, 3}};
  for (const auto& [maxRecordCount, bucketCount, viewDispatches, otherDispatches] : kCases) {
    PlanSpec spec = simplePlan(SLU_ORDER_STABLE, 32, maxRecordCount);
    spec.info.maxViewCount = kViews;
    spec.info.outputs = SLU_OUTPUT_INDICES_BIT;
    spec.buckets.assign(1, SluBucket{1000, {}});
    if (bucketCount > 1) addBuckets(spec, bucketCount, 1, 100);
    addCulling(spec, SLU_CULL_FRUSTUM_BIT, SLU_BOUNDS_IN_RECORD, 16);
    const Plan plan = makePlan(spec);
    SceneBuilder builder(random);
    PlanSpec small = spec;
    small.info.maxRecordCount = 1000;
    FrameSpec frame = builder.makeFrame(builder.addPlan(small), makeInput(small, 50, Pattern::all, random), kViews);
    frame.records = {0, 0};
    frame.indices = {0, 1 << 19};
    const std::uint32_t before = shim->calls("vkCmdDispatchBase");
    const std::uint32_t othersBefore = shim->calls("vkCmdDispatch");
    device().runOnce([&](VkCommandBuffer commands) {
      withFrame(frame, [&](const SluFrameInfo& info) {
        ASSERT_EQ(sluCmdCompact(plan, commands, &info), SLU_SUCCESS) << sluGetErrorMessage(context);
      });
    });
    EXPECT_EQ(shim->calls("vkCmdDispatchBase") - before, viewDispatches) << maxRecordCount << ", " << bucketCount;
    EXPECT_EQ(shim->calls("vkCmdDispatch") - othersBefore, otherDispatches) << maxRecordCount << ", " << bucketCount;
  }
  EXPECT_EQ(shim->complaints(), std::vector<std::string>());
}

// What the shaders read, and whose writes they wait for: validation does not see what is reached by address.
TEST_F(Recording, OrdersItsAccesses) {
  const std::string kDispatch = "vkCmdDispatch";
  const std::string kBetweenShaders = "compute (shader write) to compute (shader read, shader write)";
  const std::string kBeforeTransfers =
      "compute (shader write) to compute, transfer (shader read, shader write, transfer read, transfer write)";
  const std::string kAfterTransfers = "transfer (transfer write) to compute (shader read, shader write)";
  for (const SluOrder order : kOrders) {
    for (const bool transfers : {false, true}) {
      PlanSpec spec = simplePlan(order, 16, 1000);
      spec.buckets.assign(1, SluBucket{1000, {}});
      if (transfers) {
        spec.info.flags = SLU_PLAN_IN_PLACE_BIT;
        addBuckets(spec, 3, 1, 100, 4);
      }
      const Plan plan = makePlan(spec);
      const FrameSpec frame = makeFrame(spec);
      const std::size_t before = shim->commands().size();
      device().runOnce([&](VkCommandBuffer commands) {
        withFrame(frame, [&](const SluFrameInfo& info) {
          ASSERT_EQ(sluCmdCompact(plan, commands, &info), SLU_SUCCESS) << sluGetErrorMessage(context);
        });
      });
      std::vector<std::string> ordered;
      for (std::size_t i = before; i < shim->commands().size(); ++i) {
        const std::string& command = shim->commands()[i];
        if (command.rfind("vkCmdBind", 0) != 0 && command.find("DebugUtilsLabel") == std::string::npos) {
          ordered.push_back(command);
        }
      }
      std::vector<std::string> expected = {kBetweenShaders};
      if (transfers) expected = {kBeforeTransfers, "vkCmdCopyBuffer", kAfterTransfers};
      expected.push_back(kDispatch);
      if (order == SLU_ORDER_STABLE && transfers) {  // several buckets: count, scan, publish, and write what is kept
        for (int pass = 0; pass < 2; ++pass) expected.insert(expected.end(), {kBetweenShaders, kDispatch});
        if (requirementsOf(instance()).boundBuffers) expected.push_back(kBetweenShaders);  // they bind the same scratch
        expected.push_back(kDispatch);
      }
      EXPECT_EQ(ordered, expected) << (order == SLU_ORDER_STABLE ? "stable" : "unordered") << ", "
                                   << (transfers ? "in place" : "no transfers");
    }
  }
}

// A frame of the same bytes, in an exclusive buffer and in one of all queue families. That its barriers name no buffer,
// and so need no owner, is what OrdersItsAccesses shows, also where there is one family.
TEST_F(Recording, ConcurrentBuffersAreLikeExclusiveOnes) {
  std::uint32_t count = 0;
  instance().functions.vkGetPhysicalDeviceQueueFamilyProperties(instance().physicalDevice, &count, nullptr);
  if (count < 2) GTEST_SKIP() << "the device has one queue family, and concurrent buffers are of several";
  std::vector<std::uint32_t> families(count);
  for (std::uint32_t i = 0; i < count; ++i) families[i] = i;

  PlanSpec spec = simplePlan(SLU_ORDER_STABLE, 16, 1000);
  spec.info.flags = SLU_PLAN_IN_PLACE_BIT;
  const Plan plan = makePlan(spec);
  const FrameSpec frame = makeFrame(spec);
  const VulkanBuffer concurrent(device(), buffer->size, buffer->usage, VulkanBuffer::Kind::mapped, families);
  Buffer alsoRegistered;
  require(context, registerBuffer(context, concurrent, alsoRegistered.put()), "sluCreateBuffer");
  for (std::uint64_t i = 0; i < buffer->size; ++i) {
    buffer->mapped[i] = concurrent.mapped[i] = static_cast<std::uint8_t>(random.chance(0.1) ? random.below(256) : 0);
  }
  device().runOnce([&](VkCommandBuffer commands) {
    for (SluBuffer used : {registered.get(), alsoRegistered.get()}) {
      const FrameArguments arguments(frame, [used](std::uint32_t) { return used; });
      ASSERT_EQ(sluCmdCompact(plan, commands, arguments.get()), SLU_SUCCESS) << sluGetErrorMessage(context);
    }
    device().barrier(commands, SLU_VULKAN_OUTPUT_STAGES, VK_ACCESS_SHADER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
                     VK_ACCESS_HOST_READ_BIT);
  });
  EXPECT_EQ(std::memcmp(buffer->mapped, concurrent.mapped, buffer->size), 0);
}

TEST_F(Recording, RefusesTheWrongVerb) {
  const PlanSpec spec = simplePlan(SLU_ORDER_UNORDERED, 4, 100);
  const Plan onCpu = makePlan(spec, SLU_ROUTE_CPU);
  const Plan onVulkan = makePlan(spec);
  device().runOnce([&](VkCommandBuffer commands) {
    withFrame(makeFrame(spec), [&](const SluFrameInfo& info) {
      EXPECT_TRUE(failsWith(sluCmdCompact(onCpu, commands, &info), SLU_ERROR_ROUTE_UNAVAILABLE, context, "sluCompact"));
      EXPECT_TRUE(failsWith(sluCompact(onVulkan, &info), SLU_ERROR_ROUTE_UNAVAILABLE, context, "sluCmdCompact"));
    });
  });
  EXPECT_EQ(shim->callsThatStartWith("vkCmd"), 0u);
}

TEST_F(Recording, RefusesNullArguments) {
  const PlanSpec spec = simplePlan(SLU_ORDER_UNORDERED, 4, 100);
  const Plan plan = makePlan(spec);
  device().runOnce([&](VkCommandBuffer commands) {
    withFrame(makeFrame(spec), [&](const SluFrameInfo& info) {
      EXPECT_EQ(sluCmdCompact(nullptr, commands, &info), SLU_ERROR_INVALID_ARGUMENT);
      EXPECT_TRUE(
          failsWith(sluCmdCompact(plan, VK_NULL_HANDLE, &info), SLU_ERROR_INVALID_ARGUMENT, context, "commandBuffer"));
    });
    EXPECT_TRUE(failsWith(sluCmdCompact(plan, commands, nullptr), SLU_ERROR_INVALID_ARGUMENT, context, "frame"));
  });
  EXPECT_EQ(shim->callsThatStartWith("vkCmd"), 0u);
}

struct Mistake {
  const char* field;
  void (*make)(SluFrameInfo& info);
};

// A frame that is wrong in its last binding as well as in its first records nothing.
TEST_F(Recording, NothingWhenAFrameIsWrong) {
  const PlanSpec spec = simplePlan(SLU_ORDER_STABLE, 16, 100);
  const Plan plan = makePlan(spec);
  const Mistake mistakes[] = {
      {"sType", [](SluFrameInfo& info) { info.sType = SLU_STRUCTURE_TYPE_ROUTE_INFO; }},
      {"structSize", [](SluFrameInfo& info) { info.structSize = 8; }},
      {"recordCount", [](SluFrameInfo& info) { info.recordCount = 101; }},
      {"viewCount", [](SluFrameInfo& info) { info.viewCount = 2; }},
      {"viewCount", [](SluFrameInfo& info) { info.viewCount = 0; }},
      {"records", [](SluFrameInfo& info) { info.records = {}; }},
      {"records", [](SluFrameInfo& info) { info.records.offset += 2; }},
      {"flags", [](SluFrameInfo& info) { info.flags = info.records; }},
      {"indices", [](SluFrameInfo& info) { info.indices = info.records; }},
      {"keptRecords", [](SluFrameInfo& info) { info.keptRecords = info.records; }},
      {"statistics", [](SluFrameInfo& info) { info.statistics.buffer = nullptr; }},
      {"bucketCounts", [](SluFrameInfo& info) { info.bucketCounts.offset = (1 << 20) - 4; }},
      {"bucketCounts", [](SluFrameInfo& info) { info.bucketCounts.offset = ~std::uint64_t{3}; }},
  };
  device().runOnce([&](VkCommandBuffer commands) {
    for (const Mistake& mistake : mistakes) {
      withFrame(makeFrame(spec), [&](SluFrameInfo& info) {
        mistake.make(info);
        EXPECT_TRUE(
            failsWith(sluCmdCompact(plan, commands, &info), SLU_ERROR_INVALID_ARGUMENT, context, mistake.field));
      });
    }
  });
  EXPECT_EQ(shim->callsThatStartWith("vkCmd"), 0u);
}

// Host memory is no Vulkan memory.
TEST_F(Recording, RefusesHostBuffers) {
  const PlanSpec spec = simplePlan(SLU_ORDER_STABLE, 16, 100);
  const Plan plan = makePlan(spec);
  std::vector<std::uint32_t> memory(1024);
  auto hostInfo = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
  hostInfo.size = memory.size() * 4;
  hostInfo.hostPointer = memory.data();
  Buffer host;
  require(context, sluCreateBuffer(context, &hostInfo, host.put()), "sluCreateBuffer");
  device().runOnce([&](VkCommandBuffer commands) {
    withFrame(makeFrame(spec), [&](SluFrameInfo& info) {
      info.records = {host, 0};
      EXPECT_TRUE(
          failsWith(sluCmdCompact(plan, commands, &info), SLU_ERROR_INVALID_ARGUMENT, context, "frame.records"));
    });
  });
  EXPECT_EQ(shim->callsThatStartWith("vkCmd"), 0u);
}

}  // namespace
}  // namespace slu::test

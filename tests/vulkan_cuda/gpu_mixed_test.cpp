// Plans of the inline, the Vulkan and the CUDA route in one frame, each of which compacts what the one before it kept,
// to another place or where it lies. SLUICE_TEST_FRAMES shortens or lengthens the run.
#include <cstddef>
#include <ostream>

#include "gpu_host.h"
#include "mixed_frames.h"
#include "plans.h"
#include "scene_builder.h"
#include "trial.h"

namespace slu::test {
namespace {

struct Chain {
  const char* name;
  std::vector<SluRoute> routes;  // of a frame's plans; empty: others in every frame
};
std::ostream& operator<<(std::ostream& stream, const Chain& chain) { return stream << chain.name; }

const Chain kChains[] = {
    {"inline_cuda_inline", {SLU_ROUTE_INLINE, SLU_ROUTE_CUDA, SLU_ROUTE_INLINE}},
    {"inline_cuda_vulkan", {SLU_ROUTE_INLINE, SLU_ROUTE_CUDA, SLU_ROUTE_VULKAN}},
    {"cuda_inline_cuda", {SLU_ROUTE_CUDA, SLU_ROUTE_INLINE, SLU_ROUTE_CUDA}},
    {"vulkan_cuda_cuda_inline", {SLU_ROUTE_VULKAN, SLU_ROUTE_CUDA, SLU_ROUTE_CUDA, SLU_ROUTE_INLINE}},
    {"any", {}},
};

std::string describeRoutes(const std::vector<SluRoute>& routes) {
  std::string text;
  for (const SluRoute route : routes) text += std::string(text.empty() ? "" : ", ") + sluGetRouteName(route);
  return text;
}

class GpuMixedRoutes : public GpuTest, public testing::WithParamInterface<Chain> {
 protected:
  static constexpr std::uint32_t kRecords = 5000;  // at most, of kStride bytes
  static constexpr std::uint32_t kStride = 16;     // a word for the live test of each plan
  static constexpr std::uint32_t kPlans = kStride / 4;
  static constexpr std::uint32_t kBuckets = 4;                     // of a chain's last plan, now and then
  static constexpr std::uint32_t kBucketCapacity = kRecords / 20;  // of which some are full
  static constexpr std::uint64_t kPadding = 4096;                  // more than a frame's canaries and alignments take

  void TearDown() override {
    dropReferencePlans();
    stream.reset();
    sluice.reset();
    deviceOfAll.reset();
    GpuTest::TearDown();
  }

  // A device and a context with all three routes; skips where the device has not all of them.
  void open(QueueKind queue) {
    try {
      DeviceFeatures features(requirementsOf(host->instance, SLU_ROUTE_INLINE));
      features.add(requirementsOf(host->instance, SLU_ROUTE_CUDA));
      deviceOfAll = std::make_unique<VulkanDevice>(host->instance, features, queue);
    } catch (const Unavailable& unavailable) {
      GTEST_SKIP() << unavailable.what();
    }
    const SluVulkanDeviceInfo vulkan = deviceOfAll->info();
    auto info = SLU_INIT(CONTEXT_CREATE_INFO, SluContextCreateInfo);
    info.pNext = &vulkan;
    SluMessage message{};
    ASSERT_EQ(sluCreateContext(&info, sluice.put(), &message), SLU_SUCCESS) << message.text;
    for (const SluRoute route : kRoutes) {
      auto found = SLU_INIT(ROUTE_INFO, SluRouteInfo);
      ASSERT_EQ(sluGetRouteInfo(sluice, route, &found), SLU_SUCCESS);
      ASSERT_EQ(found.available, 1u) << found.reason;
    }
    stream = makeStream(*context);
  }

  void expectExactFrames(QueueKind queue) {
    open(queue);
    if (IsSkipped() || HasFatalFailure()) return;
    MixedFrames frames(*deviceOfAll, sluice, random.chance(0.5) ? stream.get() : nullptr, sizes, random);
    struct Begun {
      Scene scene;
      std::vector<SluRoute> routes;
    };
    std::array<Begun, MixedFrames::kSlots> begun;
    const std::uint64_t count = frameCount(500);
    for (std::uint64_t i = 0; i < count + begun.size(); ++i) {
      const auto slot = static_cast<std::uint32_t>(i % begun.size());
      const Begun done = std::move(begun[slot]);
      std::vector<Bytes> memories;
      if (i >= begun.size()) memories = frames.finish(slot);
      if (i < count) {
        const std::vector<SluRoute> routes = pickRoutes();
        begun[slot] = {makeChain(static_cast<std::uint32_t>(routes.size())), routes};
        frames.begin(slot, begun[slot].scene, routes);
      }
      if (i < begun.size()) continue;
      ASSERT_TRUE(agreesWithReference(done.scene, memories))
          << "scene " << i - begun.size() << " on " << describeRoutes(done.routes);
    }
  }

 private:
  static constexpr SluRoute kRoutes[] = {SLU_ROUTE_INLINE, SLU_ROUTE_VULKAN, SLU_ROUTE_CUDA};

  std::vector<SluRoute> pickRoutes() {
    std::vector<SluRoute> routes = GetParam().routes;
    if (!routes.empty()) return routes;
    routes.resize(random.between(2, kPlans));
    for (SluRoute& route : routes) route = kRoutes[random.below(std::size(kRoutes))];
    return routes;
  }

  PlanSpec makePlan(SluOrder order, std::uint32_t bucketCount, std::uint32_t word) {
    PlanSpec plan = simplePlan(order, kStride, kRecords);
    plan.info.live = {SLU_LIVE_POSITIVE_INT, word * 4, 0};
    if (bucketCount > 1) {
      addBuckets(plan, bucketCount, 1, kBucketCapacity);
      plan.info.key.bits = 2;
    }
    addDraws(plan, SLU_DRAW_INSTANCES, 16, 0, random);
    if (order == SLU_ORDER_UNORDERED) plan.info.outputs &= ~SluFlags{SLU_OUTPUT_INDICES_BIT};
    return plan;
  }
  std::vector<PlanSpec> makePlans(SluOrder order, std::uint32_t bucketCount = 1, SluFlags flags = 0) {
    std::vector<PlanSpec> made;
    for (std::uint32_t word = 0; word < kPlans; ++word) {
      made.push_back(makePlan(order, bucketCount, word));
      made.back().info.flags = flags;
    }
    return made;
  }

  // Only a stable plan works in place: the order of the others is found out from the records that it would write over.
  const PlanSpec& pickPlan(bool isStable, std::uint32_t word, bool isLast) {
    if (isLast && random.chance(0.3)) return (isStable ? stableBuckets : unorderedBuckets)[word];
    if (isStable && random.chance(0.4)) return inPlacePlans[word];
    return (isStable ? stablePlans : unorderedPlans)[word];
  }

  // Where a plan finds out how much the plan before it kept.
  Place pickCount(const FrameSpec& before) {
    const auto at = [](const Place& place, std::uint64_t offset) { return Place{place.memory, place.offset + offset}; };
    switch (random.below(3)) {
      case 0:
        return at(before.statistics, offsetof(SluStatistics, keptCount));
      case 1:
        return at(before.bucketCounts, offsetof(SluBucketCount, keptCount));
      default:
        return at(before.draws, 4);  // instanceCount
    }
  }

  // Each plan's kept records are the next one's records.
  Scene makeChain(std::uint32_t planCount) {
    const bool isStable = random.chance(0.5);
    SceneBuilder builder(random);
    const std::uint32_t recordCount = random.below(kRecords + 1);
    Bytes records(std::size_t{kStride} * recordCount);
    random.fill(records);
    FrameSpec before;
    for (std::uint32_t i = 0; i < planCount; ++i) {
      FrameSpec frame;
      frame.plan = builder.addPlan(pickPlan(isStable, i, i + 1 == planCount));
      frame.recordCount = recordCount;
      frame.records = i == 0 ? builder.addInput(records) : before.keptRecords;
      if (builder.plan(frame.plan).info.flags == SLU_PLAN_IN_PLACE_BIT) frame.keptRecords = frame.records;
      if (i > 0) frame.liveCount = pickCount(before);
      builder.addOutputs(frame);
      builder.addFrame(frame);
      before = frame;
    }
    return pad(builder.finish());
  }

  // To the sizes of the buffers.
  Scene pad(Scene scene) {
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      Bytes& memory = scene.memories.at(i);
      const std::size_t end = memory.size();
      if (end > sizes[i]) throw std::logic_error("a scene is larger than its buffers");
      memory.resize(sizes[i]);
      random.fill({memory.data() + end, memory.size() - end});
    }
    return scene;
  }

  testing::ScopedTrace seed{__FILE__, __LINE__, describeSeed()};
  Random random;
  std::unique_ptr<VulkanDevice> deviceOfAll;
  Context sluice;
  Stream stream{nullptr, {nullptr}};
  const std::vector<PlanSpec> unorderedPlans = makePlans(SLU_ORDER_UNORDERED);
  const std::vector<PlanSpec> stablePlans = makePlans(SLU_ORDER_STABLE);
  const std::vector<PlanSpec> inPlacePlans = makePlans(SLU_ORDER_STABLE, 1, SLU_PLAN_IN_PLACE_BIT);
  const std::vector<PlanSpec> unorderedBuckets = makePlans(SLU_ORDER_UNORDERED, kBuckets);
  const std::vector<PlanSpec> stableBuckets = makePlans(SLU_ORDER_STABLE, kBuckets);
  const std::vector<std::uint64_t> sizes = {std::uint64_t{kStride} * kRecords + kPadding,
                                            kPlans*(std::uint64_t{kStride + 4} * kRecords + kPadding)};
};

TEST_P(GpuMixedRoutes, ThreeInFlightAreExact) { expectExactFrames(QueueKind::any); }
TEST_P(GpuMixedRoutes, ThreeInFlightAreExactOnAQueueThatDoesNotDraw) { expectExactFrames(QueueKind::computeAlone); }

INSTANTIATE_TEST_SUITE_P(, GpuMixedRoutes, testing::ValuesIn(kChains),
                         [](const auto& chain) { return std::string(chain.param.name); });

}  // namespace
}  // namespace slu::test

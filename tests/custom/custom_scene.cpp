#include "custom_scene.h"

#include <algorithm>
#include <cstring>
#include <deque>

#include "plans.h"
#include "scene_builder.h"

namespace slu::test {
namespace {

// Executes another scene than the one that it is asked for.
class OtherScene final : public Machine {
 public:
  OtherScene(Machine& machine, const Scene& scene) : machine_(machine), scene_(scene) {}
  SluRoute route() const override { return machine_.route(); }
  SluContext context() const override { return machine_.context(); }
  std::unique_ptr<Session> record(const Scene&) override { return machine_.record(scene_); }
  SluPlan plan(const PlanSpec& spec) override { return machine_.plan(spec); }
  void dropPlans() override { machine_.dropPlans(); }

 private:
  Machine& machine_;
  const Scene& scene_;
};

SluPredicateState stateOf(const Weighted& weighted) {
  auto info = SLU_INIT(PREDICATE_STATE, SluPredicateState);
  info.state = &weighted;
  info.stateSize = sizeof(weighted);
  return info;
}

}  // namespace

CustomScene makeCustomScene(PlanSpec plan, const void* planNext, const std::vector<CustomFrame>& frames, Random& random,
                            bool isKeyed) {
  PlanSpec flagged = plan;
  flagged.info.live = plan.info.secondLive;
  plan.info.live = {SLU_LIVE_FLAG_WORDS, 0, 0};
  plan.info.secondLive = {};
  SceneBuilder builder(random);
  const std::uint32_t index = builder.addPlan(plan);
  const std::size_t stride = plan.info.recordStride;
  std::vector<FrameSpec> custom;
  for (const CustomFrame& frame : frames) {
    Input input = makeInput(plan, frame.count, Pattern::all, random);
    if (input.records.empty()) {
      input.records.resize(frame.count * stride);
      random.fill(input.records);
    }
    std::vector<std::uint8_t> isFlagged(frame.count, 1);
    if (flagged.readsFlags()) isFlagged = makeLive(Pattern::half, frame.count, random);
    for (std::uint32_t i = 0; i < frame.count; ++i) {
      const bool isLive = frame.predicate(&input.records[i * stride], i) && isFlagged[i] != 0;
      const std::uint32_t flag = isLive ? random.between(1, 0xffffffffu) : 0;
      std::memcpy(&input.flags[i * std::size_t{4}], &flag, sizeof(flag));
    }
    const FrameSpec reference = builder.makeFrame(index, input, frame.viewCount);
    builder.addFrame(reference);
    custom.push_back(reference);
    custom.back().pNext = frame.pNext;
    custom.back().flags = {};
    if (flagged.readsFlags()) custom.back().flags = builder.addInput(makeInput(flagged, isFlagged, random).flags);
    if (!reference.records) custom.back().records = builder.addInput(input.records);
  }
  CustomScene scene;
  scene.reference = builder.finish();
  scene.custom = scene.reference;
  scene.custom.frames = custom;
  scene.custom.plans[index].info.live = {SLU_LIVE_CUSTOM, 0, 0};
  scene.custom.plans[index].info.secondLive = flagged.info.live;
  scene.custom.plans[index].info.pNext = planNext;
  if (isKeyed) {
    SluPlanCreateInfo& info = scene.custom.plans[index].info;
    info.flags |= SLU_PLAN_CUSTOM_KEY_BIT;
    info.key.offset = info.key.shift = 0;
  }
  return scene;
}

testing::AssertionResult agreesOn(Machine& machine, const CustomScene& scene, std::uint32_t times) {
  OtherScene other(machine, scene.custom);
  std::vector<Bytes> memories = scene.reference.memories;
  return Trial(other, scene.reference).run(memories, times);
}

Weighted makeWeighted(std::uint32_t recordStride, Random& random) {
  Weighted weighted{};
  for (float& weight : weighted.weights) weight = random.uniform(0.1f, 1.0f);
  weighted.weights[1] *= 16.0f;  // the index matters as much as the record
  weighted.bias = random.uniform(-10.0f, 10.0f);
  weighted.salt = random.word();
  weighted.words = recordStride / 4;
  for (unsigned& word : weighted.unused) word = random.word();
  weighted.shift = random.below(16);
  return weighted;
}

testing::AssertionResult CustomTrials::agreesOnPlan(const PlanSpec& plan, std::uint32_t count, std::uint32_t viewCount,
                                                    bool isKeyed) {
  Weighted weighted = makeWeighted(plan.info.recordStride, random_);
  weighted.keyWord = plan.info.key.offset / 4;
  weighted.keyShift = plan.info.key.shift;
  return agreesOn(machine_, makeCustomScene(plan, chain_(weighted, isKeyed), {{count, viewCount, weighted, nullptr}},
                                            random_, isKeyed));
}

void CustomTrials::sizes() {
  for (const SluOrder order : kOrders) {
    for (const std::uint32_t stride : {4u, 16u, 20u, 64u}) {
      if (!takes(0.5)) continue;
      const PlanSpec plan = simplePlan(order, stride, 20'000);
      const Weighted weighted = makeWeighted(stride, random_);
      std::vector<CustomFrame> frames;
      for (const std::uint32_t count : {0u, 1u, 31u, 1023u, 1024u, 1025u, 2047u, 20'000u, random_.below(20'000)}) {
        frames.push_back({count, 1, weighted, nullptr});
      }
      ASSERT_TRUE(agreesOn(machine_, makeCustomScene(plan, chain_(weighted, false), frames, random_))) << stride;
    }
    PlanSpec indices = simplePlan(order, 12, 5000);
    indices.info.outputs = SLU_OUTPUT_INDICES_BIT;  // the records are read for the predicate alone
    ASSERT_TRUE(agreesOnPlan(indices, random_.between(4000, 5000)));
  }
}

void CustomTrials::buckets() {
  for (const SluOrder order : kOrders) {
    for (const std::uint32_t bucketCount : {2u, 700u}) {
      PlanSpec plan = simplePlan(order, 16, 6000);
      addBuckets(plan, bucketCount, 1, 9000 / bucketCount, 4);
      plan.info.key.bits = 10;
      addDraws(plan, SLU_DRAW_INDEXED_INSTANCES, 24, SLU_DRAWS_SKIP_EMPTY_BIT, random_);
      ASSERT_TRUE(agreesOnPlan(plan, random_.between(5000, 6000))) << bucketCount;
    }
  }
}

// Keys are loaded with the live test, after it, or after culling.
void CustomTrials::keys() {
  for (const SluOrder order : kOrders) {
    for (const std::uint32_t bucketCount : {2u, 700u}) {
      if (!takes(0.5)) continue;
      PlanSpec plan = simplePlan(order, random_.pick({16u, 48u}), 6000);
      addBuckets(plan, bucketCount, 1, 9000 / bucketCount, 4);
      plan.info.key.shift = random_.between(0, 22);
      plan.info.key.bits = 10;
      ASSERT_TRUE(agreesOnPlan(plan, random_.between(5000, 6000), 1, true)) << bucketCount;
      plan.info.recordStride = 48;
      addCulling(plan, SLU_CULL_FRUSTUM_BIT, SLU_BOUNDS_IN_RECORD, 16);
      ASSERT_TRUE(agreesOnPlan(plan, random_.between(5000, 6000), 1, true)) << bucketCount;
      plan.info.outputs &= ~SluFlags{SLU_OUTPUT_STATISTICS_BIT};
      ASSERT_TRUE(agreesOnPlan(plan, random_.between(5000, 6000), 1, true)) << bucketCount;
      addDraws(plan, SLU_DRAW_INDEXED_INSTANCES, 24, SLU_DRAWS_RECORD_IN_FRONT_BIT, random_);
      mergePlan(plan, 4000, 0);
      ASSERT_TRUE(agreesOnPlan(plan, random_.between(5000, 6000), 1, true)) << bucketCount;
    }
  }
}

void CustomTrials::culling() {
  for (const SluOrder order : kOrders) {
    PlanSpec plan = simplePlan(order, 48, 5000);
    plan.info.maxViewCount = 3;
    addCulling(plan, SLU_CULL_DISTANCE_BIT | SLU_CULL_FRUSTUM_BIT | SLU_CULL_SIZE_BIT, SLU_BOUNDS_IN_RECORD, 16);
    ASSERT_TRUE(agreesOnPlan(plan, random_.between(4000, 5000), 3));
    addBuckets(plan, 3, 4, 700, 0);
    plan.info.key.bits = 2;
    addDraws(plan, SLU_DRAW_INSTANCES, 20, 0, random_);
    ASSERT_TRUE(agreesOnPlan(plan, random_.between(4000, 5000), 2));
  }
}

void CustomTrials::besideFlags() {
  for (const SluOrder order : kOrders) {
    for (const SluLiveTest test : {SLU_LIVE_FLAG_BITS, SLU_LIVE_FLAG_BYTES, SLU_LIVE_FLAG_WORDS}) {
      if (!takes(0.4)) continue;
      PlanSpec plan = simplePlan(order, 16, 5000);
      plan.info.secondLive = {test, 0, 0};
      ASSERT_TRUE(agreesOnPlan(plan, random_.between(4000, 5000))) << test;
      addBuckets(plan, 7, 1, 900, 4);
      plan.info.key.bits = 3;
      ASSERT_TRUE(agreesOnPlan(plan, random_.between(4000, 5000))) << test;
      addCulling(plan, SLU_CULL_DISTANCE_BIT | SLU_CULL_FRUSTUM_BIT, SLU_BOUNDS_PER_RECORD, 0);
      ASSERT_TRUE(agreesOnPlan(plan, random_.between(4000, 5000))) << test;
    }
  }
}

void CustomTrials::inPlace() {
  for (const SluOrder order : kOrders) {
    PlanSpec plan = simplePlan(order, 20, 5000);
    plan.info.flags = SLU_PLAN_IN_PLACE_BIT;
    const Weighted weighted = makeWeighted(20, random_);
    CustomScene scene = makeCustomScene(plan, chain_(weighted, false), {{5000, 1, weighted, nullptr}}, random_);
    for (Scene* one : {&scene.reference, &scene.custom}) one->frames[0].keptRecords = one->frames[0].records;
    if (order == SLU_ORDER_STABLE) {
      ASSERT_TRUE(agreesOn(machine_, scene));
    } else {
      ASSERT_TRUE(agreesOnPlan(plan, random_.between(4000, 5000)));
    }
  }
}

void CustomTrials::states() {
  for (const SluOrder order : kOrders) {
    for (const bool bucketed : {false, true}) {
      PlanSpec plan = simplePlan(order, 24, 4000);
      if (bucketed) addBuckets(plan, 5, 1, 4000, 8);
      const Weighted ofPlan = makeWeighted(24, random_);
      std::deque<Weighted> weights;
      std::deque<SluPredicateState> states;
      std::vector<CustomFrame> frames;
      for (int i = 0; i < 6; ++i) {
        const Weighted& own = weights.emplace_back(makeWeighted(24, random_));
        const bool brings = i % 3 != 2;  // the plan's own state again after others
        const void* pNext = brings ? &states.emplace_back(stateOf(own)) : nullptr;
        frames.push_back({random_.between(2000, 4000), 1, brings ? own : ofPlan, pNext});
      }
      ASSERT_TRUE(agreesOn(machine_, makeCustomScene(plan, chain_(ofPlan, false), frames, random_), 2)) << bucketed;
    }
  }
}

// By the predicate alone, and by its keys and boxes beside it.
void CustomTrials::rejects() {
  constexpr SluFlags kNotLiveOrKey = 1u << SLU_REJECT_NOT_LIVE | 1u << SLU_REJECT_KEY;
  for (const SluOrder order : kOrders) {
    if (!takes(0.5)) continue;
    PlanSpec plan = simplePlan(order, 48, 5000);
    addRejects(plan, 0, 3000);
    ASSERT_TRUE(agreesOnPlan(plan, random_.between(4000, 5000)));
    addBuckets(plan, 5, 1, 900, 4);
    plan.info.key.bits = 3;
    addCulling(plan, SLU_CULL_FRUSTUM_BIT, SLU_BOUNDS_IN_RECORD, 16, SLU_SHAPE_BOX);
    addRejects(plan, random_.pick({kNotLiveOrKey, SluFlags{0}}), 0);
    ASSERT_TRUE(agreesOnPlan(plan, random_.between(4000, 5000), 1, true));
  }
}

// Of bounds that the predicate's keys name, and of records' own. Frames are of any phase.
void CustomTrials::occlusion() {
  constexpr int kFrames = 3;
  for (const SluOrder order : kOrders) {
    for (const SluBoundsSource source : {SLU_BOUNDS_PER_KEY, SLU_BOUNDS_IN_RECORD}) {
      PlanSpec plan = simplePlan(order, 48, 5000);
      plan.info.maxViewCount = 2;
      addBuckets(plan, 5, 1, 900, 4);
      plan.info.key.bits = 3;
      addCulling(plan, SLU_CULL_FRUSTUM_BIT, source, source == SLU_BOUNDS_IN_RECORD ? 16 : 0, SLU_SHAPE_BOX);
      addOcclusion(plan);
      if (random_.chance(0.5)) plan.info.outputs &= ~SluFlags{SLU_OUTPUT_STATISTICS_BIT};
      for (int i = 0; i < kFrames; ++i) ASSERT_TRUE(agreesOnPlan(plan, random_.between(4000, 5000), 2, true));
    }
  }
}

void CustomTrials::randomPlans() {
  for (int i = 0; i < planCount_; ++i) {
    PlanSpec plan = makeRandomPlan(4000, random_);
    // Of the plan's two live tests the predicate replaces that of the record.
    plan.info.secondLive = {plan.flagTest(), 0, 0};
    plan.info.liveMask = plan.info.liveValue = 0;
    const std::uint32_t viewCount = random_.between(1, std::max(plan.info.maxViewCount, 1u));
    ASSERT_TRUE(agreesOnPlan(plan, random_.between(0, plan.info.maxRecordCount), viewCount)) << i;
  }
}

}  // namespace slu::test

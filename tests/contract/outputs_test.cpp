// What a plan writes: every combination of outputs, every kind of draw command.
#include <algorithm>
#include <cstring>

#include "contract.h"
#include "occlusion.h"

namespace slu::test {
namespace {

constexpr SluDrawType kDrawTypes[] = {SLU_DRAW_INSTANCES, SLU_DRAW_VERTICES, SLU_DRAW_INDEXED_INSTANCES,
                                      SLU_DRAW_WORKGROUPS};

TEST_P(Contract, EveryCombinationOfOutputs) {
  for (SluFlags outputs = 1; outputs <= kAllOutputs; ++outputs) {
    if (!takes(0.3)) continue;
    PlanSpec plan = simplePlan(nextOrder(), 12, 2500);
    plan.info.maxViewCount = 2;
    addBuckets(plan, 3, 1, 700, 8);
    plan.info.key.bits = 2;
    if ((outputs & (SLU_OUTPUT_DRAWS_BIT | SLU_OUTPUT_DRAW_COUNTS_BIT)) != 0) {
      addDraws(plan, SLU_DRAW_INDEXED_INSTANCES, 32, outputs % 2, random);
    }
    plan.info.outputs = outputs;
    ASSERT_TRUE(agreesOn(plan, random.between(2000, 2500), Pattern::half, 2));
  }
}

// Most buckets are empty, so that draws move together, and the rest of each stride must stay as it was.
TEST_P(Contract, EveryKindOfDraw) {
  for (const SluOrder order : kOrders) {
    for (const SluDrawType type : kDrawTypes) {
      for (const SluFlags flags : {SluFlags{0}, SluFlags{SLU_DRAWS_SKIP_EMPTY_BIT}}) {
        for (const std::uint32_t gap : {0u, 4u, 8u, 108u}) {
          PlanSpec plan = simplePlan(order, 8, 3000);
          plan.info.maxViewCount = 3;
          addBuckets(plan, 40, 1, 150, 4);
          plan.info.key.bits = 7;
          for (SluBucket& bucket : plan.buckets) bucket.capacity *= random.below(2);
          addDraws(plan, type, commandBytes(type) + gap, flags, random);
          plan.info.maxRecordCount = 3000;
          ASSERT_TRUE(agreesOn(plan, 40, Pattern::half, 3));
          ASSERT_TRUE(agreesOn(plan, 3000, Pattern::half, 2));
          ASSERT_TRUE(agreesOn(plan, 0, Pattern::none, 1));
        }
      }
    }
  }
}

TEST_P(Contract, WordsInFrontOfDraws) {
  for (const SluFlags front :
       {SLU_DRAWS_FIRST_IN_FRONT_BIT, SLU_DRAWS_BUCKET_IN_FRONT_BIT, SLU_DRAWS_NUMBER_IN_FRONT_BIT}) {
    for (const SluDrawType type : kDrawTypes) {
      for (const std::uint32_t keyCount : {1u, 40u, 300u}) {
        PlanSpec plan = simplePlan(nextOrder(), 8, 3000);
        plan.info.maxViewCount = 2;
        addBuckets(plan, keyCount, 1, 3000 / keyCount, 4);
        plan.info.key.bits = 9;
        addDraws(plan, type, 4 + commandBytes(type) + 4 * random.below(3), front | random.below(2), random);
        ASSERT_TRUE(agreesOn(plan, random.pick({0u, 3000u}), Pattern::half, 2));
      }
    }
  }
}

// No device has to dispatch more than 65,535 workgroups along an axis.
TEST_P(Contract, WorkgroupsInSeveralRows) {
  constexpr std::uint32_t kRow = 65535;
  for (const std::uint32_t count : {kRow, kRow + 1, 2 * kRow, 2 * kRow + 1}) {
    PlanSpec plan = simplePlan(nextOrder(), 4, count);
    addDraws(plan, SLU_DRAW_WORKGROUPS, 12, 0, random);
    for (const std::uint32_t size : {1u, 2u}) {
      plan.buckets[0].draw.elementCount = size;
      ASSERT_TRUE(agreesOn(plan, count, Pattern::all));
    }
  }
}

// Shaders of Direct3D do not see the first instance of a draw (before model 6.8, SV_InstanceID begins at 0), so that
// engines put constants in front: draws then begin within commands, and the last one ends the buffer.
TEST_P(Contract, DrawsBehindRootConstants) {
  struct Command {
    std::uint32_t constants[2];
    std::uint32_t draw[5];  // D3D12_DRAW_INDEXED_ARGUMENTS and VkDrawIndexedIndirectCommand alike
  };
  static_assert(sizeof(Command) == 28);
  constexpr std::uint32_t kCommandCount = 40;
  for (const SluFlags flags : {SluFlags{0}, SluFlags{SLU_DRAWS_SKIP_EMPTY_BIT}}) {
    PlanSpec plan = simplePlan(nextOrder(), 8, 3000);
    addBuckets(plan, kCommandCount, 1, 150, 4);
    plan.info.key.bits = 6;
    addDraws(plan, SLU_DRAW_INDEXED_INSTANCES, sizeof(Command), flags, random);
    SceneBuilder builder(random);
    FrameSpec frame = builder.makeFrame(builder.addPlan(plan), makeInput(plan, 3000, Pattern::half, random));
    Bytes before(kCommandCount * sizeof(Command));
    random.fill(before);
    const Place commands = builder.addInput(before);
    frame.draws = {commands.memory, commands.offset + offsetof(Command, draw)};
    builder.addFrame(frame);
    const Scene scene = builder.finish();
    std::vector<Bytes> memories = scene.memories;
    ASSERT_TRUE(Trial(machine(), scene).run(memories)) << describe(plan);
    const std::uint8_t* after = &memories[commands.memory][commands.offset];
    EXPECT_NE(std::memcmp(after, before.data(), before.size()), 0);
    for (std::size_t at = 0; at < before.size(); at += sizeof(Command)) {
      EXPECT_EQ(std::memcmp(after + at, &before[at], sizeof(Command::constants)), 0) << "command at byte " << at;
    }
  }
}

// Gives the second of two phases to a frame: half of the picture is as near as can be.
void hideHalf(SceneBuilder& builder, FrameSpec& frame, Random& random) {
  const PlanSpec& plan = builder.plan(frame.plan);
  builder.addOcclusion(frame, SLU_OCCLUSION_SECOND);
  OcclusionSpec& occlusion = frame.occlusion;
  occlusion.width = occlusion.height = 64;
  occlusion.depthMargin = 0;
  const std::vector<float> depths = halfWall(occlusion, false, 0.0f);
  frame.pyramid = builder.addInput(buildPyramid(64, 64, occlusion.layerCount, false, depths), 0);
  Bytes bits(std::size_t{frame.viewCount} * plan.visibleStride() * 4);
  random.fill(bits);
  frame.lastVisible = builder.addInput(bits);
}

// Statistics tell which test a record failed first. Only a mesh table has LODs that are not resident.
TEST_P(Contract, StatisticsCountEveryReject) {
  for (const bool isScene : {false, true}) {
    for (const SluOrder order : kOrders) {
      PlanSpec plan = simplePlan(order, 80, 50'000);
      addCulling(plan, SLU_CULL_DISTANCE_BIT | SLU_CULL_FRUSTUM_BIT | SLU_CULL_SIZE_BIT, SLU_BOUNDS_IN_RECORD, 8);
      addTransform(plan, SLU_TRANSFORM_POSITION_BIT | SLU_TRANSFORM_SCALE_BIT, 32);
      if (isScene) addCones(plan, 64);
      addBuckets(plan, 5, 1, 2000, 4);
      plan.info.key.bits = 3;
      plan.info.outputs = SLU_OUTPUT_STATISTICS_BIT;
      if (isScene) addMeshes(plan, SLU_MESH_LOD_MASK_BIT);
      if (isScene) addLayers(plan, 60, false);
      if (isScene) addOcclusion(plan);
      Input input = makeInput(plan, 50'000, Pattern::half, random);
      if (isScene) std::fill_n(&input.meshes[plan.info.meshes.lodMaskOffset], 4, std::uint8_t{0});  // of the first
      SceneBuilder builder(random);
      FrameSpec frame = builder.makeFrame(builder.addPlan(plan), input);
      frame.meshCount = isScene ? plan.keyCount() : 0;
      frame.liveMeshCount = {};
      frame.views[0].layerMask = 0x10001u;  // three in four of random words have one of them
      frame.views[0].minDistance = 30.0f;
      const bool isOrthographic = (frame.views[0].flags & SLU_VIEW_ORTHOGRAPHIC_BIT) != 0;
      frame.views[0].minSizeRatio = isOrthographic ? 1.8f : 0.03f;
      if (plan.testsOcclusion()) hideHalf(builder, frame, random);
      builder.addFrame(frame);
      const Scene scene = builder.finish();
      std::vector<Bytes> memories = scene.memories;
      ASSERT_TRUE(Trial(machine(), scene).run(memories)) << "; " << describe(plan);
      SluStatistics statistics;
      std::memcpy(&statistics, &memories[frame.statistics.memory][frame.statistics.offset], sizeof(statistics));
      std::uint32_t sum = statistics.demandedCount;
      for (std::uint32_t reject = 0; reject < SLU_REJECT_COUNT; ++reject) {
        const bool isMet = statistics.rejectedCount[reject] > 0;
        const bool isOfOcclusion = reject == SLU_REJECT_OCCLUDED || reject == SLU_REJECT_OTHER_PHASE;
        const bool isExpected = reject == SLU_REJECT_CONE ? plan.testsCones()
                                : isOfOcclusion           ? plan.testsOcclusion()
                                                          : isScene || reject < SLU_REJECT_LOD;
        EXPECT_EQ(isMet, isExpected) << "reject " << reject;
        sum += statistics.rejectedCount[reject];
      }
      EXPECT_EQ(sum, statistics.inputCount);
    }
  }
}

}  // namespace
}  // namespace slu::test

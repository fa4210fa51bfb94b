// Strides of records and streams, and offsets of everything that is bound.
#include "contract.h"

namespace slu::test {
namespace {

constexpr std::uint32_t kAlignments = 16;  // multiples of 4 modulo 64

TEST_P(Contract, EveryRecordStride) {
  for (std::uint32_t stride = SLU_MIN_RECORD_STRIDE; stride <= SLU_MAX_RECORD_STRIDE; stride += 4) {
    if (!takes(0.3)) continue;
    PlanSpec plan = simplePlan(nextOrder(), stride, 3000);
    plan.info.live.offset = random.below(stride / 4) * 4;
    plan.info.outputs = SLU_OUTPUT_INDICES_BIT | SLU_OUTPUT_RECORDS_BIT;
    SceneBuilder builder(random);
    const std::uint32_t index = builder.addPlan(plan);
    for (const std::uint32_t count : {random.between(1, 300), random.between(1500, 3000)}) {
      builder.addFrame(builder.makeFrame(index, makeInput(plan, count, Pattern::half, random)));
    }
    ASSERT_TRUE(agrees(machine(), builder.finish())) << describe(plan);
  }
}

// Each alignment of the input against each of the output, so that the widest copies never meet a pair they cannot do.
TEST_P(Contract, EveryAlignmentOfRecords) {
  for (const SluOrder order : kOrders) {
    for (const std::uint32_t stride : {4u, 8u, 12u, 16u, 24u, 32u, 64u}) {
      const PlanSpec plan = simplePlan(order, stride, 400);
      SceneBuilder builder(random);
      const std::uint32_t index = builder.addPlan(plan);
      for (std::uint32_t in = 0; in < kAlignments; ++in) {
        const Input input = makeInput(plan, random.between(100, 400), Pattern::half, random);
        const Place records = builder.addInput(input.records, in * 4);
        for (std::uint32_t out = 0; out < kAlignments; ++out) {
          FrameSpec frame;
          frame.plan = index;
          frame.recordCount = input.count;
          frame.records = records;
          frame.keptRecords = builder.addOutput(plan.outputsPerView() * stride, out * 4);
          frame.indices = builder.addOutput(plan.outputsPerView() * 4, (in + out) % kAlignments * 4);
          builder.addOutputs(frame);
          builder.addFrame(frame);
        }
      }
      ASSERT_TRUE(agrees(machine(), builder.finish())) << describe(plan);
    }
  }
}

// A frame per alignment of one stream.
void addStreamFrames(SceneBuilder& builder, std::uint32_t index, Place FrameSpec::*place, Bytes Input::*stream,
                     Random& random) {
  const PlanSpec plan = builder.plan(index);
  for (std::uint32_t alignment = 0; alignment < kAlignments; ++alignment) {
    const Input input = makeInput(plan, random.between(1, plan.info.maxRecordCount), Pattern::half, random);
    FrameSpec frame = builder.makeFrame(index, input);
    frame.*place = builder.addInput(input.*stream, alignment * 4);
    builder.addFrame(frame);
  }
}

TEST_P(Contract, EveryAlignmentOfFlags) {
  for (const SluOrder order : kOrders) {
    for (const SluLiveTest test : {SLU_LIVE_FLAG_BITS, SLU_LIVE_FLAG_BYTES, SLU_LIVE_FLAG_WORDS}) {
      PlanSpec plan = simplePlan(order, 8, 5000);
      plan.info.live = {test, 0, 0};
      SceneBuilder builder(random);
      addStreamFrames(builder, builder.addPlan(plan), &FrameSpec::flags, &Input::flags, random);
      ASSERT_TRUE(agrees(machine(), builder.finish())) << describe(plan);
    }
  }
}

TEST_P(Contract, EveryAlignmentOfSpheres) {
  for (const std::uint32_t offset : {0u, 4u, 16u}) {
    for (const std::uint32_t padding : {0u, 4u, 12u, 16u}) {
      PlanSpec plan = simplePlan(nextOrder(), 4, 2000);
      plan.info.live = {};
      addCulling(plan, SLU_CULL_FRUSTUM_BIT, SLU_BOUNDS_PER_RECORD, offset);
      plan.info.bounds.stride += padding;
      SceneBuilder builder(random);
      addStreamFrames(builder, builder.addPlan(plan), &FrameSpec::bounds, &Input::bounds, random);
      ASSERT_TRUE(agrees(machine(), builder.finish())) << describe(plan);
    }
  }
}

TEST_P(Contract, EveryAlignmentOfSpheresInRecords) {
  for (const std::uint32_t stride : {16u, 20u, 32u, 48u}) {
    for (const std::uint32_t offset : {0u, 4u, 8u, 16u}) {
      if (offset + 16 > stride) continue;
      PlanSpec plan = simplePlan(nextOrder(), stride, 1000);
      plan.info.live = {};
      addCulling(plan, SLU_CULL_FRUSTUM_BIT, SLU_BOUNDS_IN_RECORD, offset);
      SceneBuilder builder(random);
      addStreamFrames(builder, builder.addPlan(plan), &FrameSpec::records, &Input::records, random);
      ASSERT_TRUE(agrees(machine(), builder.finish())) << describe(plan);
    }
  }
}

// Boxes and transforms in streams: strides and offsets that are multiples of 16 and such that are not.
TEST_P(Contract, EveryAlignmentOfBoxesAndTransforms) {
  struct Case {
    SluBoundsShape shape;
    std::uint32_t offset, padding;
    SluMatrixForm form;
    std::uint32_t transformOffset, transformPadding;
  };
  for (const auto& [shape, offset, padding, form, transformOffset, transformPadding] :
       {Case{SLU_SHAPE_BOX, 0, 8, SLU_MATRIX_ROWS, 0, 0}, Case{SLU_SHAPE_BOX, 4, 0, SLU_MATRIX_COLUMNS_4X4, 0, 0},
        Case{SLU_SHAPE_CORNERS, 0, 0, SLU_MATRIX_COLUMNS_3X4, 4, 8},
        Case{SLU_SHAPE_SPHERE, 0, 0, SLU_MATRIX_COLUMNS_4X4, 12, 4}}) {
    PlanSpec plan = simplePlan(nextOrder(), 4, 2000);
    plan.info.live = {};
    addCulling(plan, SLU_CULL_FRUSTUM_BIT, SLU_BOUNDS_PER_RECORD, offset, shape);
    addTransformStream(plan, SLU_TRANSFORM_MATRIX_BIT, transformOffset, form);
    plan.info.bounds.stride += padding;
    plan.info.bounds.transformStride += transformPadding;
    SceneBuilder builder(random);
    const std::uint32_t index = builder.addPlan(plan);
    addStreamFrames(builder, index, &FrameSpec::bounds, &Input::bounds, random);
    addStreamFrames(builder, index, &FrameSpec::transforms, &Input::transforms, random);
    ASSERT_TRUE(agrees(machine(), builder.finish())) << describe(plan);
  }
}

// Draws, counts and statistics at every offset too.
TEST_P(Contract, EveryAlignmentOfDrawsAndCounts) {
  for (const SluOrder order : kOrders) {
    PlanSpec plan = simplePlan(order, 4, 300);
    plan.info.maxViewCount = 2;
    addBuckets(plan, 3, 1, 120);
    plan.info.key.bits = 2;
    addDraws(plan, SLU_DRAW_INDEXED_INSTANCES, 28, SLU_DRAWS_SKIP_EMPTY_BIT, random);
    SceneBuilder builder(random);
    const std::uint32_t index = builder.addPlan(plan);
    for (std::uint32_t alignment = 0; alignment < kAlignments; ++alignment) {
      FrameSpec frame = builder.makeFrame(index, makeInput(plan, 300, Pattern::half, random), 2);
      for (const Region& region : outputRegions(plan, 2)) {
        frame.*region.place = builder.addOutput(region.bytes, alignment * 4);
      }
      builder.addFrame(frame);
    }
    ASSERT_TRUE(agrees(machine(), builder.finish())) << describe(plan);
  }
}

}  // namespace
}  // namespace slu::test

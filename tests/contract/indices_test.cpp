// Streams that records share: each record names its element by a number.
#include <cstring>

#include "contract.h"

namespace slu::test {
namespace {

constexpr std::uint32_t kSharers = 3000, kIndicesAt = 8;
constexpr SluFlags kAllStreams = SLU_INDEXED_BOUNDS_BIT | SLU_INDEXED_TRANSFORMS_BIT | SLU_INDEXED_LAYERS_BIT;

SluStatistics statisticsOf(const FrameSpec& frame, const std::vector<Bytes>& memories) {
  SluStatistics statistics;
  std::memcpy(&statistics, &memories[frame.statistics.memory][frame.statistics.offset], sizeof(statistics));
  return statistics;
}

// A plan with a stream of each kind. Records share those of `streams`. The word at kIndicesAt names their elements, or
// transforms of boxes have a word of their own.
PlanSpec makePlan(SluFlags streams, SluBoundsShape shape, std::uint32_t lodCount, SluOrder order) {
  PlanSpec plan = simplePlan(order, 32, kSharers);
  addCulling(plan, SLU_CULL_FRUSTUM_BIT | SLU_CULL_SIZE_BIT, SLU_BOUNDS_PER_RECORD, 4, shape);
  addTransformStream(plan, SLU_TRANSFORM_MATRIX_BIT, 0);
  addLayers(plan, 4, true);
  addIndices(plan, streams & ~SluFlags{SLU_INDEXED_TRANSFORMS_BIT}, kIndicesAt);
  addIndices(plan, streams & SLU_INDEXED_TRANSFORMS_BIT, shape == SLU_SHAPE_SPHERE ? kIndicesAt : kIndicesAt + 8);
  addBuckets(plan, 5, lodCount, kSharers, 4);
  plan.info.key.bits = 3;
  plan.info.maxViewCount = 3;
  return plan;
}

TEST_P(Contract, EveryCombinationOfSharedStreams) {
  for (SluFlags streams = 1; streams <= kAllStreams; ++streams) {
    const SluBoundsShape shape = random.pick({SLU_SHAPE_SPHERE, SLU_SHAPE_BOX, SLU_SHAPE_CORNERS_VEC4});
    if (!takes(0.5)) continue;
    const PlanSpec plan = makePlan(streams, shape, random.pick({1u, 3u}), nextOrder());
    ASSERT_TRUE(agreesOn(plan, kSharers, Pattern::half, 3)) << describe(plan);
  }
}

// Parts of transforms, bounds without transforms, and layers alone.
TEST_P(Contract, SharedStreamsAlone) {
  PlanSpec parts = simplePlan(nextOrder(), 16, kSharers);
  addCulling(parts, SLU_CULL_FRUSTUM_BIT | SLU_CULL_DISTANCE_BIT, SLU_BOUNDS_IN_RECORD, 0);
  addTransformStream(parts, SLU_TRANSFORM_POSITION_BIT | SLU_TRANSFORM_SCALE_BIT | SLU_TRANSFORM_ROTATION_BIT, 4);
  parts.info.live = {};
  addIndices(parts, SLU_INDEXED_TRANSFORMS_BIT, 12);  // a radius, too
  ASSERT_TRUE(agreesOn(parts, kSharers, Pattern::all, 1));
  PlanSpec bounds = simplePlan(nextOrder(), 4, kSharers);
  addCulling(bounds, SLU_CULL_FRUSTUM_BIT, SLU_BOUNDS_PER_RECORD, 0);
  bounds.info.live = {};
  addIndices(bounds, SLU_INDEXED_BOUNDS_BIT, 0);
  ASSERT_TRUE(agreesOn(bounds, kSharers, Pattern::all, 1));
  PlanSpec layers = simplePlan(nextOrder(), 8, kSharers);
  addLayers(layers, 0, true);
  addIndices(layers, SLU_INDEXED_LAYERS_BIT, 4);
  layers.info.maxViewCount = 2;
  ASSERT_TRUE(agreesOn(layers, kSharers, Pattern::half, 2));
}

// Many records share few elements.
TEST_P(Contract, OneElementOfAllRecords) {
  const PlanSpec plan = makePlan(kAllStreams, SLU_SHAPE_BOX, 3, nextOrder());
  Input input = makeInput(plan, kSharers, Pattern::all, random);
  input.elements = {1, 1, 1};
  SceneBuilder builder(random);
  const std::uint32_t index = builder.addPlan(plan);
  const std::uint32_t first = random.below(kSharers);
  for (std::uint32_t i = 0; i < kSharers; ++i) {
    const std::uint32_t named = i >= first ? 0 : 1 + random.below(3);
    for (const std::uint32_t at : {kIndicesAt, kIndicesAt + 8}) std::memcpy(&input.records[i * 32 + at], &named, 4);
  }
  const std::vector<std::uint32_t> everywhere(1, ~0u);
  input.layers.resize(8);
  std::memcpy(&input.layers[4], everywhere.data(), 4);
  input.bounds.resize(plan.info.bounds.stride);
  input.transforms.resize(plan.info.bounds.transformStride);
  const FrameSpec frame = builder.makeFrame(index, input, 1);
  builder.addFrame(frame);
  const Scene scene = builder.finish();
  std::vector<Bytes> memories = scene.memories;
  ASSERT_TRUE(Trial(machine(), scene).run(memories));
  const SluStatistics statistics = statisticsOf(frame, memories);
  EXPECT_GE(statistics.rejectedCount[SLU_REJECT_LAYER], first / 2) << "records below " << first << " have no layers";
}

// Without any element every record is in no layer, or its bounds are invalid; what is never culled is kept.
TEST_P(Contract, SharedStreamsWithoutElements) {
  for (const SluFlags streams :
       {SluFlags{SLU_INDEXED_BOUNDS_BIT}, SluFlags{SLU_INDEXED_TRANSFORMS_BIT}, SluFlags{SLU_INDEXED_LAYERS_BIT}}) {
    PlanSpec plan = makePlan(streams, SLU_SHAPE_SPHERE, 3, nextOrder());
    const bool isOfLayers = streams == SLU_INDEXED_LAYERS_BIT;
    if (!isOfLayers) {
      plan.info.cullFlags &= ~SluFlags{SLU_CULL_LAYERS_BIT};
      plan.info.layers.neverCullMask = 1u << random.below(32);
    }
    Input input = makeInput(plan, kSharers, Pattern::all, random);
    input.elements = {};
    Bytes& stream = streams == SLU_INDEXED_BOUNDS_BIT       ? input.bounds
                    : streams == SLU_INDEXED_TRANSFORMS_BIT ? input.transforms
                                                            : input.layers;
    stream.clear();
    SceneBuilder builder(random);
    FrameSpec frame = builder.makeFrame(builder.addPlan(plan), input, 1);
    const auto unbind = [&](SluFlags bit, Place& place) {
      if (streams == bit) place = {};  // what has no bytes need not be bound
    };
    unbind(SLU_INDEXED_BOUNDS_BIT, frame.bounds);
    unbind(SLU_INDEXED_TRANSFORMS_BIT, frame.transforms);
    unbind(SLU_INDEXED_LAYERS_BIT, frame.layers);
    builder.addFrame(frame);
    const Scene scene = builder.finish();
    std::vector<Bytes> memories = scene.memories;
    ASSERT_TRUE(Trial(machine(), scene).run(memories)) << describe(plan);
    const SluStatistics statistics = statisticsOf(frame, memories);
    EXPECT_EQ(statistics.keptCount == 0, isOfLayers);
    EXPECT_GT(statistics.rejectedCount[isOfLayers ? SLU_REJECT_LAYER : SLU_REJECT_INVALID], kSharers / 4);
    EXPECT_EQ(statistics.rejectedCount[SLU_REJECT_FRUSTUM], 0u);
  }
}

// Shared streams and records that are compacted in place.
TEST_P(Contract, SharedStreamsInPlace) {
  PlanSpec plan = makePlan(kAllStreams, SLU_SHAPE_BOX, 1, nextOrder());
  plan.info.flags = SLU_PLAN_IN_PLACE_BIT;
  ASSERT_TRUE(agreesOn(plan, kSharers, Pattern::half, 3));
}

}  // namespace
}  // namespace slu::test

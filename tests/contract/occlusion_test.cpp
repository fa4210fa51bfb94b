// Records that a depth pyramid hides, and the two phases.
#include "occlusion.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "contract.h"

namespace slu::test {
namespace {

constexpr std::uint32_t kOccludeds = 2000;
constexpr SluFlags kOtherTests = SLU_CULL_FRUSTUM_BIT | SLU_CULL_DISTANCE_BIT | SLU_CULL_SIZE_BIT;
constexpr std::uint32_t kPhases[] = {SLU_OCCLUSION_SINGLE, SLU_OCCLUSION_FIRST, SLU_OCCLUSION_SECOND};
constexpr SluFlags kAnyIndexed = SLU_INDEXED_BOUNDS_BIT | SLU_INDEXED_TRANSFORMS_BIT | SLU_INDEXED_LAYERS_BIT;

// Bounds in records of 96 bytes, whose first words are a live field, a key and layers.
PlanSpec makeOccludedPlan(SluOrder order, SluBoundsShape shape, std::uint32_t maxRecordCount = kOccludeds) {
  PlanSpec plan = simplePlan(order, 96, maxRecordCount);
  plan.info.maxViewCount = 3;
  addCulling(plan, kOtherTests, SLU_BOUNDS_IN_RECORD, 16, shape);
  addOcclusion(plan);
  return plan;
}

std::uint32_t wordAt(const std::vector<Bytes>& memories, const Place& place, std::uint64_t word) {
  std::uint32_t value;
  std::memcpy(&value, &memories[place.memory][place.offset + word * 4], sizeof(value));
  return value;
}

bool isVisible(const PlanSpec& plan, const std::vector<Bytes>& memories, const Place& bits, std::uint32_t view,
               std::uint32_t i) {
  return (wordAt(memories, bits, std::uint64_t{view} * plan.visibleStride() + i / 32) >> i % 32 & 1) != 0;
}

SluStatistics statisticsOf(const std::vector<Bytes>& memories, const FrameSpec& frame, std::uint32_t view) {
  SluStatistics statistics;
  std::memcpy(&statistics, &memories[frame.statistics.memory][frame.statistics.offset + view * sizeof(statistics)],
              sizeof(statistics));
  return statistics;
}

// Without statistics it does not matter why a record is dropped, so that bits may drop it before anything else.
void dropReasonsAtTimes(PlanSpec& plan, Random& random) {
  if (random.chance(0.5)) plan.info.outputs &= ~SluFlags{SLU_OUTPUT_STATISTICS_BIT};
}

// One scene with a frame of each phase.
testing::AssertionResult agreesInEachPhase(Machine& machine, PlanSpec plan, std::uint32_t viewCount, Random& random) {
  dropReasonsAtTimes(plan, random);
  SceneBuilder builder(random);
  const std::uint32_t index = builder.addPlan(plan);
  for (const std::uint32_t phase : kPhases) {
    FrameSpec frame = builder.makeFrame(index, makeInput(plan, kOccludeds, Pattern::half, random), viewCount);
    builder.addOcclusion(frame, phase);
    builder.addFrame(frame);
  }
  return agrees(machine, builder.finish());
}

// Each phase of frames of any size: words of bits end anywhere in a tile, and tiles anywhere in a frame.
TEST_P(Contract, OcclusionOfEverySize) {
  for (const SluBoundsShape shape : {SLU_SHAPE_SPHERE, SLU_SHAPE_BOX}) {
    PlanSpec plan = makeOccludedPlan(nextOrder(), shape, 20'000);
    if (random.chance(0.5)) addBuckets(plan, 4, 1, 3000, 4);
    dropReasonsAtTimes(plan, random);
    const std::uint32_t tile = tileOf(plan);
    SceneBuilder builder(random);
    const std::uint32_t index = builder.addPlan(plan);
    for (const std::uint32_t phase : kPhases) {
      for (const std::uint32_t count :
           {0u, 1u, 31u, 32u, 33u, tile - 1, tile, tile + 1, std::min(3 * tile + 7, 20'000u)}) {
        FrameSpec frame = builder.makeFrame(index, makeInput(plan, count, Pattern::half, random), random.between(1, 3));
        builder.addOcclusion(frame, phase);
        builder.addFrame(frame);
        ASSERT_TRUE(agrees(machine(), builder.finish()))
            << count << " records, phase " << phase << ", " << describe(plan);
      }
    }
  }
}

// Wherever bounds come from, and whatever moves them.
TEST_P(Contract, OcclusionOfEveryBounds) {
  for (const SluBoundsSource source :
       {SLU_BOUNDS_IN_RECORD, SLU_BOUNDS_PER_RECORD, SLU_BOUNDS_PER_KEY, SLU_BOUNDS_CONSTANT, SLU_BOUNDS_IN_MESH}) {
    for (const SluBoundsShape shape : someShapes(random)) {
      if (!takes(0.4)) continue;
      PlanSpec plan = simplePlan(nextOrder(), 160, kOccludeds);
      plan.info.maxViewCount = 2;
      const std::uint32_t offset = source == SLU_BOUNDS_IN_RECORD ? 16 : source == SLU_BOUNDS_IN_MESH ? 0 : 4;
      addCulling(plan, random.pick({SluFlags{0}, kOtherTests}), source, offset, shape);
      const std::vector<SluFlags> transforms = everyTransform();
      const SluFlags transform = transforms[random.below(static_cast<std::uint32_t>(transforms.size()))];
      const SluMatrixForm form = kMatrixForms[random.below(std::size(kMatrixForms))];
      if (random.chance(0.5)) {
        addTransformStream(plan, transform, 4, form);
      } else {
        addTransform(plan, transform, 64, form);
      }
      addOcclusion(plan);
      if (source == SLU_BOUNDS_PER_KEY || source == SLU_BOUNDS_IN_MESH) {
        addBuckets(plan, 6, 1, kOccludeds, 4);
        plan.info.key.bits = 3;  // with keys that are unknown
      }
      if (source == SLU_BOUNDS_IN_MESH) addMeshes(plan, SLU_MESH_LOD_MASK_BIT);
      if (random.chance(0.5)) addIndices(plan, kAnyIndexed, 8);
      ASSERT_TRUE(agreesInEachPhase(machine(), plan, 2, random)) << describe(plan);
    }
  }
}

// Records that are never culled or never occluded, by marks in the record or in a stream, with layers and without.
TEST_P(Contract, OcclusionOfMarks) {
  for (const bool isStream : {false, true}) {
    for (const bool isCulled : {false, true}) {
      for (const bool hasLayers : {false, true}) {
        if (!takes(0.4)) continue;
        PlanSpec plan = makeOccludedPlan(nextOrder(), random.pick({SLU_SHAPE_SPHERE, SLU_SHAPE_CORNERS}));
        if (isCulled) addMarks(plan, 8, isStream, random);
        if (hasLayers) addLayers(plan, 8, isStream);
        plan.info.layers.offset = 8;
        plan.info.layers.stride = isStream ? 12 : 0;
        addOcclusion(plan, 1u << random.below(32));
        if (isStream && random.chance(0.5)) addIndices(plan, SLU_INDEXED_LAYERS_BIT, 12);
        ASSERT_TRUE(agreesInEachPhase(machine(), plan, 3, random)) << describe(plan);
      }
    }
  }
}

// Bits of records at or beyond the live count are 0, in whole words up to the record count, and words behind stay.
TEST_P(Contract, OcclusionOfALiveCount) {
  for (const SluOrder order : kOrders) {
    if (!takes(0.5)) continue;
    PlanSpec plan = makeOccludedPlan(order, SLU_SHAPE_SPHERE);
    dropReasonsAtTimes(plan, random);
    SceneBuilder builder(random);
    const std::uint32_t index = builder.addPlan(plan);
    for (const std::uint32_t live : {0u, 1u, 31u, 32u, 33u, random.below(1500), 1500u, 1501u, 0xffffffffu}) {
      for (const std::uint32_t phase : kPhases) {
        FrameSpec frame = builder.makeFrame(index, makeInput(plan, 1500, Pattern::half, random), 2);
        builder.addOcclusion(frame, phase);
        frame.liveCount = builder.addWord(live);
        builder.addFrame(frame);
      }
    }
    const Scene scene = builder.finish();
    std::vector<Bytes> memories = scene.memories;
    ASSERT_TRUE(Trial(machine(), scene).run(memories)) << describe(plan);
    for (const FrameSpec& frame : scene.frames) {
      if (!frame.occlusion.findsVisible()) continue;
      const std::uint32_t live = std::min(wordAt(memories, frame.liveCount, 0), 1500u);
      for (std::uint32_t view = 0; view < 2; ++view) {
        for (std::uint32_t i = live; i < 1504; ++i) ASSERT_FALSE(isVisible(plan, memories, frame.visible, view, i));
        const std::uint64_t behind = view * std::uint64_t{plan.visibleStride()} + 1504 / 32;
        EXPECT_EQ(wordAt(memories, frame.visible, behind), wordAt(scene.memories, frame.visible, behind));
      }
    }
  }
}

// With all else that plans write.
TEST_P(Contract, OcclusionInEveryPlacement) {
  for (const SluPlacement placement : {SLU_PLACEMENT_RESERVED, SLU_PLACEMENT_PACKED, SLU_PLACEMENT_MERGED}) {
    for (const bool hasMeshes : {false, true}) {
      for (const bool hasMore : {false, true}) {
        if (!takes(0.4)) continue;
        PlanSpec plan = simplePlan(nextOrder(), 128, kOccludeds);
        plan.info.maxViewCount = 3;
        const SluBoundsSource source = hasMeshes ? SLU_BOUNDS_IN_MESH : SLU_BOUNDS_IN_RECORD;
        addCulling(plan, kOtherTests, source, hasMeshes ? 0 : 16, random.pick({SLU_SHAPE_SPHERE, SLU_SHAPE_BOX}));
        addTransform(plan, SLU_TRANSFORM_MATRIX_BIT, 64);
        addOcclusion(plan);
        addBuckets(plan, 6, hasMeshes ? 3 : 1, kOccludeds / 10, 4);
        plan.info.key.bits = 3;
        if (hasMore) splitMirrored(plan);
        addDraws(plan, SLU_DRAW_INDEXED_INSTANCES, 24, SLU_DRAWS_SKIP_EMPTY_BIT, random);
        if (hasMeshes) addMeshes(plan, SLU_MESH_LOD_MASK_BIT | SLU_MESH_FIRST_ELEMENT_BIT, SLU_LOD_MESH_ERRORS);
        if (placement == SLU_PLACEMENT_PACKED) packBuckets(plan, kOccludeds / 3);
        if (placement == SLU_PLACEMENT_MERGED) mergePlan(plan, kOccludeds / 3, 3);
        if (hasMore && placement != SLU_PLACEMENT_MERGED) addGroups(plan, 4, 0, random);
        if (hasMore && placement != SLU_PLACEMENT_PACKED) addRandomStreams(plan, 2, random);
        if (random.chance(0.5)) addRejects(plan, random.pick({0u, 1u << SLU_REJECT_OCCLUDED}), 0);
        ASSERT_TRUE(agreesInEachPhase(machine(), plan, 3, random)) << describe(plan);
      }
    }
  }
}

TEST_P(Contract, OcclusionOfSparsePlans) {
  for (const bool hasDraws : {false, true}) {
    if (!takes(0.5)) continue;
    PlanSpec plan = makeOccludedPlan(SLU_ORDER_UNORDERED, random.pick({SLU_SHAPE_SPHERE, SLU_SHAPE_BOX_VEC4}));
    addBuckets(plan, 2, 1, 0, 4);
    if (hasDraws) {
      addDraws(plan, SLU_DRAW_INDEXED_INSTANCES, 20, SLU_DRAWS_SKIP_EMPTY_BIT, random);
      addMeshes(plan, SLU_MESH_FIRST_ELEMENT_BIT);
    }
    makeSparse(plan, random.between(SLU_MAX_BUCKETS + 1, 10'000), kOccludeds);
    ASSERT_TRUE(agreesInEachPhase(machine(), plan, 2, random)) << describe(plan);
  }
}

// Frames of more tiles than a GPU holds blocks, which go over several tiles at a time.
TEST_P(Contract, OcclusionOfManyTiles) {
  if (machine().route() != SLU_ROUTE_CUDA && machine().route() != SLU_ROUTE_INLINE) {
    GTEST_SKIP() << "this test is the CUDA kernels'; elsewhere so many records take long";
  }
  for (std::uint32_t kind = 0; kind < 4; ++kind) {
    // A GPU of 150 multiprocessors holds at most 600 blocks.
    const std::uint32_t count = 600 * 512 * random.between(1, 4) + random.between(1, 2000);
    PlanSpec plan = simplePlan(SLU_ORDER_UNORDERED, 8, count);
    plan.info.outputs = SLU_OUTPUT_INDICES_BIT;
    addCulling(plan, SLU_CULL_FRUSTUM_BIT, SLU_BOUNDS_PER_RECORD, 0, SLU_SHAPE_BOX);
    addOcclusion(plan);
    if (kind != 0) addBuckets(plan, 5, 1, kind == 1 ? count / 6 : 0, 4);
    if (kind == 2) packBuckets(plan, count / 2);
    if (kind == 3) {
      addDraws(plan, SLU_DRAW_INDEXED_INSTANCES, 20, 0, random);
      mergePlan(plan, count / 2, 0);
    }
    SceneBuilder builder(random);
    const std::uint32_t index = builder.addPlan(plan);
    const Input input = makeInput(plan, count, random.pick({Pattern::half, Pattern::all}), random);
    for (const std::uint32_t phase : kPhases) {
      FrameSpec frame = builder.makeFrame(index, input, 1);
      builder.addOcclusion(frame, phase);
      builder.addFrame(frame);
    }
    ASSERT_TRUE(agrees(machine(), builder.finish())) << count << " records, " << describe(plan);
  }
}

// What is kept is written over the records, whose bounds have been projected before.
TEST_P(Contract, OcclusionInPlace) {
  for (const SluOrder order : kOrders) {
    if (!takes(0.5)) continue;
    PlanSpec plan = makeOccludedPlan(order, SLU_SHAPE_SPHERE);
    plan.info.flags = SLU_PLAN_IN_PLACE_BIT;
    plan.info.maxViewCount = 1;
    SceneBuilder builder(random);
    const std::uint32_t index = builder.addPlan(plan);
    for (const std::uint32_t phase : kPhases) {
      FrameSpec frame = builder.makeFrame(index, makeInput(plan, kOccludeds, Pattern::half, random));
      builder.addOcclusion(frame, phase);
      frame.keptRecords = frame.records;
      builder.addFrame(frame);
    }
    ASSERT_TRUE(agrees(machine(), builder.finish())) << describe(plan);
  }
}

// A plan has frames of each phase and frames that test no occlusion, in turn, and runs them again.
TEST_P(Contract, FramesWithOcclusionAndWithout) {
  for (const SluOrder order : kOrders) {
    if (!takes(0.5)) continue;
    PlanSpec plan = makeOccludedPlan(order, SLU_SHAPE_BOX);
    addBuckets(plan, 3, 2, 700, 4);
    plan.info.key.bits = 2;
    addRejects(plan, 0, 500);
    SceneBuilder builder(random);
    const std::uint32_t index = builder.addPlan(plan);
    for (const std::uint32_t phase : {0u, 1u, 0u, 2u, 3u, 0u, 3u, 2u, 1u}) {
      const std::uint32_t count = random.below(kOccludeds + 1);
      FrameSpec frame = builder.makeFrame(index, makeInput(plan, count, Pattern::half, random), random.between(1, 3));
      builder.addOcclusion(frame, phase);
      builder.addFrame(frame);
    }
    const Scene scene = builder.finish();
    std::vector<Bytes> memories = scene.memories;
    Trial trial(machine(), scene);
    ASSERT_TRUE(trial.run(memories)) << describe(plan);
    ASSERT_TRUE(trial.run(memories, 2)) << describe(plan);
  }
}

// Two buffers of bits, which frames swap. A record is kept by one of the two phases, or it is hidden and was not visible.
TEST_P(Contract, PhasesThatSwapBits) {
  for (const SluOrder order : kOrders) {
    if (!takes(0.5)) continue;
    PlanSpec plan = makeOccludedPlan(order, random.pick({SLU_SHAPE_SPHERE, SLU_SHAPE_BOX}));
    plan.info.live = {};
    plan.info.cullFlags &= ~SluFlags{kOtherTests};
    SceneBuilder builder(random);
    const std::uint32_t index = builder.addPlan(plan);
    const FrameSpec input = builder.makeFrame(index, makeInput(plan, kOccludeds, Pattern::all, random), 2);
    const std::uint64_t bitsBytes = std::uint64_t{2} * plan.visibleStride() * 4;
    Place bits[2] = {builder.addOutput(bitsBytes), builder.addOutput(bitsBytes)};
    constexpr std::uint32_t kFrames = 6;
    for (std::uint32_t i = 0; i < kFrames; ++i) {
      FrameSpec second = input;
      builder.addOcclusion(second, SLU_OCCLUSION_SECOND);
      second.lastVisible = i == 0 ? Place{} : bits[i % 2];
      second.visible = bits[(i + 1) % 2];
      FrameSpec first = second;
      first.occlusion = {};
      first.occlusion.phase = SLU_OCCLUSION_FIRST;
      for (FrameSpec* frame : {&first, &second}) {
        frame->indices = frame->keptRecords = frame->statistics = frame->bucketCounts = {};
        builder.addOutputs(*frame);
        builder.addFrame(*frame);
      }
    }
    const Scene scene = builder.finish();
    std::vector<Bytes> memories = scene.memories;
    ASSERT_TRUE(Trial(machine(), scene).run(memories)) << describe(plan);
    for (std::size_t i = 0; i < kFrames; ++i) {
      for (std::uint32_t view = 0; view < 2; ++view) {
        const SluStatistics first = statisticsOf(memories, scene.frames[2 * i], view);
        const SluStatistics second = statisticsOf(memories, scene.frames[2 * i + 1], view);
        EXPECT_EQ(second.rejectedCount[SLU_REJECT_OTHER_PHASE],
                  kOccludeds - first.rejectedCount[SLU_REJECT_OTHER_PHASE]);
        EXPECT_EQ(first.rejectedCount[SLU_REJECT_OCCLUDED], 0u);
      }
    }
  }
}

// Each of the words that make a pyramid another one. Every bit is set, and nothing is occluded.
TEST_P(Contract, PyramidsThatHideNothing) {
  for (const std::uint32_t word : {SLU_PYRAMID_WORD_VALID, SLU_PYRAMID_WORD_WIDTH, SLU_PYRAMID_WORD_HEIGHT,
                                   SLU_PYRAMID_WORD_LAYERS, SLU_PYRAMID_WORD_DIRECTION}) {
    const PlanSpec plan = makeOccludedPlan(nextOrder(), random.pick({SLU_SHAPE_SPHERE, SLU_SHAPE_BOX}));
    SceneBuilder builder(random);
    FrameSpec frame = builder.makeFrame(builder.addPlan(plan), makeInput(plan, kOccludeds, Pattern::half, random), 3);
    builder.addOcclusion(frame, random.pick({SLU_OCCLUSION_SINGLE, SLU_OCCLUSION_SECOND}));
    builder.addFrame(frame);
    Scene scene = builder.finish();
    const OcclusionSpec& occlusion = frame.occlusion;
    // All of it is as near as can be.
    const bool isReversed = random.chance(0.5);
    const std::vector<float> depths(std::size_t{occlusion.width} * occlusion.height * occlusion.layerCount,
                                    isReversed ? 1.0f : 0.0f);
    Bytes pyramid = buildPyramid(occlusion.width, occlusion.height, occlusion.layerCount, isReversed, depths);
    std::uint32_t value;
    std::memcpy(&value, &pyramid[word * 4], sizeof(value));
    value = word == SLU_PYRAMID_WORD_DIRECTION ? random.pick({2u, 0xffffffffu})
                                               : random.pick({0u, value + 1, value - 1, 0xffffffffu});
    std::memcpy(&pyramid[word * 4], &value, sizeof(value));
    std::copy(pyramid.begin(), pyramid.end(),
              scene.memories[frame.pyramid.memory].begin() + static_cast<std::ptrdiff_t>(frame.pyramid.offset));
    std::vector<Bytes> memories = scene.memories;
    ASSERT_TRUE(Trial(machine(), scene).run(memories)) << describe(plan);
    for (std::uint32_t view = 0; view < 3; ++view) {
      EXPECT_EQ(statisticsOf(memories, frame, view).rejectedCount[SLU_REJECT_OCCLUDED], 0u) << "word " << word;
      for (std::uint32_t i = 0; i < kOccludeds; ++i) {
        ASSERT_TRUE(isVisible(plan, memories, frame.visible, view, i)) << "record " << i << ", word " << word;
      }
    }
  }
}

// Texels of any bits: those that are no depths from 0 to 1 hide nothing.
TEST_P(Contract, PyramidsOfGarbage) {
  for (const SluOrder order : kOrders) {
    if (!takes(0.5)) continue;
    const PlanSpec plan = makeOccludedPlan(order, random.pick({SLU_SHAPE_SPHERE, SLU_SHAPE_BOX}));
    SceneBuilder builder(random);
    const std::uint32_t index = builder.addPlan(plan);
    std::vector<FrameSpec> frames;
    for (int round = 0; round < 6; ++round) {
      FrameSpec frame = builder.makeFrame(index, makeInput(plan, kOccludeds, Pattern::half, random), 2);
      builder.addOcclusion(frame, SLU_OCCLUSION_SINGLE);
      builder.addFrame(frame);
      frames.push_back(frame);
    }
    Scene scene = builder.finish();
    for (std::size_t i = 0; i < frames.size(); ++i) {
      const OcclusionSpec& occlusion = frames[i].occlusion;
      const std::vector<float> depths(std::size_t{occlusion.width} * occlusion.height * occlusion.layerCount, 0.5f);
      Bytes pyramid = buildPyramid(occlusion.width, occlusion.height, occlusion.layerCount, i % 2 != 0, depths);
      const std::size_t header = SLU_PYRAMID_HEADER_WORDS * 4;
      random.fill({pyramid.data() + header, pyramid.size() - header});
      for (std::size_t at = header; at < pyramid.size() && i >= 2; at += 4) {
        // NaN, infinities, -0 and 1 or more.
        const std::uint32_t bits =
            random.pick({0x7fc00000u, 0xffc00001u, 0x7f800000u, 0xff800000u, 0x80000000u, 0x3f800001u, 0xffffffffu});
        std::memcpy(&pyramid[at], &bits, sizeof(bits));
      }
      std::copy(
          pyramid.begin(), pyramid.end(),
          scene.memories[frames[i].pyramid.memory].begin() + static_cast<std::ptrdiff_t>(frames[i].pyramid.offset));
    }
    std::vector<Bytes> memories = scene.memories;
    ASSERT_TRUE(Trial(machine(), scene).run(memories)) << describe(plan);
  }
}

// The level-0 pixels of a layer that a clip-space rectangle covers, by doubles.
struct Pixels {
  double left, top, right, bottom;
};

// Where bounds are, of the plane of the eye.
enum class Side { ahead, across, behind };

// What a record's bounds cover: by the corners of a box, or of the box around a sphere, which is larger than the sphere.
// Only what is ahead covers anything. What lies beyond the far plane counts as on it, since hosts may clamp depths.
Side projectCorners(const World& world, const SluOcclusionView& view, const OcclusionSpec& occlusion, double inside,
                    Pixels& pixels, double& nearest, bool isReversed) {
  pixels = {1e30, 1e30, -1e30, -1e30};
  nearest = isReversed ? -1e30 : 1e30;
  int behind = 0;
  for (int corner = 0; corner < 8; ++corner) {
    Point point;
    for (int i = 0; i < 3; ++i) {
      const double extent =
          world.test == Test::box ? double{world.extents[i]} : std::sqrt(double{world.square}) * inside;
      point[static_cast<std::size_t>(i)] = double{world.center[i]} + ((corner >> i & 1) != 0 ? extent : -extent);
    }
    const Clip clip = applyMatrix(view.viewProjection, point);
    if (clip.w <= 0.0) {
      ++behind;
      continue;
    }
    const double sign = (view.flags & SLU_OCCLUSION_FLIPPED_BIT) != 0 ? -1.0 : 1.0;
    const double x = (clip.x / clip.w + 1.0) / 2 * occlusion.width,
                 y = (sign * clip.y / clip.w + 1.0) / 2 * occlusion.height;
    pixels = {std::min(pixels.left, x), std::min(pixels.top, y), std::max(pixels.right, x), std::max(pixels.bottom, y)};
    nearest = isReversed ? std::max(nearest, clip.z / clip.w) : std::min(nearest, clip.z / clip.w);
  }
  nearest = isReversed ? std::max(nearest, 0.0) : std::min(nearest, 1.0);
  return behind == 0 ? Side::ahead : behind == 8 ? Side::behind : Side::across;
}

// What a frame says is hidden lies behind every pixel that it covers, or behind the eye. What lies behind walls by far is
// said to be hidden, and what lies behind the eye by far.
TEST_P(Contract, HiddenRecordsAreBehindThePyramid) {
  std::uint32_t hiddenCount = 0, judged = 0;
  for (const SluBoundsShape shape : {SLU_SHAPE_SPHERE, SLU_SHAPE_BOX, SLU_SHAPE_SPHERE, SLU_SHAPE_BOX}) {
    PlanSpec plan = makeOccludedPlan(nextOrder(), shape);
    SceneBuilder builder(random);
    FrameSpec frame = builder.makeFrame(builder.addPlan(plan), makeInput(plan, kOccludeds, Pattern::all, random), 2);
    builder.addOcclusion(frame, SLU_OCCLUSION_SINGLE);
    OcclusionSpec& occlusion = frame.occlusion;
    // A picture of which half is a wall 10 before the eye.
    occlusion.width = random.between(20, 90);
    occlusion.height = random.between(20, 90);
    occlusion.layerCount = 1;
    occlusion.depthMargin = 0;
    const bool isReversed = random.chance(0.5);
    PyramidCamera camera = makePyramidCamera({0, 0, 0}, random);
    camera.isOrthographic = false;
    camera.halfX = camera.halfY = 1.0;
    camera.isReversed = isReversed;
    const std::vector<float> depths = halfWall(occlusion, isReversed, static_cast<float>(camera.depthAt(10.0)));
    for (std::size_t view = 0; view < 2; ++view) {
      camera.getMatrix(occlusion.views[view].viewProjection);
      occlusion.views[view].layer = 0;
      sluGetFrustumPlanes(occlusion.views[view].viewProjection, frame.views[view].planes);
      std::fill_n(frame.views[view].eye, 3, 0.0f);
    }
    frame.pyramid = builder.addInput(buildPyramid(occlusion.width, occlusion.height, 1, isReversed, depths), 16);
    builder.addFrame(frame);
    const Scene scene = builder.finish();
    std::vector<Bytes> memories = scene.memories;
    ASSERT_TRUE(Trial(machine(), scene).run(memories)) << describe(plan);
    for (std::uint32_t view = 0; view < 2; ++view) {
      for (std::uint32_t i = 0; i < kOccludeds; ++i) {
        const std::uint8_t* record = &memories[frame.records.memory][frame.records.offset + std::size_t{i} * 96];
        const World world = boundsOf(plan, record, record);
        const bool isHidden = !isVisible(plan, memories, frame.visible, view, i);
        hiddenCount += isHidden ? 1 : 0;
        const auto isBehind = [&](double inside, double times) {
          Pixels pixels;
          double nearest;
          if (!(world.square >= 0.0f)) return false;
          const Side side =
              projectCorners(world, occlusion.views[view], occlusion, inside, pixels, nearest, isReversed);
          if (side != Side::ahead) return side == Side::behind;
          const double size = std::max(pixels.right - pixels.left, pixels.bottom - pixels.top);
          const double margin = times * (size + 2.0);
          for (std::uint32_t y = 0; y < occlusion.height; ++y) {
            for (std::uint32_t x = 0; x < occlusion.width; ++x) {
              const bool isCovered = pixels.left - margin < x + 1.0 && pixels.right + margin > x &&
                                     pixels.top - margin < y + 1.0 && pixels.bottom + margin > y;
              const double depth = double{depths[std::size_t{y} * occlusion.width + x]};
              if (isCovered && (isReversed ? nearest >= depth : nearest <= depth)) return false;
            }
          }
          return true;
        };
        // The box in the sphere lies behind if the sphere does.
        ASSERT_TRUE(!isHidden || isBehind(std::sqrt(1.0 / 3.0), 0.0)) << "record " << i << ", " << describe(plan);
        // Two texels of less than twice the size cover less than three sizes beside it. Well behind the wall, errors of
        // floats do not matter.
        const Clip center = applyMatrix(occlusion.views[view].viewProjection,
                                        {double{world.center[0]}, double{world.center[1]}, double{world.center[2]}});
        const double away = std::fabs(center.w);
        const double ratio = std::sqrt(double{world.square}) / away;
        if (away > 20.0 && away < 1000.0 && world.square >= 0.0f && ratio < 0.3 && isBehind(1.0, 4.0)) {
          ++judged;
          ASSERT_TRUE(isHidden) << "record " << i << ", " << describe(plan);
        }
      }
    }
  }
  EXPECT_GT(hiddenCount, 100u);
  EXPECT_GT(judged, 20u);
}

}  // namespace
}  // namespace slu::test

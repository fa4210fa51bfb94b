// Every kernel, and all that plans may ask for, by tables: what is left to random plans may be missed for long.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <type_traits>
#include <utility>

#include "inputs.h"
#include "kernel_plans.h"
#include "plans.h"
#include "trial.h"

namespace slu::test {
namespace {

TEST(SimtCoverage, EveryKernelRuns) {
  const testing::ScopedTrace seed(__FILE__, __LINE__, describeSeed());
  Random random;
  std::set<CudaKernel> covered;
  for (const KernelPlan& asked : kernelPlans()) {
    std::set<CudaKernel> launched;
    const auto machine = makeMachine(asked, [&](const CudaLaunch& launch, const cuda::Arguments& arguments) {
      launched.insert(launch.kernel);
      launchOnCpu(launch, arguments);
    });
    EXPECT_TRUE(agrees(*machine, makeScene(asked, *machine, random))) << asked.row.name;
    EXPECT_TRUE(launched.contains(asked.row.kernel)) << asked.row.name << ": its plan chooses another kernel";
    covered.insert(asked.row.kernel);
  }
  for (const KernelRow& row : kernelTable()) {
    EXPECT_TRUE(covered.contains(row.kernel)) << row.name << ": no plan chooses it";
  }
}

// What plans may ask for. Custom predicates have tests of their own, custom_test.cpp.
constexpr SluLiveTest kLiveTests[] = {SLU_LIVE_ALWAYS,         SLU_LIVE_NON_EMPTY, SLU_LIVE_POSITIVE_INT,
                                      SLU_LIVE_POSITIVE_FLOAT, SLU_LIVE_FLAG_BITS, SLU_LIVE_FLAG_BYTES,
                                      SLU_LIVE_FLAG_WORDS,     SLU_LIVE_MASK_EQUAL};
constexpr SluBoundsSource kSources[] = {SLU_BOUNDS_NONE,    SLU_BOUNDS_IN_RECORD, SLU_BOUNDS_PER_RECORD,
                                        SLU_BOUNDS_PER_KEY, SLU_BOUNDS_CONSTANT,  SLU_BOUNDS_IN_MESH};
constexpr SluLodRule kLodRules[] = {SLU_LOD_VIEW_DISTANCES, SLU_LOD_MESH_DISTANCES, SLU_LOD_MESH_ERRORS};
constexpr std::pair<std::uint32_t, std::uint32_t> kKeysAndLods[] = {{1, 1}, {7, 1}, {1, 3}, {7, 3}};
constexpr SluFlags kOutputs[] = {SLU_OUTPUT_INDICES_BIT,     SLU_OUTPUT_RECORDS_BIT,       SLU_OUTPUT_DRAWS_BIT,
                                 SLU_OUTPUT_DRAW_COUNTS_BIT, SLU_OUTPUT_STATISTICS_BIT,    SLU_OUTPUT_BUCKET_COUNTS_BIT,
                                 SLU_OUTPUT_REJECTS_BIT,     SLU_OUTPUT_REJECT_COUNTS_BIT, kAllOutputs};
constexpr SluFlags kCullFlags[] = {SLU_CULL_DISTANCE_BIT, SLU_CULL_FRUSTUM_BIT, SLU_CULL_SIZE_BIT, SLU_CULL_LAYERS_BIT};
constexpr SluFlags kAllCullFlags = SLU_CULL_DISTANCE_BIT | SLU_CULL_FRUSTUM_BIT | SLU_CULL_SIZE_BIT;
constexpr SluFlags kTransformFlags[] = {0,
                                        SLU_TRANSFORM_POSITION_BIT,
                                        SLU_TRANSFORM_SCALE_BIT,
                                        SLU_TRANSFORM_ROTATION_BIT,
                                        SLU_TRANSFORM_AXIS_SCALE_BIT,
                                        SLU_TRANSFORM_MATRIX_BIT};
constexpr SluDrawType kDrawTypes[] = {SLU_DRAW_INSTANCES, SLU_DRAW_VERTICES, SLU_DRAW_INDEXED_INSTANCES,
                                      SLU_DRAW_WORKGROUPS};

class SimtPlans : public testing::Test {
 protected:
  static constexpr std::uint32_t kKey = 4, kBounds = 16, kTransform = 48;  // of a record; the live field is the first
  static constexpr std::uint32_t kStride = kTransform + kMostTransformBytes;

  static void setSource(PlanSpec& plan, SluBoundsSource source, SluFlags cullFlags,
                        SluBoundsShape shape = SLU_SHAPE_SPHERE) {
    if (source == SLU_BOUNDS_NONE) return;
    addCulling(plan, cullFlags, source, source == SLU_BOUNDS_IN_RECORD ? kBounds : 0, shape);
  }
  static void setBuckets(PlanSpec& plan, std::uint32_t keyCount, std::uint32_t lodCount) {
    addBuckets(plan, keyCount, lodCount, 1500 / (keyCount * lodCount), kKey);
  }
  // Adds what draws need where outputs have them.
  void setOutputs(PlanSpec& plan, SluFlags outputs, SluDrawType type, SluFlags flags) {
    if ((outputs & (SLU_OUTPUT_DRAWS_BIT | SLU_OUTPUT_DRAW_COUNTS_BIT)) != 0) addDraws(plan, type, 24, flags, random);
    plan.info.outputs = outputs;
  }
  testing::AssertionResult agreesOn(const PlanSpec& plan) {
    const Input input = makeInput(plan, random.between(1025, 1500), Pattern::half, random);
    return agrees(*machine, makeScene(plan, input, plan.info.maxViewCount, random));
  }
  // bounds, transforms: the offsets of the streams modulo 64.
  testing::AssertionResult agreesAt(const PlanSpec& plan, std::uint32_t bounds, std::uint32_t transforms) {
    const Input input = makeInput(plan, random.between(513, 1100), Pattern::half, random);
    SceneBuilder builder(random);
    FrameSpec frame = builder.makeFrame(builder.addPlan(plan), input);
    frame.bounds = builder.addInput(input.bounds, bounds);
    if (plan.readsTransforms()) frame.transforms = builder.addInput(input.transforms, transforms);
    builder.addFrame(frame);
    return agrees(*machine, builder.finish());
  }

  Random random;
  testing::ScopedTrace seed{__FILE__, __LINE__, describeSeed()};
  std::unique_ptr<Machine> machine = makeSimtMachine();
};

// All triples of the first three that plans may have; of the outputs, which take turns, a pair with each of these.
TEST_F(SimtPlans, LiveTestsSourcesKeysAndOutputs) {
  for (const SluOrder order : kOrders) {
    for (std::size_t test = 0; test < std::size(kLiveTests); ++test) {
      for (std::size_t source = 0; source < std::size(kSources); ++source) {
        for (std::size_t keys = 0; keys < std::size(kKeysAndLods); ++keys) {
          const auto [keyCount, lodCount] = kKeysAndLods[keys];
          if (kSources[source] == SLU_BOUNDS_NONE && lodCount > 1) continue;
          PlanSpec plan = simplePlan(order, kStride, 3000);
          plan.info.live = {kLiveTests[test], 0, kLiveTests[test] == SLU_LIVE_NON_EMPTY ? 4u : 0u};
          if (kLiveTests[test] == SLU_LIVE_MASK_EQUAL) setMask(plan, random);
          setSource(plan, kSources[source], SLU_CULL_FRUSTUM_BIT);
          setBuckets(plan, keyCount, lodCount);
          const SluFlags outputs = kOutputs[(test + source + keys) % std::size(kOutputs)];
          setOutputs(plan, outputs, SLU_DRAW_INDEXED_INSTANCES, 0);
          if (kSources[source] == SLU_BOUNDS_IN_MESH) addMeshes(plan, SLU_MESH_LOD_COUNT_BIT);
          ASSERT_TRUE(agreesOn(plan)) << "live test " << test << ", source " << source << ", " << keyCount << " keys, "
                                      << lodCount << " LODs, outputs " << outputs;
        }
      }
    }
  }
}

// Kernels that read each record once, of records of zeros, which pass. Beyond the last record there must be none.
TEST(SimtCoverage, EveryKernelMasks) {
  const testing::ScopedTrace seed(__FILE__, __LINE__, describeSeed());
  Random random;
  for (KernelPlan& asked : kernelPlans()) {
    if (asked.row.decider != Decider::record) continue;
    asked.plan.info.live = {SLU_LIVE_MASK_EQUAL, 0, 0};
    setMask(asked.plan, random);
    asked.plan.info.liveValue = 0;
    const auto machine = makeMachine(asked, launchOnCpu);
    EXPECT_TRUE(agrees(*machine, makeScene(asked, *machine, random))) << asked.row.name;
  }
}

TEST_F(SimtPlans, FlagsAndRecord) {
  for (const SluOrder order : kOrders) {
    for (const SluLiveTest flags : {SLU_LIVE_FLAG_BITS, SLU_LIVE_FLAG_BYTES, SLU_LIVE_FLAG_WORDS}) {
      for (const SluLiveTest test : {SLU_LIVE_NON_EMPTY, SLU_LIVE_POSITIVE_INT, SLU_LIVE_MASK_EQUAL}) {
        for (const std::uint32_t keyCount : {1u, 7u}) {
          PlanSpec plan = simplePlan(order, kStride, 3000);
          plan.info.live = {test, 0, test == SLU_LIVE_NON_EMPTY ? 4u : 0u};
          plan.info.secondLive.test = flags;
          if (test == SLU_LIVE_MASK_EQUAL) setMask(plan, random);
          setBuckets(plan, keyCount, 1);
          ASSERT_TRUE(agreesOn(plan)) << "flags " << flags << ", live test " << test << ", " << keyCount << " keys";
        }
      }
    }
  }
}

TEST_F(SimtPlans, TestsAndTransformsOfEachShape) {
  for (const SluOrder order : kOrders) {
    for (const SluBoundsSource source : kSources) {
      if (source == SLU_BOUNDS_NONE) continue;
      for (const SluBoundsShape shape : kShapes) {
        for (const SluFlags cullFlag : kCullFlags) {
          for (const SluFlags transformFlag : kTransformFlags) {
            if (!random.samples(0.3)) continue;
            PlanSpec plan = simplePlan(order, kStride, 3000);
            setSource(plan, source, cullFlag, shape);
            const bool hasMorePlanes = cullFlag == SLU_CULL_FRUSTUM_BIT && random.chance(0.5);
            if (hasMorePlanes) plan.info.cullFlags |= SLU_CULL_MORE_PLANES_BIT;
            plan.info.maxViewCount = 2;
            addTransform(plan, transformFlag, kTransform, kMatrixForms[random.below(std::size(kMatrixForms))]);
            setBuckets(plan, source == SLU_BOUNDS_PER_KEY || source == SLU_BOUNDS_IN_MESH ? 7 : 1, 1);
            if (source == SLU_BOUNDS_IN_MESH) addMeshes(plan, 0);
            ASSERT_TRUE(agreesOn(plan)) << "source " << source << ", shape " << shape << ", test " << cullFlag
                                        << ", transform " << transformFlag << ", form " << plan.info.bounds.matrixForm;
          }
        }
      }
    }
  }
}

// What is read besides: nothing, keys, or meshes.
TEST_F(SimtPlans, LayersOfEverySource) {
  for (const SluOrder order : kOrders) {
    for (const bool isStream : {false, true}) {
      for (const SluBoundsSource source : kSources) {
        for (const std::uint32_t keyCount : {1u, 7u}) {
          for (const std::uint32_t viewCount : {1u, 3u}) {
            PlanSpec plan = simplePlan(order, kStride, 3000);
            setSource(plan, source, SLU_CULL_FRUSTUM_BIT);
            addLayers(plan, 8, isStream);
            if (source != SLU_BOUNDS_NONE && viewCount > 1) addMarks(plan, 8, isStream, random);
            plan.info.maxViewCount = viewCount;
            setBuckets(plan, keyCount, source == SLU_BOUNDS_NONE ? 1 : 2);
            if (source == SLU_BOUNDS_IN_MESH) addMeshes(plan, SLU_MESH_LOD_MASK_BIT);
            ASSERT_TRUE(agreesOn(plan)) << "source " << source << ", stream " << isStream << ", " << keyCount
                                        << " keys, " << viewCount << " views";
          }
        }
      }
    }
  }
}

// Kernels load bounds and matrices in units of as many words as these are aligned to: four, two or one.
TEST_F(SimtPlans, TransformsInAStreamAtEachAlignment) {
  for (const SluOrder order : kOrders) {
    for (const SluBoundsShape shape : kShapes) {
      for (const SluFlags transformFlags : everyTransform()) {
        for (const SluMatrixForm form : kMatrixForms) {
          if (form != SLU_MATRIX_ROWS && transformFlags != SLU_TRANSFORM_MATRIX_BIT) continue;
          PlanSpec plan = simplePlan(order, 8, 3000);
          setSource(plan, SLU_BOUNDS_PER_RECORD, kAllCullFlags, shape);
          plan.info.bounds.stride = 32;
          addTransformStream(plan, transformFlags, 16, form);
          setBuckets(plan, 1, 1);
          for (const auto& [bounds, transforms] : {std::pair(0u, 0u), {0u, 4u}, {8u, 0u}, {4u, 8u}}) {
            ASSERT_TRUE(agreesAt(plan, bounds, transforms))
                << "shape " << shape << ", transform " << transformFlags << ", form " << form << ", bounds at "
                << bounds << ", transforms at " << transforms;
          }
        }
      }
    }
  }
}

// With each stream shared or not, and with buckets of their own for records that mirror.
TEST_F(SimtPlans, SharedStreamsAndMirroredRecords) {
  for (const SluOrder order : kOrders) {
    for (const auto& [keyCount, lodCount] : kKeysAndLods) {
      for (const bool splits : {false, true}) {
        PlanSpec plan = simplePlan(order, 16, 3000);
        setSource(plan, SLU_BOUNDS_PER_RECORD, kAllCullFlags, kShapes[random.below(std::size(kShapes))]);
        addTransformStream(plan, SLU_TRANSFORM_MATRIX_BIT, 0, kMatrixForms[random.below(std::size(kMatrixForms))]);
        addMarks(plan, 0, true, random);
        plan.info.maxViewCount = random.pick({1u, 3u});
        setBuckets(plan, keyCount, lodCount);
        addIndices(plan, random.below(8), 8);
        if (splits) splitMirrored(plan);
        ASSERT_TRUE(agreesOn(plan)) << describe(plan);
      }
    }
  }
}

// Without a table, each source and number of views.
TEST_F(SimtPlans, LodStates) {
  for (const SluOrder order : kOrders) {
    for (const SluBoundsSource source : {SLU_BOUNDS_IN_RECORD, SLU_BOUNDS_PER_RECORD, SLU_BOUNDS_PER_KEY}) {
      for (const std::uint32_t keyCount : {1u, 7u}) {
        for (const std::uint32_t viewCount : {1u, 3u, 3u}) {  // each second plan reads once for all views
          PlanSpec plan = simplePlan(order, kStride, 3000);
          plan.info.live.test = random.pick({SLU_LIVE_NON_EMPTY, SLU_LIVE_POSITIVE_INT});
          plan.info.live.size = plan.info.live.test == SLU_LIVE_NON_EMPTY ? 4 : 0;
          setSource(plan, source, random.below(8), kShapes[random.below(std::size(kShapes))]);
          setBuckets(plan, keyCount, 3);
          if (random.chance(0.3)) plan.info.outputs &= ~SluFlags{SLU_OUTPUT_STATISTICS_BIT};
          if (random.chance(0.5)) addMarks(plan, 0, true, random);
          plan.info.maxViewCount = viewCount;
          plan.info.lod.flags = SLU_LOD_STATES_BIT | random.below(2);
          ASSERT_TRUE(agreesOn(plan)) << describe(plan);
        }
      }
    }
  }
}

// Each phase of each kind of kernels, whether reasons are told or not: those who tell none drop what is hidden early.
TEST_F(SimtPlans, OcclusionOfEveryKernel) {
  enum class Kind { buckets, packed, merged, rejects };
  for (const SluOrder order : kOrders) {
    for (const std::uint32_t keyCount : {1u, 7u}) {
      for (const Kind kind : {Kind::buckets, Kind::packed, Kind::merged, Kind::rejects}) {
        for (const bool isTold : {false, true}) {
          PlanSpec plan = simplePlan(order, kStride, 3000);
          plan.info.maxViewCount = 3;
          const SluBoundsSource source = kSources[random.between(1, std::size(kSources) - 1)];
          setSource(plan, source, random.below(8), kShapes[random.below(std::size(kShapes))]);
          addTransform(plan, kTransformFlags[random.below(std::size(kTransformFlags))], kTransform);
          if (random.chance(0.4)) addMarks(plan, 8, random.chance(0.5), random);
          if (random.chance(0.3)) addLayers(plan, 8, random.chance(0.5));
          addOcclusion(plan, plan.hasLayers() && random.chance(0.5) ? 1u << random.below(32) : 0);
          setBuckets(plan, keyCount, random.pick({1u, 3u}));
          if (!isTold) plan.info.outputs &= ~SluFlags{SLU_OUTPUT_STATISTICS_BIT};
          if (kind == Kind::packed) packBuckets(plan, 1000);
          if (kind == Kind::merged) {
            addDraws(plan, SLU_DRAW_INSTANCES, 20, 0, random);
            mergePlan(plan, 1000, 0);
          }
          if (kind == Kind::rejects) addRejects(plan, random.below(1u << SLU_REJECT_COUNT), 1000);
          if (source == SLU_BOUNDS_IN_MESH) addMeshes(plan, SLU_MESH_LOD_MASK_BIT);
          SceneBuilder builder(random);
          const std::uint32_t index = builder.addPlan(plan);
          for (const std::uint32_t phase : {SLU_OCCLUSION_SINGLE, SLU_OCCLUSION_FIRST, SLU_OCCLUSION_SECOND}) {
            const Input input = makeInput(plan, random.between(500, 1100), Pattern::half, random);
            FrameSpec frame = builder.makeFrame(index, input, random.between(1, 3));
            builder.addOcclusion(frame, phase);
            builder.addFrame(frame);
          }
          ASSERT_TRUE(agrees(*machine, builder.finish())) << describe(plan);
        }
      }
    }
  }
}

// Cones of every transform and source.
TEST_F(SimtPlans, ConesOfEveryTransform) {
  for (const SluOrder order : kOrders) {
    for (const SluFlags transform : everyTransform()) {
      for (const std::uint32_t viewCount : {1u, 3u}) {
        PlanSpec plan = simplePlan(order, kStride, 3000);
        plan.info.maxViewCount = viewCount;
        const SluBoundsSource source = kSources[random.between(1, std::size(kSources) - 1)];
        setSource(plan, source, random.below(8), SLU_SHAPE_SPHERE);
        addTransform(plan, transform, kTransform);
        setBuckets(plan, random.pick({1u, 7u}), random.pick({1u, 3u}));
        if (source == SLU_BOUNDS_IN_MESH) addMeshes(plan, SLU_MESH_LOD_MASK_BIT);
        addCones(plan, source == SLU_BOUNDS_IN_RECORD ? kTransform - kConeBytes : 32, random.below(2));
        if (random.chance(0.3)) addMarks(plan, 8, false, random);
        ASSERT_TRUE(agreesOn(plan)) << describe(plan);
      }
    }
  }
}

TEST_F(SimtPlans, MeshesOfEveryPartAndRule) {
  const std::vector<SluFlags> transforms = everyTransform();
  for (const SluOrder order : kOrders) {
    for (const SluDrawType type : {SLU_DRAW_INSTANCES, SLU_DRAW_INDEXED_INSTANCES}) {
      for (const SluFlags parts : everyMeshPart(type)) {
        const SluLodRule rule = kLodRules[random.below(std::size(kLodRules))];
        PlanSpec plan = simplePlan(order, kStride, 3000);
        setSource(plan, SLU_BOUNDS_IN_MESH, SLU_CULL_FRUSTUM_BIT, kShapes[random.below(std::size(kShapes))]);
        addTransform(plan, transforms[random.below(static_cast<std::uint32_t>(transforms.size()))], kTransform);
        plan.info.maxViewCount = 2;
        setBuckets(plan, 7, 3);
        setOutputs(plan, kAllOutputs, type, random.below(2));
        addMeshes(plan, parts, rule, random.below(4));
        ASSERT_TRUE(agreesOn(plan)) << "draws of type " << type << ", parts " << parts << ", rule " << rule
                                    << ", LOD flags " << plan.info.lod.flags;
      }
    }
  }
}

// A command per record, with each word in front: of keys and LODs, and of a table.
TEST_F(SimtPlans, CommandsOfRecords) {
  for (const SluOrder order : kOrders) {
    for (const SluFlags front : {0u, SluFlags{SLU_DRAWS_FIRST_IN_FRONT_BIT}, SluFlags{SLU_DRAWS_BUCKET_IN_FRONT_BIT},
                                 SluFlags{SLU_DRAWS_NUMBER_IN_FRONT_BIT}, SluFlags{SLU_DRAWS_RECORD_IN_FRONT_BIT}}) {
      for (const auto& [keyCount, lodCount] : kKeysAndLods) {
        for (const bool hasTable : {false, true}) {
          PlanSpec plan = simplePlan(order, kStride, 3000);
          plan.info.maxViewCount = 2;
          setSource(plan, lodCount > 1 ? SLU_BOUNDS_IN_RECORD : SLU_BOUNDS_NONE, SLU_CULL_DISTANCE_BIT);
          setBuckets(plan, keyCount, lodCount);
          const SluFlags outputs = kOutputs[random.below(4)] | SLU_OUTPUT_DRAWS_BIT;
          setOutputs(plan, outputs, random.pick({SLU_DRAW_INSTANCES, SLU_DRAW_INDEXED_INSTANCES}), front);
          if (hasTable) addMeshes(plan, SLU_MESH_LOD_COUNT_BIT | SLU_MESH_FIRST_ELEMENT_BIT);
          mergePlan(plan, random.pick({0u, 300u}), random.pick({0u, 9u}));
          ASSERT_TRUE(agreesOn(plan)) << keyCount << " keys, " << lodCount << " LODs, front " << front;
        }
      }
    }
  }
}

TEST_F(SimtPlans, DrawsAndInPlace) {
  for (const SluOrder order : kOrders) {
    for (const std::uint32_t keyCount : {1u, 7u}) {
      for (const SluDrawType type : kDrawTypes) {
        for (const SluFlags flags : {0u, SluFlags{SLU_DRAWS_SKIP_EMPTY_BIT}, SluFlags{SLU_DRAWS_FIRST_IN_FRONT_BIT},
                                     SluFlags{SLU_DRAWS_BUCKET_IN_FRONT_BIT | SLU_DRAWS_SKIP_EMPTY_BIT},
                                     SluFlags{SLU_DRAWS_NUMBER_IN_FRONT_BIT}}) {
          PlanSpec plan = simplePlan(order, kStride, 3000);
          setBuckets(plan, keyCount, 1);
          plan.buckets.front().capacity = 0;
          setOutputs(plan, kAllOutputs, type, flags);
          ASSERT_TRUE(agreesOn(plan)) << keyCount << " keys, draws of type " << type << ", flags " << flags;
        }
      }
      PlanSpec plan = simplePlan(order, kStride, 3000);
      plan.info.flags = SLU_PLAN_IN_PLACE_BIT;
      setBuckets(plan, keyCount, 1);
      SceneBuilder builder(random);
      FrameSpec frame = builder.makeFrame(builder.addPlan(plan), makeInput(plan, 3000, Pattern::half, random));
      frame.keptRecords = frame.records;
      builder.addFrame(frame);
      ASSERT_TRUE(agrees(*machine, builder.finish())) << keyCount << " keys in place";
    }
  }
}

// What the header gains has to be in the tables.
TEST_F(SimtPlans, NothingIsBeyondTheTables) {
  PlanSpec plan = simplePlan(SLU_ORDER_STABLE, kStride, 3000);
  setSource(plan, SLU_BOUNDS_IN_RECORD, SLU_CULL_FRUSTUM_BIT);
  machine->plan(plan);
  const auto expectUnknown = [&](auto& field, const char* name, std::size_t next) {
    const auto known = std::exchange(field, static_cast<std::remove_reference_t<decltype(field)>>(next));
    const PlanArguments arguments(plan, SLU_ROUTE_CUDA);
    Plan none;
    EXPECT_EQ(sluCreatePlan(machine->context(), arguments.get(), none.put()), SLU_ERROR_INVALID_ARGUMENT) << name;
    const std::string sentence = std::string(name) + ": is " + std::to_string(next);
    EXPECT_PRED_FORMAT2(testing::IsSubstring, sentence, sluGetErrorMessage(machine->context()));
    field = known;
  };
  SluPlanCreateInfo& info = plan.info;
  expectUnknown(info.order, "plan.order", std::size(kOrders));
  expectUnknown(info.flags, "plan.flags", SLU_PLAN_SPLIT_MIRRORED_BIT << 1);   // custom_test.cpp has custom keys
  expectUnknown(info.live.test, "plan.live.test", std::size(kLiveTests) + 1);  // beyond SLU_LIVE_CUSTOM
  expectUnknown(info.cullFlags, "plan.cullFlags", SLU_CULL_CONE_BIT << 1);
  expectUnknown(info.indices.streams, "plan.indices.streams", SLU_INDEXED_LAYERS_BIT << 1);
  expectUnknown(info.bounds.source, "plan.bounds.source", std::size(kSources));
  expectUnknown(info.bounds.shape, "plan.bounds.shape", std::size(kShapes));
  expectUnknown(info.bounds.matrixForm, "plan.bounds.matrixForm", std::size(kMatrixForms));
  expectUnknown(info.bounds.transformFlags, "plan.bounds.transformFlags", 1u << (std::size(kTransformFlags) - 1));
  expectUnknown(info.lod.rule, "plan.lod.rule", std::size(kLodRules));
  expectUnknown(info.lod.flags, "plan.lod.flags", SLU_LOD_STATES_BIT << 1);
  expectUnknown(info.outputs, "plan.outputs", 1u << (std::size(kOutputs) - 1));
  expectUnknown(info.draws.type, "plan.draws.type", std::size(kDrawTypes) + 1);  // the first is none
  expectUnknown(info.draws.flags, "plan.draws.flags", SLU_DRAWS_RECORD_IN_FRONT_BIT << 1);
  expectUnknown(info.placement, "plan.placement", SLU_PLACEMENT_MERGED + 1);
}

}  // namespace
}  // namespace slu::test

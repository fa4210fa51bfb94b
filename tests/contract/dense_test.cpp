// Frames of more tiles than a GPU holds blocks, where the CUDA kernels' blocks take one tile after the other: stable ones,
// for which one block turns counts into prefixes for all, and those that pass through a pipe.
#include <cstring>

#include "contract.h"

namespace slu::test {
namespace {

// A GPU of 150 multiprocessors holds at most 1,200 blocks of 256 threads, and 750 of those that evaluate any predicate.
constexpr std::uint32_t kTiles = 2000;
constexpr std::uint32_t kTilesOfAnyPredicate = 1000;

bool runsCudaKernels(const Machine& machine) {
  return machine.route() == SLU_ROUTE_CUDA || machine.route() == SLU_ROUTE_INLINE;
}
constexpr const char* kElsewhere = "this test is the CUDA kernels'; elsewhere so many records take long";

std::vector<std::uint8_t> makeLive(double survival, std::uint32_t count, Random& random) {
  std::vector<std::uint8_t> live(count);
  for (std::uint8_t& value : live) value = random.chance(survival);
  return live;
}

// Kept records have the same alignment.
void addDenseOutputs(SceneBuilder& builder, FrameSpec& frame, std::uint32_t alignment) {
  const PlanSpec& plan = builder.plan(frame.plan);
  if (alignment != kAnyAlignment) {
    const std::uint64_t outputs = plan.outputsPerView() * frame.viewCount;
    frame.keptRecords = builder.addOutput(outputs * plan.info.recordStride, alignment);
  }
  builder.addOutputs(frame);
}

// One recording and several submissions, with other records each time. Two frames read them: one all, and one as many
// as a live count says.
testing::AssertionResult agreesOnDenseFrames(Machine& machine, PlanSpec plan, std::uint32_t tiles, Random& random,
                                             std::uint32_t alignment = kAnyAlignment) {
  const auto tile = static_cast<std::uint32_t>(machine.tileRecords(plan));
  const std::uint32_t count = random.between((tiles - 1) * tile, tiles * tile * 11 / 10);
  plan.buckets.assign(1, {random.between(count / 4 * 3, count), {}});  // all do not fit
  SceneBuilder builder(random);
  const std::uint32_t index = builder.addPlan(plan);
  const std::uint32_t views = plan.info.maxViewCount;
  FrameSpec frame;
  frame.plan = index;
  frame.recordCount = count;
  frame.viewCount = views;
  frame.views = makeViews(plan, views, random);
  frame.records = builder.addInput(makeInput(plan, count, Pattern::none, random).records, alignment);
  addDenseOutputs(builder, frame, alignment);
  builder.addFrame(frame);
  FrameSpec second;
  second.plan = index;
  second.recordCount = count;
  second.viewCount = views;
  second.views = makeViews(plan, views, random);
  second.records = frame.records;
  second.liveCount = builder.addWord(0);
  addDenseOutputs(builder, second, alignment);
  builder.addFrame(second);

  const Scene scene = builder.finish();
  std::vector<Bytes> memories = scene.memories;
  Trial trial(machine, scene);
  for (const double survival : {0.5, random.pick({0.001, 0.999}), 1.0}) {
    const Input input = makeInput(plan, makeLive(survival, count, random), random);
    const std::uint32_t liveCount = random.below(count + 1);
    Bytes& inputs = memories[frame.records.memory];
    std::memcpy(&inputs[frame.records.offset], input.records.data(), input.records.size());
    std::memcpy(&inputs[second.liveCount.offset], &liveCount, sizeof(liveCount));
    random.fill(memories[frame.keptRecords.memory]);
    if (testing::AssertionResult result = trial.run(memories); !result) {
      return result << "; survival " << survival << ", live count " << liveCount << ", " << describe(plan);
    }
  }
  return testing::AssertionSuccess();
}

PlanSpec densePlan(std::uint32_t stride) {
  PlanSpec plan = simplePlan(SLU_ORDER_STABLE, stride, 10'000'000);
  plan.info.outputs = SLU_OUTPUT_RECORDS_BIT | SLU_OUTPUT_STATISTICS_BIT | SLU_OUTPUT_BUCKET_COUNTS_BIT;
  return plan;
}

TEST_P(Contract, DenseStableFramesOfWords) {
  if (!runsCudaKernels(machine())) GTEST_SKIP() << kElsewhere;
  ASSERT_TRUE(agreesOnDenseFrames(machine(), densePlan(4), kTiles, random));
}

TEST_P(Contract, DenseStableFramesOfRecordsThatLanesHold) {
  if (!runsCudaKernels(machine())) GTEST_SKIP() << kElsewhere;
  for (const std::uint32_t stride : {8u, 16u, 32u, 48u, 64u}) {
    ASSERT_TRUE(agreesOnDenseFrames(machine(), densePlan(stride), kTiles, random));
  }
}

TEST_P(Contract, DenseStableFramesOfOtherRecords) {
  if (!runsCudaKernels(machine())) GTEST_SKIP() << kElsewhere;
  for (const std::uint32_t stride : {8u, 12u, 20u, 28u, 36u}) {
    ASSERT_TRUE(agreesOnDenseFrames(machine(), densePlan(stride), kTiles, random));
  }
}

TEST_P(Contract, DenseStableFramesOfLongRecords) {
  if (!runsCudaKernels(machine())) GTEST_SKIP() << kElsewhere;
  // Each frame chooses one of two algorithms by what the frame before it kept. The larger tiles have 1,024 records.
  const PlanSpec plan = densePlan(random.pick({96u, 128u}));
  const auto tile = static_cast<std::uint32_t>(machine().tileRecords(plan));
  ASSERT_TRUE(agreesOnDenseFrames(machine(), plan, kTilesOfAnyPredicate * 1024 / tile, random));
}

TEST_P(Contract, DenseStableFramesOfViews) {
  if (!runsCudaKernels(machine())) GTEST_SKIP() << kElsewhere;
  PlanSpec plan = densePlan(16);
  plan.info.maxViewCount = 2;
  ASSERT_TRUE(agreesOnDenseFrames(machine(), plan, kTiles, random));
  plan.info.outputs |= SLU_OUTPUT_INDICES_BIT;
  plan.info.recordStride = 32;
  addCulling(plan, SLU_CULL_FRUSTUM_BIT | SLU_CULL_DISTANCE_BIT, SLU_BOUNDS_IN_RECORD, 16);
  ASSERT_TRUE(agreesOnDenseFrames(machine(), plan, kTilesOfAnyPredicate, random));
  plan.info.live = {};
  plan.info.outputs &= ~SluFlags{SLU_OUTPUT_STATISTICS_BIT};
  ASSERT_TRUE(agreesOnDenseFrames(machine(), plan, kTilesOfAnyPredicate, random));
}

// Frames of 64 MiB and more.
TEST_P(Contract, DenseFramesThroughAPipe) {
  if (!runsCudaKernels(machine())) GTEST_SKIP() << kElsewhere;
  constexpr std::uint32_t kBytes = 1u << 26;
  for (const std::uint32_t stride : {12u, 20u}) {
    PlanSpec plan = densePlan(stride);
    plan.info.order = SLU_ORDER_UNORDERED;
    const auto tile = static_cast<std::uint32_t>(machine().tileRecords(plan));
    ASSERT_TRUE(agreesOnDenseFrames(machine(), plan, kBytes / stride / tile + 2, random, random.pick({0u, 16u})));
  }
}

}  // namespace
}  // namespace slu::test

#include "kernel_plans.h"

#include "plans.h"

namespace slu::test {

std::vector<KernelPlan> kernelPlans() {
  using enum CudaKernel;
  using enum Decider;
  using enum SharedMemory;
  constexpr SluOrder kAny = SLU_ORDER_UNORDERED, kStable = SLU_ORDER_STABLE;
  return {
      {compactGeneral, kAny, flags},
      {compactGeneralStable, kStable, flags},
      {compactBuckets, kAny, flags, 8, 5},
      {countBuckets, kStable, flags, 8, 5},
      {scatterBuckets, kStable, flags, 8, 5},
      {scanBuckets, kStable, flags, 8, 5},
      {compactCulled, kAny, spheres, 8, 1, 300'000},
      {compactCulledStable, kStable, spheres, 8, 1, 300'000},
      {compactCulledBuckets, kAny, spheres, 8, 5, 300'000},
      {compactFewCulled, kAny, spheres},
      {compactFewCulledStable, kStable, spheres},
      {compactFewCulledBuckets, kAny, spheres, 8, 5},
      {compactLarge, kAny, record, 4, 1, 3'000'000},
      {compactMedium, kAny, record, 4, 1, 2'000'000},
      {compactSmall, kAny, record, 4},
      {compactNarrowStable, kStable, record, 4, 1, 300'000},
      {compactSmallStable, kStable, record, 4},
      {compactDirect4, kAny, record, 4, 1, 300'000, scarce},
      {compactDirect4Large, kAny, record, 4, 1, 3'000'000, scarce},
      {compactDirect4Stable, kStable, record, 4, 1, 300'000, scarce},
      {compactDirect8, kAny, record, 8, 1, 20'000, scarce},
      {compactDirect8Stable, kStable, record, 8, 1, 20'000, scarce},
      {compactDirect12, kAny, record, 12, 1, 20'000, scarce},
      {compactDirect12Stable, kStable, record, 12, 1, 20'000, scarce},
      {compactDirect16, kAny, record, 16, 1, 20'000, scarce},
      {compactDirect16Stable, kStable, record, 16, 1, 20'000, scarce},
      {compactDirect32, kAny, record, 32, 1, 20'000, scarce},
      {compactDirect32Stable, kStable, record, 32, 1, 20'000, scarce},
      {compactDirect48, kAny, record, 48, 1, 20'000, scarce},
      {compactDirect48Stable, kStable, record, 48, 1, 20'000, scarce},
      {compactDirect64, kAny, record, 64, 1, 20'000, scarce},
      {compactDirect64Stable, kStable, record, 64, 1, 20'000, scarce},
      {compactWide8, kAny, record, 8},
      {compactWide8Stable, kStable, record, 8},
      {compactWide16, kAny, record, 16},
      {compactWide16Stable, kStable, record, 16},
      {compactWide32, kAny, record, 32},
      {compactWide32Stable, kStable, record, 32},
      {compactWide48, kAny, record, 48},
      {compactWide48Stable, kStable, record, 48},
      {compactWide64, kAny, record, 64},
      {compactWide64Stable, kStable, record, 64},
      {compactStaged12, kAny, record, 12},
      {compactStaged12Stable, kStable, record, 12},
      {compactStaged, kAny, record, 20},
      {compactStagedStable, kStable, record, 20},
      {compactPiped8, kAny, record, 8},
      {compactPiped12, kAny, record, 12},
      {compactPiped20, kAny, record, 20},
      {compactPiped28, kAny, record, 28},
      {compactPiped36, kAny, record, 36},
      {compactLong96, kAny, record, 96},
      {compactLong128, kAny, record, 128},
      {compactSorted16, kAny, record, 16, 5, 300'000},
      {compactSorted32, kAny, record, 32, 5, 300'000},
      {compactSorted48, kAny, record, 48, 5, 300'000},
      {compactSorted64, kAny, record, 64, 5, 300'000},
      {compactSortedShort16, kAny, record, 16, 5, 300'000, scarce},
      {compactSorted16Stable, kStable, record, 16, 5, 300'000},
      {compactSorted32Stable, kStable, record, 32, 5, 300'000},
      {compactSorted48Stable, kStable, record, 48, 5, 300'000},
      {compactSorted64Stable, kStable, record, 64, 5, 300'000},
  };
}

namespace {

constexpr std::uint32_t kCapacity = 10'000;  // of all buckets

PlanSpec planOf(const KernelPlan& asked) {
  PlanSpec plan = simplePlan(asked.order, asked.stride, asked.recordCount);
  plan.info.outputs = SLU_OUTPUT_RECORDS_BIT | SLU_OUTPUT_BUCKET_COUNTS_BIT;
  if (asked.decider == Decider::flags) plan.info.live = {SLU_LIVE_FLAG_BITS, 0, 0};
  if (asked.decider == Decider::spheres) {
    plan.info.live = {};
    addCulling(plan, SLU_CULL_FRUSTUM_BIT, SLU_SPHERE_PER_RECORD, 0);
  }
  addBuckets(plan, asked.bucketCount, 1, kCapacity / asked.bucketCount, asked.bucketCount > 1 ? 4 : 0);
  return plan;
}

}  // namespace

const char* nameOf(CudaKernel kernel) {
#define SLU_NAME(name, ...) #name,
  static constexpr const char* kNames[] = {SLU_CUDA_KERNELS(SLU_NAME)};
#undef SLU_NAME
  return kNames[static_cast<unsigned>(kernel)];
}

Scene makeScene(const KernelPlan& asked, Machine& machine, Random& random) {
  SceneBuilder builder(random);
  const std::uint32_t index = builder.addPlan(planOf(asked));
  const PlanSpec& plan = builder.plan(index);
  const KernelShape shape = shapeOf(asked.kernel);
  const auto tile = shape.isPiped ? shape.tileRecords : static_cast<std::uint32_t>(machine.tileRecords(plan));
  const auto makeFrame = [&](std::uint32_t count, Pattern pattern) {
    const Input input = makeInput(plan, count, pattern, random);
    FrameSpec frame = builder.makeFrame(index, input);
    if (shape.isPiped) {  // aligned, or another kernel takes it
      frame.records = builder.addInput(input.records, 0);
      frame.keptRecords = builder.addOutput(std::uint64_t{kCapacity} * asked.stride, 0);
    }
    return frame;
  };
  builder.addFrame(makeFrame(2 * tile + 5, Pattern::all));
  const bool isStable = asked.order == SLU_ORDER_STABLE;
  const std::uint32_t count = (isStable ? 2 : 4) * tile + 5;
  FrameSpec frame = makeFrame(count, Pattern::half);
  if (!isStable) frame.liveCount = builder.addWord(count - 1);
  builder.addFrame(frame);
  builder.addFrame(makeFrame(tile, Pattern::sparse));
  return builder.finish();
}

std::unique_ptr<Machine> makeMachine(const KernelPlan& asked, decltype(SimtOptions::launch) launch) {
  const std::uint32_t blocks = asked.order == SLU_ORDER_STABLE ? 2 : 1;
  const std::uint64_t pipedFrom = shapeOf(asked.kernel).isPiped ? 0 : LaunchLimits{}.pipedFrom;
  return makeSimtMachine({.residentBlocks = blocks,
                          .sharedMemory = asked.sharedMemory,
                          .pipedFrom = pipedFrom,
                          .launch = std::move(launch)});
}

}  // namespace slu::test

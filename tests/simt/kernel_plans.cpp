#include "kernel_plans.h"

#include <algorithm>
#include <limits>

#include "api/route_table.h"
#include "plan/plan_checks.h"
#include "plan/rejects.h"
#include "plans.h"

namespace slu::test {
namespace {

constexpr std::uint32_t kCapacity = 10'000;  // of all buckets

// Whether frames of several views launch the kernel.
bool isOfViews(const KernelRow& row) {
  return std::ranges::any_of(kernelTable(), [&](const KernelRow& other) {
    return other.isOfViews && (other.kernel == row.kernel || other.counter == row.kernel);
  });
}

PlanSpec planOf(const KernelRow& row, std::uint32_t recordCount) {
  constexpr std::uint32_t kUsualBytes = 8;  // with a key behind the first word
  const SluOrder order = row.isStable ? SLU_ORDER_STABLE : SLU_ORDER_UNORDERED;
  PlanSpec plan = simplePlan(order, row.leastBytes != 0 ? row.leastBytes : kUsualBytes, recordCount);
  plan.info.outputs = SLU_OUTPUT_RECORDS_BIT | SLU_OUTPUT_BUCKET_COUNTS_BIT;
  if (row.decider == Decider::any || row.decider == Decider::scene) plan.info.live = {SLU_LIVE_FLAG_BITS, 0, 0};
  if (isOfViews(row)) plan.info.maxViewCount = 2;
  if (row.decider == Decider::any && isOfViews(row)) {
    addCulling(plan, SLU_CULL_FRUSTUM_BIT, SLU_BOUNDS_PER_RECORD, 0);
  }
  if (row.decider == Decider::spheres || row.decider == Decider::meshSpheres) {
    plan.info.live = {};
    addCulling(plan, SLU_CULL_FRUSTUM_BIT, SLU_BOUNDS_PER_RECORD, 0);
  }
  if (row.decider == Decider::scene && (!row.isMerged || row.listsCandidates)) {  // merged ones are by their table
    // Of candidates nothing else is tested, so that a batch keeps more than a tile has.
    addCulling(plan, row.listsCandidates ? 0 : SLU_CULL_FRUSTUM_BIT, SLU_BOUNDS_PER_RECORD, 0, SLU_SHAPE_BOX);
    addTransformStream(plan, SLU_TRANSFORM_MATRIX_BIT, 0);
  }
  const bool gathers = row.kernel == CudaKernel::gatherStreams;
  const std::uint32_t bucketCount = row.hasBuckets || gathers ? 5 : 1;
  addBuckets(plan, bucketCount, 1, kCapacity / bucketCount, bucketCount > 1 ? 4 : 0);
  if (gathers) {
    for (const std::uint32_t elementSize : {4u, 8u, 16u}) addStream(plan, elementSize);
  }
  if (row.decider == Decider::meshSpheres) addMeshes(plan, SLU_MESH_LOD_COUNT_BIT | SLU_MESH_LOD_MASK_BIT);
  if (row.kernel == CudaKernel::sumSparse || row.kernel == CudaKernel::placeSparse) {
    Random random;
    plan.info.outputs = kAllOutputs & ~SluFlags{SLU_OUTPUT_BUCKET_COUNTS_BIT};
    addBuckets(plan, SLU_MAX_BUCKETS + 1, 1, 0, 4);
    addDraws(plan, SLU_DRAW_INDEXED_INSTANCES, 24, SLU_DRAWS_SKIP_EMPTY_BIT, random);
    addMeshes(plan, SLU_MESH_FIRST_ELEMENT_BIT);
    plan.info.zeroCommandCount = 3;
  }
  if (row.kernel == CudaKernel::findVisible) {
    addOcclusion(plan);
    plan.info.maxViewCount = 2;
  }
  if (row.listsCandidates) addOcclusion(plan);
  if (row.isRanked || row.kernel == CudaKernel::publishCounted) packBuckets(plan, kCapacity);
  if (row.listsRejects) addRejects(plan, 0, kCapacity);
  if (row.isMerged) {
    Random random;
    addBuckets(plan, 5, 1, 0, 4);
    addDraws(plan, SLU_DRAW_INDEXED_INSTANCES, 24, SLU_DRAWS_RECORD_IN_FRONT_BIT, random);
    if (row.decider == Decider::scene) addMeshes(plan, SLU_MESH_FIRST_ELEMENT_BIT);
    mergePlan(plan, kCapacity, 3);
  }
  return plan;
}

// Whether some frame launches the kernel.
bool choosesKernel(const KernelPlan& asked) {
  const PlanArguments arguments(asked.plan, SLU_ROUTE_CUDA);
  const PlanLayout whole = checkPlan(*arguments.get(), rowOf(SLU_ROUTE_CUDA).predicates());
  const PlanLayout layout = asked.row.listsRejects ? rejectsLayout(whole) : keptLayout(whole);
  const CudaSchedule schedule(layout, asked.options.sharedMemory, launchLimits(asked.options));
  const std::vector<CudaKernel> kernels = schedule.kernels();
  return std::ranges::find(kernels, asked.row.kernel) != kernels.end();
}

SimtOptions optionsOf(const KernelRow& row, SharedMemory sharedMemory) {
  SimtOptions options;
  options.residentBlocks = row.isStable ? 2 : 1;
  options.sharedMemory = sharedMemory;
  if (row.isPiped) options.pipedFrom = 0;
  options.viewsFrom = isOfViews(row) ? 0 : std::numeric_limits<std::uint64_t>::max();
  const bool scatters = row.counter && !row.isOfViews;
  options.mostDecisionBytes = scatters ? 0 : LaunchLimits{}.mostDecisionBytes;
  options.mostListBytes = LaunchLimits{}.mostListBytes;
  return options;
}

}  // namespace

std::vector<KernelPlan> kernelPlans() {
  std::vector<KernelPlan> plans;
  for (const KernelRow& row : kernelTable()) {
    for (const SharedMemory sharedMemory : kSharedMemories) {
      for (const std::uint32_t recordCount : {20'000u, 300'000u, 3'000'000u}) {
        if (!plans.empty() && &plans.back().row == &row) continue;
        KernelPlan asked = {row, planOf(row, recordCount), optionsOf(row, sharedMemory)};
        if (choosesKernel(asked)) plans.push_back(std::move(asked));
      }
    }
  }
  return plans;
}

Scene makeScene(const KernelPlan& asked, Machine& machine, Random& random) {
  SceneBuilder builder(random);
  const std::uint32_t index = builder.addPlan(asked.plan);
  const PlanSpec& plan = builder.plan(index);
  const KernelRow& row = asked.row;
  // Of two algorithms, the one that lists records has the larger tiles.
  const std::uint32_t tile = row.isPiped  ? row.tileRecords
                             : row.adapts ? std::max(row.tileRecords, cuda::kTileRecords)
                                          : static_cast<std::uint32_t>(machine.tileRecords(plan));
  const auto makeFrame = [&](std::uint32_t count, Pattern pattern) {
    const Input input = makeInput(plan, count, pattern, random);
    FrameSpec frame = builder.makeFrame(index, input, plan.info.maxViewCount);
    if (row.kernel == CudaKernel::findVisible) builder.addOcclusion(frame, SLU_OCCLUSION_SECOND);
    if (row.listsCandidates) {  // of which a first phase has most
      builder.addOcclusion(frame, pattern == Pattern::all ? SLU_OCCLUSION_FIRST : SLU_OCCLUSION_SECOND);
    }
    if (row.isPiped) {  // aligned, or another kernel takes it
      frame.records = builder.addInput(input.records, 0);
      frame.keptRecords = builder.addOutput(std::uint64_t{kCapacity} * plan.info.recordStride, 0);
    }
    return frame;
  };
  // Frames whose blocks do more than once; those of candidates go over several tiles at a time.
  const std::uint32_t tiles = row.listsCandidates ? 24 : row.isFollowing ? 16 : row.isStable ? 2 : 4;
  const std::uint32_t count = tiles * tile + 5;
  builder.addFrame(makeFrame(row.listsCandidates ? count : 2 * tile + 5, Pattern::all));
  FrameSpec frame = makeFrame(count, Pattern::half);
  if (!row.isStable) frame.liveCount = builder.addWord(count - 1);
  builder.addFrame(frame);
  builder.addFrame(makeFrame(tile, Pattern::sparse));
  return builder.finish();
}

std::unique_ptr<Machine> makeMachine(const KernelPlan& asked, decltype(SimtOptions::launch) launch) {
  SimtOptions options = asked.options;
  options.launch = std::move(launch);
  return makeSimtMachine(options);
}

}  // namespace slu::test

#include "kernels/choice.h"

#include <algorithm>

#include "plan/frame_block.h"

namespace slu {
namespace {

// Plans with several buckets look back only if that takes at most so many bytes.
constexpr std::uint64_t kMostBucketStatusBytes = 64u << 20;

// scene: what else of scenes the plan may have, SLU_SCENE_*.
bool spheresDecideAlone(const PlanLayout& layout, std::uint32_t scene) {
  const bool hasSpheres = layout.bounds.source == SLU_BOUNDS_IN_RECORD || layout.bounds.source == SLU_BOUNDS_PER_RECORD;
  const bool isAlwaysLive = layout.live.test == SLU_LIVE_ALWAYS && !layout.readsFlags();
  return isAlwaysLive && layout.needsBounds() && hasSpheres && layout.bounds.shape == SLU_SHAPE_SPHERE &&
         layout.bounds.transformFlags == 0 && layout.scene() == scene && !layout.countsRejects();
}

bool suitsDecider(const KernelRow& row, const PlanLayout& layout) {
  switch (row.decider) {
    case Decider::record:
      return layout.movesRecords();
    case Decider::spheres:
      return spheresDecideAlone(layout, 0);
    case Decider::meshSpheres:
      return spheresDecideAlone(layout, SLU_SCENE_VOLUMES | SLU_SCENE_MESHES);
    case Decider::scene:
      return layout.scene() != 0;
    case Decider::any:
      return layout.scene() == 0;
  }
  return false;
}

bool suitsCount(const KernelRow& row, std::uint32_t recordCount) {
  const bool isInGap = recordCount > row.gapFrom && recordCount <= row.gapTo;
  return recordCount >= row.leastRecords && recordCount <= row.mostRecords && !isInGap;
}

// Returns whether the plan needs a kernel for several buckets. Meshes may be absent, so that one is as several.
bool hasBuckets(const PlanLayout& layout) {
  return !layout.isMerged() && !layout.listsRejects() &&
         (layout.bucketCount() > 1 || layout.isSparse() || layout.hasMeshes());
}

// Returns whether the kernel is for the plan's order and placement. isListed: packed buckets may be listed.
bool suitsOrder(const KernelRow& row, const PlanLayout& layout, bool isListed) {
  const bool isUnordered = layout.order == SLU_ORDER_UNORDERED;
  const bool isRanked = isUnordered && layout.isPacked() && isListed;
  return row.isRanked == isRanked && row.isStable == (!isUnordered || (layout.isPacked() && !isRanked));
}

bool suits(const KernelRow& row, const PlanLayout& layout) {
  return !row.isPreparing && !row.isFollowing && !row.isOfViews && !row.listsCandidates &&
         row.isMerged == layout.isMerged() && row.hasBuckets == hasBuckets(layout) &&
         row.listsRejects == layout.listsRejects() && layout.recordStride >= row.leastBytes &&
         layout.recordStride <= row.mostBytes && suitsCount(row, layout.maxRecordCount) && suitsDecider(row, layout);
}

// Returns whether looking back for each bucket pays with tiles of so many records. With more buckets, a tile would
// publish and read more words than it has records.
bool canLookBack(const PlanLayout& layout, std::uint32_t tileRecords) {
  return cuda::kSortedStableRecordsPerBucket * layout.bucketCount() <= tileRecords &&
         bucketStatusBytes(layout, divideUp(layout.maxRecordCount, tileRecords)) <= kMostBucketStatusBytes;
}

// Returns whether it pays to sort the plan's records by bucket, and a block can have the memory for it.
bool canSort(const KernelRow& row, const PlanLayout& layout, std::uint32_t sortedBytes) {
  if (layout.publishesApart()) return false;  // kernels that sort publish themselves
  const std::uint32_t buckets = layout.bucketCount();
  return sluSorts(layout.movesRecords(), buckets, layout.maxRecordCount, sluSortedByCudaFrom(buckets),
                  row.sharedBytes(layout.recordStride, buckets), sortedBytes) &&
         (!row.isStable || canLookBack(layout, row.tileRecords));
}

const KernelRow* pipedRow(const PlanLayout& layout) {
  for (const KernelRow& row : kernelTable()) {
    if (row.isPiped && suits(row, layout) && suitsOrder(row, layout, false)) return &row;
  }
  return nullptr;
}

}  // namespace

CudaKernel chooseKernel(const PlanLayout& layout, SharedMemory sharedMemory, const LaunchLimits& limits) {
  CudaKernel chosen{};
  const std::uint64_t listBytes = 4ull * cuda::kRankedWords * layout.maxViewCount * layout.maxRecordCount;
  const bool isListed = layout.isSparse() || listBytes <= limits.mostListBytes;
  for (const KernelRow& row : kernelTable()) {
    if (row.isPiped || row.memory.value_or(sharedMemory) != sharedMemory || !suits(row, layout) ||
        !suitsOrder(row, layout, isListed)) {
      continue;
    }
    if (row.sortedRows == 0 || canSort(row, layout, limits.sortedBytes)) chosen = row.kernel;
  }
  return chosen;
}

std::optional<CudaKernel> choosePipedKernel(const PlanLayout& layout, const LaunchLimits& limits) {
  const KernelRow* row = pipedRow(layout);
  if (row == nullptr || row->sharedBytes(layout.recordStride, 1) > limits.pipedBytes) return {};
  return row->kernel;
}

std::optional<CudaKernel> chooseViewsKernel(const PlanLayout& layout) {
  if (!layout.mayReadOnceForAllViews() || segmentCount(layout) > cuda::kMaxBuckets) return {};
  for (const KernelRow& row : kernelTable()) {
    if (row.isOfViews && suitsDecider(row, layout)) return row.kernel;
  }
  return {};
}

std::optional<CudaKernel> chooseCandidatesKernel(const PlanLayout& layout, CudaKernel chosen) {
  const KernelRow& usual = rowOf(chosen);
  if (!layout.testsOcclusion() || layout.countsRejects() || layout.listsRejects() || usual.isStable) return {};
  for (const KernelRow& row : kernelTable()) {
    if (row.listsCandidates && row.hasBuckets == usual.hasBuckets && row.isMerged == usual.isMerged &&
        row.isRanked == usual.isRanked) {
      return row.kernel;
    }
  }
  return {};
}

bool suitsPipes(const PlanLayout& layout) { return pipedRow(layout) != nullptr; }

std::uint64_t segmentCount(const PlanLayout& layout) {
  return std::uint64_t{layout.maxViewCount} * layout.bucketCount();
}

std::uint64_t bucketStatusBytes(const PlanLayout& layout, std::uint32_t tileCount) {
  return sizeof(cuda::u64) * segmentCount(layout) * tileCount;
}

}  // namespace slu

#include "kernels/schedule.h"

#include <algorithm>

#include "kernels/device/platform/tiles.h"
#include "plan/frame_block.h"

namespace slu {
namespace {

static_assert(sizeof(cuda::Arguments) <= 4096, "what a launch takes on every architecture");
static_assert(sizeof(cuda::Arguments::predicate) == sizeof(PredicateState));

constexpr std::uint64_t kRejectSlotsOffset = SLU_MAX_VIEWS * sizeof(cuda::ViewProgress);
constexpr std::uint64_t kDemandedLinesOffset =
    kRejectSlotsOffset + std::uint64_t{SLU_MAX_VIEWS} * cuda::kRejectSlots * sizeof(cuda::RejectSlot);
static_assert(kDemandedLinesOffset % (4 * cuda::kDemandedLineWords) == 0);

// Blocks that a frame with a live count launches for each one that the device holds: few, since most may find nothing
// to do, yet enough that they end together.
constexpr std::uint32_t kWaves = 4;

// Plans of up to so many records of 4 bytes take small tiles, so that each multiprocessor has some, and unordered ones
// medium tiles where shared memory is ample.
constexpr std::uint32_t kSmallRecordCount = 1u << 18;
constexpr std::uint32_t kMediumRecordCount = 1u << 21;

// Plans of up to so many culled records take small tiles, too.
constexpr std::uint32_t kFewCulledRecords = 1u << 17;

// In stable order a frame of one tile is spared the ticket.
bool takesSmallStableTiles(std::uint32_t recordCount) {
  const bool fitsOneTile = recordCount > cuda::kSmallTileRecords && recordCount <= cuda::kNarrowTileRecords;
  return recordCount <= kSmallRecordCount && !fitsOneTile;
}

// Plans of up to so many records are not sorted by bucket: blocks that take thousands of them leave most of the GPU
// idle, which costs more than scattered stores do. Into few buckets these are less scattered.
constexpr std::uint32_t fewRecords(std::uint32_t bucketCount) { return bucketCount < 64 ? 1u << 18 : 1u << 17; }

// Memory for which plans into several buckets are worth a look-back.
constexpr std::uint64_t kMostBucketStatusBytes = 64u << 20;

struct KernelPair {
  CudaKernel unordered, stable;
};

// For records of 4 bytes that decide for themselves, by how many a plan takes.
KernelPair wordKernels(std::uint32_t recordCount, SharedMemory sharedMemory) {
  using enum CudaKernel;
  const bool isAmple = sharedMemory == SharedMemory::ample;
  const CudaKernel stable = takesSmallStableTiles(recordCount)            ? compactSmallStable
                            : isAmple || recordCount <= kSmallRecordCount ? compactNarrowStable
                                                                          : compactDirect4Stable;
  if (recordCount <= kSmallRecordCount) return {compactSmall, stable};
  if (recordCount <= kMediumRecordCount) return {isAmple ? compactMedium : compactDirect4, stable};
  return {isAmple ? compactLarge : compactDirect4Large, stable};
}

// For records that decide for themselves, by their size.
KernelPair recordKernels(const PlanLayout& layout, SharedMemory sharedMemory) {
  using enum CudaKernel;
  struct BySize {
    std::uint32_t stride;
    KernelPair ample, scarce;
  };
  constexpr KernelPair kGeneral = {compactGeneral, compactGeneralStable};
  static constexpr BySize kBySize[] = {
      {8, {compactWide8, compactWide8Stable}, {compactDirect8, compactDirect8Stable}},
      {12, {compactStaged12, compactStaged12Stable}, {compactDirect12, compactDirect12Stable}},
      {16, {compactWide16, compactWide16Stable}, {compactDirect16, compactDirect16Stable}},
      {32, {compactWide32, compactWide32Stable}, {compactDirect32, compactDirect32Stable}},
      {48, {compactWide48, compactWide48Stable}, {compactDirect48, compactDirect48Stable}},
      {64, {compactWide64, compactWide64Stable}, {compactDirect64, compactDirect64Stable}},
      {96, {compactLong96, compactGeneralStable}, kGeneral},
      {128, {compactLong128, compactGeneralStable}, kGeneral},
  };
  if (layout.recordStride == 4) return wordKernels(layout.maxRecordCount, sharedMemory);
  const bool isAmple = sharedMemory == SharedMemory::ample;
  const auto* found = std::ranges::find(kBySize, layout.recordStride, &BySize::stride);
  if (found != std::end(kBySize)) return isAmple ? found->ample : found->scarce;
  return isAmple && layout.recordStride < 64 ? KernelPair{compactStaged, compactStagedStable} : kGeneral;
}

// The kernel that takes tiles of such records through a pipe. For others there is none: it was slower.
std::optional<CudaKernel> pipedKernel(std::uint32_t recordStride) {
  using enum CudaKernel;
  switch (recordStride) {
    case 8:
      return compactPiped8;
    case 12:
      return compactPiped12;
    case 20:
      return compactPiped20;
    case 28:
      return compactPiped28;
    case 36:
      return compactPiped36;
    default:
      return {};
  }
}

// The same for the plan's records, where a block can have the memory for it.
std::optional<CudaKernel> choosePipedKernel(const PlanLayout& layout, std::uint32_t pipedBytes) {
  if (!suitsPipes(layout) || cuda::pipedSharedBytes(layout.recordStride / 4) > pipedBytes) return {};
  return pipedKernel(layout.recordStride);
}

// Statistics of more reasons than SLU_REJECT_NOT_LIVE, which is what remains.
bool countsRejects(const PlanLayout& layout) {
  return (layout.outputs & SLU_OUTPUT_STATISTICS_BIT) != 0 && (layout.needsViews() || layout.key.keyCount > 1);
}

bool spheresDecideAlone(const PlanLayout& layout) {
  const bool hasSpheres = layout.bounds.source == SLU_SPHERE_IN_RECORD || layout.bounds.source == SLU_SPHERE_PER_RECORD;
  return layout.live.test == SLU_LIVE_ALWAYS && layout.needsViews() && hasSpheres &&
         layout.bounds.transformFlags == 0 && !countsRejects(layout);
}

std::uint64_t segmentCount(const PlanLayout& layout) {
  return std::uint64_t{layout.maxViewCount} * layout.bucketCount();
}

// Of tiles that look back over so many for each bucket.
std::uint64_t bucketStatusBytes(const PlanLayout& layout, std::uint32_t tileCount) {
  return sizeof(cuda::u64) * segmentCount(layout) * tileCount;
}

// Whether looking back for each bucket is worth it, with tiles of so many records. Of more buckets there would be more
// to tell, and to look at, than there are records.
bool canLookBack(const PlanLayout& layout, std::uint32_t tileRecords) {
  return cuda::kSortedStableRecordsPerBucket * layout.bucketCount() <= tileRecords &&
         bucketStatusBytes(layout, divideUp(layout.maxRecordCount, tileRecords)) <= kMostBucketStatusBytes;
}

// The kernels that sort records of the plan by bucket, where there are any and a block can have the memory for them.
// Short tiles, which take less, pay off for records of 16 bytes alone, where the order is free.
KernelPair bucketKernels(const PlanLayout& layout, std::uint32_t sharedLimit) {
  using enum CudaKernel;
  constexpr KernelPair kUnsorted = {compactBuckets, scatterBuckets};
  constexpr KernelPair kSorted[] = {{compactSorted16, compactSorted16Stable},
                                    {compactSorted32, compactSorted32Stable},
                                    {compactSorted48, compactSorted48Stable},
                                    {compactSorted64, compactSorted64Stable}};
  const std::uint32_t units = layout.recordStride / 16;
  if (!layout.movesRecords() || layout.recordStride % 16 != 0 || units > std::size(kSorted)) return kUnsorted;
  if (layout.maxRecordCount <= fewRecords(layout.bucketCount())) return kUnsorted;
  const auto fits = [&](std::uint32_t rows) {
    return cuda::sortedSharedBytes(units, rows, layout.bucketCount()) <= sharedLimit;
  };
  if (fits(cuda::kSortedRows)) {
    const bool isStable = canLookBack(layout, cuda::sortedTileRecords(units, cuda::kSortedRows));
    return {kSorted[units - 1].unordered, isStable ? kSorted[units - 1].stable : kUnsorted.stable};
  }
  const bool isShort = units == 1 && fits(cuda::kSortedShortRows);
  return {isShort ? compactSortedShort16 : kUnsorted.unordered, kUnsorted.stable};
}

CudaKernel chooseKernel(const PlanLayout& layout, SharedMemory sharedMemory, std::uint32_t sortedBytes) {
  using enum CudaKernel;
  const bool isCulled = spheresDecideAlone(layout);
  const bool isSmall = layout.maxRecordCount <= kFewCulledRecords;
  KernelPair kernels = {compactGeneral, compactGeneralStable};
  if (layout.bucketCount() > 1) {
    const CudaKernel culled = isSmall ? compactFewCulledBuckets : compactCulledBuckets;
    kernels = isCulled ? KernelPair{culled, scatterBuckets} : bucketKernels(layout, sortedBytes);
  } else if (isCulled) {
    kernels =
        isSmall ? KernelPair{compactFewCulled, compactFewCulledStable} : KernelPair{compactCulled, compactCulledStable};
  } else if (layout.movesRecordsAlone()) {
    kernels = recordKernels(layout, sharedMemory);
  }
  return layout.order == SLU_ORDER_STABLE ? kernels.stable : kernels.unordered;
}

std::uint32_t recordsPerTile(CudaKernel kernel, std::uint32_t recordStride) {
  const std::uint32_t records = shapeOf(kernel).tileRecords;
  return records != 0 ? records : cuda::stagedTileRecords(recordStride / 4);
}

// Words that are positive floats end before infinity's successor; see sluIsPositive.
std::uint32_t liveLimit(SluLiveTest test) {
  return test == SLU_LIVE_POSITIVE_INT ? 0x7fffffffu : test == SLU_LIVE_POSITIVE_FLOAT ? 0x7f800000u : 0xffffffffu;
}

// Culling comes first where it spares the keys of what it drops; not where a record is counted for the first test it
// fails.
cuda::KeyTime keyTime(const PlanLayout& layout) {
  using enum cuda::KeyTime;
  if (layout.key.keyCount == 1) return none;
  const bool spheresNeedKeys = layout.bounds.source == SLU_SPHERE_PER_KEY;
  if (layout.needsViews() && !spheresNeedKeys && !countsRejects(layout)) return afterCulling;
  if (layout.live.test == SLU_LIVE_ALWAYS) return withLive;
  if (layout.readsFlags()) return afterLive;
  // Memory is read in sectors of 32 bytes.
  return layout.recordStride <= 32 || layout.live.offset / 32 == layout.key.offset / 32 ? withLive : afterLive;
}

cuda::SingleBucket singleBucket(const PlanLayout& layout) {
  const BucketBlock& bucket = layout.buckets.front();
  const DrawBlock& draw = layout.draw;
  const std::uint32_t scale = draw.scaleWord == SLU_DROPPED ? 1 : bucket.command[draw.scaleWord];
  cuda::SingleBucket single = {bucket.capacity, scale, layout.outputsPerView * scale, {}};
  std::ranges::copy(bucket.command, single.command);
  return single;
}

// The counters of all buckets and views.
std::uint64_t demandedBytes(const PlanLayout& layout) {
  using namespace cuda;
  const std::uint64_t sectors = (segmentCount(layout) + kDemandedSectorWords - 1) / kDemandedSectorWords;
  return 4 * demandedSectorStep(layout.bucketCount()) * sectors;
}

// What tiles tell each other in stable order.
std::uint64_t statusBytes(const PlanLayout& layout, CudaKernel kernel, std::uint32_t tileCount,
                          std::uint32_t chunkCount) {
  if (layout.order != SLU_ORDER_STABLE) return 0;
  if (kernel == CudaKernel::scatterBuckets) return 4 * segmentCount(layout) * chunkCount;
  if (shapeOf(kernel).sortedRows != 0) return bucketStatusBytes(layout, tileCount);
  return sizeof(cuda::u64) * layout.maxViewCount * cuda::kTileStatusWords * tileCount;
}

}  // namespace

bool suitsPipes(const PlanLayout& layout) {
  if (layout.order == SLU_ORDER_STABLE || layout.bucketCount() > 1 || !layout.movesRecordsAlone()) return false;
  return pipedKernel(layout.recordStride).has_value();
}

KernelShape shapeOf(CudaKernel kernel) {
  using enum CudaKernel;
  using namespace cuda;
  const auto wide = [](uint words, uint units, uint blocks) {
    return KernelShape{wideTileRecords(words, units), blocks};
  };
  const auto sorted = [](uint units, uint rows) {
    return KernelShape{sortedTileRecords(units, rows), sortedBlocks(rows), kSortedThreads, rows};
  };
  const auto sortedStable = [](uint units) {
    return KernelShape{sortedTileRecords(units, kSortedRows), kSortedStableBlocks, kSortedThreads, kSortedRows};
  };
  const auto piped = [](uint words) {
    return KernelShape{pipedTileRecords(words), kPipedBlocks, kPipedThreads, 0, true};
  };
  switch (kernel) {
    case compactGeneral:
      return {kTileRecords, kGeneralBlocks};
    case compactGeneralStable:
      return {kTileRecords, kGeneralStableBlocks};
    case compactBuckets:
      return {kTileRecords, kBucketedBlocks};
    case countBuckets:
    case scanBuckets:
      return {kTileRecords, 1};
    case scatterBuckets:
      return {kTileRecords, kScatteringBlocks};
    case compactCulled:
      return {kCulledItems * kThreads, kCulledBlocks};
    case compactCulledStable:
      return {kCulledItems * kThreads, kCulledStableBlocks};
    case compactCulledBuckets:
      return {kCulledItems * kThreads, kCulledBucketedBlocks};
    case compactFewCulled:
      return {kFewCulledItems * kThreads, kFewCulledBlocks};
    case compactFewCulledStable:
      return {kFewCulledItems * kThreads, kFewCulledStableBlocks};
    case compactFewCulledBuckets:
      return {kFewCulledItems * kThreads, kFewCulledBucketedBlocks};
    case compactLarge:
      return {kLargeTileRecords, kLargeBlocks};
    case compactMedium:
      return {kMediumTileRecords, kMediumBlocks, kMediumThreads};
    case compactSmall:
      return {kSmallTileRecords, kSmallBlocks};
    case compactNarrowStable:
      return {kNarrowTileRecords, kNarrowStableBlocks};
    case compactSmallStable:
      return {kSmallTileRecords, kNarrowStableBlocks};
    case compactDirect4:
      return {kNarrowTileRecords, kDirectBlocks};
    case compactDirect4Large:
      return {kLargeTileRecords, kDirectLargeBlocks};
    case compactDirect4Stable:
      return {kNarrowTileRecords, kDirectStableBlocks};
    case compactDirect8:
      return wide(2, 1, kDirectBlocks);
    case compactDirect8Stable:
      return wide(2, 1, kDirectStableBlocks);
    case compactDirect12:
      return {kDirect12TileRecords, kDirectBlocks};
    case compactDirect12Stable:
      return {kDirect12TileRecords, kDirectStableBlocks};
    case compactDirect16:
      return wide(4, 1, kDirectBlocks);
    case compactDirect16Stable:
      return wide(4, 1, kDirectStableBlocks);
    case compactDirect32:
      return wide(4, 2, kDirectBlocks);
    case compactDirect32Stable:
      return wide(4, 2, kDirectStableBlocks);
    case compactDirect48:
      return wide(4, 3, kDirectBlocks);
    case compactDirect48Stable:
      return wide(4, 3, kDirectStableBlocks);
    case compactDirect64:
      return wide(4, 4, kDirectBlocks);
    case compactDirect64Stable:
      return wide(4, 4, kDirectStableBlocks);
    case compactWide8:
      return wide(2, 1, kWide8Blocks);
    case compactWide8Stable:
      return wide(2, 1, kWide8StableBlocks);
    case compactWide16:
      return wide(4, 1, kWideBlocks);
    case compactWide16Stable:
      return wide(4, 1, kWideStableBlocks);
    case compactWide32:
      return wide(4, 2, kWideBlocks);
    case compactWide32Stable:
      return wide(4, 2, kWideStableBlocks);
    case compactWide48:
      return wide(4, 3, kWideBlocks);
    case compactWide48Stable:
      return wide(4, 3, kWideStableBlocks);
    case compactWide64:
      return wide(4, 4, kWideBlocks);
    case compactWide64Stable:
      return wide(4, 4, kWideStableBlocks);
    case compactStaged12:
    case compactStaged:
      return {0, kStagedBlocks};
    case compactStaged12Stable:
    case compactStagedStable:
      return {0, kStagedStableBlocks};
    case compactPiped8:
      return piped(2);
    case compactPiped12:
      return piped(3);
    case compactPiped20:
      return piped(5);
    case compactPiped28:
      return piped(7);
    case compactPiped36:
      return piped(9);
    case compactLong96:
    case compactLong128:
      return {kTileRecords, kLongBlocks};
    case compactSorted16:
      return sorted(1, kSortedRows);
    case compactSorted32:
      return sorted(2, kSortedRows);
    case compactSorted48:
      return sorted(3, kSortedRows);
    case compactSorted64:
      return sorted(4, kSortedRows);
    case compactSortedShort16:
      return sorted(1, kSortedShortRows);
    case compactSorted16Stable:
      return sortedStable(1);
    case compactSorted32Stable:
      return sortedStable(2);
    case compactSorted48Stable:
      return sortedStable(3);
    case compactSorted64Stable:
      return sortedStable(4);
  }
  return {};
}

std::vector<CudaKernel> evaluatingKernels(CudaKernel kernel) {
  if (kernel == CudaKernel::scatterBuckets) return {CudaKernel::countBuckets, CudaKernel::scatterBuckets};
  return {kernel};
}

CudaSchedule::CudaSchedule(const PlanLayout& layout, SharedMemory sharedMemory, const LaunchLimits& limits)
    : layout_(layout),
      pipedFrom_(limits.pipedFrom),
      kernel_(chooseKernel(layout, sharedMemory, limits.sortedBytes)),
      pipedKernel_(choosePipedKernel(layout, limits.pipedBytes)),
      tileRecords_(recordsPerTile(kernel_, layout.recordStride)),
      maxTileCount_(divideUp(layout.maxRecordCount, tileRecords_)),
      maxChunkCount_(kernel_ == CudaKernel::scatterBuckets ? maxChunkCount(layout, tileRecords_) : 0),
      statusOffset_(kDemandedLinesOffset + demandedBytes(layout)),
      statusBytes_(statusBytes(layout, kernel_, maxTileCount_, maxChunkCount_)) {
  cuda::PlanConstants& plan = constant_.plan;
  plan.recordWords = layout.recordStride / 4;
  plan.liveTest = static_cast<std::uint32_t>(layout.live.test);
  plan.liveLimit = liveLimit(layout.live.test);
  plan.cullFlags = layout.cullFlags;
  plan.sphereSource = static_cast<std::uint32_t>(layout.bounds.source);
  plan.transformFlags = layout.bounds.transformFlags;
  plan.keyTime = keyTime(layout);
  plan.lodCount = layout.key.lodCount;
  plan.outputs = layout.outputs;
  plan.maxTiles = maxTileCount_;
  plan.tileRecords = tileRecords_;
  plan.adapts = kernel_ == CudaKernel::compactLong96 || kernel_ == CudaKernel::compactLong128 ? 1 : 0;
  plan.countsRejects = countsRejects(layout) ? 1 : 0;
  plan.single = singleBucket(layout);
  fillPlanPart(constant_.frame, layout);
}

BlockShape CudaSchedule::blockOf(CudaKernel kernel) const {
  const KernelShape shape = shapeOf(kernel);
  if (shape.isPiped) return {shape.threads, cuda::pipedSharedBytes(layout_.recordStride / 4)};
  if (shape.sortedRows == 0) return {shape.threads, 0};
  return {shape.threads, cuda::sortedSharedBytes(layout_.recordStride / 16, shape.sortedRows, layout_.bucketCount())};
}

std::uint64_t CudaSchedule::stagingBytes() const {
  return layout_.inPlace ? std::uint64_t{layout_.maxRecordCount} * layout_.recordStride : 0;
}

void CudaSchedule::place(std::uint64_t scratch, std::uint64_t table, std::uint64_t staging,
                         std::uint32_t residentBlocks, std::uint32_t residentPipes) {
  FrameBlock& block = constant_.frame;
  block.buckets = table;
  block.progress = scratch;
  block.rejected = scratch + kRejectSlotsOffset;
  block.demanded = scratch + kDemandedLinesOffset;
  (maxChunkCount_ != 0 ? block.chunkCounts : block.tileStatus) = scratch + statusOffset_;
  staging_ = staging;
  residentBlocks_ = residentBlocks;
  residentPipes_ = residentPipes;
}

std::uint64_t CudaSchedule::inputOf(const Frame& frame) const {
  return layout_.inPlace ? staging_ : frame.records.address;
}

bool CudaSchedule::passesPipe(const Frame& frame) const {
  const std::uint32_t unitBytes = layout_.recordStride % 8 == 0 ? 8 : 4;  // that lanes store
  return pipedKernel_ && inputOf(frame) % 16 == 0 && frame.keptRecords.address % unitBytes == 0 &&
         std::uint64_t{frame.recordCount} * layout_.recordStride >= pipedFrom_;
}

std::uint32_t CudaSchedule::tileCount(const Frame& frame) const {
  return std::max(divideUp(frame.recordCount, tileRecords_), 1u);
}

std::uint32_t CudaSchedule::chunkCount(const Frame& frame) const { return std::min(tileCount(frame), maxChunkCount_); }

// A block per tile, unless the blocks take one tile after the other.
std::uint32_t CudaSchedule::blockCount(const Frame& frame) const {
  const std::uint32_t tiles = tileCount(frame);
  if (shapeOf(kernel_).sortedRows != 0) return tiles;
  if (layout_.order == SLU_ORDER_STABLE) {
    if (tiles <= residentBlocks_ || frame.liveCount) return std::min(tiles, residentBlocks_);
    // Where no block has to take more than two tiles, so few that nearly all take two, and the one that scans.
    return std::min(divideUp(tiles, 2) + 1, residentBlocks_);
  }
  return frame.liveCount ? std::min(tiles, kWaves * residentBlocks_) : tiles;
}

cuda::Arguments CudaSchedule::arguments(const Frame& frame) const {
  cuda::Arguments arguments = constant_;
  fillFramePart(arguments.frame, layout_, frame, inputOf(frame));
  arguments.frame.chunkCount = chunkCount(frame);
  std::copy(frame.predicateState.begin(), frame.predicateState.end(), arguments.predicate);
  return arguments;
}

CudaLaunches CudaSchedule::launches(const Frame& frame) const {
  if (passesPipe(frame)) {
    const std::uint32_t tiles = divideUp(frame.recordCount, shapeOf(*pipedKernel_).tileRecords);
    return {{{{*pipedKernel_, std::clamp(tiles, 1u, residentPipes_), frame.viewCount, blockOf(*pipedKernel_)}}}, 1};
  }
  if (kernel_ != CudaKernel::scatterBuckets) {
    return {{{{kernel_, blockCount(frame), frame.viewCount, blockOf(kernel_)}}}, 1};
  }
  const std::uint32_t chunks = chunkCount(frame);
  return {{{{CudaKernel::countBuckets, chunks, frame.viewCount},
            {CudaKernel::scanBuckets, layout_.bucketCount(), frame.viewCount},
            {CudaKernel::scatterBuckets, chunks, frame.viewCount}}},
          3};
}

}  // namespace slu

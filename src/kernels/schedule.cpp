#include "kernels/schedule.h"

#include <sluice/culling.h>

#include <algorithm>
#include <array>

#include "plan/frame_block.h"
#include "plan/kept_lists.h"

namespace slu {
namespace {

static_assert(sizeof(cuda::Arguments) <= 4096, "what a launch takes on every architecture");
static_assert(sizeof(cuda::Arguments::predicate) == sizeof(PredicateState));
static_assert(cuda::kMostStreams == SLU_MAX_STREAMS);

constexpr std::uint64_t kRejectSlotsOffset = SLU_MAX_VIEWS * sizeof(cuda::ViewProgress);
constexpr std::uint64_t kDemandedLinesOffset =
    kRejectSlotsOffset + std::uint64_t{SLU_MAX_VIEWS} * cuda::kRejectSlots * sizeof(cuda::RejectSlot);
static_assert(kDemandedLinesOffset % (4 * cuda::kDemandedLineWords) == 0);

// How many blocks a frame with a live count launches for each one that the device holds at once. They are few, since
// most may find nothing to do, but enough to end at about the same time.
constexpr std::uint32_t kWaves = 4;
// The same for the list of a plan that ranks, of which most frames fill a part.
constexpr std::uint32_t kEmittingWaves = 2;

cuda::SingleBucket singleBucket(const PlanLayout& layout) {
  const BucketBlock& bucket = layout.buckets.front();
  const DrawBlock& draw = layout.draw;
  const std::uint32_t scale = SLU_DRAW_SCALE(draw, bucket.command);
  cuda::SingleBucket single = {bucket.capacity, scale, layout.outputsPerView * scale, {}};
  std::ranges::copy(bucket.command, single.command);
  return single;
}

// Returns the bytes of a word per view and bucket of a sparse plan, or 0 of others.
std::uint64_t sparseBytes(const PlanLayout& layout) {
  return layout.isSparse() ? 4ull * layout.maxViewCount * layout.ownBucketCount() : 0;
}

// Returns the bytes of the counters of all buckets and views.
std::uint64_t demandedBytes(const PlanLayout& layout) {
  using namespace cuda;
  if (layout.isSparse()) return (sparseBytes(layout) + 15) / 16 * 16;
  const std::uint64_t sectors = (segmentCount(layout) + kDemandedSectorWords - 1) / kDemandedSectorWords;
  return 4 * demandedSectorStep(layout.bucketCount()) * sectors;
}

// Returns the bytes of what tiles publish in stable order, unless they are counted first.
std::uint64_t statusBytes(const PlanLayout& layout, CudaKernel kernel, std::uint32_t tileCount) {
  if (!rowOf(kernel).isStable || rowOf(kernel).counter) return 0;
  if (rowOf(kernel).sortedRows != 0) return bucketStatusBytes(layout, tileCount);
  return sizeof(cuda::u64) * layout.maxViewCount * cuda::kTileStatusWords * tileCount;
}

// Returns the bytes of the places of packed buckets.
std::uint64_t placeBytes(const PlanLayout& layout) {
  return layout.isPacked() && !layout.isSparse() ? 8 * segmentCount(layout) : 0;
}

// Returns the bytes of what the views of a plan that scatters decide of their records, or 0 if these are too many.
std::uint64_t decisionBytes(const PlanLayout& layout, std::uint64_t viewRecords, const LaunchLimits& limits) {
  const std::uint64_t bytes = 2 * layout.maxViewCount * viewRecords;
  return bytes <= limits.mostDecisionBytes ? bytes : 0;
}

// Returns the words of a view's ballots.
std::uint32_t ballotWords(const PlanLayout& layout, std::uint32_t tileRecords) {
  return divideUp(layout.maxRecordCount, tileRecords) * (tileRecords / 32);
}

}  // namespace

bool evaluates(CudaKernel kernel) {
  using enum CudaKernel;
  constexpr std::array kOthers = {scanBuckets, publishCounted, scatterDecided, emitRanked,
                                  sumSparse,   placeSparse,    gatherStreams};
  return std::ranges::find(kOthers, kernel) == kOthers.end();
}

CudaSchedule::CudaSchedule(const PlanLayout& layout, SharedMemory sharedMemory, const LaunchLimits& limits)
    : layout_(layout),
      pipedFrom_(limits.pipedFrom),
      viewsFrom_(limits.viewsFrom),
      chosen_(chooseKernel(layout, sharedMemory, limits)),
      counter_(rowOf(chosen_).counter),
      pipedKernel_(choosePipedKernel(layout, limits)),
      viewsKernel_(chooseViewsKernel(layout)),
      candidatesKernel_(chooseCandidatesKernel(layout, chosen_)),
      tileRecords_(rowOf(chosen_).tileOf(layout.recordStride)),
      viewsTileRecords_(viewsKernel_ ? rowOf(*viewsKernel_).tileRecords : tileRecords_),
      maxTileCount_(divideUp(layout.maxRecordCount, tileRecords_)),
      maxChunkCount_(counter_ ? maxChunkCount(layout, tileRecords_) : 0),
      decisionBytes_(counter_ ? decisionBytes(layout, std::uint64_t{maxTileCount_} * tileRecords_, limits) : 0),
      kernel_(decisionBytes_ != 0 ? CudaKernel::scatterDecided : chosen_),
      maxViewsChunkCount_(viewsKernel_ ? maxChunkCount(layout, viewsTileRecords_) : 0),
      statusOffset_(kDemandedLinesOffset + demandedBytes(layout)),
      placesOffset_(statusOffset_ + statusBytes(layout, chosen_, maxTileCount_)),
      groupsOffset_(placesOffset_ + placeBytes(layout)),
      chunksOffset_(groupsOffset_ + (layout.hasGroups() ? 4 * segmentCount(layout) : 0)),
      ballotsOffset_(chunksOffset_ + 4 * segmentCount(layout) * std::max(maxChunkCount_, maxViewsChunkCount_)),
      ballotBytes_(viewsKernel_ ? std::uint64_t{layout.maxViewCount} * 4 * ballotWords(layout, viewsTileRecords_) : 0) {
  cuda::PlanConstants& plan = constant_.plan;
  plan.recordWords = layout.recordStride / 4;
  plan.liveTest = static_cast<std::uint32_t>(layout.live.test);
  plan.liveLimit = sluLiveLimit(plan.liveTest);
  plan.deadWord = sluDeadWord(plan.liveTest, layout.liveValue);
  plan.flagTest = static_cast<std::uint32_t>(layout.flagTest);
  plan.cullFlags = layout.cullFlags;
  plan.boundsSource = layout.boundsSource();
  plan.transformFlags = layout.bounds.transformFlags;
  plan.boundsShape = static_cast<std::uint32_t>(layout.bounds.shape);
  plan.matrixForm = static_cast<std::uint32_t>(layout.bounds.matrixForm);
  plan.scene = layout.scene();
  plan.keyTime = layout.keyTime();
  plan.lodCount = layout.key.lodCount;
  plan.outputs = layout.written();
  plan.maxTiles = maxTileCount_;
  plan.tileRecords = tileRecords_;
  plan.adapts = rowOf(kernel_).adapts ? 1 : 0;
  plan.countsRejects = layout.countsRejects() ? 1 : 0;
  plan.rejectReasons = layout.rejectReasons;
  plan.single = singleBucket(layout);
  fillPlanPart(constant_.frame, layout);
  plan.ballotWords = ballotWords(layout, viewsTileRecords_);
  plan.viewRecords = maxTileCount_ * tileRecords_;
}

BlockShape CudaSchedule::blockOf(CudaKernel kernel) const {
  const KernelRow& row = rowOf(kernel);
  return {row.threads, row.sharedBytes(layout_.recordStride, layout_.bucketCount())};
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
  block.tileStatus = scratch + statusOffset_;
  if (placeBytes(layout_) != 0) block.places = scratch + placesOffset_;
  if (layout_.hasGroups()) block.bucketGroups = scratch + groupsOffset_;
  block.chunkCounts = scratch + chunksOffset_;
  constant_.plan.ballots = scratch + ballotsOffset_;
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

bool CudaSchedule::readsOnceForAllViews(const Frame& frame) const {
  return viewsKernel_ && frame.viewCount > 1 && (frame.viewCount - 1) * bytesOfView(layout_, frame) >= viewsFrom_;
}

std::uint32_t CudaSchedule::chunkCount(const Frame& frame) const {
  if (!readsOnceForAllViews(frame)) return std::min(tileCount(frame), maxChunkCount_);
  return std::clamp(divideUp(frame.recordCount, viewsTileRecords_), 1u, maxViewsChunkCount_);
}

// Returns how many tiles a block goes over at a time if the frame lists candidates: as many as leave each of the blocks
// that the device holds at once some. Returns 0 if it does not.
std::uint32_t CudaSchedule::candidateTiles(const Frame& frame) const {
  if (!candidatesKernel_ || frame.occlusionPhase == 0) return 0;
  return std::clamp(divideUp(tileCount(frame), residentBlocks_), 1u, cuda::kCandidateTiles);
}

// Returns how many blocks a frame launches: one per tile, unless blocks take several tiles each.
std::uint32_t CudaSchedule::blockCount(const Frame& frame) const {
  const std::uint32_t tiles = divideUp(tileCount(frame), std::max(candidateTiles(frame), 1u));
  if (rowOf(kernel_).sortedRows != 0) return tiles;
  if (rowOf(kernel_).isStable) {
    if (tiles <= residentBlocks_ || frame.liveCount) return std::min(tiles, residentBlocks_);
    // If two tiles per block are enough, few blocks are launched: nearly all take two tiles, and one more scans.
    return std::min(divideUp(tiles, 2) + 1, residentBlocks_);
  }
  return frame.liveCount ? std::min(tiles, kWaves * residentBlocks_) : tiles;
}

// Returns whether frames list what is ranked. Plans that write nothing for each kept record need no list.
bool CudaSchedule::listsRanked() const { return rowOf(kernel_).isRanked && layout_.emitted() != 0; }

std::uint64_t CudaSchedule::keptBytes() const { return (keptListBytes(layout_) + 15) / 16 * 16; }

std::uint64_t CudaSchedule::rankedBytes() const {
  return listsRanked() ? 4ull * cuda::kRankedWords * layout_.maxViewCount * constant_.plan.viewRecords : 0;
}

std::uint64_t CudaSchedule::listBytes() const {
  const std::uint64_t sumBytes = layout_.isSparse() ? 8ull * cuda::kMostSparseChunks * layout_.maxViewCount : 0;
  return keptBytes() + decisionBytes_ + rankedBytes() + sumBytes + sparseBytes(layout_);
}

void CudaSchedule::placeLists(std::uint64_t lists) {
  lists_ = lists;
  if (decisionBytes_ != 0) constant_.plan.decisions = lists + keptBytes();
  if (listsRanked()) constant_.plan.ranked = lists + keptBytes();
  if (!layout_.isSparse()) return;
  constant_.plan.sparseSums = lists + keptBytes() + rankedBytes();
  constant_.plan.sparseFirsts = constant_.plan.sparseSums + 8ull * cuda::kMostSparseChunks * layout_.maxViewCount;
}

void CudaSchedule::setStreams(const Frame& frame, cuda::Arguments& arguments) const {
  arguments.streamCount = static_cast<std::uint32_t>(layout_.streams.size());
  for (std::size_t i = 0; i < layout_.streams.size(); ++i) {
    const SluStream& stream = layout_.streams[i];
    const StreamBinding& binding = frame.streams[i];
    arguments.streams[i] = {binding.input.address,   binding.output.address, stream.inputStride / 4,
                            stream.outputStride / 4, stream.elementSize / 4, unitWords(stream, binding)};
  }
  const KeptLists lists = keptLists(frame, layout_, {nullptr, 0, lists_, keptBytes()});
  arguments.frame.indices = lists.indices.address;
  arguments.frame.bucketCounts = lists.bucketCounts.address;
}

cuda::Arguments CudaSchedule::arguments(const Frame& frame) const {
  cuda::Arguments arguments = constant_;
  static_cast<FramePart&>(arguments.frame) = makeFramePart(layout_, frame, inputOf(frame));
  if (layout_.needsViews()) {
    std::copy_n(frame.views.begin(), frame.viewCount + frame.morePlanesCount, arguments.frame.views);
  }
  arguments.frame.chunkCount = chunkCount(frame);
  if (layout_.isSparse()) arguments.sparseBuckets = sparseBuckets(frame);
  arguments.candidateTiles = candidateTiles(frame);
  std::copy(frame.predicateState.begin(), frame.predicateState.end(), arguments.predicate);
  if (!layout_.streams.empty()) setStreams(frame, arguments);
  return arguments;
}

cuda::Arguments CudaSchedule::findingArguments(const Frame& frame, cuda::Arguments arguments) {
  std::copy_n(frame.occlusion.begin(), frame.viewCount, arguments.frame.occlusion);
  return arguments;
}

CudaLaunches CudaSchedule::launches(const Frame& frame) const {
  CudaLaunches launches{};
  const auto add = [&](CudaLaunch launch) {
    launch.block = blockOf(launch.kernel);
    launches.items[launches.count++] = launch;
  };
  if (layout_.findsVisible && sluReadsVisible(frame.occlusionPhase)) add(findingLaunch(frame));
  const CudaLaunches compacting = compactingLaunches(frame);
  for (std::uint32_t i = 0; i < compacting.count; ++i) add(compacting.items[i]);
  if (!layout_.streams.empty()) add(gatheringLaunch(frame));
  return launches;
}

// Launches a block per tile. Blocks find the bounds of a large frame's records once for all views. In other frames more
// blocks are faster.
CudaLaunch CudaSchedule::findingLaunch(const Frame& frame) const {
  const std::uint32_t tiles = divideUp(frame.recordCount, rowOf(CudaKernel::findVisible).tileRecords);
  const bool isLarge = (frame.viewCount - 1) * bytesOfView(layout_, frame) >= viewsFrom_;
  return {CudaKernel::findVisible, std::max(tiles, 1u), isLarge ? 1 : frame.viewCount};
}

// Launches a block per chunk of kept places that there may be, unless these are many: blocks go over them.
CudaLaunch CudaSchedule::gatheringLaunch(const Frame& frame) const {
  const std::uint32_t chunks = mostGatheredChunks(layout_, frame.recordCount);
  return {CudaKernel::gatherStreams, std::min(chunks, kWaves * residentBlocks_), frame.viewCount};
}

CudaLaunches CudaSchedule::compactingLaunches(const Frame& frame) const {
  if (passesPipe(frame)) {
    const std::uint32_t tiles = divideUp(frame.recordCount, rowOf(*pipedKernel_).tileRecords);
    return {{{{*pipedKernel_, std::clamp(tiles, 1u, residentPipes_), frame.viewCount}}}, 1};
  }
  if (readsOnceForAllViews(frame)) {
    CudaLaunches launches = countedLaunches(*rowOf(*viewsKernel_).counter, *viewsKernel_, frame, 1);
    const std::uint32_t chunks = chunkCount(frame);
    const std::uint32_t records = divideUp(divideUp(frame.recordCount, viewsTileRecords_), chunks) * viewsTileRecords_;
    launches.items[launches.count - 1].x =
        divideUp(chunks, std::clamp(cuda::kViewsStepRecords / std::max(records, 1u), 1u, chunks));
    return launches;
  }
  if (counter_) return countedLaunches(*counter_, kernel_, frame, frame.viewCount);
  const CudaKernel kernel = candidateTiles(frame) != 0 ? *candidatesKernel_ : kernel_;
  CudaLaunches launches = {{{{kernel, blockCount(frame), frame.viewCount}}}, 1};
  const auto add = [&](const CudaLaunch& launch) { launches.items[launches.count++] = launch; };
  if (layout_.isSparse()) {
    const std::uint32_t chunks = cuda::sparseChunkCount(sparseBuckets(frame));
    add({CudaKernel::sumSparse, chunks, frame.viewCount});
    add({CudaKernel::placeSparse, chunks, frame.viewCount});
  } else if (layout_.publishesApart()) {
    add({CudaKernel::publishCounted, 1, frame.viewCount});
  }
  if (listsRanked()) add(emittingLaunch(frame));
  return launches;
}

// Returns how many buckets of a sparse plan the frame's records may have: those of its meshes, and as many of records that
// mirror.
std::uint32_t CudaSchedule::sparseBuckets(const Frame& frame) const {
  const std::uint32_t keys = layout_.hasMeshes() ? frame.meshCount : layout_.key.keyCount;
  return keys * layout_.key.lodCount * (layout_.splitsMirrored ? 2 : 1);
}

// Launches a block for as many entries as a list may have at most. If these are many, blocks go over them.
CudaLaunch CudaSchedule::emittingLaunch(const Frame& frame) const {
  const std::uint32_t blocks = std::max(divideUp(frame.recordCount, cuda::kRankedEntries), 1u);
  return {CudaKernel::emitRanked, std::min(blocks, kEmittingWaves * residentBlocks_), frame.viewCount};
}

// countedViews: in how many views the counting kernel is launched.
CudaLaunches CudaSchedule::countedLaunches(CudaKernel counter, CudaKernel kernel, const Frame& frame,
                                           std::uint32_t countedViews) const {
  const std::uint32_t chunks = chunkCount(frame);
  CudaLaunches launches{};
  const auto add = [&](const CudaLaunch& launch) { launches.items[launches.count++] = launch; };
  add({counter, chunks, countedViews});
  add({CudaKernel::scanBuckets, layout_.bucketCount(), frame.viewCount});
  if (layout_.publishesApart()) add({CudaKernel::publishCounted, 1, frame.viewCount});
  add({kernel, chunks, frame.viewCount});
  return launches;
}

std::vector<CudaKernel> CudaSchedule::kernels() const {
  std::vector<CudaKernel> all = {kernel_};
  if (layout_.findsVisible) all.push_back(CudaKernel::findVisible);
  if (counter_) all.insert(all.end(), {*counter_, CudaKernel::scanBuckets});
  if (layout_.isSparse()) {
    all.insert(all.end(), {CudaKernel::sumSparse, CudaKernel::placeSparse});
  } else if (layout_.publishesApart()) {
    all.push_back(CudaKernel::publishCounted);
  }
  if (listsRanked()) all.push_back(CudaKernel::emitRanked);
  if (pipedKernel_) all.push_back(*pipedKernel_);
  if (candidatesKernel_) all.push_back(*candidatesKernel_);
  if (viewsKernel_) all.insert(all.end(), {*rowOf(*viewsKernel_).counter, CudaKernel::scanBuckets, *viewsKernel_});
  if (!layout_.streams.empty()) all.push_back(CudaKernel::gatherStreams);
  return all;
}

std::vector<CudaKernel> CudaSchedule::evaluatingKernels() const {
  std::vector<CudaKernel> all = kernels();
  std::erase_if(all, [](CudaKernel kernel) { return !evaluates(kernel); });
  return all;
}

}  // namespace slu

// Compacts into several views at once. Each record is read once, however many views there are. Three launches:
// countViews tests the records of a chunk for all views, and writes a ballot per view: a bit per record that says
// whether the view keeps it. scanBuckets finds where each chunk's records go. scatterViews reads the ballots, and of the
// records only what is kept.
#pragma once

#include "../entries/bucketed.cuh"

namespace slu::cuda {

// The policy Live, with keys that are loaded before culling: what one view culls, another may keep.
template <typename Live>
struct ForViews : Live {
  __device__ static __forceinline__ uint keyTime(const PlanConstants& plan) {
    return plan.keyTime == SLU_KEYS_AFTER_CULLING ? SLU_KEYS_AFTER_LIVE : plan.keyTime;
  }
};

constexpr uint kBallotRecords = 32;  // of a word
static_assert(kViewsStepRecords == kThreads * kBallotRecords, "a word of ballots per thread");

// Returns where the ballots of a view begin.
__device__ __forceinline__ uint* ballotsOf(const PlanConstants& plan, uint view) {
  return at<uint>(plan.ballots, static_cast<u64>(view) * plan.ballotWords);
}

// Writes the ballots of the warp's items. Returns how many of them are kept. first: the index of its first record. item
// i of lane l is record 32 * i + l from there on.
template <uint kItems>
__device__ __forceinline__ uint writeBallots(uint* ballots, uint first, uint kept) {
  uint own = 0;
  uint total = 0;
  SLU_UNROLL
  for (uint item = 0; item < kItems; ++item) {
    const uint votes = __ballot_sync(kFullWarp, (kept >> item & 1) != 0);
    if (laneOfWarp() == item) own = votes;
    total += countBits(votes);
  }
  if (laneOfWarp() < kItems) ballots[first / kBallotRecords + laneOfWarp()] = own;
  return total;
}

// Counts the records of a chunk per view and bucket, and writes their ballots. x: chunk. The views times the buckets are
// at most kMaxBuckets.
template <uint kBlocks, typename Live>
__global__ void __launch_bounds__(kThreads, residentBlocks(kBlocks))
    countViews(const __grid_constant__ Arguments arguments) {
  using Test = ForViews<Live>;
  using T = typename Test::Tile;
  static_assert(T::kGroup == 1);
  constexpr uint kItems = T::kItems;
  assumeFlatBlock();
  SLU_SHARED_ARRAY(uint, counters, kMaxBuckets);
  constexpr uint kSlotWords = sizeof(RejectSlot) / sizeof(uint);
  static_assert(SLU_FRAME_VIEWS * kSlotWords <= kThreads);
  SLU_SHARED_ARRAY(uint, rejected, SLU_FRAME_VIEWS * kSlotWords);  // of each view, by SLU_REJECT_*

  const FrameBlock& frame = arguments.frame;
  const PlanConstants& plan = arguments.plan;
  const uint inputs = inputCount(frame);
  const uint segments = frame.viewCount * frame.bucketCount;
  const bool counts = plan.countsRejects != 0;
  for (uint i = threadIdx.x; i < segments; i += kThreads) counters[i] = 0;
  if (threadIdx.x < SLU_FRAME_VIEWS * kSlotWords) rejected[threadIdx.x] = 0;
  __syncthreads();
  uint commonRejects = 0;  // of the thread, by the key, which no view changes
  const ChunkTiles tiles = tilesOfChunk(frame, blockIdx.x, inputs, T::kRecords);
  for (uint tile = tiles.first; tile < tiles.end; ++tile) {
    uint indices[kItems];
    uint keys[kItems] = {};
    indicesOfTile<T>(tile * T::kRecords, indices);
    const uint present = presentItems(indices, inputs);
    const uint live = liveItemsOf<Test>(arguments, indices, inputs, present, keys,
                                        [&](uint, uint failed) { commonRejects += countBits(failed); });
    uint layers[kItems] = {};
    loadLayers<Test>(arguments, indices, live, layers);
    const uint marked = markedItems<Test>(arguments, layers);
    typename Test::Bounds bounds[kItems] = {};
    uint mirrored = 0;
    if (!Test::kIsScene || Test::needsBounds(plan)) {
      mirrored = findBoundsInWorld<Test>(arguments, indices, keys, live, bounds);
    }
    SLU_NO_UNROLL
    for (uint view = 0; view < frame.viewCount; ++view) {
      const auto reject = [&](uint reason, uint failed) {
        if (!counts) return;
        const uint sum = sumOfWarp(countBits(failed));
        if (laneOfWarp() == 0 && sum != 0) atomicAdd(&rejected[view * kSlotWords + reason], sum);
      };
      uint lods = 0;
      uint shown = live;
      dropOtherLayers<Test>(plan, frame.views[view], layers, shown, reject);
      const uint kept = seenItems<Test>(arguments, view, bounds, indices, inputs, marked, keys, shown, lods, reject);
      const uint warpFirst = tile * T::kRecords + T::localOf(0) - laneOfWarp();
      const uint total = writeBallots<kItems>(ballotsOf(plan, view), warpFirst, kept);
      if (frame.bucketCount == 1) {
        if (laneOfWarp() == 0 && total != 0) atomicAdd(&counters[view], total);
        continue;
      }
      SLU_UNROLL
      for (uint item = 0; item < kItems; ++item) {
        if ((kept >> item & 1) == 0) continue;
        const uint lod = lods >> (item * kLodBits) & ((1u << kLodBits) - 1);
        const uint bucket = firstBucketOf(frame, mirrored, item) + sluBucket(keys[item], plan.lodCount, lod);
        atomicAdd(&counters[view * frame.bucketCount + bucket], 1u);
      }
    }
  }
  const uint sum = counts ? sumOfWarp(commonRejects) : 0;
  if (sum != 0 && laneOfWarp() < frame.viewCount) atomicAdd(&rejected[laneOfWarp() * kSlotWords + SLU_REJECT_KEY], sum);
  __syncthreads();
  for (uint i = threadIdx.x; i < segments; i += kThreads) {
    *chunkCounter(frame, i / frame.bucketCount, i % frame.bucketCount, blockIdx.x) = counters[i];
  }
  if (!counts || threadIdx.x >= frame.viewCount) return;
  RejectSlot* slot = at<RejectSlot>(frame.rejected, threadIdx.x * kRejectSlots + blockIdx.x % kRejectSlots);
  SLU_UNROLL
  for (uint reason = SLU_REJECT_NOT_LIVE + 1; reason < kReasons<Test::kIsScene>; ++reason) {
    const uint count = rejected[threadIdx.x * kSlotWords + reason];
    if (count != 0) atomicAdd(&slot->counts[reason], count);
  }
}

// Finds the bucket of a record that the view keeps. If its key or its mesh has changed since it was counted, the bucket
// may be another one, or SLU_DROPPED.
template <typename Test>
__device__ __forceinline__ uint bucketOfKept(const Arguments& arguments, uint view, uint index) {
  const PlanConstants& plan = arguments.plan;
  const uint indices[1] = {index};
  uint keys[1] = {};
  uint known = 1;
  if (plan.keyTime != SLU_KEYS_NONE) {
    Test::loadKeys(arguments, indices, 1, keys);
    known = knownKeys(arguments.frame, 1, keys);
  }
  if (known == 0) return SLU_DROPPED;
  if (arguments.frame.meshLayout.stride != 0 && !sluIsKey(keys[0], meshCountOf(arguments.frame))) return SLU_DROPPED;
  if (plan.lodCount == 1 && (plan.scene & SLU_SCENE_MIRRORS) == 0) return keys[0];
  const SluViewBlock& block = arguments.frame.views[view];
  typename Test::Bounds bounds[1] = {};
  float distances2[1];
  uint lods = 0;
  const uint mirrored = findBoundsInWorld<Test>(arguments, indices, keys, 1, bounds);
  findDistances(block, bounds, distances2);
  if constexpr (Test::kIsScene) {
    constexpr uint kNoInputs = 0;  // countViews has stored the states
    if (chooseLods<Test::kIsAnyScene>(arguments, view, indices, kNoInputs, bounds, distances2, keys, 1, lods) != 0) {
      return SLU_DROPPED;
    }
  } else {
    addLods(block, plan, distances2, lods);
  }
  return firstBucketOf(arguments.frame, mirrored, 0) + sluBucket(keys[0], plan.lodCount, lods);
}

// Returns the tiles of a block of scatterViews, which has as many chunks as fill its step.
__device__ __forceinline__ ChunkTiles tilesOfChunks(const FrameBlock& frame, uint firstChunk, uint chunks, uint inputs,
                                                    uint tileRecords) {
  if (firstChunk >= frame.chunkCount) return {0, 0};
  const uint last = min(firstChunk + chunks, frame.chunkCount) - 1;
  return {tilesOfChunk(frame, firstChunk, inputs, tileRecords).first,
          tilesOfChunk(frame, last, inputs, tileRecords).end};
}

// Emits the kept records of some chunks in record order. x: block, which share the chunks; y: view. scanBuckets has
// written the totals of the buckets, so that the first block can publish, unless a launch has published the view.
template <uint kBlocks, typename Live>
__global__ void __launch_bounds__(kThreads, residentBlocks(kBlocks))
    scatterViews(const __grid_constant__ Arguments arguments) {
  using Test = ForViews<Live>;
  using T = typename Test::Tile;
  using Single = device::Tile<kThreads, 1, 1>;
  assumeFlatBlock();
  SLU_SHARED_ARRAY(uint, counts, Single::kCounts);
  SLU_SHARED_ARRAY(uint, counters, kMaxBuckets);
  SLU_SHARED_ARRAY(unsigned short, list, kViewsStepRecords);
  SLU_SHARED_ARRAY(uint, slots, kThreads);
  SLU_SHARED_ARRAY(uint, totals, 3);

  const FrameBlock& frame = arguments.frame;
  const uint view = blockIdx.y;
  const uint inputs = inputCount(frame);
  const bool isSingle = frame.bucketCount == 1;
  const uint chunks = (frame.chunkCount + gridDim.x - 1) / gridDim.x;  // of the block
  const uint firstChunk = blockIdx.x * chunks;
  const ChunkTiles tiles = tilesOfChunks(frame, firstChunk, chunks, inputs, T::kRecords);
  for (uint bucket = threadIdx.x; bucket < frame.bucketCount; bucket += kThreads) {
    counters[bucket] = tiles.first < tiles.end ? *chunkCounter(frame, view, bucket, firstChunk) : 0;
  }
  __syncthreads();
  uint next = counters[0];  // of the only bucket
  const uint* ballots = ballotsOf(arguments.plan, view);
  const uint end = tiles.end * T::kRecords;
  for (uint step = tiles.first * T::kRecords; step < end; step += kViewsStepRecords) {
    const uint first = step + threadIdx.x * kBallotRecords;
    uint ballot = first < end ? __ldcg(ballots + first / kBallotRecords) : 0;
    uint kept = 0;
    uint place = exclusiveSumOfBlock<kThreads / kWarp>(countBits(ballot), &counts[0], kept);
    for (; ballot != 0; ballot &= ballot - 1) {
      list[place++] = static_cast<unsigned short>(threadIdx.x * kBallotRecords + firstBit(ballot));
    }
    __syncthreads();
    const auto listed = [&](uint k) { return static_cast<uint>(list[k]); };
    if (isSingle) {
      const uint fitting = fittingOf(arguments, next, kept);
      emitTile(
          arguments, view, step, fitting, listed, [&](uint k) { return next + k; }, [] {});
      next += kept;
    }
    for (uint part = 0; part < kept && !isSingle; part += kThreads) {
      const uint k = part + threadIdx.x;
      uint bucket = SLU_DROPPED;
      if (k < kept) bucket = bucketOfKept<Test>(arguments, view, step + listed(k));
      uint rank = 0;
      for (uint turn = 0; turn < kThreads / kWarp; ++turn) {  // so that ranks follow the order of the records
        if (turn == warpOfBlock()) rank = countInBucket(bucket, counters);
        __syncthreads();
      }
      slots[threadIdx.x] = slotInBucket(frame, view, bucket, rank);
      __syncthreads();
      emitTile(
          arguments, view, step, min(kept - part, kThreads), [&](uint i) { return listed(part + i); },
          [&](uint i) { return static_cast<uint>(slots[i]); }, [] {});
    }
  }
  if (blockIdx.x != 0 || publishesApart(frame)) return;
  const auto demandedOf = [&](uint bucket) { return *demandedCounter(frame, view, bucket); };
  publishView<Single, Test::kIsScene>(arguments, view, demandedOf, counts, totals);
}

}  // namespace slu::cuda

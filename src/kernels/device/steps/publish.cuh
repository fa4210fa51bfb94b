// Step 5, publish: clamps the counts of a view, writes draw commands and statistics, and leaves the counters zero for
// the next frame. The block that learns the totals of the view does this.
#pragma once

#include "../steps/meshes.cuh"
#include "../steps/rank.cuh"

namespace slu::cuda {

__device__ __forceinline__ uint inputCount(const FrameBlock& frame) {
  if (frame.liveCount == 0) return frame.recordCount;
  return min(__ldcg(at<const uint>(frame.liveCount)), frame.recordCount);
}

// Returns one of the view's two words that say whether a frame kept many of its records. They choose between two
// algorithms with the same result. Unordered frames read and write the first word, so all blocks that work on the view
// must read it before the last of them publishes. Stable frames take turns: see compactLongStable.
__device__ __forceinline__ uint* keptManyWord(const FrameBlock& frame, uint view, uint turn) {
  return &at<ViewProgress>(frame.progress, view)->keptMany[turn];
}
__device__ __forceinline__ void rememberKept(const FrameBlock& frame, uint view, uint turn, uint demanded) {
  storeRelaxed(keptManyWord(frame, view, turn), demanded > inputCount(frame) / 8 * 3 ? 1 : 0);
}

__device__ __forceinline__ BucketBlock loadBucket(const FrameBlock& frame, uint bucket) {
  return *at<const BucketBlock>(frame.buckets, bucket);
}

// Returns where it is written how many records fit into a packed bucket of the view, and its first output there.
__device__ __forceinline__ uint2* packedPlace(const FrameBlock& frame, uint view, uint bucket) {
  return at<uint2>(frame.places, static_cast<u64>(view) * frame.bucketCount + bucket);
}

// Returns how many records fit into a bucket of the view, and its first output there. Packed buckets are placed by
// publishCounted.
__device__ __forceinline__ uint2 placeOf(const FrameBlock& frame, uint view, uint bucket) {
  if (frame.places != 0) return *packedPlace(frame, view, bucket);
  const BucketBlock block = loadBucket(frame, bucket);
  return {block.capacity, block.firstOutput};
}

// Returns whether a launch of its own publishes the frame.
__device__ __forceinline__ bool publishesApart(const FrameBlock& frame) {
  return frame.places != 0 || frame.groups.count != 0;
}

// Returns where the records of a bucket of the view are counted.
__device__ __forceinline__ uint* demandedCounter(const FrameBlock& frame, uint view, uint bucket) {
  const uint segment = view * frame.bucketCount + bucket;
  const uint sector = segment / kDemandedSectorWords;
  return at<uint>(frame.demanded, sector * demandedSectorStep(frame.bucketCount) + segment % kDemandedSectorWords);
}

// Reasons that kernels of scenes count, and others.
template <bool kIsScene>
constexpr uint kReasons = kIsScene ? SLU_REJECT_COUNT : uint{SLU_REJECT_LOD};

// Adds the warp's rejects to those of the view. Records that are not live are not counted. Before the block publishes
// anything of the tile, a barrier and then makeVisible must follow.
template <bool kIsScene = false>
__device__ __forceinline__ void countRejects(const Arguments& arguments, uint view, uint tile,
                                             const uint (&rejects)[SLU_REJECT_COUNT]) {
  if (arguments.plan.countsRejects == 0) return;
  RejectSlot* slot = at<RejectSlot>(arguments.frame.rejected, view * kRejectSlots + tile % kRejectSlots);
  SLU_UNROLL
  for (uint reason = SLU_REJECT_NOT_LIVE + 1; reason < kReasons<kIsScene>; ++reason) {
    const uint sum = sumOfWarp(rejects[reason]);
    if (laneOfWarp() == 0 && sum != 0) atomicAdd(&slot->counts[reason], sum);
  }
}

// The thread that is about to publish something of the tile calls this, after a barrier. It orders the rejects that the
// block has counted before that.
__device__ __forceinline__ void makeVisible(const Arguments& arguments) {
  if (arguments.plan.countsRejects != 0) __threadfence();
}

// All threads of a block call this after it has seen that the other tiles are done. It can then read the rejects that
// those have counted.
__device__ __forceinline__ void seeCounted(const Arguments& arguments) {
  if (arguments.plan.countsRejects == 0) return;
  __threadfence();
  __syncthreads();
}

// The sums over the buckets of a view.
struct ViewTotals {
  uint demanded;
  uint kept;
  uint drawn;
  uint overflow;
};

// One warp calls this.
template <bool kIsScene = false>
__device__ __forceinline__ void writeStatistics(const Arguments& arguments, uint view, const ViewTotals& totals) {
  const FrameBlock& frame = arguments.frame;
  if ((arguments.plan.outputs & SLU_OUTPUT_STATISTICS_BIT) == 0) return;
  uint* statistics = at<uint>(frame.statistics, 16ull * view);
  if (arguments.plan.rejectReasons != 0) {  // the rest is of the part of the plan that keeps records
    if (laneOfWarp() == 0 && totals.overflow != 0) statistics[4] |= SLU_OVERFLOW_REJECTS_BIT;
    return;
  }
  const uint inputs = inputCount(frame);
  uint notLive = inputs - totals.demanded;
  SLU_UNROLL
  for (uint reason = SLU_REJECT_NOT_LIVE + 1; reason < kReasons<kIsScene>; ++reason) {
    uint count = 0;
    if (arguments.plan.countsRejects != 0) {
      RejectSlot* slot = at<RejectSlot>(frame.rejected, view * kRejectSlots + laneOfWarp());
      count = sumOfWarp(atomicExch(&slot->counts[reason], 0u));
    }
    notLive -= count;
    if (laneOfWarp() == 0) statistics[5 + reason] = count;
  }
  if (laneOfWarp() != 0) return;
  const bool clamped = frame.liveCount != 0 && __ldcg(at<const uint>(frame.liveCount)) > frame.recordCount;
  const uint overflow = totals.overflow | (clamped ? SLU_OVERFLOW_INPUT_BIT : 0);
  statistics[0] = inputs;
  statistics[1] = totals.demanded;
  statistics[2] = totals.kept;
  statistics[3] = totals.drawn;
  if (overflow != 0) statistics[4] |= overflow;
  statistics[5 + SLU_REJECT_NOT_LIVE] = notLive;
  for (uint word = 5 + kReasons<kIsScene>; word < 16; ++word) statistics[word] = 0;
}

__device__ __forceinline__ uint commandsPerView(const FrameBlock& frame) {
  if (frame.sparseBucketCount != 0) return SLU_SPARSE_COMMANDS(frame.sparseBucketCount, frame.outputsPerView);
  return SLU_COMMANDS_PER_VIEW(frame.groups, frame.bucketCount);
}

// Returns where the draw command at a place of the view begins.
__device__ __forceinline__ uint* commandAt(const FrameBlock& frame, uint view, uint place) {
  const uint first = view * commandsPerView(frame);
  return at<uint>(frame.draws, static_cast<u64>(first + place) * frame.draw.stride);
}

__device__ __forceinline__ void writeCommand(const FrameBlock& frame, uint view, uint place, uint bucket,
                                             const BucketBlock& block, uint kept) {
  const DrawBlock& draw = frame.draw;
  const uint scale = SLU_DRAW_SCALE(draw, block.command);
  const uint first = view * frame.outputsPerView + block.firstOutput;
  uint* target = commandAt(frame, view, place);
  for (uint word = 0; word < draw.wordCount; ++word) {
    target[draw.frontWords + word] =
        draw.countWord == SLU_COUNTS_WORKGROUPS
            ? sluWorkgroupWord(word, kept, block.command[0])
            : sluCommandWord(word, block.command[word], draw.countWord, kept, scale, draw.firstWord, first, scale);
  }
  if (draw.frontWords == 0) return;
  target[0] = draw.front == SLU_FRONT_BUCKET   ? bucket
              : draw.front == SLU_FRONT_NUMBER ? place
                                               : block.command[draw.firstWord] + first * scale;
}

__device__ __forceinline__ void clearCommand(const FrameBlock& frame, uint view, uint place) {
  uint* target = commandAt(frame, view, place);
  for (uint word = 0; word < frame.draw.frontWords + frame.draw.wordCount; ++word) target[word] = 0;
}

__device__ __forceinline__ void writeBucketCount(const Arguments& arguments, uint segment, uint demanded, uint kept) {
  if ((arguments.plan.outputs & SLU_OUTPUT_BUCKET_COUNTS_BIT) == 0) return;
  uint* counts = at<uint>(arguments.frame.bucketCounts, 2ull * segment);
  counts[0] = demanded;
  counts[1] = kept;
}

// Publishes a view of a plan with one bucket. One warp calls this. A lane writes each word of the command, without a
// loop, since the frame waits for it. turn: the word of keptManyWord that the frame writes.
template <bool kIsScene = false>
__device__ __forceinline__ void publishByWarp(const Arguments& arguments, uint ofView, uint demanded, uint turn = 0) {
  const FrameBlock& frame = arguments.frame;
  const SingleBucket& bucket = arguments.plan.single;
  const uint outputs = arguments.plan.outputs;
  const uint view = unforeseen(ofView);
  const uint lane = unforeseen(laneOfWarp());
  const uint kept = min(demanded, bucket.capacity);
  const uint drawn = frame.draw.wordCount != 0 && SLU_HAS_DRAW(kept, frame.draw.skipEmpty) ? 1 : 0;
  if ((outputs & SLU_OUTPUT_DRAWS_BIT) != 0 && lane < frame.draw.frontWords + frame.draw.wordCount) {
    const uint number = lane < frame.draw.frontWords ? frame.draw.front : lane - frame.draw.frontWords;
    uint word = 0;  // of the only bucket and command
    if (frame.draw.countWord == SLU_COUNTS_WORKGROUPS && lane >= frame.draw.frontWords) {
      word = sluWorkgroupWord(number, kept, bucket.command[0]);
    } else if (number < SLU_COMMAND_WORDS) {
      word = sluCommandWord(number, bucket.command[number], frame.draw.countWord, kept, bucket.scale,
                            frame.draw.firstWord, view, bucket.viewStep);
    }
    commandAt(frame, view, 0)[lane] = drawn != 0 ? word : 0;
  }
  if ((outputs & SLU_OUTPUT_DRAW_COUNTS_BIT) != 0 && lane == 0) at<uint>(frame.drawCounts)[view] = drawn;
  if (lane == 0) writeBucketCount(arguments, view, demanded, kept);
  if (arguments.plan.adapts != 0 && lane == 0) rememberKept(frame, view, turn, demanded);
  const uint overflow = demanded > kept ? uint{SLU_OVERFLOW_CAPACITY_BIT} : 0u;
  writeStatistics<kIsScene>(arguments, view, {demanded, kept, drawn, overflow});
}

// Returns where the command at a place of a merged plan's view begins.
__device__ __forceinline__ uint* recordCommandAt(const FrameBlock& frame, uint view, uint place) {
  return at<uint>(frame.draws, (static_cast<u64>(view) * frame.outputsPerView + place) * frame.draw.stride);
}

// Publishes a view of a merged plan: the draw count, and zeros behind the commands of the kept records.
template <uint kBlockThreads, bool kIsScene>
__device__ __forceinline__ void publishMerged(const Arguments& arguments, uint view, uint demanded) {
  const FrameBlock& frame = arguments.frame;
  const uint outputs = arguments.plan.outputs;
  const uint capacity = arguments.plan.single.capacity;
  const uint kept = min(demanded, capacity);
  const uint zeros = (outputs & SLU_OUTPUT_DRAWS_BIT) != 0 ? min(frame.zeroCommandCount, capacity - kept) : 0;
  for (u64 i = threadIdx.x; i < zeros; i += kBlockThreads) {
    uint* target = recordCommandAt(frame, view, kept + static_cast<uint>(i));
    for (uint word = 0; word < frame.draw.frontWords + frame.draw.wordCount; ++word) target[word] = 0;
  }
  if (warpOfBlock() != kBlockThreads / kWarp - 1) return;
  const uint drawn = frame.draw.wordCount != 0 ? kept : 0;
  if ((outputs & SLU_OUTPUT_DRAW_COUNTS_BIT) != 0 && laneOfWarp() == 0) at<uint>(frame.drawCounts)[view] = drawn;
  if (laneOfWarp() == 0) writeBucketCount(arguments, view, demanded, kept);  // where further streams need it
  const uint overflow = demanded > kept ? uint{SLU_OVERFLOW_CAPACITY_BIT} : 0u;
  writeStatistics<kIsScene>(arguments, view, {demanded, kept, drawn, overflow});
}

// Publishes a view of a plan with one bucket, or of a merged plan. The whole block calls this. With one bucket its last
// warp does the work.
template <uint kBlockThreads, bool kIsScene, bool kIsMerged = false>
__device__ __forceinline__ void publishSingle(const Arguments& arguments, uint view, uint demanded, uint turn = 0) {
  seeCounted(arguments);
  if constexpr (kIsMerged) return publishMerged<kBlockThreads, kIsScene>(arguments, view, demanded);
  if (warpOfBlock() == kBlockThreads / kWarp - 1) publishByWarp<kIsScene>(arguments, view, demanded, turn);
}

// Loads a bucket, with its place if it is packed. The calling thread has placed it.
__device__ __forceinline__ BucketBlock loadPlaced(const FrameBlock& frame, uint view, uint bucket) {
  BucketBlock block = loadBucket(frame, bucket);
  const uint2 place = placeOf(frame, view, bucket);
  block.capacity = place.x;
  block.firstOutput = place.y;
  return block;
}

// The draws of a view in the order of buckets, which may not be packed. A launch that only publishes has GroupedDraws
// (groups.cuh) instead.
struct PlainDraws {
  static constexpr bool kArePlain = true;
};

// Publishes up to T::kThreads buckets, from firstBucket on, and leaves their counters zero. Without groups, their draw
// commands follow the `drawn` earlier ones without gaps. Returns how many there are.
template <typename T, bool kIsScene, typename DemandedOf, typename Counts, typename Totals, typename Draws>
__device__ uint publishBuckets(const Arguments& arguments, uint view, uint firstBucket, uint drawn,
                               const DemandedOf& demandedOf, Counts& counts, Totals& totals, Draws& drawsOfView) {
  const FrameBlock& frame = arguments.frame;
  const uint bucket = firstBucket + threadIdx.x;
  const bool exists = bucket < frame.bucketCount;
  const uint segment = view * frame.bucketCount + bucket;
  BucketBlock block{};
  uint kept = 0;
  if (exists) {
    block = Draws::kArePlain ? loadBucket(frame, bucket) : loadPlaced(frame, view, bucket);
    const uint demanded = demandedOf(bucket);
    storeRelaxed(demandedCounter(frame, view, bucket), 0);
    kept = min(demanded, block.capacity);
    atomicAdd(&totals[0], demanded);
    atomicAdd(&totals[1], kept);
    if (demanded > kept) atomicOr(&totals[2], SLU_OVERFLOW_CAPACITY_BIT);
    writeBucketCount(arguments, segment, demanded, kept);
  }
  if (frame.draw.wordCount == 0) return 0;

  if constexpr (!Draws::kArePlain) {
    if (frame.groups.count != 0) {
      const uint place = drawsOfView.place(frame, view, bucket);
      if (place == SLU_DROPPED || (arguments.plan.outputs & SLU_OUTPUT_DRAWS_BIT) == 0) return 0;
      if constexpr (kIsScene) describeDraw(frame, bucket, block);
      writeCommand(frame, view, place, bucket, block, kept);
      return 0;
    }
  }
  const bool draws = exists && SLU_HAS_DRAW(kept, frame.draw.skipEmpty);
  uint rowRanks[T::kRows];
  const uint count = rankTile<T>(draws ? 1u : 0u, rowRanks, counts);
  if (draws && (arguments.plan.outputs & SLU_OUTPUT_DRAWS_BIT) != 0) {
    if constexpr (kIsScene) describeDraw(frame, bucket, block);
    writeCommand(frame, view, drawn + rowRanks[0], bucket, block, kept);
  }
  return count;
}

// Publishes a view of a plan with several buckets. The whole block calls this after a barrier. demandedOf(bucket): how
// many of its records pass. totals: three words of shared memory.
template <typename T, bool kIsScene = false, typename DemandedOf, typename Counts, typename Totals,
          typename Draws = const PlainDraws>
__device__ void publishView(const Arguments& arguments, uint view, const DemandedOf& demandedOf, Counts& counts,
                            Totals& totals, Draws& draws = PlainDraws{}) {
  const FrameBlock& frame = arguments.frame;
  const uint outputs = arguments.plan.outputs;
  seeCounted(arguments);
  if (threadIdx.x < 3) totals[threadIdx.x] = 0;
  __syncthreads();
  uint drawn = 0;
  bool areGrouped = false;
  if constexpr (!Draws::kArePlain) {
    areGrouped = frame.groups.count != 0;
    if (areGrouped) draws.begin(frame, view, demandedOf, totals);
  }
  for (uint bucket = 0; bucket < frame.bucketCount; bucket += T::kThreads) {
    drawn += publishBuckets<T, kIsScene>(arguments, view, bucket, drawn, demandedOf, counts, totals, draws);
    __syncthreads();
  }
  if constexpr (!Draws::kArePlain) {
    if (areGrouped) drawn = draws.end(arguments, view);
  }
  if ((outputs & SLU_OUTPUT_DRAWS_BIT) != 0 && (!areGrouped || frame.groups.capacity == 0)) {
    for (uint place = drawn + threadIdx.x; place < frame.bucketCount; place += T::kThreads) {
      clearCommand(frame, view, place);
    }
  }
  if (threadIdx.x == 0 && (outputs & SLU_OUTPUT_DRAW_COUNTS_BIT) != 0 && !areGrouped) {
    at<uint>(frame.drawCounts)[view] = drawn;
  }
  if (warpOfBlock() == 0) {
    writeStatistics<kIsScene>(arguments, view, {totals[0], totals[1], drawn, totals[2]});
  }
}

}  // namespace slu::cuda

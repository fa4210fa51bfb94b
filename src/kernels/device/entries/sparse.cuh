// Places the buckets of sparse plans (PlanLayout), which are too many for one block. The two launches run between
// rankBuckets and emitRanked. They evaluate nothing, so only the library compiles them.
//
// A frame looks at the buckets that its records may have. sumSparse adds up what is demanded of each chunk of them, and
// placeSparse places a chunk behind the chunks before it.
#pragma once

#include "../entries/emit_ranked.cuh"
#include "../entries/scan.cuh"

namespace slu::cuda {

// Returns the i-th bucket that the frame looks at. Those of records that mirror follow the others.
__device__ __forceinline__ uint sparseBucket(const Arguments& arguments, uint i) {
  const uint mirroredFirst = arguments.frame.mirroredFirst;
  const uint half = arguments.sparseBuckets / 2;
  return mirroredFirst != 0 && i >= half ? mirroredFirst + (i - half) : i;
}

// Returns where it is written how many records a chunk of buckets demands, and how many of its buckets are not empty.
__device__ __forceinline__ uint2* sparseSum(const PlanConstants& plan, uint view, uint chunk) {
  return at<uint2>(plan.sparseSums, view * kMostSparseChunks + chunk);
}

// Adds up a chunk of buckets. x: chunk, y: view.
template <uint>
__global__ void __launch_bounds__(kThreads) sumSparse(const __grid_constant__ Arguments arguments) {
  constexpr uint kWarps = kThreads / kWarp;
  assumeFlatBlock();
  SLU_SHARED_ARRAY(uint, sums, kWarps);
  SLU_SHARED_ARRAY(uint, drawSums, kWarps);

  const uint view = blockIdx.y;
  const uint begin = blockIdx.x * sparseChunkBuckets(arguments.sparseBuckets);
  const uint end = min(begin + sparseChunkBuckets(arguments.sparseBuckets), arguments.sparseBuckets);
  uint own = 0;
  uint ownDraws = 0;
  for (uint first = begin + threadIdx.x; first < end; first += kSparseRound) {
    uint counts[kSparseItems];
    SLU_UNROLL
    for (uint item = 0; item < kSparseItems; ++item) {
      const uint i = first + item * kThreads;
      counts[item] = i < end ? __ldcg(sparseCounter(arguments.frame, view, sparseBucket(arguments, i))) : 0;
    }
    SLU_UNROLL
    for (uint item = 0; item < kSparseItems; ++item) {
      own += counts[item];
      ownDraws += counts[item] != 0 ? 1 : 0;
    }
  }
  uint demanded = 0;
  uint draws = 0;
  exclusiveSumOfBlock<kWarps>(own, &sums[0], demanded);
  exclusiveSumOfBlock<kWarps>(ownDraws, &drawSums[0], draws);
  if (threadIdx.x == 0) *sparseSum(arguments.plan, view, blockIdx.x) = {demanded, draws};
}

// What the chunks before the block's own demand, how many of their buckets are not empty, and what all chunks demand.
struct SparseSums {
  uint before;
  uint drawsBefore;
  uint demanded;
};

// All threads of the block call this. sums: three words of shared memory per warp.
template <typename Sums>
__device__ __forceinline__ SparseSums addSparseSums(const Arguments& arguments, uint view, Sums& sums) {
  constexpr uint kWarps = kThreads / kWarp;
  const uint chunkCount = sparseChunkCount(arguments.sparseBuckets);
  SparseSums own{};
  for (uint chunk = threadIdx.x; chunk < chunkCount; chunk += kThreads) {
    const uint2 sum = __ldcg(sparseSum(arguments.plan, view, chunk));
    own.demanded += sum.x;
    if (chunk >= blockIdx.x) continue;
    own.before += sum.x;
    own.drawsBefore += sum.y;
  }
  SparseSums all{};
  exclusiveSumOfBlock<kWarps>(own.before, &sums[0], all.before);
  exclusiveSumOfBlock<kWarps>(own.drawsBefore, &sums[kWarps], all.drawsBefore);
  exclusiveSumOfBlock<kWarps>(own.demanded, &sums[2 * kWarps], all.demanded);
  return all;
}

// Publishes a view: all but its commands. The whole block calls this.
__device__ __forceinline__ void publishSparse(const Arguments& arguments, uint view, uint demanded, uint drawn) {
  const FrameBlock& frame = arguments.frame;
  const uint outputs = arguments.plan.outputs;
  const uint kept = min(demanded, frame.outputsPerView);
  if ((outputs & SLU_OUTPUT_DRAWS_BIT) != 0) {
    const uint zeros = min(frame.zeroCommandCount, commandsPerView(frame) - drawn);
    for (u64 i = threadIdx.x; i < zeros; i += kThreads) clearCommand(frame, view, drawn + static_cast<uint>(i));
  }
  if (threadIdx.x == 0) {
    closeList(frame, view);
    if ((outputs & SLU_OUTPUT_DRAW_COUNTS_BIT) != 0) at<uint>(frame.drawCounts)[view] = drawn;
    writeBucketCount(arguments, view, demanded, kept);  // of the whole view, where further streams need it
  }
  const uint overflow = demanded > kept ? uint{SLU_OVERFLOW_CAPACITY_BIT} : 0u;
  if (warpOfBlock() == 0) writeStatistics<true>(arguments, view, {demanded, kept, drawn, overflow});
}

// Places a chunk of buckets, writes the commands of those that keep records, and leaves their counters zero. x: chunk, y:
// view. The block with the last command publishes, or the first block if there is none.
template <uint>
__global__ void __launch_bounds__(kThreads) placeSparse(const __grid_constant__ Arguments arguments) {
  constexpr uint kWarps = kThreads / kWarp;
  assumeFlatBlock();
  SLU_SHARED_ARRAY(uint, sums, 3 * kWarps);
  SLU_SHARED_ARRAY(uint, ofBlock, 1);  // how many commands the view has, if the block knows

  const FrameBlock& frame = arguments.frame;
  const uint view = blockIdx.y;
  const bool writesDraws = (arguments.plan.outputs & SLU_OUTPUT_DRAWS_BIT) != 0;
  if (blockIdx.x != 0 && sparseSum(arguments.plan, view, blockIdx.x)->x == 0) return;
  SparseSums all = addSparseSums(arguments, view, sums);
  const uint kept = min(all.demanded, frame.outputsPerView);
  if (threadIdx.x == 0) ofBlock[0] = blockIdx.x == 0 && kept == 0 ? 0 : SLU_DROPPED;
  const uint begin = blockIdx.x * sparseChunkBuckets(arguments.sparseBuckets);
  const uint end = min(begin + sparseChunkBuckets(arguments.sparseBuckets), arguments.sparseBuckets);
  for (uint round = begin; round < end; round += kSparseRound) {
    const uint ownBegin = round + threadIdx.x * kSparseItems;
    const uint ownEnd = min(ownBegin + kSparseItems, end);
    uint own = 0;
    uint ownDraws = 0;
    SLU_UNROLL
    for (uint item = 0; item < kSparseItems; ++item) {
      const uint i = ownBegin + item;
      const uint count = i < end ? *sparseCounter(frame, view, sparseBucket(arguments, i)) : 0;
      own += count;
      ownDraws += count != 0 ? 1 : 0;
    }
    uint first = exclusiveSumOfBlock<kWarps>(own, &sums[0], all.before);
    uint place = exclusiveSumOfBlock<kWarps>(ownDraws, &sums[kWarps], all.drawsBefore);
    SLU_NO_UNROLL
    for (uint i = ownBegin; i < ownEnd && ownDraws != 0; ++i) {
      const uint bucket = sparseBucket(arguments, i);
      const uint count = *sparseCounter(frame, view, bucket);
      if (count == 0) continue;
      *sparseCounter(frame, view, bucket) = 0;
      *sparseFirst(arguments, view, bucket) = first;
      if (first < kept) {
        if (writesDraws) {
          BucketBlock block = loadBucket(frame, 0);
          block.firstOutput = first;
          describeDraw(frame, bucket, block);
          writeCommand(frame, view, place, bucket, block, min(count, kept - first));
        }
        ++place;
        if (count >= kept - first) ofBlock[0] = place;
      }
      first += count;
    }
  }
  __syncthreads();
  const uint drawn = ofBlock[0];
  if (drawn != SLU_DROPPED) publishSparse(arguments, view, all.demanded, frame.draw.wordCount != 0 ? drawn : 0);
}

}  // namespace slu::cuda

// Step 5, publish: the last block of the frame clamps the counts, writes draw commands and statistics, and leaves the
// counters zero for the next frame.
#pragma once

#include "arguments.h"
#include "rank.cuh"

namespace slu::cuda {

__device__ __forceinline__ uint inputCount(const FrameBlock& frame) {
  if (frame.liveCount == 0) return frame.recordCount;
  return min(__ldcg(at<const uint>(frame.liveCount)), frame.recordCount);
}

__device__ __forceinline__ BucketBlock loadBucket(const FrameBlock& frame, uint bucket) {
  return *at<const BucketBlock>(frame.buckets, bucket);
}

__device__ __forceinline__ void writeCommand(const DrawBlock& draw, uint* target, const BucketBlock& block, uint kept,
                                             uint firstOutput) {
  const uint scale = draw.scaleWord == SLU_DROPPED ? 1 : block.command[draw.scaleWord];
  for (uint word = 0; word < draw.wordCount; ++word) {
    uint value = block.command[word];
    if (word == draw.countWord) value = kept * scale;
    if (word == draw.firstWord) value += firstOutput * scale;
    target[word] = value;
  }
}

struct ViewTotals {
  uint demanded;
  uint kept;
  uint overflow;
};

// Takes the buckets' counters, and moves the draws of up to T::kThreads buckets together behind the `drawn` before
// them. Returns their number.
template <typename T, typename Counts, typename Totals>
__device__ uint publishBuckets(const Arguments& arguments, uint view, uint firstBucket, uint drawn, Counts& counts,
                               Totals& totals) {
  const FrameBlock& frame = arguments.frame;
  const uint bucket = firstBucket + threadIdx.x;
  const bool exists = bucket < frame.bucketCount;
  const uint segment = view * frame.bucketCount + bucket;
  BucketBlock block{};
  uint kept = 0;
  if (exists) {
    block = loadBucket(frame, bucket);
    const uint demanded = atomicExch(at<uint>(frame.demanded, segment), 0u);
    kept = min(demanded, block.capacity);
    atomicAdd(&totals[0], demanded);
    atomicAdd(&totals[1], kept);
    if (demanded > kept) atomicOr(&totals[2], SLU_OVERFLOWS_CAPACITY);
    if ((arguments.plan.outputs & SLU_WRITES_BUCKET_COUNTS) != 0) {
      at<uint>(frame.bucketCounts, 2ull * segment)[0] = demanded;
      at<uint>(frame.bucketCounts, 2ull * segment)[1] = kept;
    }
  }
  if (frame.draw.wordCount == 0) return 0;

  const bool draws = exists && (kept > 0 || frame.draw.skipEmpty == 0);
  uint rowRanks[T::kRows];
  const uint count = rankTile<T>(draws ? 1u : 0u, rowRanks, counts);
  if (draws && (arguments.plan.outputs & SLU_WRITES_DRAWS) != 0) {
    const u64 place = view * frame.bucketCount + drawn + rowRanks[0];
    writeCommand(frame.draw, at<uint>(frame.draws, place * frame.draw.stride), block, kept,
                 view * frame.outputsPerView + block.firstOutput);
  }
  return count;
}

template <typename T, typename Counts, typename Totals>
__device__ void publishView(const Arguments& arguments, uint view, Counts& counts, Totals& totals) {
  const FrameBlock& frame = arguments.frame;
  const uint outputs = arguments.plan.outputs;
  if (threadIdx.x == 0) {
    const bool clamped = frame.liveCount != 0 && __ldcg(at<const uint>(frame.liveCount)) > frame.recordCount;
    totals[0] = 0;
    totals[1] = 0;
    totals[2] = clamped ? SLU_OVERFLOWS_INPUT : 0;
  }
  __syncthreads();
  uint drawn = 0;
  for (uint bucket = 0; bucket < frame.bucketCount; bucket += T::kThreads) {
    drawn += publishBuckets<T>(arguments, view, bucket, drawn, counts, totals);
    __syncthreads();
  }
  if ((outputs & SLU_WRITES_DRAWS) != 0) {
    for (uint place = drawn + threadIdx.x; place < frame.bucketCount; place += T::kThreads) {
      uint* target = at<uint>(frame.draws, static_cast<u64>(view * frame.bucketCount + place) * frame.draw.stride);
      for (uint word = 0; word < frame.draw.wordCount; ++word) target[word] = 0;
    }
  }
  if (threadIdx.x == 0) {
    if ((outputs & SLU_WRITES_DRAW_COUNTS) != 0) at<uint>(frame.drawCounts)[view] = drawn;
    if ((outputs & SLU_WRITES_STATISTICS) != 0) {
      uint* statistics = at<uint>(frame.statistics, 16ull * view);
      statistics[0] = inputCount(frame);
      statistics[1] = totals[0];
      statistics[2] = totals[1];
      statistics[3] = drawn;
      statistics[4] |= totals[2];
      for (uint reason = 0; reason < SLU_REJECTS_COUNT; ++reason) {
        statistics[5 + reason] = atomicExch(at<uint>(frame.rejected, view * SLU_REJECTS_COUNT + reason), 0u);
      }
      for (uint word = 5 + SLU_REJECTS_COUNT; word < 16; ++word) statistics[word] = 0;
    }
  }
  __syncthreads();
}

// Ends a block of the frame; in the block that arrives last everything the others wrote and counted is visible.
template <typename T, typename Counts, typename Totals>
__device__ void publishLast(const Arguments& arguments, Counts& counts, Totals& totals) {
  Progress* progress = at<Progress>(arguments.frame.ticket);
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    const uint before = atomicAdd(&progress->arrived, 1u);
    totals[0] = before + 1 == gridDim.x * gridDim.y ? 1 : 0;
  }
  __syncthreads();
  const bool isLast = totals[0] != 0;
  __syncthreads();
  if (!isLast) return;
  __threadfence();
  for (uint view = 0; view < arguments.frame.viewCount; ++view) publishView<T>(arguments, view, counts, totals);
  if (threadIdx.x == 0) {
    progress->arrived = 0;
    progress->epoch = (progress->epoch + 1) & kEpochMask;
    for (uint view = 0; view < arguments.frame.viewCount; ++view) progress->tiles[view] = 0;
  }
}

}  // namespace slu::cuda

// The launches between those that count and those that write records. They evaluate nothing, so only the library
// compiles them.
#pragma once

#include "../entries/bucketed.cuh"
#include "../steps/groups.cuh"

namespace slu::cuda {

// Replaces each chunk's count of a bucket by how many records the chunks before it keep, and writes the bucket's total.
// x: bucket, y: view. Like countBuckets it needs no launch bound.
template <uint>
__global__ void __launch_bounds__(kThreads) scanBuckets(const __grid_constant__ Arguments arguments) {
  SLU_SHARED_ARRAY(uint, warpSums, kThreads / kWarp);

  const FrameBlock& frame = arguments.frame;
  uint* row = chunkCounter(frame, blockIdx.y, blockIdx.x, 0);
  uint carried = 0;
  for (uint firstChunk = 0; firstChunk < frame.chunkCount; firstChunk += kThreads) {
    const uint chunk = firstChunk + threadIdx.x;
    const uint count = chunk < frame.chunkCount ? row[chunk] : 0;
    const uint before = exclusiveSumOfBlock<kThreads / kWarp>(count, &warpSums[0], carried);
    if (chunk < frame.chunkCount) row[chunk] = before;
    __syncthreads();
  }
  if (threadIdx.x == 0) *demandedCounter(frame, blockIdx.y, blockIdx.x) = carried;
}

// Places the packed buckets of a view one behind the other, each with as much room as is left for what it demands.
// sums: a word of shared memory per warp.
template <typename T, typename Sums>
__device__ __forceinline__ void packBuckets(const FrameBlock& frame, uint view, Sums& sums) {
  uint carried = 0;
  for (uint firstBucket = 0; firstBucket < frame.bucketCount; firstBucket += T::kThreads) {
    const uint bucket = firstBucket + threadIdx.x;
    const uint demanded = bucket < frame.bucketCount ? *demandedCounter(frame, view, bucket) : 0;
    const uint before = exclusiveSumOfBlock<T::kWarps>(demanded, &sums[0], carried);
    const uint first = min(before, frame.outputsPerView);
    const uint end = min(before + demanded, frame.outputsPerView);
    if (bucket < frame.bucketCount) *packedPlace(frame, view, bucket) = {end - first, first};
    __syncthreads();
  }
}

// Says how many records a view's list has, and leaves its progress zero. Plans that scatter have no list.
__device__ __forceinline__ void closeList(const FrameBlock& frame, uint view) {
  ViewProgress* progress = at<ViewProgress>(frame.progress, view);
  progress->listed = static_cast<uint>(progress->word);
  progress->word = 0;
}

// Publishes a view of a plan with packed buckets, groups of draws or both. y: view. It is for all plans, also those of
// scenes.
template <uint>
__global__ void __launch_bounds__(kPublishThreads) publishCounted(const __grid_constant__ Arguments arguments) {
  using T = device::Tile<kPublishThreads, 1, 1>;
  constexpr bool kIsScene = true;
  assumeFlatBlock();
  SLU_SHARED_ARRAY(uint, sums, T::kWarps);
  SLU_SHARED_ARRAY(uint, counts, T::kCounts);
  SLU_SHARED_ARRAY(uint, totals, 3);
  SLU_SHARED_ARRAY(uint, next, T::kThreads);
  SLU_SHARED_ARRAY(uint, ofThreads, T::kThreads);

  const FrameBlock& frame = arguments.frame;
  const uint view = blockIdx.y;
  if (frame.places != 0) {
    if (threadIdx.x == 0) closeList(frame, view);
    packBuckets<T>(frame, view, sums);
  }
  const auto demandedOf = [&](uint bucket) { return *demandedCounter(frame, view, bucket); };
  GroupedDraws<T, decltype(next), decltype(sums)> draws(next, ofThreads, sums);
  publishView<T, kIsScene>(arguments, view, demandedOf, counts, totals, draws);
}

}  // namespace slu::cuda

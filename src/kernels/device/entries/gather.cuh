// The launch behind the one that compacts, of plans with further streams. It evaluates nothing, so only the library
// compiles it.
#pragma once

#include "../steps/publish.cuh"

namespace slu::cuda {

// Where the kept records of a bucket lie: the first place within the view, and how many there are.
struct BucketPlaces {
  uint first;
  uint count;
};

__device__ __forceinline__ BucketPlaces keptPlacesOf(const FrameBlock& frame, uint view, uint bucket) {
  const uint2 place = placeOf(frame, view, bucket);
  const u64 segment = static_cast<u64>(view) * frame.bucketCount + bucket;
  const uint kept = __ldcg(at<const uint>(frame.bucketCounts, 2 * segment + 1));
  return {place.y, min(kept, place.x)};
}

// Copies the elements of up to kGatherPlaces places in units of one type. A thread copies the same part of every step-th
// element, and has kGatherUnits of them in flight. list[k]: which element belongs to the k-th place, or SLU_DROPPED.
template <typename Unit, typename List>
__device__ __forceinline__ void gatherElements(const StreamBlock& stream, u64 firstPlace, uint count,
                                               const List& list) {
  const uint unitsPerElement = stream.elementWords / (sizeof(Unit) / 4);
  const uint step = kThreads / unitsPerElement;  // elements that the block copies at a time
  const uint first = threadIdx.x / unitsPerElement;
  const uint part = threadIdx.x - first * unitsPerElement;
  const u64 inputBytes = 4ull * stream.inputWords, outputBytes = 4ull * stream.outputWords;
  const u64 from = reinterpret_cast<u64>(at<const Unit>(stream.input, part));
  const u64 to = reinterpret_cast<u64>(at<Unit>(stream.output, part)) + firstPlace * outputBytes;
  // The last threads may have no part.
  for (uint next = first < step ? first : count; next < count; next += kGatherUnits * step) {
    Unit units[kGatherUnits] = {};
    uint elements[kGatherUnits];
    SLU_UNROLL
    for (uint i = 0; i < kGatherUnits; ++i) {
      const uint place = next + i * step;
      elements[i] = SLU_DROPPED;
      if (place < count) elements[i] = list[place];
    }
    SLU_UNROLL
    for (uint i = 0; i < kGatherUnits; ++i) {
      if (elements[i] != SLU_DROPPED) units[i] = __ldg(reinterpret_cast<const Unit*>(from + elements[i] * inputBytes));
    }
    SLU_UNROLL
    for (uint i = 0; i < kGatherUnits; ++i) {
      if (elements[i] != SLU_DROPPED) *reinterpret_cast<Unit*>(to + (next + i * step) * outputBytes) = units[i];
    }
  }
}

// Copies the elements of all streams for up to kGatherPlaces places. The whole block calls this. list: as many words of
// shared memory. Indices are judged, since a host may bind them, and nothing in memory is trusted.
template <typename List>
__device__ __forceinline__ void gatherPlaces(const Arguments& arguments, u64 firstPlace, uint count, List& list) {
  const FrameBlock& frame = arguments.frame;
  __syncthreads();  // the list of earlier places is not read any more
  const uint* indices = at<const uint>(frame.indices, firstPlace);
  for (uint k = threadIdx.x; k < count; k += kThreads) {
    const uint index = __ldcg(indices + k);
    list[k] = index < frame.recordCount ? index : SLU_DROPPED;
  }
  __syncthreads();
  for (uint i = 0; i < arguments.streamCount; ++i) {
    const StreamBlock& stream = arguments.streams[i];
    if (stream.unitWords == 4) {
      gatherElements<uint4>(stream, firstPlace, count, list);
    } else if (stream.unitWords == 2) {
      gatherElements<uint2>(stream, firstPlace, count, list);
    } else {
      gatherElements<uint>(stream, firstPlace, count, list);
    }
  }
}

// Returns the first of the buckets whose chunks end behind the chunk. ends: of kThreads buckets, ascending; the last one
// lies behind it.
template <typename Ends>
__device__ __forceinline__ uint bucketOfChunk(const Ends& ends, uint chunk) {
  uint bucket = 0;
  for (uint step = kThreads / 2; step > 0; step /= 2) {
    if (ends[bucket + step - 1] <= chunk) bucket += step;
  }
  return bucket;
}

// Copies the elements of further streams. The kept places of each bucket are divided into chunks of kGatherPlaces, which
// the blocks of a view share. Every block counts the chunks, of kThreads buckets at a time. y: view.
template <uint kBlocks>
__global__ void __launch_bounds__(kThreads, residentBlocks(kBlocks))
    gatherStreams(const __grid_constant__ Arguments arguments) {
  assumeFlatBlock();
  SLU_SHARED_ARRAY(uint, warpSums, kThreads / kWarp);
  SLU_SHARED_ARRAY(uint, ends, kThreads);
  SLU_SHARED_ARRAY(uint, list, kGatherPlaces);

  const FrameBlock& frame = arguments.frame;
  const uint view = blockIdx.y;
  const u64 viewFirst = static_cast<u64>(view) * frame.outputsPerView;
  uint chunk = blockIdx.x;  // the next one of the block
  uint before = 0;          // the chunks of earlier buckets
  for (uint firstBucket = 0; firstBucket < frame.bucketCount; firstBucket += kThreads) {
    const uint own = firstBucket + threadIdx.x;
    const uint kept = own < frame.bucketCount ? keptPlacesOf(frame, view, own).count : 0;
    const uint chunks = (kept + (kGatherPlaces - 1)) / kGatherPlaces;
    uint carried = before;
    const uint ownFirst = exclusiveSumOfBlock<kThreads / kWarp>(chunks, &warpSums[0], carried);
    ends[threadIdx.x] = ownFirst + chunks;
    __syncthreads();
    for (; chunk < carried; chunk += gridDim.x) {
      const uint local = bucketOfChunk(ends, chunk);
      const uint first = (chunk - (local == 0 ? before : static_cast<uint>(ends[local - 1]))) * kGatherPlaces;
      const BucketPlaces places = keptPlacesOf(frame, view, firstBucket + local);
      // The count may have changed, since a host may bind it, too.
      const uint count = first < places.count ? min(places.count - first, kGatherPlaces) : 0;
      gatherPlaces(arguments, viewFirst + places.first + first, count, list);
    }
    before = carried;
  }
}

}  // namespace slu::cuda

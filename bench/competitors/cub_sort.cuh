// The kernels before and after CUB's sort of keys and indices; see cub_sort.cu. The key of a live record is its bucket.
// The key of a dead one is the number after the last bucket, so that the dead end up last.
#pragma once

#include <cstdint>

#ifndef __CUDACC__
#include "simt/cuda_on_cpu.h"  // the tests compile the kernels for the CPU
#endif

#include "workload/frame.h"

namespace bench {

// The narrower, the less there is to sort. Below compute capability 9.0 CUB's single-pass kernels take 32 bits at
// least, and these are sorted by slower ones.
using SortKey = uint16_t;

constexpr uint32_t kSortThreads = 256;

// Returns how many bits keys up to bucketCount have.
inline int sortKeyBits(uint32_t bucketCount) {
  int bits = 0;
  while (bucketCount >> bits != 0) ++bits;
  return bits;
}

// A thread per record.
template <typename LiveTest>
__global__ void __launch_bounds__(kSortThreads)
    writeSortKeys(LiveTest isLive, const uint32_t* records, uint32_t recordCount, uint32_t recordWords,
                  uint32_t bucketCount, SortKey* keys) {
  const uint64_t i = uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < recordCount) keys[i] = static_cast<SortKey>(isLive(i) ? records[i * recordWords + 1] : bucketCount);
}

// Returns how many keys are less than the bucket.
__device__ inline uint32_t countKeysBelow(uint32_t bucket, const SortKey* sortedKeys, uint32_t recordCount) {
  uint32_t begin = 0;
  uint32_t end = recordCount;
  while (begin < end) {
    const uint32_t middle = begin + (end - begin) / 2;
    if (sortedKeys[middle] < bucket)
      begin = middle + 1;
    else
      end = middle;
  }
  return begin;
}

// Where buckets lie, and where their draws go.
struct SortedBuckets {
  uint32_t count;
  uint32_t capacity;     // of each; 0 if they are packed, as the sort leaves them
  uint32_t perGroup;     // buckets of a group of draws
  uint32_t* drawCounts;  // of the groups, 0 when the kernel begins; null without groups

  __device__ uint32_t first(uint32_t bucket, uint32_t sortedFirst) const {
    return capacity == 0 ? sortedFirst : bucket * capacity;
  }
};

// The bounds of each bucket by binary search, as in Thrust's examples of histograms of what is sorted; a thread per
// bucket. Draws of a group come in any order.
__global__ void __launch_bounds__(kSortThreads)
    findBuckets(const SortKey* sortedKeys, uint32_t recordCount, SortedBuckets buckets, uint32_t* firsts,
                DrawCommand* draws) {
  const uint32_t bucket = blockIdx.x * blockDim.x + threadIdx.x;
  if (bucket >= buckets.count) return;
  const uint32_t first = countKeysBelow(bucket, sortedKeys, recordCount);
  const uint32_t end = countKeysBelow(bucket + 1, sortedKeys, recordCount);
  firsts[bucket] = first;
  uint32_t place = bucket;
  if (buckets.drawCounts != nullptr) {
    if (first == end) return;
    const uint32_t group = bucket / buckets.perGroup;
    place = group * buckets.perGroup + atomicAdd(&buckets.drawCounts[group], 1u);
  }
  draws[place] = {kDrawVertexCount, end - first, 0, buckets.first(bucket, first)};
}

// A row of threads copies a record; each thread copies one chunk.
template <typename ChunkType>
struct RecordChunks {
  using Chunk = ChunkType;
  const Chunk* records;

  __device__ Chunk operator()(uint32_t record) const { return records[uint64_t{record} * blockDim.x + threadIdx.x]; }
};

// One thread writes the index of a record.
struct RecordIndex {
  using Chunk = uint32_t;

  __device__ uint32_t operator()(uint32_t record) const { return record; }
};

// A row of the block's threads per record.
template <typename Chunks>
__global__ void __launch_bounds__(kSortThreads)
    gatherSorted(Chunks chunks, const SortKey* sortedKeys, const uint32_t* sortedIndices, uint32_t recordCount,
                 const uint32_t* firsts, SortedBuckets buckets, typename Chunks::Chunk* output) {
  const uint64_t i = uint64_t{blockIdx.x} * blockDim.y + threadIdx.y;
  if (i >= recordCount || sortedKeys[i] == buckets.count) return;
  const uint32_t bucket = sortedKeys[i];
  const uint64_t element = buckets.capacity == 0 ? i : uint64_t{bucket} * buckets.capacity + (i - firsts[bucket]);
  output[element * blockDim.x + threadIdx.x] = chunks(sortedIndices[i]);
}

}  // namespace bench

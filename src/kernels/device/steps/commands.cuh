// A part of step 4, emit: writes a draw command for each kept record of a merged plan.
#pragma once

#include "../steps/publish.cuh"

namespace slu::cuda {

// An entry of a merged plan's list: the record's bucket above its index within the tile.
__device__ __forceinline__ uint entryOf(uint bucket, uint local) { return bucket << SLU_LOCAL_BITS | local; }
__device__ __forceinline__ uint bucketOfEntry(uint entry) { return entry >> SLU_LOCAL_BITS; }
__device__ __forceinline__ uint localOfEntry(uint entry) { return entry & ((1u << SLU_LOCAL_BITS) - 1u); }

// Words of shared memory in which each warp stages the commands of 32 records, so that its stores are dense.
constexpr uint kMostCommandWords = 1 + SLU_COMMAND_WORDS;
constexpr uint kStagedCommandWords = kThreads * kMostCommandWords;

// Writes the words of a record's command to `staged`, from `at` on. place: of the record within the view.
template <bool kIsScene, typename Staged>
__device__ __forceinline__ void stageCommand(const FrameBlock& frame, uint bucket, uint index, uint place, uint at,
                                             Staged& staged) {
  const DrawBlock& draw = frame.draw;
  BucketBlock block{};
  if (kIsScene && frame.meshLayout.stride != 0) {
    describeDraw(frame, bucket, block);
  } else {
    block = loadBucket(frame, bucket);
  }
  uint inFront = draw.front == SLU_FRONT_RECORD ? index : draw.front == SLU_FRONT_BUCKET ? bucket : place;
  SLU_UNROLL
  for (uint word = 0; word < SLU_COMMAND_WORDS; ++word) {
    if (word >= draw.wordCount) continue;
    const uint value = sluCommandWord(word, block.command[word], draw.countWord, 1, 1, draw.firstWord, index, 1);
    staged[at + draw.frontWords + word] = value;
    if (word == draw.front) inFront = value;
  }
  if (draw.frontWords != 0) staged[at] = inFront;
}

// Writes the commands of a tile's kept records, the first of them to place `first` of the view. All threads of the
// block call this. list(k): the entry of the k-th record. offsetOf(entry): how far from tileBase its record lies. staged:
// kStagedCommandWords words of shared memory, of which each warp uses its own.
template <bool kIsScene, typename List, typename OffsetOf, typename Staged>
__device__ __forceinline__ void emitCommands(const Arguments& arguments, uint view, uint tileBase, uint first,
                                             uint kept, const List& list, const OffsetOf& offsetOf, Staged& staged) {
  const FrameBlock& frame = arguments.frame;
  if ((arguments.plan.outputs & SLU_OUTPUT_DRAWS_BIT) == 0) return;
  const uint words = frame.draw.frontWords + frame.draw.wordCount;  // 4 to 6
  // i * reciprocal >> 16 is i / words for all i below 32 * 6: the product is too large by less than 2^16 / 6.
  const uint reciprocal = ((1u << 16) + words - 1) / words;
  const uint ownFirst = warpOfBlock() * kWarp * kMostCommandWords;
  for (uint part = warpOfBlock() * kWarp; part < kept; part += kThreads) {
    const uint count = min(kept - part, kWarp);
    if (laneOfWarp() < count) {
      const uint k = part + laneOfWarp();
      const uint entry = list(k);
      stageCommand<kIsScene>(frame, bucketOfEntry(entry), tileBase + offsetOf(entry), first + k,
                             ownFirst + laneOfWarp() * words, staged);
    }
    __syncwarp();
    uint* target = recordCommandAt(frame, view, first + part);
    for (uint i = laneOfWarp(); i < count * words; i += kWarp) {
      const uint k = i * reciprocal >> 16;
      target[static_cast<u64>(k) * frame.draw.stride + (i - k * words)] = staged[ownFirst + i];
    }
    __syncwarp();
  }
}

}  // namespace slu::cuda

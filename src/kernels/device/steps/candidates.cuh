// A part of step 1, in any order: of frames that test occlusion, bits drop most records. So a block goes over several
// tiles at a time, and lists the records that the bits do not drop, its candidates. Threads then test these, where most
// would have nothing to do if each had its own records. What is kept is listed in their place.
#pragma once

#include "../steps/evaluate.cuh"
#include "../steps/reserve.cuh"

namespace slu::cuda {

constexpr uint kNoRecord = ~0u;  // an index that no frame has

// Appends the entries of the thread's items of `flags` to a list. Warps do it in the order in which they arrive. count: a
// word of shared memory, of how many entries the list has.
template <typename Entry, uint kItems, typename List>
__device__ __forceinline__ void appendItems(uint flags, const uint (&entries)[kItems], List& list,
                                            SLU_SHARED_POINTER(uint) count) {
  uint total = 0;
  SLU_UNROLL
  for (uint item = 0; item < kItems; ++item) total += countBits(__ballot_sync(kFullWarp, (flags >> item & 1) != 0));
  uint next = 0;
  if (laneOfWarp() == 0 && total != 0) next = atomicAdd(count, total);
  next = __shfl_sync(kFullWarp, next, 0);
  SLU_UNROLL
  for (uint item = 0; item < kItems; ++item) {
    const uint votes = __ballot_sync(kFullWarp, (flags >> item & 1) != 0);
    const uint place = next + countBits(votes & lanesBelow());
    if ((flags >> item & 1) != 0) list[place] = static_cast<Entry>(entries[item]);
    next += countBits(votes);
  }
}

// What a block goes over at a time: a tile, or of frames with candidates several, which lie evenly apart, so that blocks
// have about as many candidates each.
template <typename T, typename Test>
class Batches {
 public:
  static constexpr bool kListsCandidates = Test::kListsCandidates;
  static constexpr uint kMostRecords = (kListsCandidates ? kCandidateTiles : 1) * T::kRecords;

  __device__ __forceinline__ Batches(const Arguments& arguments, uint inputs)
      : count_(tileCountOf(inputs, (kListsCandidates ? arguments.candidateTiles : 1) * T::kRecords)) {}

  __device__ __forceinline__ uint count() const { return count_; }
  // Returns the first record of a batch.
  __device__ __forceinline__ uint begin(uint batch) const { return batch * T::kRecords; }
  // Returns how far from there the record with a number within the batch lies.
  __device__ __forceinline__ uint offsetOf(uint local) const {
    if constexpr (!kListsCandidates) return local;
    return local % T::kRecords + local / T::kRecords * (count_ * T::kRecords);
  }

 private:
  uint count_;
};

// Lists the candidates of a batch by their numbers within it, and returns how many there are. count: a word of shared
// memory that is 0. All threads of the block call this, which contains two barriers.
template <typename T, typename Entry, typename Batches, typename List>
__device__ __forceinline__ uint listCandidates(const Arguments& arguments, uint view, uint inputs,
                                               const Batches& batches, uint batch, List& list,
                                               SLU_SHARED_POINTER(uint) count) {
  constexpr uint kRows = kCandidateTiles * T::kItems;  // of 32 records, that a warp has
  static_assert(T::kGroup == 1);
  uint locals[kRows];
  uint indices[kRows];
  SLU_UNROLL
  for (uint row = 0; row < kRows; ++row) {
    const uint tile = row / T::kItems;
    locals[row] = tile * T::kRecords + T::localOf(row % T::kItems);
    indices[row] = tile < arguments.candidateTiles ? batches.begin(batch) + batches.offsetOf(locals[row]) : kNoRecord;
  }
  const uint present = presentItems(indices, inputs);
  const uint unseen = surelyUnseen<kRows>(arguments.frame, loadSights(arguments.frame, view, indices, present));
  __syncthreads();
  appendItems<Entry>(present & ~unseen, locals, list, count);
  __syncthreads();
  return *count;
}

// Calls use(indices, locals) for each part of a batch that the block tests at once, with the thread's records and their
// numbers within the batch; of records that do not exist, with kNoRecord. After a barrier, use may write as many of the
// first entries of the list as records were tested so far. count: as for listCandidates. All threads of the block call this.
template <typename T, typename Entry, typename Batches, typename List, typename Use>
__device__ __forceinline__ void forParts(const Arguments& arguments, uint view, uint inputs, const Batches& batches,
                                         uint batch, List& list, SLU_SHARED_POINTER(uint) count, const Use& use) {
  uint indices[T::kItems];
  uint locals[T::kItems];
  if constexpr (Batches::kListsCandidates) {
    const uint candidates = listCandidates<T, Entry>(arguments, view, inputs, batches, batch, list, count);
    SLU_NO_UNROLL
    for (uint first = 0; first < candidates; first += T::kRecords) {
      SLU_UNROLL
      for (uint item = 0; item < T::kItems; ++item) {
        const uint place = first + T::localOf(item);
        locals[item] = place < candidates ? list[place] : 0;
        indices[item] = place < candidates ? batches.begin(batch) + batches.offsetOf(locals[item]) : kNoRecord;
      }
      use(indices, locals);
    }
  } else {
    indicesOfTile<T>(0, locals);
    indicesOfTile<T>(batches.begin(batch), indices);
    use(indices, locals);
  }
}

// The words of shared memory by which listKept lists.
struct Listed {
  static constexpr uint kCandidates = 0, kKept = 1, kWords = 2;
};

// Lists what is kept of a batch. Returns how many records that are. evaluate(indices, locals, rejects): returns which of the
// thread's items are kept, and replaces their numbers by their entries. words: Listed::kWords of shared memory. The first
// barrier in it comes before the list is written, and the last one after that.
template <typename T, typename Test, typename Entry, typename List, typename Words, typename Evaluate>
__device__ __forceinline__ uint listKept(const Arguments& arguments, uint view, uint inputs,
                                         const Batches<T, Test>& batches, uint batch, List& list, Words& words,
                                         const Evaluate& evaluate) {
  if (threadIdx.x < Listed::kWords) words[threadIdx.x] = 0;
  const auto test = [&](const uint(&indices)[T::kItems], uint(&locals)[T::kItems]) {
    uint rejects[SLU_REJECT_COUNT] = {};  // which nobody counts
    const uint kept = evaluate(indices, locals, rejects);
    __syncthreads();
    appendItems<Entry>(kept, locals, list, &words[Listed::kKept]);
  };
  forParts<T, Entry>(arguments, view, inputs, batches, batch, list, &words[Listed::kCandidates], test);
  __syncthreads();
  return words[Listed::kKept];
}

}  // namespace slu::cuda

// The part of cooperative groups that the kernels use, on the simt executor.
#pragma once

#include <bit>

#include "simt/cuda_on_cpu.h"

namespace cooperative_groups {

class thread_block {
 public:
  void sync(simt::Site site = simt::Site::here()) const { __syncthreads(site); }
  unsigned size() const { return simt::blockThreads(); }
  unsigned num_threads() const { return size(); }
  unsigned thread_rank() const { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
  uint3 thread_index() const { return threadIdx; }
  uint3 group_index() const { return blockIdx; }
};

inline thread_block this_thread_block() { return {}; }

// What tiles and coalesced groups have in common; a rank counts the mask's lanes from the lowest.
class LaneGroup {
 public:
  explicit LaneGroup(unsigned mask) : mask_(mask) {}

  unsigned size() const { return static_cast<unsigned>(std::popcount(mask_)); }
  unsigned num_threads() const { return size(); }
  unsigned thread_rank() const { return static_cast<unsigned>(std::popcount(mask_ & ((1u << simt::laneIndex()) - 1))); }

  void sync(simt::Site site = simt::Site::here()) const { __syncwarp(mask_, site); }
  unsigned ballot(int predicate, simt::Site site = simt::Site::here()) const {
    return ranks(__ballot_sync(mask_, predicate, site));
  }
  int any(int predicate, simt::Site site = simt::Site::here()) const { return __any_sync(mask_, predicate, site); }
  int all(int predicate, simt::Site site = simt::Site::here()) const { return __all_sync(mask_, predicate, site); }
  template <simt::Shuffled T>
  unsigned match_any(T value, simt::Site site = simt::Site::here()) const {
    return ranks(__match_any_sync(mask_, value, site));
  }
  template <simt::Shuffled T>
  T shfl(T value, unsigned rank, simt::Site site = simt::Site::here()) const {
    return __shfl_sync(mask_, value, lane(rank % size()), warpSize, site);
  }
  template <simt::Shuffled T>
  T shfl_up(T value, unsigned delta, simt::Site site = simt::Site::here()) const {
    const unsigned rank = thread_rank();
    return __shfl_sync(mask_, value, lane(rank >= delta ? rank - delta : rank), warpSize, site);
  }
  template <simt::Shuffled T>
  T shfl_down(T value, unsigned delta, simt::Site site = simt::Site::here()) const {
    const unsigned rank = thread_rank();
    return __shfl_sync(mask_, value, lane(delta < size() - rank ? rank + delta : rank), warpSize, site);
  }

 private:
  int lane(unsigned rank) const {
    unsigned rest = mask_;
    for (unsigned i = 0; i < rank; ++i) rest &= rest - 1;
    return std::countr_zero(rest);
  }
  unsigned ranks(unsigned lanes) const {
    unsigned result = 0;
    for (unsigned rank = 0; rank < size(); ++rank) result |= (lanes >> lane(rank) & 1) << rank;
    return result;
  }

  unsigned mask_;
};

template <unsigned Size>
class thread_block_tile : public LaneGroup {
  static_assert(std::has_single_bit(Size) && Size <= 32);

 public:
  explicit thread_block_tile(unsigned rankInBlock)
      : LaneGroup((0xffffffffu >> (32 - Size)) << (rankInBlock % 32 / Size * Size)), index_(rankInBlock / Size) {}

  unsigned meta_group_rank() const { return index_; }
  unsigned meta_group_size() const { return (simt::blockThreads() + Size - 1) / Size; }
  template <simt::Shuffled T>
  T shfl_xor(T value, unsigned bits, simt::Site site = simt::Site::here()) const {
    return shfl(value, thread_rank() ^ bits, site);
  }

 private:
  unsigned index_;
};

template <unsigned Size>
thread_block_tile<Size> tiled_partition(const thread_block& block) {
  return thread_block_tile<Size>(block.thread_rank());
}

using coalesced_group = LaneGroup;

inline coalesced_group coalesced_threads(simt::Site site = simt::Site::here()) {
  return coalesced_group(__activemask(site));
}

}  // namespace cooperative_groups

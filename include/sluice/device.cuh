// Warp-aggregated building blocks for your own CUDA kernels: counters, lists, histograms, sums by key, and the places
// of a block's survivors. Many threads that want one address share an atomic.
//
// Header-only, C++17, no includes: compiles with nvcc and, as it stands, with NVRTC, for sm_75 and newer. Examples are
// in docs/guide/device.md.
//
// Who must call. Warp-level functions take `lanes`, the lanes of the warp that call together: bit i for lane i, the
// caller's own included. All of them must make the same call at the same place in the code, with the same mask;
// different groups of a warp may call at once with masks that do not overlap. Where `lanes` has the default
// __activemask(), leave it out and call from any subset of a warp: in divergent branches, in loops of different length,
// after other lanes have exited, in blocks that do not fill their last warp. The default names the lanes that happen to
// run together: should a warp be split more than its branches ask for, there are more atomics, with results that are as
// right. Where you know the mask, pass it. Lanes of one call must name the same counter or array.
//
// Blocks may have one, two or three dimensions. Lanes and threads count as the hardware does, x fastest.
//
// Memory order: the atomics are relaxed and of device scope, like atomicAdd; nothing else becomes visible by them.
// Order among lanes, where it is promised, is by lane number. Order among warps and blocks is never promised.
//
// Pointers: to global or shared memory; a counter has a type that atomicAdd takes. Sums of unsigned integers wrap.
//
// Costs are per call and warp. V is 1 for values of 4 bytes and 2 for values of 8, the registers that a shuffle moves.
#pragma once

#ifdef __CUDACC__
#define SLU_DEVICE __device__ __forceinline__
#define SLU_DEVICE_UNROLL _Pragma("unroll")
#else  // a host compiler that stands in for the GPU, for tests
#define SLU_DEVICE inline
#define SLU_DEVICE_UNROLL
#endif

namespace slu::device {

constexpr unsigned kWarpLanes = 32;  // of every NVIDIA GPU to date; the masks have no more bits
constexpr unsigned kFullWarp = 0xffffffffu;

template <typename Pointer>
__device__ Pointer pointerOf();  // names a type, has no body
// What atomicAdd returns for a pointer.
template <typename Pointer>
using ValueOf = decltype(atomicAdd(pointerOf<Pointer>(), 0));

// The caller's number within its block.
SLU_DEVICE unsigned threadOfBlock() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }

// From the thread's number, which is at hand, and not from the special registers, which are slow to read.
SLU_DEVICE unsigned laneOfWarp() { return threadOfBlock() % kWarpLanes; }
SLU_DEVICE unsigned lanesBelow() { return (1u << laneOfWarp()) - 1; }

SLU_DEVICE unsigned countLanes(unsigned lanes) { return static_cast<unsigned>(__popc(lanes)); }
SLU_DEVICE unsigned lowestLane(unsigned lanes) { return static_cast<unsigned>(__ffs(static_cast<int>(lanes))) - 1; }
SLU_DEVICE unsigned highestLane(unsigned lanes) {
  return kWarpLanes - 1 - static_cast<unsigned>(__clz(static_cast<int>(lanes)));
}
// How many of the lanes are lower than the caller's.
SLU_DEVICE unsigned rankAmong(unsigned lanes) { return countLanes(lanes & lanesBelow()); }
// Whether the caller speaks for its peers.
SLU_DEVICE bool leads(unsigned peers) { return laneOfWarp() == lowestLane(peers); }

// Associative operations for reducePeers. Of equal operands, or when one is NaN, the last two return the left.
struct Sum {
  template <typename T>
  SLU_DEVICE T operator()(T a, T b) const {
    return a + b;
  }
};
struct Minimum {
  template <typename T>
  SLU_DEVICE T operator()(T a, T b) const {
    return b < a ? b : a;
  }
};
struct Maximum {
  template <typename T>
  SLU_DEVICE T operator()(T a, T b) const {
    return a < b ? b : a;
  }
};

// Adds 1 to *counter for every calling lane; returns what the counter held before the lane's own 1. Lanes of one call
// get consecutive values in lane order.
// Call from any subset of a warp. Cost: 1 atomic, V shuffles.
// After A. Adinets, "CUDA Pro Tip: Optimized Filtering with Warp-Aggregated Atomics", NVIDIA blog, 2014.
template <typename Counter>
SLU_DEVICE ValueOf<Counter> increment(Counter counter, unsigned lanes = __activemask()) {
  using Value = ValueOf<Counter>;
  Value first = 0;
  if (leads(lanes)) first = atomicAdd(counter, static_cast<Value>(countLanes(lanes)));
  first = __shfl_sync(lanes, first, static_cast<int>(lowestLane(lanes)));
  return first + static_cast<Value>(rankAmong(lanes));
}

// The same for a group of cooperative_groups: coalesced_threads(), a tile or any other of at most a warp that has
// thread_rank, size and shfl. This header does not include cooperative_groups.h.
// Call from all threads of the group. Cost: 1 atomic and V shuffles per group.
// After the CUDA C++ Programming Guide, "Cooperative Groups", coalesced groups.
template <typename Group, typename Counter>
SLU_DEVICE ValueOf<Counter> incrementInGroup(const Group& group, Counter counter) {
  using Value = ValueOf<Counter>;
  Value first = 0;
  if (group.thread_rank() == 0) first = atomicAdd(counter, static_cast<Value>(group.size()));
  return group.shfl(first, 0) + static_cast<Value>(group.thread_rank());
}

// The lanes of `lanes` whose key equals the caller's, the caller's included. Keys are numbers of 4 or 8 bytes and are
// compared bit by bit: 0.0f and -0.0f differ.
// Call from all of `lanes`. Cost: 1 match, which the hardware does in time that grows with the distinct keys.
// After the CUDA C++ Programming Guide, "Warp Match Functions" (sm_70 and newer).
template <typename Key>
SLU_DEVICE unsigned peersByKey(unsigned lanes, Key key) {
  return __match_any_sync(lanes, key);
}

// increment(counters + key), for keys that differ between lanes. Lanes of one call and key get consecutive values in
// lane order. Keys as in peersByKey, integers.
// Call from any subset of a warp. Cost: 1 match, 1 atomic per distinct key, V shuffles.
template <typename Counters, typename Key>
SLU_DEVICE ValueOf<Counters> incrementByKey(Counters counters, Key key, unsigned lanes = __activemask()) {
  using Value = ValueOf<Counters>;
  const unsigned peers = peersByKey(lanes, key);
  Value first = 0;
  if (leads(peers)) first = atomicAdd(counters + key, static_cast<Value>(countLanes(peers)));
  first = __shfl_sync(lanes, first, static_cast<int>(lowestLane(peers)));
  return first + static_cast<Value>(rankAmong(peers));
}

// Combines the values of the caller's peers. The lowest peer gets the result, others a part of it.
// peers: a set of lanes as peersByKey returns it: the sets of two lanes are equal or disjoint, and lie in `lanes`.
// operation(a, b) need be associative only: a comes from lower lanes than b. Its grouping is fixed: neighbors among the
// peers in pairs, then pairs of pairs, ((0 1) (2 3)) ((4 5) 6). So a sum of floats, which depends on the grouping, is
// the same whenever the values and the peers are.
// Call from all of `lanes`. Cost: no atomic; per step V shuffles and 2 votes, and 1 vote; the steps are log2 of the
// largest set's size, rounded up.
// After E. Westphal, "Voting and Shuffling to Optimize Atomic Operations", NVIDIA blog, 2015.
template <typename T, typename Operation>
SLU_DEVICE T reducePeers(unsigned lanes, unsigned peers, T value, Operation operation) {
  const unsigned lane = laneOfWarp();
  unsigned above = peers & ~lanesBelow() & ~(1u << lane);  // those whose values are not in `value`
  for (unsigned rank = rankAmong(peers); __any_sync(lanes, above != 0); rank /= 2) {
    const bool stays = rank % 2 == 0;
    const bool combines = stays && above != 0;
    const T next = __shfl_sync(lanes, value, static_cast<int>(combines ? lowestLane(above) : lane));
    if (combines) value = operation(value, next);
    const unsigned staying = __ballot_sync(lanes, stays);
    above = stays ? above & staying : 0;
  }
  return value;
}

// The sum over `lanes`, for the lowest of them; other lanes get any value. Grouped as in reducePeers.
// Call from all of `lanes`. Cost: 1 reduction instruction for int and unsigned on sm_80 and newer, else reducePeers.
template <typename T>
SLU_DEVICE T sumOfLanes(unsigned lanes, T value) {
  return reducePeers(lanes, lanes, value, Sum());
}
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
SLU_DEVICE unsigned sumOfLanes(unsigned lanes, unsigned value) { return __reduce_add_sync(lanes, value); }
SLU_DEVICE int sumOfLanes(unsigned lanes, int value) { return __reduce_add_sync(lanes, value); }
#endif

// The sum over the lower of `lanes`, for integers.
// Call from all of `lanes`. Cost: 5 V shuffles when the lanes are neighbors, as in a full warp; else V + 1 for each
// step, log2 of their number, rounded up.
// After W. D. Hillis and G. L. Steele, "Data Parallel Algorithms", 1986, who also do it on lists, as here with gaps.
template <typename T>
SLU_DEVICE T exclusiveSum(unsigned lanes, T value) {
  static_assert(static_cast<T>(1) / 2 == 0, "exclusiveSum: value must be an integer");
  const unsigned lane = laneOfWarp();
  const unsigned lowest = lowestLane(lanes);
  const unsigned run = lanes >> lowest;
  T sum = value;
  if ((run & (run + 1)) == 0) {
    SLU_DEVICE_UNROLL
    for (unsigned distance = 1; distance < kWarpLanes; distance *= 2) {
      const T lower = __shfl_up_sync(lanes, sum, distance);
      if (lane >= lowest + distance) sum += lower;
    }
    return sum - value;
  }
  const unsigned below = lanes & lanesBelow();
  // The nearest lane whose values are not in `sum`, if any.
  int source = below == 0 ? -1 : static_cast<int>(highestLane(below));
  for (unsigned reach = 1; reach < countLanes(lanes); reach *= 2) {
    const int from = source < 0 ? static_cast<int>(lane) : source;
    const T lower = __shfl_sync(lanes, sum, from);
    const int next = __shfl_sync(lanes, source, from);
    if (source >= 0) sum += lower;
    source = source < 0 ? source : next;
  }
  return sum - value;
}

// Adds every calling lane's own value to *counter, an integer; returns what the counter held before the lane's own
// value: where a lane that takes `value` places may begin. Ranges of one call follow each other in lane order.
// Call from any subset of a warp. Cost: 1 atomic, exclusiveSum, V shuffles.
template <typename Counter>
SLU_DEVICE ValueOf<Counter> add(Counter counter, ValueOf<Counter> value, unsigned lanes = __activemask()) {
  using Value = ValueOf<Counter>;
  static_assert(static_cast<Value>(1) / 2 == 0, "add: counter must point to an integer; accumulate takes floats");
  const Value before = exclusiveSum(lanes, value);
  const unsigned last = highestLane(lanes);
  Value first = 0;
  if (laneOfWarp() == last) first = atomicAdd(counter, before + value);
  return __shfl_sync(lanes, first, static_cast<int>(last)) + before;
}

// Adds every calling lane's own value to *counter and returns nothing, which is cheaper than add. Integers or floats;
// those are grouped as in reducePeers within the warp, while warps add in any order.
// Call from any subset of a warp. Cost: 1 atomic, sumOfLanes.
template <typename Counter>
SLU_DEVICE void accumulate(Counter counter, ValueOf<Counter> value, unsigned lanes = __activemask()) {
  const ValueOf<Counter> sum = sumOfLanes(lanes, value);
  if (leads(lanes)) atomicAdd(counter, sum);
}

// Adds every calling lane's own value to target[key]. Integers or floats; those are grouped as in reducePeers within
// the warp, while warps add in any order. Keys as in peersByKey, integers.
// Call from any subset of a warp. Cost: 1 match, reducePeers, 1 atomic per distinct key: worth it where neighbors often
// share a key, not for keys at random.
template <typename Target, typename Key>
SLU_DEVICE void addByKey(Target target, Key key, ValueOf<Target> value, unsigned lanes = __activemask()) {
  const unsigned peers = peersByKey(lanes, key);
  const ValueOf<Target> sum = reducePeers(lanes, peers, value, Sum());
  if (leads(peers)) atomicAdd(target + key, sum);
}

// The sum over a full warp, for every lane; unsigned integers.
// Call from all lanes. Cost: 1 reduction instruction on sm_80 and newer, else 5 shuffles.
SLU_DEVICE unsigned sumOfWarp(unsigned value) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  return __reduce_add_sync(kFullWarp, value);
#else
  SLU_DEVICE_UNROLL
  for (unsigned distance = kWarpLanes / 2; distance > 0; distance /= 2) {
    value += __shfl_xor_sync(kFullWarp, value, static_cast<int>(distance));
  }
  return value;
#endif
}

// The shape of the items that a block takes at once. Each warp takes Rows rows of 32 * Group neighbors, one row behind
// the other and behind those of the warps before it; a row has Group neighbors for each lane. Bit i of a thread's flags
// stands for position i % Group of its group in row i / Group. One load of Group items is a row.
template <unsigned Threads, unsigned Rows, unsigned Group = 1>
struct Tile {
  static constexpr unsigned kThreads = Threads;
  static constexpr unsigned kRows = Rows;
  static constexpr unsigned kGroup = Group;
  static constexpr unsigned kItems = Rows * Group;  // of a thread
  static constexpr unsigned kRecords = Threads * kItems;
  static constexpr unsigned kWarps = Threads / kWarpLanes;
  static constexpr unsigned kCounts = kWarps;  // words of shared memory that rankTile asks for
  static_assert(Threads % kWarpLanes == 0 && Threads >= kWarpLanes && Threads <= 1024, "Tile: Threads: full warps");
  static_assert(Rows >= 1 && Group >= 1 && kItems <= 32, "Tile: Rows * Group: 1 to 32, the bits of a thread's flags");

  // The first item of the caller's group in a row, and any of its items, as numbers within the tile.
  SLU_DEVICE static unsigned firstOf(unsigned row) {
    const unsigned warp = threadOfBlock() / kWarpLanes;
    return ((warp * Rows + row) * kWarpLanes + laneOfWarp()) * Group;
  }
  SLU_DEVICE static unsigned localOf(unsigned item) { return firstOf(item / Group) + item % Group; }
};

// A thread's part of a ranked tile. Ask for items in unrolled loops: the ranks are registers.
template <typename T>
struct TileRanks {
  unsigned flags;
  unsigned total;           // flagged items of the tile
  unsigned rows[T::kRows];  // ranks of the first position of each group

  SLU_DEVICE bool has(unsigned item) const { return (flags >> item & 1u) != 0; }
  // The flagged items of the tile before this one, in the order of their numbers.
  SLU_DEVICE unsigned of(unsigned item) const {
    const unsigned group = flags >> (item / T::kGroup * T::kGroup);
    return rows[item / T::kGroup] + countLanes(group & ((1u << item % T::kGroup) - 1));
  }
};

// Turns places among the lower lanes of a warp's row into places within the tile T = Tile<...>. For those who rank
// otherwise than by flags, such as several lanes that hold one item between them.
// rows: per row, in: the items of the warp's lower lanes; out: those of the tile before the caller's. totals: the items
// of the warp's rows, the same for all of its lanes. Returns the tile's total. counts: T::kCounts unsigned in shared
// memory, free to be written. No thread may touch them from the call on until the block's next barrier after it, that
// of `reserve` for example. Call from all T::kThreads threads of the block, none of which has exited. Cost: 1 barrier,
// no atomic; per warp sumOfWarp twice, or nothing where T::kGroup > 1.
template <typename T, typename Counts>
SLU_DEVICE unsigned rankRows(const unsigned (&totals)[T::kRows], unsigned (&rows)[T::kRows], Counts counts) {
  const unsigned lane = laneOfWarp();
  const unsigned warp = threadOfBlock() / kWarpLanes;
  unsigned ofWarp = 0;
  SLU_DEVICE_UNROLL
  for (unsigned row = 0; row < T::kRows; ++row) {
    rows[row] += ofWarp;
    ofWarp += totals[row];
  }
  if (lane == 0) counts[warp] = ofWarp;
  __syncthreads();
  // Each warp adds up for itself, which spares a second barrier.
  unsigned before = 0;
  unsigned total = 0;
  if constexpr (T::kGroup > 1) {
    // Fastest, where a thread has registers for all counts.
    SLU_DEVICE_UNROLL
    for (unsigned i = 0; i < T::kWarps; ++i) {
      before = i == warp ? total : before;
      total += counts[i];
    }
  } else {
    const unsigned count = lane < T::kWarps ? static_cast<unsigned>(counts[lane]) : 0;
    before = sumOfWarp(lane < warp ? count : 0);
    total = sumOfWarp(count);
  }
  SLU_DEVICE_UNROLL
  for (unsigned row = 0; row < T::kRows; ++row) rows[row] += before;
  return total;
}

// Ranks the flagged items of a tile T = Tile<...>.
// flags: the caller's; bits from T::kItems up do not matter. counts: as for rankRows.
// Call from all T::kThreads threads of the block, none of which has exited. Cost: that of rankRows, and per warp
// T::kItems ballots, or 6 shuffles where a thread has 2 to 4 rows of 2 to 7 items: these are scanned together.
// Ballots and population counts after M. Harris and M. Garland, "Optimizing Parallel Prefix Operations for the Fermi
// Architecture", GPU Computing Gems Jade Edition, 2011.
template <typename T, typename Counts>
SLU_DEVICE TileRanks<T> rankTile(unsigned flags, Counts counts) {
  TileRanks<T> ranks{flags, 0, {}};
  unsigned totals[T::kRows] = {};
  if constexpr (T::kGroup > 1 && T::kGroup < 8 && T::kRows > 1 && T::kRows <= 4) {
    // A byte per row: 32 lanes of up to 7 items.
    unsigned packed = 0;
    SLU_DEVICE_UNROLL
    for (unsigned row = 0; row < T::kRows; ++row) {
      packed |= countLanes(flags >> (row * T::kGroup) & ((1u << T::kGroup) - 1)) << (8 * row);
    }
    const unsigned below = exclusiveSum(kFullWarp, packed);
    const unsigned all = __shfl_sync(kFullWarp, below + packed, static_cast<int>(kWarpLanes - 1));
    SLU_DEVICE_UNROLL
    for (unsigned row = 0; row < T::kRows; ++row) {
      ranks.rows[row] = below >> (8 * row) & 0xff;
      totals[row] = all >> (8 * row) & 0xff;
    }
  } else {
    SLU_DEVICE_UNROLL
    for (unsigned row = 0; row < T::kRows; ++row) {
      SLU_DEVICE_UNROLL
      for (unsigned i = 0; i < T::kGroup; ++i) {
        const unsigned votes = __ballot_sync(kFullWarp, ranks.has(row * T::kGroup + i));
        ranks.rows[row] += rankAmong(votes);
        totals[row] += countLanes(votes);
      }
    }
  }
  ranks.total = rankRows<T>(totals, ranks.rows, counts);
  return ranks;
}

// Adds count, the same for all threads, to *counter; returns what it held before, or 0 when count is 0: the block's
// first place in an output, to which each item adds its rank.
// slot: one word of the counter's type in shared memory, free to be written. No thread may touch it from the call on
// until the block's next barrier after it, that of rankTile for example.
// Call from all threads of the block, none of which has exited; the block may have any size. Cost: 1 atomic per block,
// none when count is 0; 1 barrier.
template <typename Counter, typename Slot>
SLU_DEVICE ValueOf<Counter> reserve(Counter counter, unsigned count, Slot slot) {
  using Value = ValueOf<Counter>;
  if (threadOfBlock() == 0) slot[0] = count == 0 ? Value(0) : atomicAdd(counter, static_cast<Value>(count));
  __syncthreads();
  return slot[0];
}

}  // namespace slu::device

#undef SLU_DEVICE
#undef SLU_DEVICE_UNROLL

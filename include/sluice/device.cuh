// Warp-aggregated building blocks for your own CUDA kernels: counters, lists, histograms, sums by key, and the places
// of a block's survivors. Many threads that want one address share an atomic.
//
// The header needs no other header and no library. It compiles as C++17 with nvcc, and as it is with NVRTC, for sm_75
// and newer. Examples are in docs/guide/device.md.
//
// Who must call. Warp-level functions take `lanes`, the lanes of the warp that call together: bit i for lane i, the
// caller's own included. All of them must make the same call at the same place in the code, with the same mask.
// Different groups of a warp may call at once with masks that do not overlap. Lanes of one call must name the same
// counter or array.
//
// The default mask. If `lanes` has the default __activemask(), leave it out and call from any subset of a warp: in
// divergent branches, in loops of different length, after other lanes have exited, in blocks that do not fill their
// last warp. The default names the lanes that happen to run together. If a warp is split more than its branches ask
// for, there are more atomics, and the results are as right. Pass the mask if you know it.
//
// Blocks may have one, two or three dimensions. Lanes and threads count as the hardware does, x fastest.
//
// Memory order. The atomics are relaxed and of device scope, like atomicAdd: they make no other write visible. Order
// among lanes, if it is promised, is by lane number. Order among warps and blocks is never promised.
//
// Pointers are to global or shared memory. A counter has a type that atomicAdd takes. Sums of unsigned integers wrap.
//
// Costs are per call and warp. V is the number of registers that a shuffle moves: 1 for values of 4 bytes, 2 for 8.
#pragma once

#ifdef __CUDACC__
#define SLU_DEVICE __device__ __forceinline__
#define SLU_DEVICE_UNROLL _Pragma("unroll")
#else  // tests compile the header for the CPU
#define SLU_DEVICE inline
#define SLU_DEVICE_UNROLL
#endif

namespace slu::device {

constexpr unsigned kWarpLanes = 32;          // lanes of a warp, on every NVIDIA GPU to date; masks have no more bits
constexpr unsigned kFullWarp = 0xffffffffu;  // the mask of all lanes

// Stands for a pointer in ValueOf. It has no body.
// Returns a pointer that atomicAdd takes.
template <typename Pointer>
__device__ Pointer pointerOf();
// What atomicAdd returns for a pointer.
template <typename Pointer>
using ValueOf = decltype(atomicAdd(pointerOf<Pointer>(), 0));

// Numbers the threads of a block, in the order of the hardware.
// Returns the caller's number, from 0 on.
SLU_DEVICE unsigned threadOfBlock() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }

// Numbers the lanes of a warp. It computes the lane from the thread's number, because special registers are slow to
// read.
// Returns the caller's lane, 0 to 31.
SLU_DEVICE unsigned laneOfWarp() { return threadOfBlock() % kWarpLanes; }
// Makes a mask of the lanes below the caller's.
// Returns the mask.
SLU_DEVICE unsigned lanesBelow() { return (1u << laneOfWarp()) - 1; }

// Counts lanes.
// lanes may be empty.
// Returns how many there are.
SLU_DEVICE unsigned countLanes(unsigned lanes) { return static_cast<unsigned>(__popc(lanes)); }
// Finds the first of some lanes.
// lanes must not be empty.
// Returns the lowest lane.
SLU_DEVICE unsigned lowestLane(unsigned lanes) { return static_cast<unsigned>(__ffs(static_cast<int>(lanes))) - 1; }
// Finds the last of some lanes.
// lanes must not be empty.
// Returns the highest lane.
SLU_DEVICE unsigned highestLane(unsigned lanes) {
  return kWarpLanes - 1 - static_cast<unsigned>(__clz(static_cast<int>(lanes)));
}
// Ranks the caller among lanes.
// lanes need not include the caller's.
// Returns how many of them are lower than the caller's.
SLU_DEVICE unsigned rankAmong(unsigned lanes) { return countLanes(lanes & lanesBelow()); }
// Picks one lane that acts for its peers.
// peers is a set of lanes that includes the caller's.
// Returns true for the lowest of them.
SLU_DEVICE bool leads(unsigned peers) { return laneOfWarp() == lowestLane(peers); }

// Adds, for reducePeers.
struct Sum {
  // Adds two values.
  // a comes from lower lanes than b.
  // b comes from higher lanes than a.
  // Returns a + b.
  template <typename T>
  SLU_DEVICE T operator()(T a, T b) const {
    return a + b;
  }
};
// Takes the lesser, for reducePeers.
struct Minimum {
  // Compares two values.
  // a comes from lower lanes than b.
  // b comes from higher lanes than a.
  // Returns the lesser one, or a if they are equal or one is NaN.
  template <typename T>
  SLU_DEVICE T operator()(T a, T b) const {
    return b < a ? b : a;
  }
};
// Takes the greater, for reducePeers.
struct Maximum {
  // Compares two values.
  // a comes from lower lanes than b.
  // b comes from higher lanes than a.
  // Returns the greater one, or a if they are equal or one is NaN.
  template <typename T>
  SLU_DEVICE T operator()(T a, T b) const {
    return a < b ? b : a;
  }
};

// Adds 1 to *counter for every calling lane. Lanes of one call get consecutive values in lane order.
// Call from any subset of a warp. Cost: 1 atomic, V shuffles.
// After A. Adinets, "CUDA Pro Tip: Optimized Filtering with Warp-Aggregated Atomics", NVIDIA blog, 2014.
// counter points to a number.
// lanes call together.
// Returns what the counter held before the lane's own 1.
template <typename Counter>
SLU_DEVICE ValueOf<Counter> increment(Counter counter, unsigned lanes = __activemask()) {
  using Value = ValueOf<Counter>;
  Value first = 0;
  if (leads(lanes)) first = atomicAdd(counter, static_cast<Value>(countLanes(lanes)));
  first = __shfl_sync(lanes, first, static_cast<int>(lowestLane(lanes)));
  return first + static_cast<Value>(rankAmong(lanes));
}

// Adds 1 to *counter for every thread of a group of cooperative_groups. Threads of one call get consecutive values in
// the order of their ranks. This header does not include cooperative_groups.h.
// Call from all threads of the group. Cost: 1 atomic and V shuffles per group.
// After the CUDA C++ Programming Guide, "Cooperative Groups", coalesced groups.
// group is coalesced_threads(), a tile, or any other of at most a warp that has thread_rank, size and shfl.
// counter points to a number.
// Returns what the counter held before the thread's own 1.
template <typename Group, typename Counter>
SLU_DEVICE ValueOf<Counter> incrementInGroup(const Group& group, Counter counter) {
  using Value = ValueOf<Counter>;
  Value first = 0;
  if (group.thread_rank() == 0) first = atomicAdd(counter, static_cast<Value>(group.size()));
  return group.shfl(first, 0) + static_cast<Value>(group.thread_rank());
}

// Finds the lanes that have the caller's key.
// Call from all of `lanes`. Cost: 1 match, which the hardware does in time that grows with the distinct keys.
// After the CUDA C++ Programming Guide, "Warp Match Functions" (sm_70 and newer).
// lanes call together.
// key is a number of 4 or 8 bytes. Keys are compared bit by bit: 0.0f and -0.0f differ.
// Returns those of `lanes` whose key equals the caller's, the caller's own included.
template <typename Key>
SLU_DEVICE unsigned peersByKey(unsigned lanes, Key key) {
  return __match_any_sync(lanes, key);
}

// Adds 1 to counters[key] for every calling lane. Lanes of one call and key get consecutive values in lane order.
// Call from any subset of a warp. Cost: 1 match, 1 atomic per distinct key, V shuffles.
// counters points to the number of key 0.
// key is an integer of 4 or 8 bytes, which may differ between lanes.
// lanes call together.
// Returns what the key's counter held before the lane's own 1.
template <typename Counters, typename Key>
SLU_DEVICE ValueOf<Counters> incrementByKey(Counters counters, Key key, unsigned lanes = __activemask()) {
  using Value = ValueOf<Counters>;
  const unsigned peers = peersByKey(lanes, key);
  Value first = 0;
  if (leads(peers)) first = atomicAdd(counters + key, static_cast<Value>(countLanes(peers)));
  first = __shfl_sync(lanes, first, static_cast<int>(lowestLane(peers)));
  return first + static_cast<Value>(rankAmong(peers));
}

// Combines the values of the caller's peers. The grouping is fixed: neighbors among the peers in pairs, then pairs of
// pairs, ((0 1) (2 3)) ((4 5) 6). A sum of floats depends on the grouping, so it is the same whenever values and peers
// are.
// Call from all of `lanes`. Cost: no atomic; per step V shuffles and 2 votes, and 1 vote more. The steps are log2 of
// the largest set's size, rounded up. After E. Westphal, "Voting and Shuffling to Optimize Atomic Operations", NVIDIA
// blog, 2015.
// lanes call together.
// peers is a set of lanes as peersByKey returns it: the sets of two lanes are equal or disjoint, and lie in `lanes`.
// value is the caller's.
// operation is called as operation(a, b), where a comes from lower lanes than b. It must be associative, and need not
// be commutative. Sum, Minimum and Maximum are such operations.
// Returns the result to the lowest peer, and a part of it to the others.
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

// Sums over `lanes`, grouped as in reducePeers.
// Call from all of `lanes`. Cost: 1 reduction instruction for int and unsigned on sm_80 and newer, else reducePeers.
// lanes call together.
// value is the caller's.
// Returns the sum to the lowest of `lanes`, and any value to the others.
template <typename T>
SLU_DEVICE T sumOfLanes(unsigned lanes, T value) {
  return reducePeers(lanes, lanes, value, Sum());
}
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
// Sums unsigned integers over `lanes`.
// lanes call together.
// value is the caller's.
// Returns the sum, to all of `lanes`.
SLU_DEVICE unsigned sumOfLanes(unsigned lanes, unsigned value) { return __reduce_add_sync(lanes, value); }
// Sums integers over `lanes`.
// lanes call together.
// value is the caller's.
// Returns the sum, to all of `lanes`.
SLU_DEVICE int sumOfLanes(unsigned lanes, int value) { return __reduce_add_sync(lanes, value); }
#endif

// Sums over those of `lanes` that are lower than the caller's.
// Call from all of `lanes`. Cost: 5 V shuffles if the lanes are neighbors, as in a full warp; else V + 1 for each step.
// The steps are log2 of the number of lanes, rounded up.
// After W. D. Hillis and G. L. Steele, "Data Parallel Algorithms", 1986, who also do it on lists, as here with gaps.
// lanes call together.
// value is the caller's, an integer.
// Returns the sum without the caller's own value.
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
  // The nearest lane whose values are not in `sum`; -1 if there is none.
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

// Adds every calling lane's own value to *counter. Ranges of one call follow each other in lane order.
// Call from any subset of a warp. Cost: 1 atomic, exclusiveSum, V shuffles.
// counter points to an integer.
// value is the caller's: how many places the lane takes.
// lanes call together.
// Returns what the counter held before the lane's own value: the first of its places.
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

// Adds every calling lane's own value to *counter, and returns nothing, which is cheaper than add. Floats are grouped
// as in reducePeers within the warp, while warps add in any order.
// Call from any subset of a warp. Cost: 1 atomic, sumOfLanes.
// counter points to an integer or a float.
// value is the caller's.
// lanes call together.
template <typename Counter>
SLU_DEVICE void accumulate(Counter counter, ValueOf<Counter> value, unsigned lanes = __activemask()) {
  const ValueOf<Counter> sum = sumOfLanes(lanes, value);
  if (leads(lanes)) atomicAdd(counter, sum);
}

// Adds every calling lane's own value to target[key]. It pays if neighbors often share a key, and not for keys at
// random. Floats are grouped as in reducePeers within the warp, while warps add in any order.
// Call from any subset of a warp. Cost: 1 match, reducePeers, 1 atomic per distinct key.
// target points to the integer or float of key 0.
// key is an integer of 4 or 8 bytes, which may differ between lanes.
// value is the caller's.
// lanes call together.
template <typename Target, typename Key>
SLU_DEVICE void addByKey(Target target, Key key, ValueOf<Target> value, unsigned lanes = __activemask()) {
  const unsigned peers = peersByKey(lanes, key);
  const ValueOf<Target> sum = reducePeers(lanes, peers, value, Sum());
  if (leads(peers)) atomicAdd(target + key, sum);
}

// Sums unsigned integers over a full warp.
// Call from all lanes. Cost: 1 reduction instruction on sm_80 and newer, else 5 shuffles.
// value is the caller's.
// Returns the sum, to every lane.
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
// the other and behind those of the warps before it. A row has Group neighbors for each lane, so one load of Group
// items is a row. Bit i of a thread's flags is for position i % Group of its group in row i / Group.
template <unsigned Threads, unsigned Rows, unsigned Group = 1>
struct Tile {
  static constexpr unsigned kThreads = Threads;             // threads of the block
  static constexpr unsigned kRows = Rows;                   // rows of a warp
  static constexpr unsigned kGroup = Group;                 // neighbors that a lane has in a row
  static constexpr unsigned kItems = Rows * Group;          // items of a thread
  static constexpr unsigned kRecords = Threads * kItems;    // items of the block
  static constexpr unsigned kWarps = Threads / kWarpLanes;  // warps of the block
  static constexpr unsigned kCounts = kWarps;               // words of shared memory that rankTile needs
  static_assert(Threads % kWarpLanes == 0 && Threads >= kWarpLanes && Threads <= 1024, "Tile: Threads: full warps");
  static_assert(Rows >= 1 && Group >= 1 && kItems <= 32, "Tile: Rows * Group: 1 to 32, the bits of a thread's flags");

  // Finds the caller's items in a row.
  // row is below kRows.
  // Returns the number of the first of them within the tile. The others of the group follow it.
  SLU_DEVICE static unsigned firstOf(unsigned row) {
    const unsigned warp = threadOfBlock() / kWarpLanes;
    return ((warp * Rows + row) * kWarpLanes + laneOfWarp()) * Group;
  }
  // Finds one of the caller's items.
  // item is below kItems: the item's bit in the thread's flags.
  // Returns its number within the tile.
  SLU_DEVICE static unsigned localOf(unsigned item) { return firstOf(item / Group) + item % Group; }
};

// A thread's part of a ranked tile. Ask for items in unrolled loops, so that the ranks stay in registers.
template <typename T>
struct TileRanks {
  unsigned flags;           // the thread's, as rankTile got them
  unsigned total;           // flagged items of the tile
  unsigned rows[T::kRows];  // ranks of the first position of each group

  // Tells whether an item is flagged.
  // item is below T::kItems.
  // Returns true if it is.
  SLU_DEVICE bool has(unsigned item) const { return (flags >> item & 1u) != 0; }
  // Ranks an item among the flagged ones, in the order of their numbers.
  // item is below T::kItems.
  // Returns how many flagged items of the tile come before it.
  SLU_DEVICE unsigned of(unsigned item) const {
    const unsigned group = flags >> (item / T::kGroup * T::kGroup);
    return rows[item / T::kGroup] + countLanes(group & ((1u << item % T::kGroup) - 1));
  }
};

// Turns places among the lower lanes of a warp's row into places within the tile T = Tile<...>. It is for kernels that
// do not rank by flags, for example because several lanes hold one item together.
// Call from all T::kThreads threads of the block, none of which has exited. Cost: 1 barrier, no atomic; per warp
// sumOfWarp twice, or nothing if T::kGroup > 1.
// totals is per row how many items the warp has in it, the same for all of its lanes.
// rows is per row, in: the items of the warp's lower lanes; out: those of the tile before the caller's.
// counts points to T::kCounts unsigned in shared memory. No thread may use them for anything else from the call on
// until the block's next barrier after it, such as that of reserve.
// Returns the items of the tile.
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
  // Each warp adds the counts up for itself, which saves a second barrier.
  unsigned before = 0;
  unsigned total = 0;
  if constexpr (T::kGroup > 1) {
    // This is the fastest if a thread has registers for all counts.
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
// Call from all T::kThreads threads of the block, none of which has exited. Cost: that of rankRows, and per warp
// T::kItems ballots. A thread with 2 to 4 rows of 2 to 7 items scans them together, with 6 shuffles instead of the
// ballots. Ballots and population counts after M. Harris and M. Garland, "Optimizing Parallel Prefix Operations for the
// Fermi Architecture", GPU Computing Gems Jade Edition, 2011.
// flags are the caller's. Bits from T::kItems up do not matter.
// counts points to shared memory, as for rankRows.
// Returns the caller's part of the ranks.
template <typename T, typename Counts>
SLU_DEVICE TileRanks<T> rankTile(unsigned flags, Counts counts) {
  TileRanks<T> ranks{flags, 0, {}};
  unsigned totals[T::kRows] = {};
  if constexpr (T::kGroup > 1 && T::kGroup < 8 && T::kRows > 1 && T::kRows <= 4) {
    // A row has a byte, which holds the items of 32 lanes with up to 7 each.
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

// Reserves places in an output for a block: adds count to *counter. An item's place is the block's first place plus the
// item's rank.
// Call from all threads of the block, none of which has exited. The block may have any size. Cost: 1 atomic per block,
// none if count is 0; 1 barrier.
// counter points to a number.
// count is the same for all threads.
// slot points to a word of the counter's type in shared memory. No thread may use it for anything else from the call on
// until the block's next barrier after it, such as that of rankTile.
// Returns what the counter held before, or 0 if count is 0.
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

// Moves records of 16 bytes into several buckets, in any order (SLU_MOVES_SORTED). Each record is read once. A tile's
// survivors are sorted by bucket in shared memory, and those of a bucket are stored together: stores in input order
// would touch a sector of memory per record. Wider records fill sectors by themselves.
//
// The records of a bucket may be in any order, and so may the buckets of a tile. Counters in shared memory are
// therefore enough, and subgroups exchange nothing.

const bool kSorts = kMoves == SLU_MOVES_SORTED;
const uint kMostRows = 8u;

shared uvec4 sharedRecords[kSorts ? kTile : 1u];  // the survivors in the tile's order
shared uint sharedStaged;                         // how many of them fit
// Per bucket, the difference between the output slot of a record and its place in the tile's order.
shared uint sharedDistances[kSorts ? 1u << kBucketBits : 1u];

uint recordOf(uint row) { return row * SLU_WORKGROUP + laneIndex; }

// Selects a word by comparisons: an index that is not a constant could move the record from registers to memory.
uint keyOf(uvec4 record) {
  uint part = plan.keyOffset;
  uint word = part == 0u ? record.x : part == 1u ? record.y : part == 2u ? record.z : record.w;
  return sluKey(word, plan.keyShift, plan.keyMask);
}

// Computes the buckets of the invocation's records, or SLU_DROPPED.
void evaluateRecords(uvec4 records[kMostRows], out uint buckets[kMostRows]) {
  [[unroll]] for (uint row = 0u; row < kRows; ++row) {
    bool isLive = (liveWordsOf(records[row]) & testedWords(0u)) != 0u;
    uint key = keyOf(records[row]);
    bool isKey = sluIsKey(key, plan.keyCount);
    buckets[row] = isLive && isKey ? key : SLU_DROPPED;
    if (kCountsRejects) rejects[SLU_REJECT_KEY] += uint(isLive && !isKey);
  }
}

// A run is what a tile's order holds of a bucket. A word says where it begins (upper half) and how many records fit
// (lower half).
const uint kRunBits = 16u;
uint runOf(uint start, uint count) { return start << kRunBits | count; }

// Reserves output slots for each bucket, and lays out the runs of the records that fit, in the order in which
// invocations arrive. All loads and atomics are issued before the first result is used.
void reserveRuns(uint view) {
  const uint kShare = kSorts ? max((1u << kBucketBits) / SLU_WORKGROUP, 1u) : 1u;
  const uint kMaxShare = (1u << SLU_COUNTED_BITS) / SLU_WORKGROUP;
  uint counts[kMaxShare];
  uint firsts[kMaxShare];
  uvec2 places[kMaxShare];
  [[unroll]] for (uint i = 0u; i < kShare; ++i) {
    uint bucket = i * SLU_WORKGROUP + laneIndex;
    counts[i] = bucket < 1u << kBucketBits ? sharedBuckets[bucket] : 0u;
  }
  [[unroll]] for (uint i = 0u; i < kShare; ++i) {
    places[i] = uvec2(0u);
    firsts[i] = 0u;
    if (counts[i] != 0u) {
      uint bucket = i * SLU_WORKGROUP + laneIndex;
      places[i] = placeOf(view, bucket);
      firsts[i] = reserve(view, bucket, counts[i]);
    }
  }
  uint fits[kMaxShare];
  uint sum = 0u;
  [[unroll]] for (uint i = 0u; i < kShare; ++i) {
    fits[i] = firsts[i] < places[i].x ? min(counts[i], places[i].x - firsts[i]) : 0u;
    sum += fits[i];
  }
  uint start = sum != 0u ? atomicAdd(sharedStaged, sum) : 0u;
  [[unroll]] for (uint i = 0u; i < kShare; ++i) {
    if (counts[i] != 0u) {
      uint bucket = i * SLU_WORKGROUP + laneIndex;
      sharedBuckets[bucket] = runOf(start, fits[i]);
      sharedDistances[bucket] = places[i].y + firsts[i] - start;
      start += fits[i];
    }
  }
}

// Writes the records that fit to their places in the tile's order. buckets, ranks: of the invocation's records.
void stageRecords(uvec4 records[kMostRows], uint buckets[kMostRows], uint ranks[kMostRows]) {
  [[unroll]] for (uint row = 0u; row < kRows; ++row) {
    if (buckets[row] != SLU_DROPPED) {
      uint run = sharedBuckets[buckets[row]];
      if (ranks[row] < (run & (1u << kRunBits) - 1u)) sharedRecords[(run >> kRunBits) + ranks[row]] = records[row];
    }
  }
}

// Stores the staged records. The key of a record names its bucket, and so gives its slot.
void emitStaged(uint view, uint staged) {
  KeptRecordsPlace target = elementAt(KeptRecordsPlace(frame.keptRecords), view * plan.outputsPerView, 4u);
  uvec4 records[kMostRows];
  uint slots[kMostRows];
  [[unroll]] for (uint row = 0u; row < kRows; ++row) {
    records[row] = uvec4(0u);
    slots[row] = 0u;
    if (recordOf(row) < staged) {
      records[row] = sharedRecords[recordOf(row)];
      slots[row] = recordOf(row) + sharedDistances[keyOf(records[row])];
    }
  }
  [[unroll]] for (uint row = 0u; row < kRows; ++row) {
    if (recordOf(row) < staged) storeUnaligned(elementAt(target, slots[row], 4u), records[row]);
  }
}

// With its last tile the workgroup begins to arrive before it stores. An arrival after the stores would keep the
// workgroup's shared memory until memory has answered all of them.
void compactSorted(uint view, uint tile, uint inputs) {
  bool isLast = isLastTile(tile, inputs);
  uint tileBase = tile * kTile;
  RecordsPlace source = elementAt(RecordsPlace(frame.records), tileBase, 4u);
  uint present = min(inputs - tileBase, kTile);
  uvec4 records[kMostRows];
  [[unroll]] for (uint row = 0u; row < kRows; ++row) {
    records[row] = uvec4(deadWord());
    if (recordOf(row) < present) records[row] = loadUnaligned(elementAt(source, recordOf(row), 4u));
  }
  uint buckets[kMostRows];
  evaluateRecords(records, buckets);

  barrier();  // the counters are zero, and the records of the previous tile have been read
  if (laneIndex == 0u) sharedStaged = 0u;
  if (isLast) joinRejects();
  uint ranks[kMostRows];
  [[unroll]] for (uint row = 0u; row < kRows; ++row) {
    ranks[row] = buckets[row] != SLU_DROPPED ? atomicAdd(sharedBuckets[buckets[row]], 1u) : 0u;
  }
  barrier();
  reserveRuns(view);
  beginLast(view, isLast);
  barrier();
#ifndef SLU_SEVERAL_DISPATCHES
  if (isLast) beginArrival(view);
#endif
  uint staged = sharedStaged;
  stageRecords(records, buckets, ranks);
  barrier();
  beginCounting();
  emitStaged(view, staged);
}

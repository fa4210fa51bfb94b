// Records of 16 bytes that decide for themselves, for one of several buckets too, written as records in any order. Each is
// read once; a tile's survivors are sorted by bucket in shared memory, and those of a bucket leave together: stores of
// records in the order of the input would touch a sector of memory each. Wider records fill sectors by themselves.
//
// No order is asked for, among the records of a bucket or among the buckets of a tile: counters in shared memory give
// both, and subgroups have nothing to tell each other.

const bool kSorts = kMoves == SLU_MOVES_SORTED;
const uint kMostRows = 8u;

shared uvec4 sharedRecords[kSorts ? kTile : 1u];  // the survivors in the tile's order
shared uint sharedStaged;                         // how many there are
// Of a bucket: what its places in the tile's order lack of its output slots.
shared uint sharedDistances[kSorts ? 1u << kBucketBits : 1u];

uint recordOf(uint row) { return row * SLU_WORKGROUP + laneIndex; }

// An index that is no constant could move the record out of the registers.
uint keyOf(uvec4 record) {
  uint part = plan.keyOffset;
  uint word = part == 0u ? record.x : part == 1u ? record.y : part == 2u ? record.z : record.w;
  return sluKey(word, plan.keyShift, plan.keyMask);
}

// Buckets of the invocation's records, or SLU_DROPPED.
void evaluateRecords(uvec4 records[kMostRows], out uint buckets[kMostRows]) {
  [[unroll]] for (uint row = 0u; row < kRows; ++row) {
    bool isLive = (liveWordsOf(records[row]) & testedWords(0u)) != 0u;
    uint key = keyOf(records[row]);
    bool isKey = sluIsKey(key, plan.keyCount);
    buckets[row] = isLive && isKey ? key : SLU_DROPPED;
    if (kCountsRejects) rejects[SLU_REJECT_KEY] += uint(isLive && !isKey);
  }
}

// A bucket's run in the tile's order: where it begins, and how many records fit.
const uint kRunBits = 16u;
uint runOf(uint start, uint count) { return start << kRunBits | count; }

// Takes what each bucket needs of the output, and lays out the runs of those that fit, as invocations come. All
// requests to memory go out before the first answer is used.
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
      places[i] = placeOf(bucket);
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

// buckets and ranks: of the invocation's records.
void stageRecords(uvec4 records[kMostRows], uint buckets[kMostRows], uint ranks[kMostRows]) {
  [[unroll]] for (uint row = 0u; row < kRows; ++row) {
    if (buckets[row] != SLU_DROPPED) {
      uint run = sharedBuckets[buckets[row]];
      if (ranks[row] < (run & (1u << kRunBits) - 1u)) sharedRecords[(run >> kRunBits) + ranks[row]] = records[row];
    }
  }
}

// Writes the staged records. Their keys say where they go.
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

// With its last tile the workgroup begins to arrive: to do so behind the stores would keep its shared memory until
// memory has answered all of them.
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

  barrier();  // the counters are zero, and the tile before has left
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

// Records of 16, 32, 48 and 64 bytes that decide for themselves, for one of several buckets too, written as records in
// any order. Each is read once; a tile's survivors are sorted by bucket in shared memory, and those of a bucket leave
// together: stores of records in the order of the input would touch a sector of memory each.
//
// No order is asked for, among the records of a bucket or among the buckets of a tile: counters in shared memory give
// both, and subgroups have nothing to tell each other.

const bool kSorts = kMoves == SLU_MOVES_SORTED;
const uint kUnitsPerRecord = kSorts ? kRecordWords / 4u : 1u;  // of 16 bytes
const uint kUnits = kSorts ? kRows * kUnitsPerRecord : 1u;     // of an invocation
const uint kMaxUnits = 8u;

shared uvec4 sharedUnits[kSorts ? kTile * kUnitsPerRecord : 1u];  // the survivors in the tile's order
shared uint sharedStaged;                                         // how many there are
// Of a bucket: what its places in the tile's order lack of its output slots.
shared uint sharedDistances[kSorts ? 1u << kBucketBits : 1u];
// Of records that invocations share: what their units say, then their places.
shared uint sharedMembers[kSorts && kUnitsPerRecord > 1u ? kTile : 1u];

uint unitOf(uint i) { return i * SLU_WORKGROUP + laneIndex; }
uint recordOf(uint row) { return row * SLU_WORKGROUP + laneIndex; }

// The key, from the unit that holds it. An index that is no constant could move the unit out of the registers.
uint keyOf(uvec4 unit) {
  uint part = plan.keyOffset % 4u;
  uint word = part == 0u ? unit.x : part == 1u ? unit.y : part == 2u ? unit.z : unit.w;
  return word >> plan.keyShift & plan.keyMask;
}

// What a unit says of its record: whether that is live, and the key, or the number of keys where it is out of range.
// Those of a record are joined by `or`.
const uint kSaysLive = 1u << 31;
uint saidBy(uvec4 unit, uint part) {
  uint said = (liveWordsOf(unit) & testedWords(part * 4u)) != 0u ? kSaysLive : 0u;
  return part == plan.keyOffset / 4u ? said | min(keyOf(unit), plan.keyCount) : said;
}

// Buckets of the invocation's records, or SLU_DROPPED.
void evaluateUnits(uvec4 units[kMaxUnits], out uint buckets[kMaxItems]) {
  uint said[kMaxItems];
  if (kUnitsPerRecord == 1u) {
    [[unroll]] for (uint row = 0u; row < kRows; ++row) said[row] = saidBy(units[row], 0u);
  } else {
    [[unroll]] for (uint row = 0u; row < kRows; ++row) sharedMembers[recordOf(row)] = 0u;
    barrier();
    [[unroll]] for (uint i = 0u; i < kUnits; ++i) {
      atomicOr(sharedMembers[unitOf(i) / kUnitsPerRecord], saidBy(units[i], unitOf(i) % kUnitsPerRecord));
    }
    barrier();
    [[unroll]] for (uint row = 0u; row < kRows; ++row) said[row] = sharedMembers[recordOf(row)];
  }
  [[unroll]] for (uint row = 0u; row < kRows; ++row) {
    bool isLive = (said[row] & kSaysLive) != 0u;
    uint key = said[row] & ~kSaysLive;
    buckets[row] = isLive && key < plan.keyCount ? key : SLU_DROPPED;
    if (kCountsRejects) rejects[SLU_REJECTS_KEY] += uint(isLive && key >= plan.keyCount);
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
      firsts[i] = reserve(view, bucket, 0u, counts[i]);
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
void stageUnits(uvec4 units[kMaxUnits], uint buckets[kMaxItems], uint ranks[kMaxItems]) {
  uint places[kMaxItems];
  [[unroll]] for (uint row = 0u; row < kRows; ++row) {
    places[row] = SLU_DROPPED;
    if (buckets[row] != SLU_DROPPED) {
      uint run = sharedBuckets[buckets[row]];
      if (ranks[row] < (run & (1u << kRunBits) - 1u)) places[row] = (run >> kRunBits) + ranks[row];
    }
  }
  if (kUnitsPerRecord == 1u) {
    [[unroll]] for (uint row = 0u; row < kRows; ++row) {
      if (places[row] != SLU_DROPPED) sharedUnits[places[row]] = units[row];
    }
    return;
  }
  [[unroll]] for (uint row = 0u; row < kRows; ++row) sharedMembers[recordOf(row)] = places[row];
  barrier();
  [[unroll]] for (uint i = 0u; i < kUnits; ++i) {
    uint place = sharedMembers[unitOf(i) / kUnitsPerRecord];
    if (place != SLU_DROPPED) sharedUnits[place * kUnitsPerRecord + unitOf(i) % kUnitsPerRecord] = units[i];
  }
}

// Writes the staged records. Their keys say where they go.
void emitStaged(uint view, uint staged) {
  uint64_t target = bound.keptRecords + 4ul * kRecordWords * (uint64_t(view) * plan.outputsPerView);
  uint unitCount = staged * kUnitsPerRecord;
  uvec4 units[kMaxUnits];
  uint slots[kMaxUnits];
  [[unroll]] for (uint i = 0u; i < kUnits; ++i) {
    units[i] = uvec4(0u);
    slots[i] = 0u;
    if (unitOf(i) < unitCount) {
      uint place = unitOf(i) / kUnitsPerRecord;
      units[i] = sharedUnits[unitOf(i)];
      slots[i] = place + sharedDistances[keyOf(sharedUnits[place * kUnitsPerRecord + plan.keyOffset / 4u])];
    }
  }
  [[unroll]] for (uint i = 0u; i < kUnits; ++i) {
    if (unitOf(i) < unitCount) {
      uint64_t unit = uint64_t(slots[i]) * kUnitsPerRecord + unitOf(i) % kUnitsPerRecord;
      storeFour(target + 16ul * unit, units[i]);
    }
  }
}

// With its last tile the workgroup begins to arrive: to do so behind the stores would keep its shared memory until
// memory has answered all of them.
void compactSorted(uint view, uint tile, uint inputs) {
  bool isLast = tile + gl_NumWorkGroups.x >= tileCountOf(inputs);
  uint tileBase = tile * kTile;
  uint64_t records = bound.records + 4ul * kRecordWords * tileBase;
  uint present = min(inputs - tileBase, kTile) * kUnitsPerRecord;
  uvec4 units[kMaxUnits];
  [[unroll]] for (uint i = 0u; i < kUnits; ++i) {
    units[i] = uvec4(0u);  // which no test takes for live
    if (unitOf(i) < present) units[i] = loadFour(records + 16ul * unitOf(i));
  }
  uint buckets[kMaxItems];
  evaluateUnits(units, buckets);

  barrier();  // the counters are zero, and the tile before has left
  if (laneIndex == 0u) sharedStaged = 0u;
  if (isLast) joinRejects();
  uint ranks[kMaxItems];
  [[unroll]] for (uint row = 0u; row < kRows; ++row) {
    ranks[row] = buckets[row] != SLU_DROPPED ? atomicAdd(sharedBuckets[buckets[row]], 1u) : 0u;
  }
  barrier();
  reserveRuns(view);
  if (isLast) {
    addJoinedRejects(view);
    memoryBarrierBuffer();
  }
  barrier();
  if (isLast) beginArrival(view);
  uint staged = sharedStaged;
  stageUnits(units, buckets, ranks);
  barrier();
  beginCounting();
  emitStaged(view, staged);
}

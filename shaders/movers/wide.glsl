// Moves records of 12 to 64 bytes (SLU_MOVES_WIDE). Neighbouring invocations load one unit of a record each, the widest
// that divides the record's size. They store it from their registers if the record is kept. Rejected records are read,
// too: memory is read in pieces of 64 bytes, so skipping them would save little and cost a second round trip.

const uint kUnitWords = kRecordWords % 4u == 0u ? 4u : kRecordWords % 2u == 0u ? 2u : 1u;
const uint kUnitsPerRecord = kMoves == SLU_MOVES_WIDE ? kRecordWords / kUnitWords : 1u;
const uint kMaxUnits = 16u;  // per invocation
const uint kUnits = kMoves == SLU_MOVES_WIDE ? kRows * kUnitsPerRecord : 1u;

// Per record of the tile: at first whether it is live, later its rank or SLU_DROPPED.
shared uint sharedRanks[kMoves == SLU_MOVES_WIDE ? kTile : 1u];

uint unitOf(uint i) { return i * SLU_WORKGROUP + laneIndex; }

uvec4 loadUnit(RecordsPlace place) {
  if (kUnitWords == 4u) return loadUnaligned(place);
  if (kUnitWords == 1u) return uvec4(load(place), 0u, 0u, 0u);
  return uvec4(kAligned != 0u ? loadTwo(place) : uvec2(load(place), load(place, 1u)), 0u, 0u);
}

void storeUnit(KeptRecordsPlace place, uvec4 unit) {
  if (kUnitWords == 4u) {
    storeUnaligned(place, unit);
  } else if (kUnitWords == 2u && kAligned != 0u) {
    storeTwo(place, unit.xy);
  } else {
    [[unroll]] for (uint i = 0u; i < kUnitWords; ++i) store(place, i, unit[i]);
  }
}

// Returns the number of kept records.
uint compactWide(uint view, uint tile, uint inputs) {
  uint tileBase = tile * kTile;
  RecordsPlace records = elementAt(RecordsPlace(frame.records), tileBase, kRecordWords);
  uint present = min(inputs - tileBase, kTile) * kUnitsPerRecord;
  uvec4 units[kMaxUnits];
  [[unroll]] for (uint i = 0u; i < kUnits; ++i) {
    units[i] = uvec4(deadWord());
    if (unitOf(i) < present) units[i] = loadUnit(elementAt(records, unitOf(i), kUnitWords));
  }

  barrier();
  [[unroll]] for (uint row = 0u; row < kRows; ++row) sharedRanks[row * SLU_WORKGROUP + laneIndex] = 0u;
  barrier();
  [[unroll]] for (uint i = 0u; i < kUnits; ++i) {
    uint tested = testedWords(unitOf(i) % kUnitsPerRecord * kUnitWords) & (1u << kUnitWords) - 1u;
    // All invocations that find the record live store the same value. An atomic that returns a value would serialize
    // them. HLSL has no atomic store, but its compilers know when the value of an atomic is not read.
    if ((liveWordsOf(units[i]) & tested) != 0u) {
#ifdef SLU_HLSL
      atomicOr(sharedRanks[unitOf(i) / kUnitsPerRecord], 1u);
#else
      atomicStore(sharedRanks[unitOf(i) / kUnitsPerRecord], 1u, gl_ScopeWorkgroup, gl_StorageSemanticsNone,
                  gl_SemanticsRelaxed);
#endif
    }
  }
  barrier();
  uint flags = 0u;
  [[unroll]] for (uint row = 0u; row < kRows; ++row) {
    flags |= uint(sharedRanks[groupIndex(row)] != 0u) << row;
  }
  uvec4 ranks;
  uint kept = rank(flags, ranks);

  beginReserve(kept);
  [[unroll]] for (uint row = 0u; row < kRows; ++row) {
    sharedRanks[groupIndex(row)] = (flags >> row & 1u) != 0u ? ranks[row] : SLU_DROPPED;
  }
  tileFirst = endReserve();
  KeptRecordsPlace keptRecords = KeptRecordsPlace(frame.keptRecords);
  KeptRecordsPlace target = elementAt(keptRecords, view * plan.outputsPerView + tileFirst, kRecordWords);
  uint fits = fitting(kept);
  [[unroll]] for (uint i = 0u; i < kUnits; ++i) {
    uint rank = sharedRanks[unitOf(i) / kUnitsPerRecord];
    if (rank < fits) {
      storeUnit(elementAt(target, rank * kUnitsPerRecord + unitOf(i) % kUnitsPerRecord, kUnitWords), units[i]);
    }
  }
  return kept;
}

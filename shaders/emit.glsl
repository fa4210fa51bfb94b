// Step 4, emit: indices, and the kept records, copied by the whole workgroup in the widest units their addresses allow.
// Records that are not kept are not read.

// Copies record words of the tile's kept records in units of one Type, four units in flight per invocation. Those of a
// single bucket leave side by side.
#define SLU_COPY_RECORDS(Type, Ref, unitWords)                                                           \
  {                                                                                                      \
    const uint unitsPerRecord = max(kRecordWords / unitWords, 1u);                                       \
    const uint unitCount = kept * unitsPerRecord;                                                        \
    for (uint first = laneIndex; first < unitCount; first += 4u * SLU_WORKGROUP) {                       \
      Type units[4];                                                                                     \
      uint64_t targets[4];                                                                               \
      for (uint i = 0u; i < 4u; ++i) {                                                                   \
        uint unit = first + i * SLU_WORKGROUP;                                                           \
        targets[i] = 0ul;                                                                                \
        if (unit >= unitCount) continue;                                                                 \
        uint k = unit / unitsPerRecord;                                                                  \
        uint64_t offset = 4ul * unitWords * (unit % unitsPerRecord);                                     \
        uint64_t target = tileTarget + 4ul * unitWords * unit;                                           \
        if (kBucketed) {                                                                                 \
          if (slotOf(k) == SLU_DROPPED) continue;                                                        \
          target = pushed.keptRecords + (viewFirst + slotOf(k)) * (4u * kRecordWords) + offset;           \
        }                                                                                                \
        uint64_t source = uint64_t(tileBase + localOf(sharedList[k])) * (4u * kRecordWords) + offset;    \
        units[i] = Ref(pushed.records + source).v;                                                        \
        targets[i] = target;                                                                             \
      }                                                                                                  \
      for (uint i = 0u; i < 4u; ++i) {                                                                   \
        if (targets[i] != 0ul) Ref(targets[i]).v = units[i];                                             \
      }                                                                                                  \
    }                                                                                                    \
  }

void emitTile(uint view, uint tileBase, uint kept) {
  uint64_t viewFirst = uint64_t(view) * plan.outputsPerView;
  uint64_t tileTarget = 0ul;  // of a single bucket
  if (!kBucketed) {
    kept = fitting(kept);
    tileTarget = pushed.keptRecords + (viewFirst + tileFirst) * (4u * kRecordWords);
  }
  if ((kOutputs & SLU_WRITES_INDICES) != 0u) {
    for (uint k = laneIndex; k < kept; k += SLU_WORKGROUP) {
      uint slot = slotOf(k);
      if (slot != SLU_DROPPED) Words1(pushed.indices + 4ul * (viewFirst + slot)).v = tileBase + localOf(sharedList[k]);
    }
  }
  if ((kOutputs & SLU_WRITES_RECORDS) != 0u) {
    if (pushed.copyWords == 4u) {
      SLU_COPY_RECORDS(uvec4, Words4, 4u)
    } else if (pushed.copyWords == 2u) {
      SLU_COPY_RECORDS(uvec2, Words2, 2u)
    } else {
      SLU_COPY_RECORDS(uint, Words1, 1u)
    }
  }
}

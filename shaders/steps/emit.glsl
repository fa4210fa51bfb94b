// Step 4, emit: indices, and the kept records, copied by the whole workgroup in the widest units their addresses allow.
// Records that are not kept are not read.

const uint kFlight = kBucketed ? 5u : 4u;  // units of records that an invocation has under way

// Copies record words of the tile's kept records in units of one Type. Those of a single bucket leave side by side.
#define SLU_COPY_RECORDS(Type, Ref, unitWords)                                                           \
  {                                                                                                      \
    const uint unitsPerRecord = max(kRecordWords / unitWords, 1u);                                       \
    const uint unitCount = kept * unitsPerRecord;                                                        \
    for (uint first = laneIndex; first < unitCount; first += kFlight * SLU_WORKGROUP) {                  \
      Type units[5];                                                                                     \
      uint64_t targets[5];                                                                               \
      [[unroll]] for (uint i = 0u; i < kFlight; ++i) {                                                   \
        uint unit = first + i * SLU_WORKGROUP;                                                           \
        uint k = unit / unitsPerRecord;                                                                  \
        uint64_t offset = 4ul * unitWords * (unit % unitsPerRecord);                                     \
        uint slot = unit < unitCount ? slotOf(k) : SLU_DROPPED;                                          \
        units[i] = Type(0u);                                                                             \
        targets[i] = 0ul;                                                                                \
        if (slot != SLU_DROPPED) {                                                                       \
          uint64_t source = uint64_t(tileBase + localOf(sharedList[list + k])) * (4u * kRecordWords) + offset;  \
          units[i] = Ref(frame.records + source).v;                                                      \
          targets[i] = kBucketed ? frame.keptRecords + (viewFirst + slot) * (4u * kRecordWords) + offset \
                                 : tileTarget + 4ul * unitWords * unit;                                  \
        }                                                                                                \
      }                                                                                                  \
      [[unroll]] for (uint i = 0u; i < kFlight; ++i) {                                                   \
        if (targets[i] != 0ul) Ref(targets[i]).v = units[i];                                             \
      }                                                                                                  \
    }                                                                                                    \
  }

// list: where the tile's kept records are listed.
void emitTile(uint view, uint list, uint tileBase, uint kept) {
  uint64_t viewFirst = uint64_t(view) * plan.outputsPerView;
  uint64_t tileTarget = 0ul;  // of a single bucket
  if (!kBucketed) {
    kept = fitting(kept);
    tileTarget = frame.keptRecords + (viewFirst + tileFirst) * (4u * kRecordWords);
  }
  if ((kOutputs & SLU_WRITES_INDICES) != 0u) {
    for (uint k = laneIndex; k < kept; k += SLU_WORKGROUP) {
      uint slot = slotOf(k);
      if (slot != SLU_DROPPED) {
        Words1(frame.indices + 4ul * (viewFirst + slot)).v = tileBase + localOf(sharedList[list + k]);
      }
    }
  }
  if ((kOutputs & SLU_WRITES_RECORDS) != 0u) {
    if (frame.copyWords == 4u) {
      SLU_COPY_RECORDS(uvec4, Words4, 4u)
    } else if (frame.copyWords == 2u) {
      SLU_COPY_RECORDS(uvec2, Words2, 2u)
    } else {
      SLU_COPY_RECORDS(uint, Words1, 1u)
    }
  }
}

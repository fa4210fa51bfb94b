// Step 4, emit: writes indices, and copies the kept records. The whole workgroup copies, in the widest units that the
// addresses allow. Records that are not kept are not read.

// Units that an invocation has in flight.
#ifdef SLU_SLOW_COMPILER
const uint kFlight = 1u;
const uint kMostFlight = 1u;
#else
const uint kFlight = kBucketed ? 5u : 4u;
const uint kMostFlight = 5u;
#endif

// Whether records are copied in units of so many words. With one view of a buffer only their size decides.
#ifdef SLU_ONE_VIEW
#define SLU_COPIES(words) (kRecordWords % words == 0u)
#else
#define SLU_COPIES(words) (frame.copyWords == words)
#endif

// Copies the tile's kept records in units of one Type. With one bucket the copies are contiguous. Units are addressed
// as elements of arrays: an offset in words would take another multiplication, which costs up to 7 %.
#define SLU_COPY_RECORDS(Type, loadUnits, storeUnits, unitWords)                                               \
  {                                                                                                            \
    const uint unitsPerRecord = max(kRecordWords / unitWords, 1u);                                             \
    const uint unitCount = kept * unitsPerRecord;                                                              \
    for (uint first = laneIndex; first < unitCount; first += kFlight * SLU_WORKGROUP) {                        \
      Type units[kMostFlight];                                                                                 \
      KeptRecordsPlace targets[kMostFlight];                                                                   \
      [[unroll]] for (uint i = 0u; i < kFlight; ++i) {                                                         \
        uint unit = first + i * SLU_WORKGROUP;                                                                 \
        uint k = unit / unitsPerRecord;                                                                        \
        uint part = unit % unitsPerRecord;                                                                     \
        uint slot = unit < unitCount ? slotOf(k) : SLU_DROPPED;                                                \
        units[i] = Type(0u);                                                                                   \
        targets[i] = kNowhere;                                                                                 \
        if (slot != SLU_DROPPED) {                                                                             \
          RecordsPlace source = recordAt(tileBase + localOf(sharedList[list + k]));                            \
          units[i] = loadUnits(elementAt(source, part, unitWords));                                            \
          KeptRecordsPlace target =                                                                            \
              kBucketed ? elementAt(keptRecords, viewFirst + slot, kRecordWords) : tileTarget;                 \
          targets[i] = elementAt(target, kBucketed ? part : unit, unitWords);                                  \
        }                                                                                                      \
      }                                                                                                        \
      [[unroll]] for (uint i = 0u; i < kFlight; ++i) {                                                         \
        if (targets[i] != kNowhere) storeUnits(targets[i], units[i]);                                          \
      }                                                                                                        \
    }                                                                                                          \
  }

// Returns a word of the template that draws a bucket.
uint templateWord(uint bucket, uint word) {
  if (bucket == kNoBucket) return 0u;
  if (!kHasMeshes) return load(elementAt(ScratchPlace(plan.buckets), bucket, 8u), 2u + word);
  bucket = sluUnmirrored(bucket, plan.mirroredFirst);
  uint lod = bucket % plan.meshLayout.lodCount;
  uint offset = sluTemplateOffset(word, plan.meshLayout.elementCountOffset, plan.meshLayout.firstElementOffset,
                                  plan.meshLayout.vertexOffsetOffset);
  if (offset == SLU_DROPPED) return 0u;
  uint step = word == 3u ? plan.meshLayout.vertexOffsetStride : plan.meshLayout.lodStride;
  return load(wordAt(meshAt(bucket / plan.meshLayout.lodCount), lod * step), offset);
}

// Of merged plans: writes the commands of the tile's kept records. An invocation writes a word at a time, so that stores
// are dense.
void emitCommands(uint view, uint list, uint tileBase, uint kept) {
  if (!kEmitsCommands) return;
  uint words = plan.draw.frontWords + plan.draw.wordCount;
  DrawsPlace target = elementAt(DrawsPlace(frame.draws), commandNumber(view, tileFirst), plan.draw.stride);
  for (uint i = laneIndex; i < kept * words; i += SLU_WORKGROUP) {
    uint k = i / words;
    uint part = i % words;
    uint number = part < plan.draw.frontWords ? plan.draw.front : part - plan.draw.frontWords;
    uint bucket = bucketOf(sharedList[list + k]);
    uint index = tileBase + localOf(sharedList[list + k]);
    uint value = number == SLU_FRONT_RECORD ? index : number == SLU_FRONT_BUCKET ? bucket : tileFirst + k;
    if (number == SLU_FRONT_BUCKET && bucket == kNoBucket) value = 0u;  // it had one when it was counted
    if (number < SLU_COMMAND_WORDS) {
      value = sluCommandWord(number, templateWord(bucket, number), plan.draw.countWord, 1u, 1u, plan.draw.firstWord,
                             index, 1u);
    }
    store(elementAt(target, k, plan.draw.stride), part, value);
  }
}

// list: where the tile's list begins in sharedList.
void emitTile(uint view, uint list, uint tileBase, uint kept) {
  uint viewFirst = view * plan.outputsPerView;
  KeptRecordsPlace keptRecords = KeptRecordsPlace(frame.keptRecords);
  KeptRecordsPlace tileTarget = kNowhere;  // with one bucket: where the copies begin
  if (!kBucketed) {
    kept = fitting(kept);
    tileTarget = elementAt(keptRecords, viewFirst + tileFirst, kRecordWords);
    emitCommands(view, list, tileBase, kept);
  }
  if ((kOutputs & SLU_OUTPUT_INDICES_BIT) != 0u) {
    for (uint k = laneIndex; k < kept; k += SLU_WORKGROUP) {
      uint slot = slotOf(k);
      if (slot != SLU_DROPPED) {
        store(IndicesPlace(frame.indices), viewFirst + slot, tileBase + localOf(sharedList[list + k]));
      }
    }
  }
  if ((kOutputs & SLU_OUTPUT_RECORDS_BIT) != 0u) {
    if (SLU_COPIES(4u)) {
      SLU_COPY_RECORDS(uvec4, loadFour, storeFour, 4u)
    } else if (SLU_COPIES(2u)) {
      SLU_COPY_RECORDS(uvec2, loadTwo, storeTwo, 2u)
    } else {
      SLU_COPY_RECORDS(uint, load, store, 1u)
    }
  }
}

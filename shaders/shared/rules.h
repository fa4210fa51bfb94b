// The rules that decide with whole numbers, said once for every route: draw commands, which rejects are counted, when
// keys are loaded and when records are sorted. sluice/culling.h has those that hosts may ask, too. Functions take scalars
// only, so that GLSL copies nothing. What pipelines know as specialization constants are macros, since GLSL calls no
// function in a constant.
#ifndef SLU_RULES_H
#define SLU_RULES_H

#include "limits.h"
#include "sluice/culling_types.h"

SLU_NAMESPACE_BEGIN

// ---- Draw commands ----

// What the command counts for each kept record. draw: a DrawBlock; command: the bucket's words.
#define SLU_DRAW_SCALE(draw, command) ((draw).scaleWord == SLU_DROPPED ? 1u : (command)[(draw).scaleWord])

// A word of a bucket's command, whose template holds `known` there: count * countScale at countWord, and first *
// firstScale more at firstWord. The products stand in here, since nvcc spills registers where callers compute them.
SLU_FUNCTION uint sluCommandWord(uint word, uint known, uint countWord, uint count, uint countScale, uint firstWord,
                                 uint first, uint firstScale) {
  uint moved = known + (word == firstWord ? first * firstScale : 0u);
  return word == countWord ? count * countScale : moved;
}

// Whether a bucket has a draw command of its own. A macro, since nvcc spills registers where a function's caller loads
// both first.
#define SLU_HAS_DRAW(kept, skipEmpty) ((kept) > 0u || (skipEmpty) == 0u)

// ---- What a plan evaluates ----

// What a live test reads: the record, the flag stream, or neither. A plan has at most one test of each.
SLU_FUNCTION bool sluTestsRecord(uint liveTest) {
  return (liveTest >= SLU_LIVE_NON_EMPTY && liveTest <= SLU_LIVE_POSITIVE_FLOAT) || liveTest == SLU_LIVE_MASK_EQUAL;
}
SLU_FUNCTION bool sluReadsFlags(uint liveTest) {
  return liveTest >= SLU_LIVE_FLAG_BITS && liveTest <= SLU_LIVE_FLAG_WORDS;
}

// A word that the test of a record does not take for live. liveValue has no bit outside the mask, which is not 0, so
// that its complement differs from it there.
SLU_FUNCTION uint sluDeadWord(uint liveTest, uint liveValue) {
  return liveTest == SLU_LIVE_MASK_EQUAL ? ~liveValue : 0u;
}

// keyed: 1 where the plan has several keys, else 0. lodCount: at least 1. Products and sums stand for `and` and `or`:
// glslangValidator makes invalid SPIR-V of && between specialization constants.

// Whether culling or levels of detail read a view.
#define SLU_NEEDS_VIEW(cullFlags, lodCount) ((cullFlags) + (lodCount)-1u != 0u)

// Whether rejects are counted one by one. Records that are not live are what remains, so a plan with no other test
// counts none.
#define SLU_COUNTS_REJECTS(outputs, keyed, cullFlags, lodCount) \
  (((outputs)&SLU_OUTPUT_STATISTICS_BIT) * ((keyed) + (cullFlags) + (lodCount)-1u) != 0u)

// When the keys of records are loaded.
#define SLU_KEYS_NONE 0u           // there are none
#define SLU_KEYS_WITH_LIVE 1u      // of all records: what the live test reads brings them along
#define SLU_KEYS_AFTER_LIVE 2u     // of the records that are live
#define SLU_KEYS_AFTER_CULLING 3u  // of those that culling leaves

// Keys come before culling where the key names the sphere, and where statistics count a record for the first test that
// it fails. Otherwise the keys of culled records are not loaded. early: when they are loaded if not after culling.
#define SLU_KEY_TIME(keyed, needsView, sphereSource, countsRejects, early) \
  ((keyed) == 0u                          ? SLU_KEYS_NONE                  \
   : !(needsView)                         ? (early)                        \
   : (sphereSource) == SLU_SPHERE_PER_KEY ? (early)                        \
   : (countsRejects)                      ? (early)                        \
                                          : SLU_KEYS_AFTER_CULLING)

#ifdef __cplusplus  // what hosts decide when they create a plan

// Early keys are loaded with the live test if that reads no more memory, which is read in sectors of 32 bytes. Offsets
// and sizes are in bytes. Flags are tested before records.
SLU_FUNCTION uint sluEarlyKeyTime(uint flagTest, uint liveTest, uint recordBytes, uint liveOffset, uint keyOffset) {
  if (flagTest != SLU_LIVE_ALWAYS) return SLU_KEYS_AFTER_LIVE;
  if (liveTest == SLU_LIVE_ALWAYS) return SLU_KEYS_WITH_LIVE;
  return recordBytes <= 32u || liveOffset / 32u == keyOffset / 32u ? SLU_KEYS_WITH_LIVE : SLU_KEYS_AFTER_LIVE;
}

// Whether records are sorted by bucket on their way: those that decide for themselves (movesRecords), into several
// buckets, if a tile of them fits into shared memory. Plans of fewer records than `leastRecords` are not sorted: tiles
// of thousands of records would leave most of the GPU idle, which costs more than scattered stores do.
SLU_FUNCTION bool sluSorts(bool movesRecords, uint bucketCount, uint recordCount, uint leastRecords, uint tileBytes,
                           uint sharedBytes) {
  return movesRecords && bucketCount > 1u && recordCount >= leastRecords && tileBytes <= sharedBytes;
}

// leastRecords: of shaders, and of CUDA kernels, where stores into few buckets are less scattered.
#define SLU_SORTED_BY_SHADERS_FROM 0x20000u
SLU_FUNCTION uint sluSortedByCudaFrom(uint bucketCount) { return bucketCount < 64u ? 0x40001u : 0x20001u; }

#endif

SLU_NAMESPACE_END

#endif

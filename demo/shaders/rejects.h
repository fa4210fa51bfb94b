// The tests of a plan as the demo's C++ hands them to its shaders: the words of sluice.h, in numbers of 32-bit words
// where that has bytes.
#ifndef DEMO_REJECTS_H
#define DEMO_REJECTS_H

#include "shared.h"
#include "sluice/culling_types.h"

#ifdef __cplusplus
namespace demo {
using slu::SluViewBlock;
#endif

// The outcome of a record's tests is an SluReject, or that it passed.
const uint kPassed = SLU_REJECT_COUNT;
const uint kOutcomeCount = SLU_REJECT_COUNT + 1u;
const uint kNoWord = ~0u;

// The kinds of records that are counted by bucket.
const uint kCountedHidden = 0u;      // occlusion alone rejects it
const uint kCountedFacingAway = 1u;  // a cone does
const uint kCountedPassed = 2u;
const uint kCountedKinds = 3u;

struct RejectTests {
  SluViewBlock view;
  uint recordCount;
  uint recordWords;
  uint liveTest;  // of a word of the record; SLU_LIVE_ALWAYS: none
  uint liveWord;
  uint liveWords;
  uint liveMask;
  uint liveValue;
  uint flagTest;  // of the stream of flags; SLU_LIVE_ALWAYS: none
  uint keyCount;  // 0: no key is read
  uint keyWord;
  uint keyShift;
  uint keyMask;
  uint testsBounds;  // 0: the bounds say where a record is, and reject nothing
  uint cullFlags;
  // SLU_BOUNDS_NONE, SLU_BOUNDS_IN_RECORD, SLU_BOUNDS_IN_MESH, SLU_BOUNDS_PER_KEY, or SLU_BOUNDS_PER_RECORD by an index
  uint boundsSource;
  uint boundsIndexWord;  // of a record: which bounds of the stream are its own
  uint sphereWord;
  uint boundsWords;  // from the bounds of a key, or with an index, to the next ones
  uint coneWord;     // beside the sphere
  uint hasFixedFront;
  uint meshWords;     // of a mesh of the table; 0: there is no table
  uint lodCountWord;  // kNoWord: a mesh has as many LODs as the plan
  uint lodMaskWord;   // kNoWord: all LODs are resident
  uint lodCount;      // of the plan
  uint transformFlags;
  uint transformIndexWord;  // of a record: which transform of the stream is its own; kNoWord: it is in the record
  uint transformWords;      // from a transform of the stream to the next
  uint transforms[2];       // the stream's address, low word first
  uint positionWord;
  uint positionStep;  // from one coordinate to the next
  uint scaleWord;
  uint rotationWord;
  uint matrixWord;
  uint countsPassed;  // by bucket, since the plan does not
  // Addresses of bits of records, low words first.
  uint visible[2];      // those that the pyramid does not hide; zeros: no occlusion is tested
  uint lastVisible[2];  // those that a first phase has kept; zeros: there is a single phase
};

// Returns the colour of a record's ghost, as a legend shows it.
SHARED_FUNCTION vec3 outcomeColor(uint outcome) {
  if (outcome == SLU_REJECT_NOT_LIVE) return vec3(0.62f, 0.62f, 0.70f);
  if (outcome == SLU_REJECT_KEY) return vec3(0.95f, 0.35f, 0.90f);
  if (outcome == SLU_REJECT_INVALID) return vec3(1.00f, 0.22f, 0.20f);
  if (outcome == SLU_REJECT_DISTANCE) return vec3(0.35f, 0.58f, 1.00f);
  if (outcome == SLU_REJECT_FRUSTUM) return vec3(1.00f, 0.62f, 0.18f);
  if (outcome == SLU_REJECT_SIZE) return vec3(0.36f, 0.88f, 0.42f);
  if (outcome == SLU_REJECT_LOD) return vec3(0.30f, 0.85f, 0.85f);
  if (outcome == SLU_REJECT_LAYER) return vec3(0.95f, 0.90f, 0.30f);
  if (outcome == SLU_REJECT_CONE) return vec3(0.62f, 0.42f, 0.98f);
  if (outcome == SLU_REJECT_OCCLUDED) return vec3(0.98f, 0.36f, 0.58f);
  return vec3(1.0f, 1.0f, 1.0f);
}

#ifdef __cplusplus
static_assert(sizeof(RejectTests) == 348 && offsetof(RejectTests, recordCount) == sizeof(SluViewBlock));
}  // namespace demo
#endif

#endif

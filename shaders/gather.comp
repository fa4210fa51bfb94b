#version 460
// Copies the elements of a further stream of the kept records. The frame's data is the stream's: `records` is its input,
// `keptRecords` its output, and kRecordWords the size of an element. The kept places of each bucket are divided into
// chunks of SLU_GATHER_PLACES, which the workgroups of a view share. Each workgroup counts the chunks, of SLU_WORKGROUP
// buckets at a time. y: view.
#extension GL_GOOGLE_include_directive : require

#include "kernel.glsl"

#include "steps/rank.glsl"

// Units that an invocation has in flight.
#ifdef SLU_SLOW_COMPILER
const uint kFlight = 1u;
#else
const uint kFlight = 4u;
#endif

// Where the chunks of each bucket end.
shared uint sharedEnds[SLU_WORKGROUP];

// Returns where the kept records of a bucket lie: the first place within the view, and how many there are. A table of one
// bucket may be in the uniforms alone.
uvec2 keptPlacesOf(uint view, uint bucket) {
  BucketBlock block = firstBucket;
  if (plan.bucketCount != 1u) block = loadBucket(ScratchPlace(plan.buckets), bucket);
  uvec2 place = uvec2(block.capacity, block.firstOutput);
  if (isGiven(plan.places)) place = loadTwo(placeAt(view, bucket));
  uint kept = load(BucketCountsPlace(frame.bucketCounts), 2u * (view * plan.bucketCount + bucket) + 1u);
  return uvec2(place.y, min(kept, place.x));
}

// Returns the first of the buckets whose chunks end behind the chunk. The last one lies behind it.
uint bucketOfChunk(uint chunk) {
  uint bucket = 0u;
  [[unroll]] for (uint step = SLU_WORKGROUP / 2u; step > 0u; step /= 2u) {
    if (sharedEnds[bucket + step - 1u] <= chunk) bucket += step;
  }
  return bucket;
}

// Whether elements are copied in units of so many words. With one view of a buffer only their size decides.
#ifdef SLU_ONE_VIEW
#define SLU_COPIES(words) (kRecordWords % words == 0u)
#else
#define SLU_COPIES(words) (frame.copyWords == words)
#endif

// Copies the elements of `count` places in units of one Type. Indices are judged, since a host may bind them, and nothing
// in memory is trusted.
#define SLU_GATHER(Type, loadUnits, storeUnits, unitWords)                                                             \
  {                                                                                                                    \
    const uint unitsPerElement = max(kRecordWords / unitWords, 1u);                                                    \
    const uint unitCount = count * unitsPerElement;                                                                    \
    for (uint first = laneIndex; first < unitCount; first += kFlight * SLU_WORKGROUP) {                                \
      Type units[kFlight];                                                                                             \
      KeptRecordsPlace targets[kFlight];                                                                               \
      [[unroll]] for (uint i = 0u; i < kFlight; ++i) {                                                                 \
        uint unit = first + i * SLU_WORKGROUP;                                                                         \
        uint place = firstPlace + unit / unitsPerElement;                                                              \
        uint part = unit % unitsPerElement;                                                                            \
        uint index = unit < unitCount ? load(elementAt(IndicesPlace(frame.indices), place, 1u)) : SLU_DROPPED;         \
        units[i] = Type(0u);                                                                                           \
        targets[i] = kNowhere;                                                                                         \
        if (index < frame.recordCount) {                                                                               \
          RecordsPlace source = elementAt(RecordsPlace(frame.records), index, frame.streamInputWords);                 \
          units[i] = loadUnits(elementAt(source, part, unitWords));                                                    \
          KeptRecordsPlace target =                                                                                    \
              elementAt(KeptRecordsPlace(frame.keptRecords), place, frame.streamOutputWords);                          \
          targets[i] = elementAt(target, part, unitWords);                                                             \
        }                                                                                                              \
      }                                                                                                                \
      [[unroll]] for (uint i = 0u; i < kFlight; ++i) {                                                                 \
        if (targets[i] != kNowhere) storeUnits(targets[i], units[i]);                                                  \
      }                                                                                                                \
    }                                                                                                                  \
  }

// firstPlace: among those of all views.
void gatherPlaces(uint firstPlace, uint count) {
  if (SLU_COPIES(4u)) {
    SLU_GATHER(uvec4, loadFour, storeFour, 4u)
  } else if (SLU_COPIES(2u)) {
    SLU_GATHER(uvec2, loadTwo, storeTwo, 2u)
  } else {
    SLU_GATHER(uint, load, store, 1u)
  }
}

void main() {
  initSubgroups();
  uint view = SLU_OWN_VIEW;
  uint chunk = gl_WorkGroupID.x;  // the next one of the workgroup
  uint before = 0u;               // the chunks of earlier buckets
  [[dont_unroll]] for (uint base = 0u; base < plan.bucketCount; base += SLU_WORKGROUP) {
    uint own = base + laneIndex;
    uint kept = 0u;
    if (own < plan.bucketCount) kept = keptPlacesOf(view, own).y;
    uint chunks = (kept + (SLU_GATHER_PLACES - 1u)) / SLU_GATHER_PLACES;
    uint lower;
    barrier();
    uint total = sumOfLanes(chunks, lower);
    sharedEnds[laneIndex] = before + lower + chunks;
    barrier();
    for (; chunk < before + total; chunk += SLU_WORKGROUP_COUNT) {
      uint local = bucketOfChunk(chunk);
      uint begin = before;
      if (local != 0u) begin = sharedEnds[local - 1u];
      uint first = (chunk - begin) * SLU_GATHER_PLACES;
      uvec2 places = keptPlacesOf(view, base + local);
      // The count may have changed, since a host may bind it, too.
      uint count = first < places.y ? min(places.y - first, SLU_GATHER_PLACES) : 0u;
      gatherPlaces(view * plan.outputsPerView + places.x + first, count);
    }
    before += total;
  }
}

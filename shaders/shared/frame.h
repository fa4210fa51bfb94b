// A frame as the kernels read it. CUDA kernels take all of it as parameters; shaders read it from uniform buffers: one that
// no frame changes, and one that each frame brings.
#ifndef SLU_FRAME_H
#define SLU_FRAME_H

#include "layouts.h"

#define SLU_WORKGROUP 256      // invocations
#define SLU_FRAME_VIEWS 16     // SLU_MAX_VIEWS
#define SLU_LOCAL_BITS 11      // of a record's index within its tile; the bucket's 12 bits lie above
#define SLU_HISTOGRAM_BITS 11  // buckets up to 2^11 are counted in shared memory, more in the chunk's own counters
#define SLU_COUNTED_BITS 10    // unordered, up to 2^10 buckets: a tile counts its records there; of more it sorts them
#define SLU_MAX_CHUNKS 1024    // of a stable frame
#define SLU_LOOK_BACK_TILES 1024  // of a frame of the Vulkan route whose tiles look back
#define SLU_MOST_TILES 64u        // that a workgroup of the Vulkan route takes of a frame of more
#define SLU_CPU_PATIENCE 256u     // of the Vulkan route's workgroups on a CPU, of which few run at a time
#define SLU_MAX_SUBGROUPS 64      // of a workgroup, at the smallest subgroup size of 4

// Of a view on the Vulkan route, where tiles look back: two sets of a word per tile, and apart from them one that all
// workgroups meet at. Where there are more tiles, sets of two words per tile, and two to meet at.
#define SLU_LOOK_BACK_WORDS (2u * SLU_LOOK_BACK_TILES + 64u)
#define SLU_STATUS_SET(tiles) (2u * (tiles))
#define SLU_STATUS_WORDS(tiles) (2u * SLU_STATUS_SET(tiles) + 96u)

// What a frame of the Vulkan route brings in a uniform buffer: FramePart, which has room for 40 addresses, 64 bytes of
// numbers and 64 of a predicate's state; then each view. Multiples of what any device aligns uniform buffers to.
#define SLU_FRAME_BYTES 512u
#define SLU_VIEW_BYTES 256u

SLU_NAMESPACE_BEGIN

// What each frame may change. What kernels ask for first lies together: a launch finds its parameters in no cache.
struct FramePart {
  SLU_ADDRESS records;
  SLU_ADDRESS liveCount;  // 0: recordCount is the number itself
  uint recordCount;
  uint wideLive;  // 1: what the live test of a record reads lies at multiples of its vector width
  SLU_ADDRESS keptRecords;
  SLU_ADDRESS draws;
  SLU_ADDRESS drawCounts;
  SLU_ADDRESS spheres;  // the records, where they hold them
  SLU_ADDRESS flags;
  SLU_ADDRESS indices;
  SLU_ADDRESS statistics;
  SLU_ADDRESS bucketCounts;
  uint chunkCount;   // of a stable frame that counts, scans and scatters; else 0
  uint wideSpheres;  // 1: every sphere lies at a multiple of 16
  uint copyWords;    // 4, 2 or 1: the widest unit that record copies may use
  uint wideFlags;    // 1: the flags lie at a multiple of 16
};

// What no frame of a plan changes.
struct PlanPart {
  SLU_ADDRESS buckets;  // BucketBlock per bucket
  // Scratch. How far a view is: which tiles are taken or have arrived. ViewProgress per view on the CUDA route; on the
  // Vulkan route 8 bytes per view, zero before and after each frame.
  SLU_ADDRESS progress;
  SLU_ADDRESS rejected;  // scratch, zero before and after: on the Vulkan route SLU_REJECT_COUNT uints per view
  SLU_ADDRESS demanded;  // scratch, zero before and after: uint per view and bucket, on the CUDA route with gaps
  // Scratch of stable plans. Those that count, scan and scatter: uint per view, bucket and chunk.
  SLU_ADDRESS chunkCounts;
  // Those that look back: what each tile has published. steps/lookback and steps/tickets in shaders/, lookback.cuh and
  // sorted_stable.cuh in src/kernels/device/ say in which words. Those of the Vulkan route that count: chunk.glsl's ballots.
  SLU_ADDRESS tileStatus;
  DrawBlock draw;      // at a multiple of 16, as std140 has it
  BoundsBlock bounds;  // likewise
  uint bucketCount;
  uint outputsPerView;
  uint liveOffset;  // this and keyOffset in words
  uint liveWords;
  uint liveMask;  // of SLU_LIVE_MASK_EQUAL
  uint liveValue;
  uint keyOffset;
  uint keyShift;
  uint keyMask;
  uint keyCount;
  uint maxTiles;  // of a frame, on the Vulkan route
  uint padding0;
};

#ifdef __cplusplus
struct FrameBlock : FramePart, PlanPart {
  SluViewBlock views[SLU_FRAME_VIEWS];
};
#endif

SLU_NAMESPACE_END

#endif

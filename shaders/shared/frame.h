// A frame as the kernels read it. CUDA kernels take all of it as parameters. Shaders read it from uniform buffers: one
// that no frame changes, and one that each frame brings.
#ifndef SLU_FRAME_H
#define SLU_FRAME_H

#include "layouts.h"
#ifdef __cplusplus
#include "sluice/occlusion.h"
#endif

#define SLU_WORKGROUP 256         // invocations
#define SLU_FRAME_VIEWS 16        // SLU_MAX_VIEWS
#define SLU_FRAME_VIEW_BITS 4u    // of the number of a view
#define SLU_LOCAL_BITS 11         // of a record's index within its tile; list entries hold the bucket above them
#define SLU_HISTOGRAM_BITS 11     // count.comp counts up to 2^11 buckets in shared memory, more in the chunk's counters
#define SLU_COUNTED_BITS 10       // unordered tiles count up to 2^10 buckets in shared memory, and sort more
#define SLU_MAX_CHUNKS 1024       // of a stable frame
#define SLU_LOOK_BACK_TILES 1024  // of a frame of ordered.comp
#define SLU_GATHER_PLACES 1024u   // kept places of a further stream that a workgroup takes at a time
#define SLU_SPARSE_CHUNK 4096u    // buckets of a sparse plan that a workgroup takes
#define SLU_MOST_TILES 64u        // that a workgroup of persistent.comp takes
#define SLU_CPU_PATIENCE 256u     // spin limit of the Vulkan route on a CPU, which runs few workgroups at a time
#define SLU_MIN_SUBGROUP_SIZE 4   // of invocations
#define SLU_MAX_SUBGROUP_SIZE 128
#define SLU_MAX_SUBGROUPS 64  // of a workgroup, at the smallest size

// Words of a view's statuses on the Vulkan route. The words that all workgroups access lie apart from the others, in
// cache lines of their own.
//  - ordered.comp: two sets of a word per tile, and one word that all workgroups access.
//  - persistent.comp: two sets of two words per tile, and two words that all workgroups access.
#define SLU_LOOK_BACK_WORDS (2u * SLU_LOOK_BACK_TILES + 64u)
#define SLU_STATUS_SET(tiles) (2u * (tiles))
#define SLU_STATUS_WORDS(tiles) (2u * SLU_STATUS_SET(tiles) + 96u)

// Bytes of the uniform buffer that a frame of the Vulkan route brings: first FramePart, which has room for 40 addresses
// and 128 bytes of numbers, with the state of a predicate at SLU_STATE_OFFSET, then each view with six more planes, its
// SluOcclusionBlock and padding. Both sizes are multiples of every device's alignment of uniform buffers. Frames that
// read records once for all views bind SLU_FRAME_VIEWS views.
#define SLU_FRAME_BYTES 512u
#define SLU_STATE_OFFSET 448  // 64 bytes
#define SLU_VIEW_BYTES 512u
#define SLU_VIEW_PADDING 20  // words

SLU_NAMESPACE_BEGIN

// Holds what each frame may change. A launch finds its parameters in no cache, so the fields that kernels read first are
// adjacent.
struct FramePart {
  SLU_ADDRESS records;
  SLU_ADDRESS liveCount;  // 0: recordCount is the number itself
  uint recordCount;
  uint wideLive;  // 1: the words of the live test are aligned for vector loads
  SLU_ADDRESS keptRecords;
  SLU_ADDRESS draws;
  SLU_ADDRESS drawCounts;
  SLU_ADDRESS bounds;      // the records, if these hold the bounds
  SLU_ADDRESS transforms;  // the records, if these hold the transforms
  SLU_ADDRESS flags;
  SLU_ADDRESS indices;
  SLU_ADDRESS statistics;
  SLU_ADDRESS bucketCounts;
  uint chunkCount;    // of a frame that counts, scans and scatters; else 0
  uint wideBounds;    // 1: the first four words of all bounds lie at multiples of 16
  uint copyWords;     // 4, 2 or 1: the widest unit that record copies may use
  uint wideFlags;     // 1: the flags lie at a multiple of 16
  uint wideMatrices;  // 1: every matrix lies at a multiple of 16
  uint meshCount;     // of the table; at most the plan's keyCount
  SLU_ADDRESS meshes;
  SLU_ADDRESS liveMeshCount;  // 0: meshCount is the number itself
  uint viewCount;
  uint boundsCount;    // elements of bounds that records name; so are the other two
  SLU_ADDRESS layers;  // of the first record or element
  uint transformCount;
  uint layerCount;
  SLU_ADDRESS lastLodStates;  // 0: no record had a LOD
  SLU_ADDRESS lodStates;
  uint lodStateStride;  // words from the states of a view to the next view's
  uint lodFadeStep;
  float lodLeast2;  // squares of the factors between which hysteresis keeps a LOD: 1 - h and 1 + h
  float lodMost2;
  // Of a further stream, whose gather.comp reads a FramePart of its own: words from element to element.
  uint streamInputWords;
  uint streamOutputWords;
  // Of a frame that tests occlusion (SluOcclusionInfo).
  SLU_ADDRESS lastVisible;  // 0: no record was visible
  SLU_ADDRESS visible;
  SLU_ADDRESS pyramid;
  uint occlusionPhase;  // 0: none
  uint visibleStride;   // words from the bits of a view to the next view's
  // PlanPart follows at an odd multiple of 8: at others, nvcc loads parameters in other ways.
};

// What no frame of a plan changes.
struct PlanPart {
  SLU_ADDRESS buckets;  // BucketBlock per bucket
  // Scratch: which tiles of a view are taken or done. The CUDA route has a ViewProgress per view. The Vulkan route has
  // 8 bytes per view, zero before and after each frame.
  SLU_ADDRESS progress;
  // Scratch, zero before and after each frame: the rejects of a view by reason. The Vulkan route has SLU_REJECT_COUNT
  // uints per view, the CUDA route kRejectSlots RejectSlots.
  SLU_ADDRESS rejected;
  // Scratch, zero before and after each frame: how many records pass all tests, a uint per view and bucket. The CUDA
  // route leaves gaps (demandedSectorStep).
  SLU_ADDRESS demanded;
  // Scratch of plans that count, scan and scatter: a uint per view, bucket and chunk. Of sparse plans: what shaders need
  // for each chunk of buckets (shaders/sparse.glsl).
  SLU_ADDRESS chunkCounts;
  // Scratch of stable plans that look back: what each tile has published. The layout is in steps/lookback and
  // steps/tickets of shaders/, and in lookback.cuh and sorted_stable.cuh of src/kernels/device/. On the Vulkan route,
  // plans that count, scan and scatter keep their ballots here (chunk.glsl), and sparse plans two uints per record.
  SLU_ADDRESS tileStatus;
  // Scratch of plans with packed buckets that are not sparse, else 0: what fits into each bucket of a view and its first
  // output there, two uints per view and bucket.
  SLU_ADDRESS places;
  // Scratch of plans with groups: the group of each draw of a view, a uint per view and bucket. Of sparse plans: where each
  // bucket begins.
  SLU_ADDRESS bucketGroups;
  DrawBlock draw;            // lies at a multiple of 16 bytes, as std140 requires
  BoundsBlock boundsLayout;  // so do these
  MeshBlock meshLayout;
  GroupBlock groups;
  uint bucketCount;
  uint outputsPerView;
  uint liveOffset;  // of the live test, in words; keyOffset is in words, too
  uint liveWords;   // that SLU_LIVE_NON_EMPTY reads; 0 for tests of one word
  uint liveMask;    // of SLU_LIVE_MASK_EQUAL
  uint liveValue;
  uint keyOffset;
  uint keyShift;
  uint keyMask;
  uint keyCount;
  uint maxTiles;     // of a frame; only the Vulkan route sets it
  uint layerStride;  // in words
  // Where the numbers of elements are in a record (SluIndices), in words.
  uint boundsIndexOffset;
  uint transformIndexOffset;
  uint layersIndexOffset;
  uint mirroredFirst;      // the first bucket of records that mirror; 0: these have none of their own
  uint zeroCommandCount;   // of merged and sparse plans (SluPlanCreateInfo)
  uint sparseBucketCount;  // of a sparse plan (PlanLayout), whose bucketCount is 1; else 0
  uint neverOccludeMask;   // SluLayers::neverOccludeMask and neverCullMask, of plans that test occlusion
  uint coneOffset;         // SluCones::offset, in words
};

#ifdef __cplusplus
// A view whose morePlanes is not 0 has six more planes: those of the block with that number, behind the views.
struct FrameBlock : FramePart, PlanPart {
  union {
    SluViewBlock views[SLU_FRAME_VIEWS];
    SluOcclusionBlock occlusion[SLU_FRAME_VIEWS];  // for what finds out which records a pyramid hides
  };
};
#endif

SLU_NAMESPACE_END

#endif

// The arguments of a launch. All of them are kernel parameters, so that a frame consists of launches only and can be
// captured.
#pragma once

#include "../../../../shaders/shared/frame.h"

namespace slu::cuda {

using u64 = unsigned long long;

constexpr uint kThreads = 256;  // of a block, except in kernels that sort, have medium tiles, have a pipe or publish
constexpr uint kMediumThreads = 128;
constexpr uint kPublishThreads = 1024;  // of publishCounted, a block of which goes over all buckets of a view
// How many records of 4 bytes a tile has: in any order, in large, medium and small plans; in stable order, in plans
// that are not small.
constexpr uint kLargeTileRecords = kThreads * 32;
constexpr uint kMediumTileRecords = kMediumThreads * 16;
constexpr uint kSmallTileRecords = kThreads * 4;
constexpr uint kNarrowTileRecords = kThreads * 16;
constexpr uint kDirect12TileRecords = kThreads * 5;    // of records of 12 bytes, stored from registers
constexpr uint kTileRecords = kThreads * 4;            // of kernels that evaluate any predicate
constexpr uint kCulledItems = 4, kFewCulledItems = 2;  // of a thread, if only spheres decide
constexpr uint kSceneItems = 2;                        // of a thread, in scenes
constexpr uint kCandidateTiles = 4;                    // that a block goes over at a time at most, with candidates
constexpr uint kViewsStepRecords = kThreads * 32;      // that a block of scatterViews goes over at a time
constexpr uint kRankedEntries = kThreads * 2;          // of a view's list, that a block of emitRanked takes at a time
constexpr uint kRankedWords = 3;                       // of an entry of that list: record, bucket and rank
constexpr uint kMostCountedRanks = kThreads * 2;       // buckets that a tile of rankBuckets counts in shared memory

// Units of kept records that a thread has in flight: as a rule, and with several buckets if registers are left for
// them.
constexpr uint kCopyUnits = 4, kBucketedCopyUnits = 5;

// Kernels that sort records by bucket. A thread has kSortedRows units of 16 bytes in long tiles, and kSortedShortRows
// in short tiles, which need less shared memory: up to 64 KB and 32 KB for the records. Stable order uses long tiles
// only, and only for plans with at least kSortedStableRecordsPerBucket records of a tile per bucket. The kernels
// declare kSortedDeclaredBytes of shared memory, in addition to what launches ask for.
constexpr uint kSortedThreads = 512;
constexpr uint kSortedRows = 8, kSortedShortRows = 4;
constexpr uint kSortedStableRecordsPerBucket = 4;
constexpr uint kSortedDeclaredBytes = 512;

// Kernels with a pipe (piped.cuh). A tile has at most kPipedTileWords words. kPipedWarps warps test and store,
// kPipedReservers warps reserve, and one warp copies. Copies fill kPipedStages stages. A tile is stored kPipedLag tiles
// after it has been tested, and until then a slot holds what it keeps. The kernels declare kPipedDeclaredBytes of
// shared memory, in addition to what launches ask for.
constexpr uint kPipedTileWords = 9216;
constexpr uint kPipedWarps = 16, kPipedReservers = 2;
constexpr uint kPipedThreads = (kPipedWarps + kPipedReservers + 1) * 32;
constexpr uint kPipedStages = 3, kPipedLag = 2, kPipedSlots = kPipedLag + 1;
constexpr uint kPipedDeclaredBytes = 1024;

// Further streams (gather.cuh): the places that a block copies at a time, and the units that a thread has in flight.
constexpr uint kMostStreams = 8;
constexpr uint kGatherPlaces = SLU_GATHER_PLACES, kGatherUnits = 4;

constexpr uint kMaxBuckets = 4096;

// Sparse plans (sparse.cuh): the buckets that a thread takes in a round, and the chunks of which a view has at most so
// many. A chunk takes as many rounds as that needs.
constexpr uint kSparseItems = 4, kSparseRound = kThreads * kSparseItems;
constexpr uint kMostSparseChunks = 1024;
SLU_FUNCTION constexpr uint sparseChunkBuckets(uint bucketCount) {
  return ((bucketCount + kSparseRound * kMostSparseChunks - 1) / (kSparseRound * kMostSparseChunks)) * kSparseRound;
}
SLU_FUNCTION constexpr uint sparseChunkCount(uint bucketCount) {
  return bucketCount == 0 ? 1 : (bucketCount - 1) / sparseChunkBuckets(bucketCount) + 1;
}

// Status words of a tile, in stable order with one bucket: its count and its prefix.
constexpr uint kTileStatusWords = 2;

// The bucket of a plan with one bucket. Its outputs begin where those of the view begin.
struct SingleBucket {
  uint capacity;
  uint scale;     // what the command's countWord counts for each kept record
  uint viewStep;  // how much the command's firstWord grows from view to view
  uint command[SLU_COMMAND_WORDS];
};

// Constants of the plan. The Vulkan route has most of them as specialization constants.
struct PlanConstants {
  uint recordWords;
  uint flagTest;   // of the flag stream, or SLU_LIVE_ALWAYS
  uint liveTest;   // of the record, or SLU_LIVE_ALWAYS
  uint liveLimit;  // for sluIsLive
  uint deadWord;   // a word that fails the live test
  uint cullFlags;
  uint boundsSource;
  uint transformFlags;
  uint keyTime;  // SLU_KEYS_*
  uint lodCount;
  uint outputs;
  uint maxTiles;
  uint tileRecords;    // of the kernels whose tiles depend on the size of a record
  uint adapts;         // 1: the kernel reads whether the last frame kept many records
  uint countsRejects;  // 1: rejects are counted by reason (SLU_COUNTS_REJECTS)
  SingleBucket single;
  uint boundsShape;  // this and the next two are read in scenes
  uint matrixForm;
  uint scene;          // SLU_SCENE_*
  uint ballotWords;    // of a view
  uint rejectReasons;  // of plans that list rejects: bits 1 << SluReject; else 0
  u64 ballots;         // scratch of frames that read records once for all views: a bit per view and record (views.cuh)
  u64 decisions;  // scratch of plans that scatter: 2 bytes per view and record (bucketed.cuh); 0: they evaluate twice
  u64 ranked;     // scratch of plans that rank: a list per view (ranked.cuh); 0: they write nothing per record
  u64 sparseFirsts;  // scratch of sparse plans: the first output of each bucket, a uint per view and bucket
  u64 sparseSums;    // scratch of sparse plans: the sums of chunks of buckets, kMostSparseChunks per view
  uint viewRecords;  // of maxTiles tiles of tileRecords: decisions, or entries of a list, of a view
};

// The progress of a view, in scratch. It is zero before the first frame. In `word`, the lower bits count one thing, and
// the bits above them another:
//  - Unordered: tiles that have reserved count their kept records in the lower 40 bits, and themselves above. Each frame
//    leaves the word zero.
//  - Unordered, packed: the records that are listed; publishCounted moves their number to `listed`.
//  - Stable: the lower 32 bits count the tickets that were taken. Above is the epoch of the last frame that took tickets.
struct ViewProgress {
  u64 word;
  uint keptMany[2];  // 1: a frame kept more than three eighths of its records; see keptManyWord
  uint drawn;        // how many tiles blocks with a pipe have drawn; each frame leaves it zero
  uint listed;       // how many records the view's list has; each frame writes it before it reads it
  uint padding[2];
};

constexpr uint kKeptBits = 40;

// The counters of buckets use one sector of each cache line. Atomics on one line are serialized in the slice of the
// second-level cache that holds it, and the counters of few buckets would fill few lines. More than kMaxBucketsApart
// buckets use whole lines: they have enough lines, and the atomics of a warp then hit the same one.
constexpr uint kDemandedSectorWords = 8, kDemandedLineWords = 32, kMaxBucketsApart = 1024;
SLU_FUNCTION constexpr uint demandedSectorStep(uint bucketCount) {
  return bucketCount > kMaxBucketsApart ? kDemandedSectorWords : kDemandedLineWords;
}

// The rejects of a view are counted in several slots, so that tiles seldom contend for one.
constexpr uint kRejectSlots = 32;
struct RejectSlot {
  uint counts[16];  // by SLU_REJECT_*; each frame leaves them zero
};
static_assert(SLU_REJECT_COUNT <= sizeof(RejectSlot) / sizeof(uint));

constexpr uint kPredicateBytes = 64;  // SLU_MAX_PREDICATE_STATE

// A further stream. Strides and sizes are in words.
struct StreamBlock {
  SLU_ADDRESS input;
  SLU_ADDRESS output;
  uint inputWords;  // from element to element
  uint outputWords;
  uint elementWords;
  uint unitWords;  // 4, 2 or 1: the widest unit that copies may use
};

struct Arguments {
  FrameBlock frame;
  PlanConstants plan;
  alignas(16) unsigned char predicate[kPredicateBytes];  // the state of a custom live test
  StreamBlock streams[kMostStreams];
  uint streamCount;
  uint sparseBuckets;   // of a sparse plan: how many buckets the frame looks at
  uint candidateTiles;  // of frames with candidates (candidates.cuh), that a block goes over at a time
};

}  // namespace slu::cuda

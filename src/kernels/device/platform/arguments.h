// What a launch is given: all of it travels as kernel parameters, so that a frame is one launch and can be captured.
#pragma once

#include "../../../../shaders/shared/frame.h"

namespace slu::cuda {

using u64 = unsigned long long;

constexpr uint kThreads = 256;  // of every block but those that sort, those of medium tiles, and those with a pipe
constexpr uint kMediumThreads = 128;
// Of records of 4 bytes: in frames that fill the GPU, that nearly do, and small ones; in stable order.
constexpr uint kLargeTileRecords = kThreads * 32;
constexpr uint kMediumTileRecords = kMediumThreads * 16;
constexpr uint kSmallTileRecords = kThreads * 4;
constexpr uint kNarrowTileRecords = kThreads * 16;
constexpr uint kDirect12TileRecords = kThreads * 5;    // of 12 bytes, from registers
constexpr uint kTileRecords = kThreads * 4;            // of the kernels that evaluate any predicate
constexpr uint kCulledItems = 4, kFewCulledItems = 2;  // of a thread, of those for which spheres decide alone

// Units of kept records that a thread has in flight: as a rule, and where several buckets leave it the registers.
constexpr uint kCopyUnits = 4, kBucketedCopyUnits = 5;

// Of the kernels that sort records by bucket: threads of a block, and units of 16 bytes per thread, of long tiles and of
// short ones, for which launches ask for less shared memory: up to 64 KB and 32 KB for the records alone. In stable
// order, which has long tiles alone, how many records of a tile there should be for each bucket. What they declare
// beside.
constexpr uint kSortedThreads = 512;
constexpr uint kSortedRows = 8, kSortedShortRows = 4;
constexpr uint kSortedStableRecordsPerBucket = 4;
constexpr uint kSortedDeclaredBytes = 512;

// Of the kernels that take tiles through a pipe: the words of a tile, at most; warps that test and store, those that
// reserve, and one that copies; stages that copies fill; tiles by which stores come later, and slots for what these
// tiles keep. What they declare beside what launches ask for.
constexpr uint kPipedTileWords = 9216;
constexpr uint kPipedWarps = 16, kPipedReservers = 2;
constexpr uint kPipedThreads = (kPipedWarps + kPipedReservers + 1) * 32;
constexpr uint kPipedStages = 3, kPipedLag = 2, kPipedSlots = kPipedLag + 1;
constexpr uint kPipedDeclaredBytes = 1024;

constexpr uint kMaxBuckets = 4096;

// Stable order with one bucket: what each tile publishes, its count and then its prefix.
constexpr uint kTileStatusWords = 2;

// Of a plan with one bucket, whose outputs begin with the view's.
struct SingleBucket {
  uint capacity;
  uint scale;     // of the kept count, in the command's countWord
  uint viewStep;  // what the command's firstWord grows by from view to view
  uint command[SLU_COMMAND_WORDS];
};

// What the Vulkan route has as specialization constants and this one as uniform values.
struct PlanConstants {
  uint recordWords;
  uint flagTest;   // of the flag stream, or SLU_LIVE_ALWAYS
  uint liveTest;   // of the record, or SLU_LIVE_ALWAYS
  uint liveLimit;  // of `sluIsLive`
  uint deadWord;   // which the live test does not take for live
  uint cullFlags;
  uint sphereSource;
  uint transformFlags;
  uint keyTime;  // SLU_KEYS_*
  uint lodCount;
  uint outputs;
  uint maxTiles;
  uint tileRecords;    // of the kernels whose tiles depend on the size of a record
  uint adapts;         // 1: the kernel asks what the last frame kept
  uint countsRejects;  // 1: there are statistics, and more reasons than SLU_REJECT_NOT_LIVE, which is what remains
  SingleBucket single;
};

// What the blocks that work on a view tell each other, in scratch. Zero before the first frame.
//
// Unordered: records kept by the tiles that have reserved (40 bits), and above them the number of these tiles; each
// frame leaves it zero. Stable: tickets taken (32 bits), and above them the epoch of the last frame that took any.
struct ViewProgress {
  u64 word;
  uint keptMany;  // 1: the last frame kept more than three eighths of its records
  uint drawn;     // tiles that blocks with a pipe have drawn; each frame leaves it zero
  uint padding[4];
};

constexpr uint kKeptBits = 40;

// Where buckets are counted: in one sector of each line, since atomics on a line wait for each other in the slice of
// the second-level cache that has it, and few buckets would have few lines. More buckets than this fill their lines:
// they have enough of them, and a warp's atomics then meet in one.
constexpr uint kDemandedSectorWords = 8, kDemandedLineWords = 32, kMaxBucketsApart = 1024;
SLU_FUNCTION constexpr uint demandedSectorStep(uint bucketCount) {
  return bucketCount > kMaxBucketsApart ? kDemandedSectorWords : kDemandedLineWords;
}

// Rejects of a view are counted in several places, so that tiles seldom meet at one.
constexpr uint kRejectSlots = 32;
struct RejectSlot {
  uint counts[8];  // by SLU_REJECT_*; each frame leaves them zero
};
static_assert(SLU_REJECT_COUNT <= 8);

constexpr uint kPredicateBytes = 64;  // SLU_MAX_PREDICATE_STATE

struct Arguments {
  FrameBlock frame;
  PlanConstants plan;
  alignas(16) unsigned char predicate[kPredicateBytes];  // the state of a custom live test
};

}  // namespace slu::cuda

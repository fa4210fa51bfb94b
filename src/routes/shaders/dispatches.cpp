#include "routes/shaders/dispatches.h"

#include <algorithm>
#include <cstring>

#include "plan/frame_block.h"
#include "plan/kept_lists.h"

namespace slu {
namespace {

static_assert(1u << SLU_COUNTED_BITS <= SLU_WORKGROUP * 4, "a word per listed record holds one per counted bucket");
static_assert(1u << SLU_LOCAL_BITS >= SLU_WORKGROUP * 8, "a listed record's index within its tile fits");
static_assert(SLU_MAX_MERGED_BUCKETS < (1u << (32 - SLU_LOCAL_BITS)) - 1,
              "the bucket fits above it, and none is the last");
static_assert(SLU_LOOK_BACK_TILES % SLU_WORKGROUP == 0, "invocations look at as many tiles each");
static_assert(SLU_MOST_TILES > 1, "a ticket is drawn ahead");
static_assert(divideUp(SLU_MAX_RECORDS / (4 * SLU_WORKGROUP), SLU_MOST_TILES) < 65535, "as many as any device allows");

// Enough workgroups to fill any GPU several times over; each strides over the tiles, more would only end more often.
constexpr std::uint32_t kMaxWorkgroups = 4096;
// Tiles that are moved into one bucket have nothing to end, and are taken one by one as far as any device allows.
constexpr std::uint32_t kMaxMovingWorkgroups = 65535;
// Of the persistent kernel: a GPU runs as many at a time as it has room for, and the others find no tile any more, and end.
constexpr std::uint32_t kPersistentWorkgroups = 1024;

// Of frames into one bucket that count first: such frames have few counters, and more chunks even out the work.
constexpr std::uint32_t kMostSingleChunks = 4096;

constexpr std::uint64_t alignedScratch(std::uint64_t bytes) { return (bytes + 255) / 256 * 256; }

// Those that every tile meets at keep apart from each other.
constexpr std::uint64_t kRejectedOffset = 256;
constexpr std::uint64_t kDemandedOffset = kRejectedOffset + alignedScratch(SLU_MAX_VIEWS * SLU_REJECT_COUNT * 4);

std::uint32_t mostTiles(const PlanLayout& layout, const KernelConstants& constants) {
  return divideUp(layout.maxRecordCount, constants.tileRecords());
}

std::uint32_t mostChunks(const PlanLayout& layout, const KernelConstants& constants, Kernel compacting) {
  if (compacting != Kernel::emit) return 0;
  if (layout.bucketCount() == 1) return std::min(mostTiles(layout, constants), kMostSingleChunks);
  return maxChunkCount(layout, constants.tileRecords());
}

// Returns per view the words of the chunks' counts, or of where tiles tell what they keep, which are zero before the first
// frame.
std::uint64_t chunkWords(const PlanLayout& layout, const Dispatches& dispatches) {
  switch (dispatches.compacting) {
    case Kernel::ordered:
      return SLU_LOOK_BACK_WORDS;
    case Kernel::persistent:
      return SLU_STATUS_WORDS(std::uint64_t{mostTiles(layout, dispatches.constants)});
    default:
      return std::uint64_t{dispatches.mostChunks} * layout.bucketCount();
  }
}

// Returns the buckets of a sparse plan that a frame may count. Those of meshes that it does not have stay empty.
std::uint32_t countedBuckets(const PlanLayout& layout, const Frame& frame) {
  return layout.hasMeshes() && !layout.splitsMirrored ? frame.meshCount * layout.key.lodCount : layout.ownBucketCount();
}

// What a sparse plan has in the place of counts and ballots, by what shaders/sparse.glsl has of a view.
struct SparseScratch {
  std::uint64_t sumBytes;       // of the chunks of buckets
  std::uint64_t decisionBytes;  // of the records
  std::uint64_t firstBytes;     // where the buckets begin
};
SparseScratch sparseScratch(const PlanLayout& layout, const Dispatches& dispatches) {
  const std::uint64_t chunks = divideUp(layout.ownBucketCount(), SLU_SPARSE_CHUNK);
  const std::uint64_t records =
      std::uint64_t{mostTiles(layout, dispatches.constants)} * dispatches.constants.tileRecords();
  return {alignedScratch(8 * chunks * layout.maxViewCount), alignedScratch(8 * records * layout.maxViewCount),
          4 * SLU_SPARSE_CHUNK * chunks * layout.maxViewCount};
}

// Returns how many counters a view has.
std::uint64_t counterCount(const PlanLayout& layout) {
  if (!layout.isSparse()) return layout.bucketCount();
  return std::uint64_t{divideUp(layout.ownBucketCount(), SLU_SPARSE_CHUNK)} * SLU_SPARSE_CHUNK;
}

// Returns the size of a view's ballots, a bit per record. They lie behind the chunks' counts of all views.
std::uint64_t ballotWords(const PlanLayout& layout, const Dispatches& dispatches) {
  if (dispatches.compacting != Kernel::emit) return 0;
  return std::uint64_t{mostTiles(layout, dispatches.constants)} * (dispatches.constants.tileRecords() / 32);
}

}  // namespace

Dispatches divideFrames(const PlanLayout& layout, const KernelConstants& constants, Kernel compacting) {
  return {constants, compacting, mostChunks(layout, constants, compacting)};
}

std::uint32_t tileCountOf(const Dispatches& dispatches, std::uint32_t recordCount) {
  return std::max(divideUp(recordCount, dispatches.constants.tileRecords()), 1u);
}

std::uint32_t chunkCountOf(const PlanLayout& layout, const Dispatches& dispatches, const Frame& frame) {
  if (layout.isSparse()) return divideUp(std::max(countedBuckets(layout, frame), 1u), SLU_SPARSE_CHUNK);
  if (dispatches.mostChunks == 0) return 0;
  const std::uint32_t tileCount = tileCountOf(dispatches, frame.recordCount);
  return divideUp(tileCount, divideUp(tileCount, dispatches.mostChunks));
}

std::uint32_t workgroupCount(const PlanLayout& layout, const Dispatches& dispatches, const FramePart& part,
                             std::uint32_t tileCount) {
  switch (dispatches.compacting) {
    case Kernel::ordered:
      return tileCount;
    case Kernel::persistent:  // one scans
      return std::max(std::min(tileCount, kPersistentWorkgroups), divideUp(tileCount, SLU_MOST_TILES)) + 1;
    case Kernel::emit:
      return part.chunkCount;
    default:
      break;
  }
  const bool ends = dispatches.constants.moves == SLU_MOVES_NONE || layout.bucketCount() > 1;
  return std::min(tileCount, ends ? kMaxWorkgroups : kMaxMovingWorkgroups);
}

std::uint32_t gatherCount(const PlanLayout& layout, std::uint32_t recordCount) {
  return std::min(mostGatheredChunks(layout, recordCount), kMaxWorkgroups);
}

std::uint32_t findVisibleCount(std::uint32_t recordCount) {
  return std::min(divideUp(recordCount, SLU_WORKGROUP), kMaxWorkgroups);
}

std::uint32_t unitWords(const PlanLayout& layout) {
  return layout.recordStride % 16 == 0 ? 4 : layout.recordStride % 8 == 0 ? 2 : 1;
}

std::uint64_t countersOffset(const PlanLayout& layout) {
  return alignedScratch(kBucketsOffset + layout.buckets.size() * sizeof(BucketBlock));
}

std::uint64_t placesOffset(const PlanLayout& layout) {
  const std::uint64_t counterBytes = 4 * counterCount(layout) * layout.maxViewCount;
  return alignedScratch(countersOffset(layout) + kDemandedOffset + counterBytes);
}

std::uint64_t groupsOffset(const PlanLayout& layout) {
  const bool hasPlaces = layout.isPacked() && !layout.isSparse();
  const std::uint64_t placeBytes = hasPlaces ? 8ull * layout.maxViewCount * layout.bucketCount() : 0;
  return placesOffset(layout) + alignedScratch(placeBytes);
}

std::uint64_t chunksOffset(const PlanLayout& layout) {
  const std::uint64_t groupBytes = layout.hasGroups() ? 4ull * layout.maxViewCount * layout.bucketCount() : 0;
  return groupsOffset(layout) + alignedScratch(groupBytes);
}

std::uint64_t chunkBytes(const PlanLayout& layout, const Dispatches& dispatches) {
  if (layout.isSparse()) {
    const SparseScratch sparse = sparseScratch(layout, dispatches);
    return sparse.sumBytes + sparse.decisionBytes + sparse.firstBytes;
  }
  return 4 * layout.maxViewCount * (chunkWords(layout, dispatches) + ballotWords(layout, dispatches));
}

void writeUniforms(void* uniforms, const PlanLayout& layout, const Dispatches& dispatches,
                   const ScratchPlaces& places) {
  PlanPart part{};
  fillPlanPart(part, layout);
  part.buckets = places.buckets;
  part.progress = places.counters;
  part.rejected = places.counters + kRejectedOffset / places.step;
  part.demanded = places.counters + kDemandedOffset / places.step;
  if (layout.isPacked() && !layout.isSparse()) part.places = places.places;
  if (layout.hasGroups()) part.bucketGroups = places.groups;
  part.chunkCounts = part.tileStatus = places.chunks;
  if (layout.isSparse()) {
    const SparseScratch sparse = sparseScratch(layout, dispatches);
    part.tileStatus += sparse.sumBytes / places.step;
    part.bucketGroups = part.tileStatus + sparse.decisionBytes / places.step;
  }
  if (dispatches.mostChunks != 0) {
    part.tileStatus += 4 * layout.maxViewCount * chunkWords(layout, dispatches) / places.step;
  }
  part.maxTiles = mostTiles(layout, dispatches.constants);
  auto* const bytes = static_cast<std::uint8_t*>(uniforms);
  std::memcpy(bytes, &part, sizeof(part));
  std::memcpy(bytes + kFirstBucketOffset, layout.buckets.data(), sizeof(BucketBlock));
}

}  // namespace slu

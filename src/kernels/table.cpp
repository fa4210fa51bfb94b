#include "kernels/table.h"

namespace slu {
namespace {

// Functions that the rows of the list are composed of.
namespace rows {

using namespace cuda;

// Plans of up to kFewWords records of 4 bytes use small tiles, so that each multiprocessor has some. Unordered plans of
// up to kManyWords records use medium tiles. If shared memory is scarce, they do so up to kManyDirectWords records:
// with more tiles than are resident at once, stores from registers are faster.
constexpr uint kFewWords = 1u << 18;
constexpr uint kManyWords = 1u << 21;
constexpr uint kManyDirectWords = 1u << 20;
// Plans of up to so many records of 96 and 128 bytes use compactGeneral. compactLong has a block per kTileRecords
// records, and when it reads records whole, so few blocks leave most of the GPU idle.
constexpr uint kFewLong = 1u << 18;
// Plans of up to so many culled records use small tiles.
constexpr uint kFewCulled = 1u << 17;

struct Row : KernelRow {
  constexpr Row stable() const { return with(&Row::isStable, true); }
  constexpr Row merged() const { return with(&Row::isMerged, true); }
  constexpr Row buckets() const { return with(&Row::hasBuckets, true); }
  constexpr Row ranked() const { return with(&Row::isRanked, true); }
  constexpr Row rejects() const { return with(&Row::listsRejects, true); }
  constexpr Row candidates() const { return with(&Row::listsCandidates, true); }
  constexpr Row preparing() const { return with(&Row::isPreparing, true); }
  constexpr Row following() const { return with(&Row::isFollowing, true); }
  constexpr Row by(uint count) const { return with(&Row::threads, count); }
  constexpr Row countedBy(CudaKernel other) const {
    Row row = *this;
    row.counter = other;
    return row;
  }
  constexpr Row ofViews(CudaKernel other) const { return countedBy(other).with(&Row::isOfViews, true); }
  constexpr Row ample() const { return on(SharedMemory::ample); }
  constexpr Row scarce() const { return on(SharedMemory::scarce); }
  constexpr Row above(uint records) const { return with(&Row::leastRecords, records + 1); }
  constexpr Row upTo(uint records) const { return with(&Row::mostRecords, records); }
  // Excludes plans of more than `from` and at most `to` records. In stable order a frame of one tile needs no ticket.
  // So plans that do not fit into a tile of `from` records, but into one of `to`, use the kernel with the larger tile.
  constexpr Row but(uint from, uint to) const { return with(&Row::gapFrom, from).with(&Row::gapTo, to); }

  constexpr Row on(SharedMemory size) const {
    Row row = *this;
    row.memory = size;
    return row;
  }

  template <typename Value>
  constexpr Row with(Value KernelRow::*field, Value value) const {
    Row row = *this;
    row.*field = value;
    return row;
  }
};

constexpr Row shape(Decider decider, uint tileRecords, uint threads = kThreads) {
  Row row;
  row.decider = decider;
  row.tileRecords = tileRecords;
  row.threads = threads;
  return row;
}

constexpr Row general() { return shape(Decider::any, kTileRecords); }

constexpr Row scene() { return shape(Decider::scene, kSceneItems * kThreads); }

constexpr Row meshSpheres() { return shape(Decider::meshSpheres, kCulledItems * kThreads); }

constexpr Row culled(uint items) { return shape(Decider::spheres, items * kThreads); }

// Kernels for moved records of one size.
constexpr Row alone(uint bytes, uint tileRecords, uint threads = kThreads) {
  return shape(Decider::record, tileRecords, threads).with(&Row::leastBytes, bytes).with(&Row::mostBytes, bytes);
}

constexpr Row words(uint tileRecords, uint threads = kThreads) { return alone(4, tileRecords, threads); }

constexpr Row wide(uint words, uint units) { return alone(4 * words * units, wideTileRecords(words, units)); }

constexpr Row staged(uint least, uint most) { return alone(least, 0).with(&Row::mostBytes, most); }

constexpr Row longer(uint units) { return alone(16 * units, kTileRecords).with(&Row::adapts, true).above(kFewLong); }

// Records that are read whole have the smaller tiles. So there is a status for each tile of either algorithm.
constexpr Row longerStable(uint units) { return wide(4, units).stable().with(&Row::adapts, true).above(kFewLong); }

constexpr Row piped(uint words) {
  return alone(4 * words, pipedTileRecords(words), kPipedThreads).with(&Row::isPiped, true);
}

constexpr Row sorted(uint units, uint rows) {
  return alone(16 * units, sortedTileRecords(units, rows), kSortedThreads).with(&Row::sortedRows, rows).buckets();
}

constexpr Row named(Row row, const char* name, CudaKernel kernel, uint blocks) {
  return row.with(&Row::name, name).with(&Row::kernel, kernel).with(&Row::blocks, blocks);
}

constexpr KernelRow kTable[] = {
#define SLU_BLOCKS(blocks, ...) blocks
#define SLU_ROW(name, row, function, ...) named(row, #name, CudaKernel::name, SLU_BLOCKS(__VA_ARGS__, 0)),
    SLU_CUDA_KERNELS(SLU_ROW)
#undef SLU_ROW
#undef SLU_BLOCKS
};

}  // namespace rows
}  // namespace

std::uint32_t KernelRow::tileOf(std::uint32_t recordBytes) const {
  return tileRecords != 0 ? tileRecords : cuda::stagedTileRecords(recordBytes / 4);
}

std::uint32_t KernelRow::sharedBytes(std::uint32_t recordBytes, std::uint32_t bucketCount) const {
  if (isPiped) return cuda::pipedSharedBytes(recordBytes / 4);
  return sortedRows != 0 ? cuda::sortedSharedBytes(recordBytes / 16, sortedRows, bucketCount) : 0;
}

std::span<const KernelRow> kernelTable() { return rows::kTable; }

const KernelRow& rowOf(CudaKernel kernel) { return rows::kTable[static_cast<unsigned>(kernel)]; }

}  // namespace slu

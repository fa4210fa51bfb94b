// Tiles whose shape depends on the size of a record. Not for NVRTC, which takes no functions without an execution
// space.
#pragma once

#include "../platform/arguments.h"

namespace slu::cuda {

// Of records that lanes hold between them, of `units` units of `words` words: rows of a unit per thread, and records.
constexpr uint wideRows(uint words) { return 16 / words; }
constexpr uint wideTileRecords(uint words, uint units) { return wideRows(words) * (kThreads / 32) * (32 / units); }

// Of records of `units` units that are sorted by bucket, with so many rows per thread: records, and bytes of shared
// memory that the launch asks for: the records, a slot for each, two words per bucket, and one per lane of a warp for
// atomics that count nothing.
constexpr uint sortedTileRecords(uint units, uint rows) { return rows * (kSortedThreads / 32) * (32 / units); }
constexpr uint sortedSharedBytes(uint units, uint rows, uint bucketCount) {
  const uint records = sortedTileRecords(units, rows);
  return 16 * units * records + 4 * records + 8 * bucketCount + 4 * 32;
}

// Of records that pass through shared memory whole, by the words of a record: records per thread at most, and records,
// of which 4 begin at an address that 16 divides.
constexpr uint kStagedWords = 4096;
constexpr uint stagedRows(uint recordWords) { return recordWords == 3 ? 5 : 4; }
constexpr uint stagedTileRecords(uint recordWords) {
  const uint fitting = kStagedWords / recordWords / 4 * 4;
  return fitting < kThreads * stagedRows(recordWords) ? fitting : kThreads * stagedRows(recordWords);
}

// Of records that pass through a pipe, by the words of a record: records per thread that tests, records, and bytes of
// shared memory that the launch asks for.
constexpr uint pipedRows(uint recordWords) { return kPipedTileWords / (kPipedWarps * 32) / recordWords; }
constexpr uint pipedTileRecords(uint recordWords) { return pipedRows(recordWords) * kPipedWarps * 32; }
constexpr uint pipedSharedBytes(uint recordWords) {
  return (kPipedStages + kPipedSlots) * pipedTileRecords(recordWords) * 4 * recordWords;
}

}  // namespace slu::cuda

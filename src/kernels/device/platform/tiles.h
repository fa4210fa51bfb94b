// Tiles whose shape depends on the size of a record. NVRTC does not compile this file, because it takes no functions
// without an execution space.
#pragma once

#include "../platform/arguments.h"

namespace slu::cuda {

// Tiles of wide.cuh, for records of `units` units of `words` words: rows, with a unit per thread each, and records.
constexpr uint wideRows(uint words) { return 16 / words; }
constexpr uint wideTileRecords(uint words, uint units) { return wideRows(words) * (kThreads / 32) * (32 / units); }

// Tiles of sorted.cuh, for records of `units` units of 16 bytes and `rows` units per thread: records, and the bytes of
// shared memory that a launch asks for. These hold the records, a slot for each, two words per bucket, and a word per
// lane of a warp for atomics that count nothing.
constexpr uint sortedTileRecords(uint units, uint rows) { return rows * (kSortedThreads / 32) * (32 / units); }
constexpr uint sortedSharedBytes(uint units, uint rows, uint bucketCount) {
  const uint records = sortedTileRecords(units, rows);
  return 16 * units * records + 4 * records + 8 * bucketCount + 4 * 32;
}

// Tiles of staged.cuh, by the words of a record: the most records per thread, and the records of a tile. A tile is a
// multiple of 4 records, so that the next one begins at a multiple of 16 bytes.
constexpr uint kStagedWords = 4096;
constexpr uint stagedRows(uint recordWords) { return recordWords == 3 ? 5 : 4; }
constexpr uint stagedTileRecords(uint recordWords) {
  const uint fitting = kStagedWords / recordWords / 4 * 4;
  return fitting < kThreads * stagedRows(recordWords) ? fitting : kThreads * stagedRows(recordWords);
}

// Tiles of piped.cuh, by the words of a record: records per thread that tests, records of a tile, and the bytes of
// shared memory that a launch asks for.
constexpr uint pipedRows(uint recordWords) { return kPipedTileWords / (kPipedWarps * 32) / recordWords; }
constexpr uint pipedTileRecords(uint recordWords) { return pipedRows(recordWords) * kPipedWarps * 32; }
constexpr uint pipedSharedBytes(uint recordWords) {
  return (kPipedStages + kPipedSlots) * pipedTileRecords(recordWords) * 4 * recordWords;
}

}  // namespace slu::cuda

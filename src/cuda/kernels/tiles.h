// Tiles whose shape depends on the size of a record. Not for NVRTC, which takes no functions without an execution space.
#pragma once

#include "arguments.h"

namespace slu::cuda {

// Of records that lanes hold between them, of `units` units of `words` words: rows of a unit per thread, and records.
constexpr uint wideRows(uint words) { return 16 / words; }
constexpr uint wideTileRecords(uint words, uint units) { return wideRows(words) * (kThreads / 32) * (32 / units); }

// Of records that pass through shared memory whole, by the words of a record: records per thread at most, and records, of
// which 4 begin at an address that 16 divides.
constexpr uint kStagedWords = 4096;
constexpr uint stagedRows(uint recordWords) { return recordWords == 3 ? 5 : 4; }
constexpr uint stagedTileRecords(uint recordWords) {
  const uint fitting = kStagedWords / recordWords / 4 * 4;
  return fitting < kThreads * stagedRows(recordWords) ? fitting : kThreads * stagedRows(recordWords);
}

}  // namespace slu::cuda

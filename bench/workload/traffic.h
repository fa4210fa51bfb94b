// Counts the bytes that a compaction cannot avoid moving.
#pragma once

#include "workload/workload.h"

namespace bench {

// Memory is read in sectors of 32 bytes: a test of one word costs its sector, and records of up to that size entirely.
constexpr uint32_t kSectorBytes = 32;

struct Traffic {
  // Compulsory bytes are the tested sector of every record (recordCount * min(recordBytes, 32)), the rest of the kept
  // records if records are copied, and what is written (keptCount * elementBytes). Bounds beside the records count
  // in the place of the tested sectors: recordCount * 16 if they are spheres. Boxes with their matrices count
  // recordCount * 80, since the 72 bytes that are tested touch every sector. Then the kept records count whole if they
  // are copied, and with their key's sector if only the key is read. What is read counts once for all views, and what
  // is written counts for each.
  uint64_t bytes;
  // The bytes if the input were read whole.
  uint64_t wholeBytes;
};

// keptCount: of all views together.
Traffic trafficOf(const Workload& workload, uint64_t keptCount);

}  // namespace bench

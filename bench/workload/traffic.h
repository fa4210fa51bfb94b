// How many bytes a compaction cannot avoid moving.
#pragma once

#include "workload/workload.h"

namespace bench {

// Memory is read in sectors of 32 bytes: a test of one word costs its sector, and records of up to that size entirely.
constexpr uint32_t kSectorBytes = 32;

struct Traffic {
  // Compulsory: of every record the tested sector (recordCount * min(recordBytes, 32)), the rest of the kept records
  // where records are copied, and what is written (keptCount * elementBytes). For records of 4 bytes: read all, write
  // the kept. With spheres beside the records: these (recordCount * 16), and of the kept records all that is copied, or
  // the sector of the key.
  uint64_t bytes;
  // The same as if the input were read whole.
  uint64_t wholeBytes;
};

Traffic trafficOf(const Workload& workload, uint64_t keptCount);

}  // namespace bench

// A policy of CUB's selections for records that are wider than a word.
#pragma once

#include <cub/device/device_select.cuh>

#include "competitors/cub_elements.cuh"

namespace bench {

// The dispatch layer is not a promised interface: it has these parameters in CUB 3.0.
#if CUB_MAJOR_VERSION == 3 && CUB_MINOR_VERSION == 0
#define BENCH_CUB_TUNED 1

// CUB tunes for primitive types, and gives a struct 40 bytes per thread, or one record, and 128 threads: tiles of 5
// KiB, 16 KiB for 128 bytes. What it found for integers of 4, 8 and 16 bytes on Hopper are tiles of 26, 33 and 40 KiB,
// the 16-byte ones loaded without a transposition. This goes the same way: 64 bytes in flight per thread and tiles of
// 24 to 32 KiB, several of which fit into a multiprocessor. Two records per thread at least, as the kernel has shared
// memory for two in any case. Chosen by that reasoning, not yet by measurement.
template <typename Record>
struct WidePolicyHub {
  static constexpr int kTileBytes = 32 << 10;
  static constexpr int kRecordBytes = sizeof(Record);
  static constexpr int kNearest = (64 + kRecordBytes / 2) / kRecordBytes;
  static constexpr int kRecordsPerThread = kNearest > 2 ? kNearest : 2;
  static constexpr int kMostWarps = kTileBytes / (kRecordsPerThread * kRecordBytes) / 32;
  static constexpr int kThreads = 32 * (kMostWarps < 12 ? kMostWarps : 12);

  static constexpr bool kTransposed = kRecordBytes < 16;
  static constexpr auto kLoad = kTransposed ? cub::BLOCK_LOAD_WARP_TRANSPOSE : cub::BLOCK_LOAD_DIRECT;

  struct MaxPolicy : cub::ChainedPolicy<500, MaxPolicy, MaxPolicy> {
    using SelectIfPolicyT =
        cub::AgentSelectIfPolicy<kThreads, kRecordsPerThread, kLoad, cub::LOAD_DEFAULT, cub::BLOCK_SCAN_WARP_SCANS>;
  };
};

#else
#define BENCH_CUB_TUNED 0
#endif

}  // namespace bench

// Counts of blocks, scanned by CUB.
#include <cub/device/device_scan.cuh>

#include "literature/block_counts.cuh"
#include "literature/frames.cuh"
#include "literature/literature.h"

namespace bench {
namespace literature {
namespace {

enum Phase : size_t { kCount, kScan, kScatter };

class BlockCounts : public Traits {
 public:
  static constexpr std::array kPhases{"count", "scan", "scatter"};

  explicit BlockCounts(const Workload& workload)
      : blocks_(ceilDivide(workload.recordCount, kCountedThreads)),
        counts_(blocks_ * sizeof(uint32_t)),
        firsts_(blocks_ * sizeof(uint32_t)) {
    size_t bytes = 0;
    scan(nullptr, bytes, nullptr);
    scratch_ = DeviceMemory(bytes);
  }

  template <typename Source>
  void enqueue(cudaStream_t stream, size_t phase, const Source& source, typename Source::Element* output,
               uint32_t* total) {
    size_t bytes = scratch_.bytes();
    if (phase == kCount)
      countBlocks<<<blocks_, kCountedThreads, 0, stream>>>(source, counts_.as<uint32_t>());
    else if (phase == kScan)
      scan(scratch_.get(), bytes, stream);
    else
      scatterBlocks<<<blocks_, kCountedThreads, 0, stream>>>(source, firsts_.as<uint32_t>(), output, total);
  }

 private:
  void scan(void* scratch, size_t& bytes, cudaStream_t stream) {
    check(cub::DeviceScan::ExclusiveSum(scratch, bytes, counts_.as<const uint32_t>(), firsts_.as<uint32_t>(), blocks_,
                                        stream),
          "cub::DeviceScan::ExclusiveSum");
  }

  const uint32_t blocks_;
  const DeviceMemory counts_;
  const DeviceMemory firsts_;
  DeviceMemory scratch_;
};

}  // namespace
}  // namespace literature

void addBlockCounts(CompetitorList& competitors) {
  competitors.push_back(literature::makeCompetitor<literature::BlockCounts>("block-counts"));
}

}  // namespace bench

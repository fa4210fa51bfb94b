// Compaction within one kernel.
#include "literature/frames.cuh"
#include "literature/in_kernel.cuh"
#include "literature/literature.h"

namespace bench {
namespace literature {
namespace {

class InKernel : public Traits {
 public:
  explicit InKernel(const Workload& workload)
      : tiles_(ceilDivide(workload.recordCount, kChainTile)), chain_(chainWords(tiles_) * sizeof(uint32_t)) {}

  template <typename Source>
  void enqueue(cudaStream_t stream, size_t, const Source& source, typename Source::Element* output, uint32_t* total) {
    check(cudaMemsetAsync(chain_.get(), 0, chain_.bytes(), stream), "cudaMemsetAsync");
    compactInKernel<<<tiles_, kChainThreads, 0, stream>>>(source, chain_.as<uint32_t>(), output, total);
  }

 private:
  const uint32_t tiles_;
  const DeviceMemory chain_;
};

}  // namespace
}  // namespace literature

void addInKernel(CompetitorList& competitors) {
  competitors.push_back(literature::makeCompetitor<literature::InKernel>("in-kernel"));
}

}  // namespace bench

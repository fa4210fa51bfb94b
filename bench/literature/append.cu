// Survivors appended by atomics, in memory and by block.
#include <algorithm>

#include "literature/append.cuh"
#include "literature/frames.cuh"
#include "literature/literature.h"

namespace bench {
namespace literature {
namespace {

constexpr uint32_t kSameCounter = 0;  // the step between the counters of lanes

// A memset resets the total, as the literature's host code does.
template <typename Atomics, bool countsByBlock>
class Append : public Traits {
 public:
  static constexpr bool kIsStable = false;
  static constexpr bool kTakesBuckets = Atomics::kTakesCounterPerLane && !countsByBlock;

  explicit Append(const Workload&) {}

  template <typename Source>
  void enqueue(cudaStream_t stream, size_t, const Source& source, typename Source::Element* output, uint32_t* total) {
    check(cudaMemsetAsync(total, 0, sizeof(uint32_t), stream), "cudaMemsetAsync");
    const uint32_t blocks = ceilDivide(source.count, kAppendThreads);
    if constexpr (countsByBlock)
      appendByBlock<Atomics><<<blocks, kAppendThreads, 0, stream>>>(source, output, total, kSameCounter);
    else
      append<Atomics><<<blocks, kAppendThreads, 0, stream>>>(source, output, total, kSameCounter);
  }

  template <typename Source>
  void enqueueBuckets(cudaStream_t stream, const Source& source, const Buckets& buckets,
                      typename Source::Element* output, DrawCommand* draws) {
    check(cudaMemsetAsync(draws, 0, buckets.count * sizeof(DrawCommand), stream), "cudaMemsetAsync");
    const uint32_t blocks = ceilDivide(std::max(source.count, buckets.count), kAppendThreads);
    appendToBuckets<Atomics><<<blocks, kAppendThreads, 0, stream>>>(source, buckets, output, draws);
  }
};

}  // namespace
}  // namespace literature

void addAppending(CompetitorList& competitors) {
  using namespace literature;
  competitors.push_back(makeCompetitor<Append<SingleAtomics, false>>("atomics"));
  competitors.push_back(makeCompetitor<Append<SingleAtomics, true>>("atomics-shared"));
  competitors.push_back(makeCompetitor<Append<GroupAtomics, false>>("warp-group"));
  competitors.push_back(makeCompetitor<Append<BallotAtomics, false>>("warp-ballot"));
  competitors.push_back(makeCompetitor<Append<MatchAtomics, false>>("warp-match"));
  competitors.push_back(makeCompetitor<Append<GroupAtomics, true>>("warp-shared"));
}

}  // namespace bench

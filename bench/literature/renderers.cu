// The ways of renderers, see renderers.cuh.
#include "literature/frames.cuh"
#include "literature/literature.h"
#include "literature/renderers.cuh"

namespace bench {
namespace literature {
namespace {

class Bevy : public Traits {
 public:
  static constexpr bool kIsStable = false;
  static constexpr bool kTakesBuckets = true;
  static constexpr bool kTakesOneOutput = false;
  static constexpr bool kTakesGroups = true;

  explicit Bevy(const Workload& workload) : bins_(workload.bucketCount * sizeof(BinMetadata)) {}

  template <typename Source>
  void enqueueBuckets(cudaStream_t stream, const Source& source, const Buckets& buckets,
                      typename Source::Element* output, DrawCommand* draws) {
    const uint32_t binBlocks = ceilDivide(buckets.count, kRendererThreads);
    const uint32_t recordBlocks = ceilDivide(source.count, kRendererThreads);
    auto* const bins = bins_.as<BinMetadata>();
    resetBins<<<binBlocks, kRendererThreads, 0, stream>>>(buckets, bins);
    preprocessInstances<<<recordBlocks, kRendererThreads, 0, stream>>>(source, buckets, bins, output);
    buildIndirectParameters<<<binBlocks, kRendererThreads, 0, stream>>>(buckets, bins, draws);
  }

 private:
  const DeviceMemory bins_;
};

class Niagara : public Traits {
 public:
  static constexpr bool kIsStable = false;
  static constexpr bool kTakesBuckets = true;
  static constexpr bool kTakesOneOutput = false;
  static constexpr bool kDrawsRecords = true;

  explicit Niagara(const Workload&) {}

  // A memset resets the count, as vkCmdFillBuffer does in niagara.
  template <typename Source>
  void enqueueDraws(cudaStream_t stream, const Source& source, const Buckets& buckets, const DrawCommand* meshes,
                    RecordDraw* draws, uint32_t* count) {
    check(cudaMemsetAsync(count, 0, sizeof(uint32_t), stream), "cudaMemsetAsync");
    cullDraws<<<ceilDivide(source.count, kRendererThreads), kRendererThreads, 0, stream>>>(source, buckets, meshes,
                                                                                           draws, count);
  }
};

}  // namespace
}  // namespace literature

void addRenderers(CompetitorList& competitors) {
  competitors.push_back(literature::makeCompetitor<literature::Bevy>("bevy"));
  competitors.push_back(literature::makeCompetitor<literature::Niagara>("niagara"));
}

}  // namespace bench

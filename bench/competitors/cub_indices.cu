// DeviceSelect::If over a counting iterator, with a predicate that reads the record.
#include <thrust/iterator/counting_iterator.h>

#include "competitors/cub_select.cuh"

namespace bench {
namespace {

struct KeepNonEmptyAt {
  const uint32_t* input;
  uint32_t recordWords;

  __device__ bool operator()(uint32_t index) const { return input[uint64_t{index} * recordWords] != 0; }
};

struct IndexSource {
  using Element = uint32_t;
  uint32_t recordWords;

  thrust::counting_iterator<uint32_t> input(const FrameSet&) const { return thrust::counting_iterator<uint32_t>(0); }
  KeepNonEmptyAt keep(const FrameSet& set) const { return {static_cast<const uint32_t*>(set.input), recordWords}; }
};

}  // namespace

std::unique_ptr<PreparedCompetitor> prepareCubIndices(const Workload& workload, const FrameBuffers& buffers) {
  return std::make_unique<CubFrames<IndexSource>>(IndexSource{workload.recordBytes / 4}, workload, buffers);
}

}  // namespace bench

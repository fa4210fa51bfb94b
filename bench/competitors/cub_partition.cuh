// cub::DevicePartition::If: the kept records at the front of the output, the others, last one first, at its rear.
#pragma once

#include <cub/device/device_partition.cuh>

#include "competitors/cub_frames.cuh"
#include "competitors/rejects.h"

namespace bench {

template <uint32_t recordBytes>
struct PartitionIf {
  static constexpr const char* kName = "cub::DevicePartition::If";
  using Elements = CubElements<recordBytes>;

  explicit PartitionIf(const Workload& workload) : elements(workload), recordCount(workload.recordCount) {}

  // The output of a single bucket has room for every record.
  cudaError_t operator()(void* scratch, size_t& bytes, const FrameSet& set, uint32_t* keptCount,
                         cudaStream_t stream) const {
    return cub::DevicePartition::If(scratch, bytes, elements.input(set),
                                    static_cast<typename Elements::Element*>(set.output), keptCount, recordCount,
                                    elements.keep(set), stream);
  }

  Elements elements;
  int64_t recordCount;
};

template <uint32_t recordBytes>
class PartitionFrames : public CubFrames<PartitionIf<recordBytes>> {
 public:
  PartitionFrames(const Workload& workload, const FrameBuffers& buffers)
      : CubFrames<PartitionIf<recordBytes>>(workload, buffers), workload_(workload), buffers_(buffers) {}

  // The verification looks at the kept ones as at everyone's, and expects untouched memory behind them. So the rejects
  // are looked at here, before it: each is one of the input's dead, and then gives way to poison.
  std::optional<std::string> difference(const std::vector<uint32_t>&) const override {
    for (const FrameSet& set : buffers_.sets)
      if (const uint32_t count = takeRejects(workload_, set); count != 0)
        return sentence(count, " elements at the rear are no rejected records");
    return std::nullopt;
  }

 private:
  const Workload workload_;
  const FrameBuffers& buffers_;
};

}  // namespace bench

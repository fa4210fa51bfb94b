// DeviceSelect::If over whole records.
#pragma once

#include "competitors/cub_select.cuh"

namespace bench {

// As aligned as the size allows, so that CUB moves it in the widest words.
template <uint32_t recordBytes>
struct alignas(recordBytes % 16 == 0  ? 16
               : recordBytes % 8 == 0 ? 8
                                      : 4) CubRecord {
  uint32_t words[recordBytes / 4];
};

struct KeepNonEmpty {
  template <uint32_t recordBytes>
  __device__ bool operator()(const CubRecord<recordBytes>& record) const {
    return record.words[0] != 0;
  }
  __device__ bool operator()(uint32_t record) const { return record != 0; }
};

template <typename Record>
struct RecordSource {
  using Element = Record;
  const Record* input(const FrameSet& set) const { return static_cast<const Record*>(set.input); }
  KeepNonEmpty keep(const FrameSet&) const { return {}; }
};

// Words are a primitive type, for which CUB has a tuned policy that a struct of the size would not get.
template <uint32_t recordBytes>
std::unique_ptr<PreparedCompetitor> prepareCubRecords(const Workload& workload, const FrameBuffers& buffers) {
  using Record = std::conditional_t<recordBytes == 4, uint32_t, CubRecord<recordBytes>>;
  return std::make_unique<CubFrames<RecordSource<Record>>>(RecordSource<Record>(), workload, buffers);
}

}  // namespace bench

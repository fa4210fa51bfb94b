// The loop in which a compaction on the host moves what it keeps.
#pragma once

#include <cstdint>
#include <cstring>

#include "workload/workload.h"

namespace bench {

// Calls run with the number of words of a record, as a constant where that is common, so that a copy is a few moves.
template <uint32_t kWords>
struct RecordWords {
  static constexpr uint32_t known = kWords;  // 0: not known
};

template <typename Run>
void withRecordWords(uint32_t recordBytes, const Run& run) {
  switch (recordBytes) {
    case 4:
      return run(RecordWords<1>());
    case 16:
      return run(RecordWords<4>());
    case 32:
      return run(RecordWords<8>());
    case 64:
      return run(RecordWords<16>());
    case 128:
      return run(RecordWords<32>());
    default:
      return run(RecordWords<0>());
  }
}

// Puts the kept ones of the records [begin, end) where place(record) says, as the number of an output element.
template <typename Words, typename LiveTest, typename Place>
void moveRecords(Words, const Workload& workload, const LiveTest& isLive, const uint32_t* input, uint32_t* output,
                 uint64_t begin, uint64_t end, const Place& place) {
  const uint32_t words = Words::known != 0 ? Words::known : workload.recordBytes / 4;
  const bool indices = workload.outputs == Outputs::Indices;
  for (uint64_t i = begin; i < end; ++i) {
    if (!isLive(i)) continue;
    const uint32_t* record = input + i * words;
    if (indices)
      output[place(record)] = static_cast<uint32_t>(i);
    else
      std::memcpy(output + place(record) * words, record, words * sizeof(uint32_t));
  }
}

}  // namespace bench

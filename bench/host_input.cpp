#include "host_input.h"

#include "threads.h"

namespace bench {

const std::vector<uint32_t>& HostInput::words() {
  if (!words_.empty()) return words_;
  const uint32_t recordWords = workload_.recordBytes / 4;
  words_.resize(workload_.inputBytes() / 4);
  forRanges(workload_.recordCount, [&](uint64_t begin, uint64_t end) {
    for (uint64_t record = begin; record < end; ++record)
      for (uint32_t word = 0; word < recordWords; ++word)
        words_[record * recordWords + word] = recipe_.word(static_cast<uint32_t>(record), word);
  });
  return words_;
}

const std::vector<uint32_t>& HostInput::keptCounts() {
  if (!keptCounts_.empty()) return keptCounts_;
  const std::vector<uint32_t>& input = words();
  const uint32_t recordWords = workload_.recordBytes / 4;
  keptCounts_.resize(workload_.bucketCount);
  for (size_t record = 0; record < input.size(); record += recordWords)
    if (input[record] != 0) ++keptCounts_[workload_.bucketCount == 1 ? 0 : input[record + 1]];
  return keptCounts_;
}

}  // namespace bench

#include "workload/host_input.h"

#include "base/threads.h"
#include "workload/live_test.h"

namespace bench {

const std::vector<uint32_t>& HostInput::words() {
  if (!words_.empty()) return words_;
  words_.resize(workload_.inputBytes() / 4);
  forRanges(words_.size(), [&](uint64_t begin, uint64_t end) {
    for (uint64_t position = begin; position < end; ++position) words_[position] = recipe_.inputWord(position);
  });
  return words_;
}

const std::vector<uint32_t>& HostInput::keptCounts() {
  if (!keptCounts_.empty()) return keptCounts_;
  const std::vector<uint32_t>& input = words();
  const uint32_t recordWords = workload_.recordBytes / 4;
  keptCounts_.resize(workload_.allBucketCount());
  for (uint32_t view = 0; view < workload_.viewCount; ++view) {
    uint32_t* counts = &keptCounts_[view * workload_.bucketCount];
    withLiveTest(workload_, view, input.data(), [&](const auto& isLive) {
      for (uint64_t i = 0; i < workload_.recordCount; ++i)
        if (isLive(i)) ++counts[workload_.bucketCount == 1 ? 0 : input[i * recordWords + 1]];
    });
  }
  return keptCounts_;
}

}  // namespace bench

#include "judge/reference.h"

#include <algorithm>

#include "base/failure.h"
#include "workload/frame.h"
#include "workload/live_test.h"

namespace bench {
namespace {

// One output element's words.
struct Element {
  const uint32_t* words;
  uint32_t wordCount;

  friend bool operator==(const Element& a, const Element& b) {
    return std::equal(a.words, a.words + a.wordCount, b.words);
  }
  friend bool operator<(const Element& a, const Element& b) {
    return std::lexicographical_compare(a.words, a.words + a.wordCount, b.words, b.words + b.wordCount);
  }
};

// bucket: counted through all views.
std::optional<std::string> compareBucket(const Workload& workload, uint32_t bucket, std::vector<Element> expected,
                                         std::vector<Element> found) {
  const bool sorted = workload.order == Order::Unordered;
  if (sorted) {
    std::sort(expected.begin(), expected.end());
    std::sort(found.begin(), found.end());
  }
  const auto [wanted, got] = std::mismatch(expected.begin(), expected.end(), found.begin());
  if (wanted == expected.end()) return std::nullopt;
  const auto words = std::mismatch(wanted->words, wanted->words + wanted->wordCount, got->words);
  return sentence(bucketText(workload.viewCount, workload.bucketCount, bucket), ", element ", wanted - expected.begin(),
                  sorted ? " of the sorted output" : "", ", word ", words.first - wanted->words, ": ", *words.second,
                  ", the reference has ", *words.first);
}

}  // namespace

std::vector<std::vector<uint32_t>> referenceIndices(const Workload& workload, const std::vector<uint32_t>& input) {
  const uint32_t recordWords = workload.recordBytes / 4;
  std::vector<std::vector<uint32_t>> buckets(workload.allBucketCount());
  for (uint32_t view = 0; view < workload.viewCount; ++view) {
    std::vector<uint32_t>* ofView = &buckets[size_t{view} * workload.bucketCount];
    withLiveTest(workload, view, input.data(), [&](const auto& isLive) {
      for (uint32_t i = 0; i < workload.recordCount; ++i)
        if (isLive(i)) ofView[workload.bucketCount == 1 ? 0 : input[size_t{i} * recordWords + 1]].push_back(i);
    });
  }
  return buckets;
}

std::optional<std::string> differenceFromReference(const Workload& workload, const std::vector<uint32_t>& input,
                                                   const std::vector<uint32_t>& output, uint32_t bucketCapacity) {
  const uint32_t recordWords = workload.recordBytes / 4;
  const uint32_t elementWords = workload.elementBytes() / 4;
  const auto buckets = referenceIndices(workload, input);
  for (uint32_t bucket = 0; bucket < workload.allBucketCount(); ++bucket) {
    std::vector<Element> expected;
    std::vector<Element> found;
    for (const uint32_t& index : buckets[bucket]) {
      const size_t position = size_t{bucket} * bucketCapacity + expected.size();
      expected.push_back(
          {workload.outputs == Outputs::Indices ? &index : &input[size_t{index} * recordWords], elementWords});
      found.push_back({&output[position * elementWords], elementWords});
    }
    if (auto difference = compareBucket(workload, bucket, std::move(expected), std::move(found))) return difference;
  }
  return std::nullopt;
}

}  // namespace bench

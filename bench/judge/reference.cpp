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

// bucket: counted through all views; not looked at where buckets are merged.
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
  const std::string range =
      workload.isMerged() ? "" : bucketText(workload.viewCount, workload.bucketCount, bucket) + ", ";
  return sentence(range, "element ", wanted - expected.begin(), sorted ? " of the sorted output" : "", ", word ",
                  words.first - wanted->words, ": ", *words.second, ", the reference has ", *words.first);
}

// The kept records of all buckets with their commands, in input order.
std::vector<RecordDraw> recordDraws(const std::vector<std::vector<uint32_t>>& buckets) {
  std::vector<RecordDraw> draws;
  for (uint32_t bucket = 0; bucket < buckets.size(); ++bucket)
    for (const uint32_t index : buckets[bucket]) draws.push_back({index, recordCommand(bucket)});
  std::sort(draws.begin(), draws.end(), [](const auto& a, const auto& b) { return a.record < b.record; });
  return draws;
}

std::vector<Element> elementsAt(const uint32_t* words, size_t count, uint32_t elementWords) {
  std::vector<Element> elements;
  for (size_t i = 0; i < count; ++i) elements.push_back({words + i * elementWords, elementWords});
  return elements;
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
  if (workload.isMerged()) {
    const std::vector<RecordDraw> draws = recordDraws(buckets);
    return compareBucket(workload, 0,
                         elementsAt(reinterpret_cast<const uint32_t*>(draws.data()), draws.size(), elementWords),
                         elementsAt(output.data(), draws.size(), elementWords));
  }
  size_t packedFirst = 0;
  for (uint32_t bucket = 0; bucket < workload.allBucketCount(); ++bucket) {
    std::vector<Element> expected;
    for (const uint32_t& index : buckets[bucket])
      expected.push_back(
          {workload.outputs == Outputs::Indices ? &index : &input[size_t{index} * recordWords], elementWords});
    const size_t first = workload.placement == Placement::Packed ? packedFirst : size_t{bucket} * bucketCapacity;
    packedFirst += expected.size();
    auto found = elementsAt(output.data() + first * elementWords, expected.size(), elementWords);
    if (auto difference = compareBucket(workload, bucket, std::move(expected), std::move(found))) return difference;
  }
  return std::nullopt;
}

}  // namespace bench

// Inputs of the literature's kernels, and the comparison of what they write with a plain loop.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <type_traits>
#include <vector>

#include "literature/source.cuh"
#include "random.h"
#include "simt/launch.h"

namespace bench::literature::test {

enum class Survival { None, Some, All };

template <typename Source>
constexpr bool kWritesIndices = std::is_same_v<Source, Indices> || std::is_same_v<Source, VisibleIndices>;

// Records of random words with spheres beside them; of a dead one the first word is 0, and the sphere behind the
// camera. With several buckets the second word is a live one's bucket, and a dead one's is none.
class Case {
 public:
  Case(slu::test::Random& random, uint32_t recordCount, uint32_t recordWords, Survival survival,
       uint32_t bucketCount = 1)
      : count_(recordCount),
        recordWords_(recordWords),
        bucketCount_(bucketCount),
        input_(size_t{recordCount} * recordWords / 4 + 1) {
    const double chance = survival == Survival::None ? 0 : survival == Survival::All ? 1 : random.uniform(0.01f, 0.99f);
    for (size_t i = 0; i < wordCount(); ++i) words()[i] = random.word();
    for (uint32_t i = 0; i < recordCount; ++i) {
      uint32_t& key = words()[size_t{i} * recordWords];
      key = random.chance(chance) ? key | 1u : 0;
      if (bucketCount > 1) (&key)[1] = key != 0 ? random.below(bucketCount) : UINT32_MAX;
      spheres_.push_back({0, 0, key != 0 ? random.uniform(2, 90) : random.uniform(-90, -2), 0.5f});
    }
  }

  uint32_t count() const { return count_; }
  uint32_t recordWords() const { return recordWords_; }
  uint32_t bucketCount() const { return bucketCount_; }
  const uint32_t* words() const { return reinterpret_cast<const uint32_t*>(input_.data()); }
  size_t wordCount() const { return size_t{count_} * recordWords_; }

  template <typename Source>
  Source source() const {
    const SphereTest test{spheres_.data(), kFrustum};
    if constexpr (std::is_same_v<Source, Indices>)
      return {words(), count_, recordWords_};
    else if constexpr (std::is_same_v<Source, VisibleIndices>)
      return {test, count_};
    else if constexpr (std::is_same_v<Source, VisibleRecords<16>>)
      return {reinterpret_cast<const typename Source::Element*>(words()), test, count_};
    else
      return {reinterpret_cast<const typename Source::Element*>(words()), count_};
  }

  // Returns what a plain loop keeps of a bucket, as words.
  template <typename Source>
  std::vector<uint32_t> expected(uint32_t bucket = 0) const {
    std::vector<uint32_t> kept;
    for (uint32_t i = 0; i < count_; ++i) {
      const uint32_t* record = words() + size_t{i} * recordWords_;
      if (record[0] == 0 || (bucketCount_ > 1 && record[1] != bucket)) continue;
      if constexpr (kWritesIndices<Source>)
        kept.push_back(i);
      else
        kept.insert(kept.end(), record, record + recordWords_);
    }
    return kept;
  }

 private:
  uint32_t* words() { return reinterpret_cast<uint32_t*>(input_.data()); }

  uint32_t count_;
  uint32_t recordWords_;
  uint32_t bucketCount_;
  std::vector<Chunk<4>> input_;  // for its alignment
  std::vector<Sphere> spheres_;
};

constexpr uint32_t kPoison = 0xa5a5a5a5u;

template <size_t wordCount>
void sortElements(std::vector<uint32_t>& words) {
  std::vector<std::vector<uint32_t>> elements;
  for (size_t i = 0; i < words.size(); i += wordCount) elements.emplace_back(&words[i], &words[i] + wordCount);
  std::sort(elements.begin(), elements.end());
  words.clear();
  for (const auto& element : elements) words.insert(words.end(), element.begin(), element.end());
}

// Checks an output of elements of elementWords words: the expected ones must come first, and nothing after them.
template <size_t elementWords>
testing::AssertionResult areRight(std::vector<uint32_t> expected, const uint32_t* words, size_t wordCount,
                                  bool isStable) {
  std::vector<uint32_t> found(words, words + expected.size());
  if (!isStable) {
    sortElements<elementWords>(expected);
    sortElements<elementWords>(found);
  }
  for (size_t i = 0; i < found.size(); ++i)
    if (found[i] != expected[i])
      return testing::AssertionFailure() << "word " << i << " is " << found[i] << ", not " << expected[i];
  for (size_t i = found.size(); i < wordCount; ++i)
    if (words[i] != kPoison) return testing::AssertionFailure() << "word " << i << ", behind the last, is written";
  return testing::AssertionSuccess();
}

// Room for every record and canaries behind it, all of it poison that a kernel may overwrite with survivors only.
template <typename Source>
class Output {
 public:
  using Element = typename Source::Element;

  explicit Output(const Case& input) : elements_(input.count() + kCanaries) {
    std::fill_n(words(), wordCount(), kPoison);
  }

  Element* elements() { return elements_.data(); }
  uint32_t* total() { return &total_; }

  testing::AssertionResult isRight(const Case& input, bool isStable) {
    const std::vector<uint32_t> expected = input.expected<Source>();
    if (total_ != expected.size() / kElementWords)
      return testing::AssertionFailure() << "the total is " << total_ << ", not " << expected.size() / kElementWords;
    return areRight<kElementWords>(expected, words(), wordCount(), isStable);
  }

 private:
  static constexpr size_t kElementWords = sizeof(Element) / 4;
  static constexpr size_t kCanaries = 64;

  uint32_t* words() { return reinterpret_cast<uint32_t*>(elements_.data()); }
  size_t wordCount() const { return elements_.size() * kElementWords; }

  std::vector<Element> elements_;
  uint32_t total_ = kPoison;
};

// An output of several buckets. Each has room for as many records as the fullest one keeps, or they are packed. The draws
// and the draw counts of groups start as poison.
template <typename Source>
class BucketOutput {
 public:
  using Element = typename Source::Element;

  explicit BucketOutput(const Case& input, Placement placement = Placement::Reserved, uint32_t groupCount = 0)
      : drawCounts_(groupCount, kPoison) {
    workload_.bucketCount = input.bucketCount();
    workload_.placement = placement;
    workload_.groupCount = groupCount;
    draws_.assign(workload_.drawPlaceCount(), {kPoison, kPoison, kPoison, kPoison});
    for (uint32_t bucket = 0; bucket < input.bucketCount(); ++bucket)
      expected_.push_back(input.expected<Source>(bucket));
    size_t most = kElementWords;
    for (const auto& expected : expected_) most = std::max(most, expected.size());
    capacity_ = static_cast<uint32_t>(most / kElementWords);
    const size_t count = isPacked() ? input.count() : size_t{capacity_} * input.bucketCount();
    elements_.resize(count + kCanaries);
    std::fill_n(words(), elements_.size() * kElementWords, kPoison);
  }

  Element* elements() { return elements_.data(); }
  DrawCommand* draws() { return draws_.data(); }
  uint32_t* drawCounts() { return drawCounts_.data(); }
  uint32_t capacity() const { return capacity_; }
  uint32_t groupCount() const { return workload_.groupCount; }
  uint32_t groupBuckets() const { return workload_.groupBuckets(); }

  testing::AssertionResult isRight(bool isStable) {
    std::vector<uint32_t> counts;
    for (const auto& expected : expected_) counts.push_back(static_cast<uint32_t>(expected.size() / kElementWords));
    if (const auto difference = drawsDifference(workload_, counts, capacity_, draws_, drawCounts_))
      return testing::AssertionFailure() << *difference;
    const uint32_t* next = words();
    for (size_t bucket = 0; bucket < expected_.size(); ++bucket) {
      const size_t bucketWords = isPacked() ? expected_[bucket].size() : capacity_ * kElementWords;
      if (auto right = areRight<kElementWords>(expected_[bucket], next, bucketWords, isStable); !right)
        return right << " in bucket " << bucket;
      next += bucketWords;
    }
    const uint32_t* end = words() + elements_.size() * kElementWords;
    return areRight<kElementWords>({}, next, static_cast<size_t>(end - next), isStable);
  }

 private:
  static constexpr size_t kElementWords = sizeof(Element) / 4;
  static constexpr size_t kCanaries = 64;

  bool isPacked() const { return workload_.placement == Placement::Packed; }
  uint32_t* words() { return reinterpret_cast<uint32_t*>(elements_.data()); }

  Workload workload_;
  std::vector<std::vector<uint32_t>> expected_;
  uint32_t capacity_;
  std::vector<Element> elements_;
  std::vector<DrawCommand> draws_;
  std::vector<uint32_t> drawCounts_;
};

// Around every boundary of warps, steps of 2- and 4-wide warps, blocks and tiles; primes; and random ones.
inline std::vector<uint32_t> counts(slu::test::Random& random) {
  std::vector<uint32_t> counts{0, 1, 2, 3, 5, 7, 257, 1021, 10007, 65536, random.between(1, 20000)};
  for (const uint32_t boundary : {32u, 64u, 128u, 256u, 512u, 1024u, 4096u})
    counts.insert(counts.end(), {boundary - 1, boundary, boundary + 1});
  return counts;
}

constexpr std::initializer_list<Survival> kSurvivals{Survival::None, Survival::Some, Survival::All};

}  // namespace bench::literature::test

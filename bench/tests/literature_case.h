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
// camera.
class Case {
 public:
  Case(slu::test::Random& random, uint32_t recordCount, uint32_t recordWords, Survival survival)
      : count_(recordCount), recordWords_(recordWords), input_(size_t{recordCount} * recordWords / 4 + 1) {
    const double chance = survival == Survival::None ? 0 : survival == Survival::All ? 1 : random.uniform(0.01f, 0.99f);
    for (size_t i = 0; i < wordCount(); ++i) words()[i] = random.word();
    for (uint32_t i = 0; i < recordCount; ++i) {
      uint32_t& key = words()[size_t{i} * recordWords];
      key = random.chance(chance) ? key | 1u : 0;
      spheres_.push_back({0, 0, key != 0 ? random.uniform(2, 90) : random.uniform(-90, -2), 0.5f});
    }
  }

  uint32_t count() const { return count_; }
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

  // What a plain loop keeps, as words.
  template <typename Source>
  std::vector<uint32_t> expected() const {
    std::vector<uint32_t> kept;
    for (uint32_t i = 0; i < count_; ++i) {
      const uint32_t* record = words() + size_t{i} * recordWords_;
      if (record[0] == 0) continue;
      if constexpr (kWritesIndices<Source>)
        kept.push_back(i);
      else
        kept.insert(kept.end(), record, record + recordWords_);
    }
    return kept;
  }

 private:
  uint32_t* words() { return reinterpret_cast<uint32_t*>(input_.data()); }
  const uint32_t* words() const { return reinterpret_cast<const uint32_t*>(input_.data()); }

  uint32_t count_;
  uint32_t recordWords_;
  std::vector<Chunk<4>> input_;  // for its alignment
  std::vector<Sphere> spheres_;
};

constexpr uint32_t kPoison = 0xa5a5a5a5u;

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
    std::vector<uint32_t> expected = input.expected<Source>();
    const size_t keptWords = expected.size();
    if (total_ != keptWords / kElementWords)
      return testing::AssertionFailure() << "the total is " << total_ << ", not " << keptWords / kElementWords;
    std::vector<uint32_t> found(words(), words() + keptWords);
    if (!isStable) {
      sortElements(expected);
      sortElements(found);
    }
    for (size_t i = 0; i < keptWords; ++i)
      if (found[i] != expected[i])
        return testing::AssertionFailure() << "word " << i << " is " << found[i] << ", not " << expected[i];
    for (size_t i = keptWords; i < wordCount(); ++i)
      if (words()[i] != kPoison) return testing::AssertionFailure() << "word " << i << ", behind the last, is written";
    return testing::AssertionSuccess();
  }

 private:
  static constexpr size_t kElementWords = sizeof(Element) / 4;
  static constexpr size_t kCanaries = 64;

  uint32_t* words() { return reinterpret_cast<uint32_t*>(elements_.data()); }
  size_t wordCount() const { return elements_.size() * kElementWords; }

  static void sortElements(std::vector<uint32_t>& words) {
    std::vector<std::vector<uint32_t>> elements;
    for (size_t i = 0; i < words.size(); i += kElementWords)
      elements.emplace_back(&words[i], &words[i] + kElementWords);
    std::sort(elements.begin(), elements.end());
    words.clear();
    for (const auto& element : elements) words.insert(words.end(), element.begin(), element.end());
  }

  std::vector<Element> elements_;
  uint32_t total_ = kPoison;
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

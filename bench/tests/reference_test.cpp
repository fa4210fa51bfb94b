#include "judge/reference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "synthetic_input.h"
#include "workload/frustum.h"

namespace bench {
namespace {

using slu::test::Random;

TEST(Reference, OfAnExample) {
  Workload workload;
  workload.recordBytes = 8;
  workload.recordCount = 5;
  const std::vector<uint32_t> input = {7, 1, 0, 1, 8, 0, 9, 1, 0, 0};
  EXPECT_EQ(referenceIndices(workload, input), (std::vector<std::vector<uint32_t>>{{0, 2, 3}}));
  workload.bucketCount = 2;
  EXPECT_EQ(referenceIndices(workload, input), (std::vector<std::vector<uint32_t>>{{2}, {0, 3}}));
}

// Of two views that keep half of the records each, one sees the left, the other one the right. Records have 32 bytes,
// with the sphere in the last 16.
TEST(Reference, OfViews) {
  Workload workload = {32, 3, 50, Pattern::Random, 2, Order::Stable, Outputs::Indices, Predicate::Sphere, 2};
  std::vector<uint32_t> input;
  for (const auto& [bucket, x] : {std::pair{0u, 5.0f}, std::pair{1u, -5.0f}, std::pair{1u, 6.0f}}) {
    const Sphere sphere{x, 0, 10, 0.5f};
    input.insert(input.end(), {1, bucket, 0, 0, 0, 0, 0, 0});
    std::memcpy(&input[input.size() - 4], &sphere, sizeof(sphere));
  }
  EXPECT_EQ(referenceIndices(workload, input), (std::vector<std::vector<uint32_t>>{{}, {1}, {0}, {2}}));
  EXPECT_EQ(differenceFromReference(workload, input, {99, 1, 0, 2}, 1), std::nullopt);
  EXPECT_EQ(differenceFromReference(workload, input, {99, 1, 0, 0}, 1),
            "view 1, bucket 1, element 0, word 0: 0, the reference has 2");
}

TEST(Reference, NamesTheFirstDifference) {
  Workload workload;
  workload.recordBytes = 8;
  workload.recordCount = 3;
  workload.order = Order::Stable;
  const std::vector<uint32_t> input = {7, 1, 0, 1, 8, 2};
  const auto difference = differenceFromReference(workload, input, {7, 1, 8, 3, 99, 99}, 3);
  ASSERT_TRUE(difference);
  EXPECT_EQ(*difference, "bucket 0, element 1, word 1: 3, the reference has 2");
}

// A random workload with a bucket that keeps at least two records.
struct Case {
  explicit Case(Random& random) {
    do {
      workload = test::randomWorkload(random, 3000);
      input = test::makeInput(workload, makeRecipe(workload, random.word()));
      buckets = referenceIndices(workload, input);
      const auto fullest = std::max_element(buckets.begin(), buckets.end(),
                                            [](const auto& a, const auto& b) { return a.size() < b.size(); });
      bucket = static_cast<size_t>(fullest - buckets.begin());
      capacity = workload.placement == Placement::Reserved ? static_cast<uint32_t>(fullest->size()) + random.below(3)
                                                           : workload.recordCount;
    } while (buckets[bucket].size() < 2);
    output = test::rightOutput(workload, input, capacity, random.word());
  }

  size_t elementWords() const { return workload.elementBytes() / 4; }
  std::vector<uint32_t>::iterator element(size_t rank) {
    std::vector<uint32_t> counts;
    for (const auto& indices : buckets) counts.push_back(static_cast<uint32_t>(indices.size()));
    const size_t first = test::keptRange(workload, counts, bucket, capacity).first;
    return output.begin() + static_cast<ptrdiff_t>((first + rank) * elementWords());
  }
  uint32_t randomRank(Random& random) const { return random.below(static_cast<uint32_t>(buckets[bucket].size())); }
  std::optional<std::string> difference() const { return differenceFromReference(workload, input, output, capacity); }

  Workload workload;
  std::vector<uint32_t> input;
  std::vector<std::vector<uint32_t>> buckets;
  size_t bucket;
  uint32_t capacity;
  std::vector<uint32_t> output;
};

TEST(Reference, AcceptsRightOutputs) {
  SCOPED_TRACE(slu::test::describeSeed());
  Random random;
  for (int i = 0; i < 100; ++i) EXPECT_EQ(Case(random).difference(), std::nullopt);
}

TEST(Reference, AcceptsAnyOrderOnlyWithoutOrder) {
  SCOPED_TRACE(slu::test::describeSeed());
  Random random;
  for (int i = 0; i < 100; ++i) {
    Case subject(random);
    std::swap_ranges(subject.element(0), subject.element(1), subject.element(1));
    EXPECT_EQ(subject.difference().has_value(), subject.workload.order == Order::Stable);
  }
}

TEST(Reference, FindsAChangedWord) {
  SCOPED_TRACE(slu::test::describeSeed());
  Random random;
  for (int i = 0; i < 100; ++i) {
    Case subject(random);
    const uint32_t rank = subject.randomRank(random);
    const uint32_t word = random.below(static_cast<uint32_t>(subject.elementWords()));
    subject.element(rank)[word] ^= 1u << random.below(32);
    EXPECT_TRUE(subject.difference());
  }
}

TEST(Reference, FindsARepeatedElement) {
  SCOPED_TRACE(slu::test::describeSeed());
  Random random;
  for (int i = 0; i < 100; ++i) {
    Case subject(random);
    std::copy(subject.element(0), subject.element(1), subject.element(1));
    EXPECT_TRUE(subject.difference());
  }
}

}  // namespace
}  // namespace bench

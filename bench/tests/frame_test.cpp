// Right and wrong draws before the check of a frame.
#include "workload/frame.h"

#include <gtest/gtest.h>

#include <utility>

namespace bench {
namespace {

constexpr uint32_t kCapacity = 10;

// Five buckets in three groups. The last group has one bucket, the others have two. Bucket 2 keeps nothing.
const std::vector<uint32_t> kKept = {3, 1, 0, 7, 2};

Workload workloadOf(Placement placement, uint32_t groupCount) {
  Workload workload;
  workload.bucketCount = static_cast<uint32_t>(kKept.size());
  workload.placement = placement;
  workload.groupCount = groupCount;
  return workload;
}

DrawCommand drawOf(uint32_t kept, uint32_t first) { return {kDrawVertexCount, kept, 0, first}; }

TEST(Draws, OfPackedBucketsBeginWhereTheOnesBeforeEnd) {
  const Workload workload = workloadOf(Placement::Packed, 0);
  std::vector<DrawCommand> draws = {drawOf(3, 0), drawOf(1, 3), drawOf(0, 4), drawOf(7, 4), drawOf(2, 11)};
  EXPECT_EQ(drawsDifference(workload, kKept, kCapacity, draws), std::nullopt);
  EXPECT_EQ(drawsDifference(workload, kKept, kCapacity, draws, {5}), std::nullopt);
  EXPECT_EQ(drawsDifference(workload, kKept, kCapacity, draws, {4}), "the draw count is 4, expected 5");
  draws[4].firstInstance = 40;
  EXPECT_EQ(drawsDifference(workload, kKept, kCapacity, draws), "draw 4 is (36, 2, 0, 40), expected (36, 2, 0, 11)");
}

TEST(Draws, OfAGroupComeInAnyOrder) {
  const Workload workload = workloadOf(Placement::Reserved, 3);
  const DrawCommand poison = {kPoisonWord, kPoisonWord, kPoisonWord, kPoisonWord};
  std::vector<DrawCommand> draws = {drawOf(3, 0), drawOf(1, 10), drawOf(7, 30), poison, drawOf(2, 40), poison};
  EXPECT_EQ(drawsDifference(workload, kKept, kCapacity, draws, {2, 1, 1}), std::nullopt);
  std::swap(draws[0], draws[1]);
  EXPECT_EQ(drawsDifference(workload, kKept, kCapacity, draws, {2, 1, 1}), std::nullopt);
  EXPECT_EQ(drawsDifference(workload, kKept, kCapacity, draws), "there are 0 draw counts, expected 3");
  EXPECT_EQ(drawsDifference(workload, kKept, kCapacity, draws, {2, 2, 1}), "group 1: the draw count is 2, expected 1");
  draws[4] = draws[0];
  EXPECT_EQ(drawsDifference(workload, kKept, kCapacity, draws, {2, 1, 1}),
            "group 2, sorted: draw 4 is (36, 1, 0, 10), expected (36, 2, 0, 40)");
  std::swap(draws[0], draws[2]);
  EXPECT_TRUE(drawsDifference(workload, kKept, kCapacity, draws, {2, 1, 1})) << "a draw of another group";
  EXPECT_TRUE(drawsDifference(workload, kKept, kCapacity, {draws.begin(), draws.begin() + 5}, {2, 1, 1}));
}

// A command per record: the output has the draws, and the frame their number.
TEST(Draws, OfRecordsAreCounted) {
  Workload workload = workloadOf(Placement::Merged, 0);
  workload.outputs = Outputs::Indices;
  EXPECT_EQ(drawsDifference(workload, kKept, 100, {}, {13}), std::nullopt);
  EXPECT_EQ(drawsDifference(workload, kKept, 100, {}, {5}), "the draw count is 5, expected 13");
  EXPECT_EQ(drawsDifference(workload, kKept, 100, {}, {}), "there are 0 draw counts, expected 1");
}

}  // namespace
}  // namespace bench

// The kernels of competitors/cub_sort.cuh on the CPU, around a sort of the standard library's in the place of CUB's.
#include "competitors/cub_sort.cuh"

#include <numeric>

#include "literature_case.h"

namespace bench {
namespace {

using literature::ceilDivide;
using literature::Chunk;
using literature::Indices;
using literature::Records;
using literature::test::BucketOutput;
using literature::test::Case;
using literature::test::Survival;

TEST(CubSort, KeysHaveAsManyBitsAsTheyNeed) {
  for (uint32_t bucketCount = 2; bucketCount <= 4096; ++bucketCount) {
    EXPECT_LT(bucketCount, 1u << sortKeyBits(bucketCount)) << "the key of the dead";
    EXPECT_GE(bucketCount, 1u << (sortKeyBits(bucketCount) - 1)) << bucketCount;
  }
}

class SortIntoBuckets : public testing::Test {
 protected:
  template <typename Source, typename Chunks, typename LiveTest>
  void check(const Case& input, const Chunks& chunks, const LiveTest& isLive, Placement placement = Placement::Reserved,
             uint32_t groupCount = 0) {
    BucketOutput<Source> output(input, placement, groupCount);
    std::fill_n(output.drawCounts(), groupCount, 0u);
    const SortedBuckets buckets = {input.bucketCount(), placement == Placement::Packed ? 0 : output.capacity(),
                                   output.groupBuckets(), groupCount != 0 ? output.drawCounts() : nullptr};
    const uint32_t count = input.count();
    std::vector<SortKey> keys(count);
    simt::Launch perRecord{.grid = std::max(1u, ceilDivide(count, kSortThreads)), .block = kSortThreads};
    ASSERT_TRUE(simt::launch(perRecord, writeSortKeys<LiveTest>, isLive, input.words(), count, input.recordWords(),
                             input.bucketCount(), keys.data()));

    std::vector<uint32_t> indices(count);
    std::iota(indices.begin(), indices.end(), 0u);
    std::stable_sort(indices.begin(), indices.end(), [&](uint32_t a, uint32_t b) { return keys[a] < keys[b]; });
    std::stable_sort(keys.begin(), keys.end());

    std::vector<uint32_t> firsts(input.bucketCount());
    simt::Launch perBucket{.grid = ceilDivide(input.bucketCount(), kSortThreads), .block = kSortThreads};
    ASSERT_TRUE(simt::launch(perBucket, findBuckets, keys.data(), count, buckets, firsts.data(), output.draws()));

    using ChunkType = typename Chunks::Chunk;
    const auto perElement = static_cast<uint32_t>(sizeof(typename Source::Element) / sizeof(ChunkType));
    simt::Launch rows{.block = {perElement, kSortThreads / perElement}};
    rows.grid = std::max(1u, ceilDivide(count, rows.block.y));
    ASSERT_TRUE(simt::launch(rows, gatherSorted<Chunks>, chunks, keys.data(), indices.data(), count, firsts.data(),
                             buckets, reinterpret_cast<ChunkType*>(output.elements())));
    EXPECT_TRUE(output.isRight(true)) << count << " records, " << input.bucketCount() << " buckets\n"
                                      << slu::test::describeSeed();
  }

  template <uint32_t recordWords, typename ChunkType>
  void checkRecords(const Case& input) {
    check<Records<recordWords>>(input, RecordChunks<ChunkType>{reinterpret_cast<const ChunkType*>(input.words())},
                                FirstWordTest{input.words(), recordWords});
  }

  slu::test::Random random_;
};

TEST_F(SortIntoBuckets, KeepsWhatTheLoopKeeps) {
  for (const uint32_t bucketCount : {2u, 31u, 4096u})
    for (const uint32_t count : {0u, 1u, 31u, 257u, random_.between(1, 5000)})
      for (const Survival survival : literature::test::kSurvivals)
        checkRecords<4, Chunk<4>>(Case(random_, count, 4, survival, bucketCount));
}

TEST_F(SortIntoBuckets, TakesAnyRecordsAndIndices) {
  const uint32_t count = random_.between(1, 3000);
  checkRecords<2, Chunk<2>>(Case(random_, count, 2, Survival::Some, 7));
  checkRecords<3, uint32_t>(Case(random_, count, 3, Survival::Some, 7));
  checkRecords<32, Chunk<4>>(Case(random_, count, 32, Survival::Some, 7));
  checkRecords<63, uint32_t>(Case(random_, count, 63, Survival::Some, 7));
  const Case input(random_, count, 5, Survival::Some, 7);
  check<Indices>(input, RecordIndex{}, FirstWordTest{input.words(), 5});
}

TEST_F(SortIntoBuckets, TakesPackedOnesAndGroups) {
  for (const uint32_t groupCount : {0u, 1u, 3u, 7u}) {
    for (const Placement placement : {Placement::Reserved, Placement::Packed}) {
      // With few records some buckets are empty.
      const Case input(random_, random_.between(1, 100), 5, Survival::Some, random_.between(7, 40));
      check<Indices>(input, RecordIndex{}, FirstWordTest{input.words(), 5}, placement, groupCount);
    }
  }
}

}  // namespace
}  // namespace bench

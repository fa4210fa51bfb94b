// The kernels of literature/warp_sequences.cuh and literature/shuffled_sequences.cuh on the CPU.
#include "literature/shuffled_sequences.cuh"
#include "literature_case.h"

namespace bench::literature {
namespace {

using test::Case;
using test::Output;
using test::Survival;

constexpr uint32_t kWarps = kSequenceThreads / kWarpLanes;  // of a block

template <uint32_t width, typename Source>
void run(const Case& input, uint32_t most) {
  const Sequences sequences = divide(input.count(), most, width);
  ASSERT_LE(sequences.count, most);
  const simt::Launch launch{.grid = std::max(1u, ceilDivide(sequences.count, kWarps)), .block = kSequenceThreads};
  std::vector<uint32_t> firsts(sequences.count, test::kPoison);
  Output<Source> output(input);
  const Source source = input.source<Source>();
  ASSERT_TRUE(simt::launch(launch, countSequences<width, Source>, source, sequences, firsts.data()));
  ASSERT_TRUE(
      simt::launch({.grid = 1, .block = kPrefixThreads}, sumBefore, firsts.data(), sequences.count, output.total()));
  ASSERT_TRUE(simt::launch(launch, moveSequences<width, Source>, source, sequences, firsts.data(), output.elements()));
  EXPECT_TRUE(output.isRight(input, true)) << input.count() << " records in " << sequences.count << " sequences\n"
                                           << slu::test::describeSeed();
}

template <typename Width>
class WarpSequences : public testing::Test {};
using EveryWidth = testing::Types<std::integral_constant<uint32_t, 1>, std::integral_constant<uint32_t, 2>,
                                  std::integral_constant<uint32_t, 4>>;
TYPED_TEST_SUITE(WarpSequences, EveryWidth);

TYPED_TEST(WarpSequences, KeepWhatTheLoopKeeps) {
  slu::test::Random random;
  for (const uint32_t count : test::counts(random))
    for (const Survival survival : test::kSurvivals)
      run<TypeParam::value, Words>(Case(random, count, 1, survival), random.pick({1u, 7u, 8u, 100u}));
}

TEST(WarpSequencesOfOne, TakeWideRecordsAndIndices) {
  slu::test::Random random;
  const uint32_t count = random.between(1, 3000);
  run<1, Records<4>>(Case(random, count, 4, Survival::Some), 20);
  run<1, Records<32>>(Case(random, count, 32, Survival::Some), 20);
  run<1, Indices>(Case(random, count, 3, Survival::Some), 20);
}

TEST(Sequences, CoverTheInput) {
  slu::test::Random random;
  for (const uint32_t count : {1u, 31u, 33u, 480u * 32, 0x7fffffffu, 0x80000000u, random.word() >> 1}) {
    for (const uint32_t width : {1u, 2u, 4u}) {
      const Sequences sequences = divide(count, 480, width);
      EXPECT_LE(sequences.count, 480u);
      EXPECT_EQ(sequences.length % (kWarpLanes * width), 0u);
      EXPECT_GE(uint64_t{sequences.count} * sequences.length, count);
      EXPECT_LT(uint64_t{sequences.count - 1} * sequences.length, count);
    }
  }
}

TEST(Prefix, SumsWhatIsBefore) {
  slu::test::Random random;
  for (const uint32_t count : {0u, 1u, 31u, 32u, 33u, 1023u, 1024u, 1025u, 2048u, random.between(2049, 5000)}) {
    std::vector<uint32_t> counts(count), expected;
    uint32_t sum = 0;
    for (uint32_t& own : counts) {
      expected.push_back(sum);
      sum += own = random.below(1000);
    }
    for (const auto prefix : {sumBefore, shuffleBefore}) {
      std::vector<uint32_t> found = counts;
      found.resize(count + 64, test::kPoison);
      uint32_t total = test::kPoison;
      ASSERT_TRUE(simt::launch({.grid = 1, .block = kPrefixThreads}, prefix, found.data(), count, &total));
      EXPECT_EQ(total, sum) << slu::test::describeSeed();
      std::vector<uint32_t> right = expected;
      right.resize(count + 64, test::kPoison);
      EXPECT_EQ(found, right) << slu::test::describeSeed();
    }
  }
}

TEST(ShuffledSequences, KeepWhatTheLoopKeeps) {
  slu::test::Random random;
  for (const uint32_t units : {1u, 2u, 3u}) {
    for (const Survival survival : test::kSurvivals) {
      const Case input(random, units * kShuffledUnit, 1, survival);
      const Sequences sequences = divideEvenly(input.count(), 1024);
      EXPECT_EQ(sequences.count, units == 2 ? 1024u : 512u);
      const simt::Launch launch{.grid = sequences.count / kWarps, .block = kSequenceThreads};
      std::vector<uint32_t> firsts(sequences.count, test::kPoison);
      Output<Words> output(input);
      const auto* chunks = reinterpret_cast<const Chunk<kShuffledWidth>*>(input.source<Words>().input);
      ASSERT_TRUE(simt::launch(launch, countEqualSequences, chunks, sequences, firsts.data()));
      ASSERT_TRUE(simt::launch({.grid = 1, .block = kPrefixThreads}, shuffleBefore, firsts.data(), sequences.count,
                               output.total()));
      ASSERT_TRUE(simt::launch(launch, moveEqualSequences, chunks, sequences, firsts.data(), output.elements()));
      EXPECT_TRUE(output.isRight(input, true)) << input.count() << " records\n" << slu::test::describeSeed();
    }
  }
}

TEST(ShuffledSequences, AreEqualAndNoMoreThanAskedFor) {
  for (const uint32_t units : {1u, 2u, 6u, 16u, 17u, 1u << 15}) {
    const Sequences sequences = divideEvenly(units * kShuffledUnit, 8448);
    EXPECT_EQ(uint64_t{sequences.count} * sequences.length, uint64_t{units} * kShuffledUnit);
    EXPECT_EQ(sequences.length % (kWarpLanes * kShuffledWidth), 0u);
    EXPECT_EQ(sequences.count % kWarps, 0u);
    EXPECT_LE(sequences.count, 8448u);
  }
}

}  // namespace
}  // namespace bench::literature

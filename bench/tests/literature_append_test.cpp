// The kernels of literature/append.cuh on the CPU.
#include "literature/append.cuh"
#include "literature_case.h"

namespace bench::literature {
namespace {

using test::Case;
using test::Output;
using test::Survival;

template <typename AtomicsType, bool inShared>
struct Way {
  using Atomics = AtomicsType;
  static constexpr bool kInShared = inShared;
};

template <typename Way, typename Source>
constexpr auto kernelOf() {
  if constexpr (Way::kInShared)
    return appendByBlock<typename Way::Atomics, Source>;
  else
    return append<typename Way::Atomics, Source>;
}

// Runs a kernel and returns how many atomics it took; fails the test where the output is wrong.
template <typename Way, typename Source>
uint64_t run(const Case& input) {
  Output<Source> output(input);
  *output.total() = 0;
  std::atomic<uint64_t> atomicCount = 0;
  simt::Launch launch{.grid = std::max(1u, ceilDivide(input.count(), kAppendThreads)), .block = kAppendThreads};
  launch.atomicCount = &atomicCount;
  const auto kernel = kernelOf<Way, Source>();
  EXPECT_TRUE(simt::launch(launch, kernel, input.source<Source>(), output.elements(), output.total(), 0u));
  EXPECT_TRUE(output.isRight(input, false)) << input.count() << " records\n" << slu::test::describeSeed();
  return atomicCount;
}

template <typename Way>
class Append : public testing::Test {};
using EveryWay = testing::Types<Way<SingleAtomics, false>, Way<SingleAtomics, true>, Way<GroupAtomics, false>,
                                Way<GroupAtomics, true>, Way<BallotAtomics, false>, Way<MatchAtomics, false>>;
TYPED_TEST_SUITE(Append, EveryWay);

TYPED_TEST(Append, KeepsWhatTheLoopKeeps) {
  slu::test::Random random;
  for (const uint32_t count : test::counts(random))
    for (const Survival survival : test::kSurvivals) run<TypeParam, Words>(Case(random, count, 1, survival));
}

TYPED_TEST(Append, TakesWideRecordsAndIndices) {
  slu::test::Random random;
  const uint32_t count = random.between(1, 3000);
  run<TypeParam, Records<4>>(Case(random, count, 4, Survival::Some));
  run<TypeParam, Records<32>>(Case(random, count, 32, Survival::Some));
  run<TypeParam, Indices>(Case(random, count, 3, Survival::Some));
}

TYPED_TEST(Append, Culls) {
  slu::test::Random random;
  const Case input(random, random.between(1, 3000), 16, Survival::Some);
  run<TypeParam, VisibleIndices>(input);
  run<TypeParam, VisibleRecords<16>>(input);
}

TEST(AppendAtomics, AreAsManyAsTheLiteratureSays) {
  slu::test::Random random;
  constexpr uint32_t kBlocks = 16;
  constexpr uint32_t kCount = kBlocks * kAppendThreads;
  const Case all(random, kCount, 1, Survival::All);
  EXPECT_EQ((run<Way<SingleAtomics, false>, Words>(all)), kCount);
  EXPECT_EQ((run<Way<SingleAtomics, true>, Words>(all)), kCount + kBlocks);
  EXPECT_EQ((run<Way<BallotAtomics, false>, Words>(all)), kCount / kWarpLanes);
  // Lanes need not reach a group or a match together, but often do.
  EXPECT_LT((run<Way<GroupAtomics, false>, Words>(all)), kCount / 2);
  EXPECT_LT((run<Way<GroupAtomics, true>, Words>(all)), kCount / 2);
  EXPECT_LT((run<Way<MatchAtomics, false>, Words>(all)), kCount / 2);
}

}  // namespace
}  // namespace bench::literature

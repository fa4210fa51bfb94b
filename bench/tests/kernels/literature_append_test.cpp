// The kernels of literature/append.cuh on the CPU.
#include "literature/append.cuh"
#include "literature_case.h"

namespace bench::literature {
namespace {

using test::BucketOutput;
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

template <typename Atomics>
class AppendToBuckets : public testing::Test {
 protected:
  // Returns how many atomics it took.
  template <typename Source>
  uint64_t run(const Case& input) {
    BucketOutput<Source> output(input);
    std::fill_n(output.draws(), input.bucketCount(), DrawCommand{});
    std::atomic<uint64_t> atomicCount = 0;
    const uint32_t threads = std::max(input.count(), input.bucketCount());
    simt::Launch launch{.grid = ceilDivide(threads, kAppendThreads), .block = kAppendThreads};
    launch.atomicCount = &atomicCount;
    const Buckets buckets{input.words(), input.recordWords(), input.bucketCount(), output.capacity()};
    EXPECT_TRUE(simt::launch(launch, appendToBuckets<Atomics, Source>, input.source<Source>(), buckets,
                             output.elements(), output.draws()));
    EXPECT_TRUE(output.isRight(false)) << input.count() << " records, " << input.bucketCount() << " buckets\n"
                                       << slu::test::describeSeed();
    return atomicCount;
  }

  slu::test::Random random_;
};
using EveryBucketWay = testing::Types<SingleAtomics, MatchAtomics>;
TYPED_TEST_SUITE(AppendToBuckets, EveryBucketWay);

TYPED_TEST(AppendToBuckets, KeepWhatTheLoopKeeps) {
  for (const uint32_t bucketCount : {2u, 31u, 1000u})
    for (const uint32_t count : {0u, 1u, 31u, 257u, this->random_.between(1, 5000)})
      for (const Survival survival : test::kSurvivals)
        this->template run<Records<4>>(Case(this->random_, count, 4, survival, bucketCount));
}

TYPED_TEST(AppendToBuckets, TakeWideRecordsIndicesAndWhatIsCulled) {
  const uint32_t count = this->random_.between(1, 3000);
  this->template run<Records<32>>(Case(this->random_, count, 32, Survival::Some, 7));
  this->template run<Indices>(Case(this->random_, count, 3, Survival::Some, 7));
  const Case culled(this->random_, count, 16, Survival::Some, 64);
  this->template run<VisibleIndices>(culled);
  this->template run<VisibleRecords<16>>(culled);
}

// Lanes share an atomic where they share a bucket and reach the match together, which in 128 warps some do.
TYPED_TEST(AppendToBuckets, TakeAsManyAtomicsAsTheLiteratureSays) {
  constexpr uint32_t kCount = 16 * kAppendThreads;
  const uint64_t atomicCount = this->template run<Records<4>>(Case(this->random_, kCount, 4, Survival::All, 4));
  if (std::is_same_v<TypeParam, SingleAtomics>)
    EXPECT_EQ(atomicCount, kCount);
  else
    EXPECT_LT(atomicCount, kCount);
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

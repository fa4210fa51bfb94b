// The kernels of literature/renderers.cuh on the CPU.
#include "literature/renderers.cuh"
#include "literature_case.h"

namespace bench::literature {
namespace {

using test::BucketOutput;
using test::Case;
using test::Survival;

simt::Launch threadsFor(uint32_t count) {
  return {.grid = std::max(1u, ceilDivide(count, kRendererThreads)), .block = kRendererThreads};
}

class RendererWays : public testing::Test {
 protected:
  template <typename Source>
  void runBevy(const Case& input, uint32_t groupCount) {
    BucketOutput<Source> output(input, Placement::Reserved, groupCount);
    const Buckets buckets{input.words(),       input.recordWords(),   input.bucketCount(), output.capacity(),
                          output.groupCount(), output.groupBuckets(), output.drawCounts()};
    std::vector<BinMetadata> bins(input.bucketCount(),
                                  {test::kPoison, test::kPoison, test::kPoison, test::kPoison, test::kPoison});
    simt::Launch perBin = threadsFor(input.bucketCount());
    simt::Launch perRecord = threadsFor(input.count());
    ASSERT_TRUE(simt::launch(perBin, resetBins, buckets, bins.data()));
    ASSERT_TRUE(simt::launch(perRecord, preprocessInstances<Source>, input.source<Source>(), buckets, bins.data(),
                             output.elements()));
    ASSERT_TRUE(simt::launch(perBin, buildIndirectParameters, buckets, bins.data(), output.draws()));
    EXPECT_TRUE(output.isRight(false)) << input.count() << " records, " << input.bucketCount() << " buckets, "
                                       << groupCount << " groups\n"
                                       << slu::test::describeSeed();
  }

  template <typename Source>
  void runNiagara(const Case& input) {
    constexpr size_t kCanaries = 64;
    constexpr size_t kWords = sizeof(RecordDraw) / sizeof(uint32_t);
    std::vector<DrawCommand> meshes;
    for (uint32_t bucket = 0; bucket < input.bucketCount(); ++bucket) meshes.push_back(recordCommand(bucket));
    std::vector<uint32_t> output((input.count() + kCanaries) * kWords, test::kPoison);
    std::vector<uint32_t> expected;
    for (uint32_t bucket = 0; bucket < input.bucketCount(); ++bucket)
      for (const uint32_t record : input.expected<Source>(bucket))
        expected.insert(expected.end(), {record, kDrawVertexCount, 1, bucket * kDrawVertexCount, 0});
    const Buckets buckets{input.words(), input.recordWords(), input.bucketCount(), 0};
    uint32_t count = 0;
    simt::Launch perRecord = threadsFor(input.count());
    ASSERT_TRUE(simt::launch(perRecord, cullDraws<Source>, input.source<Source>(), buckets, meshes.data(),
                             reinterpret_cast<RecordDraw*>(output.data()), &count));
    EXPECT_EQ(count, expected.size() / kWords);
    EXPECT_TRUE(test::areRight<kWords>(expected, output.data(), output.size(), false))
        << input.count() << " records, " << input.bucketCount() << " buckets\n"
        << slu::test::describeSeed();
  }

  slu::test::Random random_;
};

TEST_F(RendererWays, BevyKeepsWhatTheLoopKeeps) {
  for (const uint32_t bucketCount : {2u, 31u, 65u, 1000u})
    for (const uint32_t count : {1u, 31u, 257u, random_.between(1, 5000)})
      for (const Survival survival : test::kSurvivals)
        for (const uint32_t groupCount : {0u, 1u, random_.between(1, std::min(bucketCount, 256u))})
          runBevy<Records<4>>(Case(random_, count, 4, survival, bucketCount), groupCount);
}

TEST_F(RendererWays, BevyTakesWideRecordsIndicesAndWhatIsCulled) {
  const uint32_t count = random_.between(1, 3000);
  runBevy<Records<32>>(Case(random_, count, 32, Survival::Some, 7), 3);
  runBevy<Indices>(Case(random_, count, 3, Survival::Some, 7), 3);
  const Case culled(random_, count, 16, Survival::Some, 64);
  runBevy<VisibleIndices>(culled, 8);
  runBevy<VisibleRecords<16>>(culled, 8);
}

TEST_F(RendererWays, NiagaraDrawsWhatTheLoopKeeps) {
  for (const uint32_t bucketCount : {2u, 31u, 1000u})
    for (const uint32_t count : {1u, 31u, 257u, random_.between(1, 5000)})
      for (const Survival survival : test::kSurvivals) {
        runNiagara<Indices>(Case(random_, count, 3, survival, bucketCount));
        runNiagara<VisibleIndices>(Case(random_, count, 16, survival, bucketCount));
      }
}

}  // namespace
}  // namespace bench::literature

// Records in and out of memory that cudaMalloc did not allocate, on the CUDA route, in small frames and in those that
// pass a pipe.
#include "cuda_memory.h"

#include <algorithm>

#include "contract.h"

namespace slu::test {
namespace {

class CudaMemoryKinds : public testing::TestWithParam<CudaMemoryKind> {
 protected:
  void SetUp() override {
    std::string reason;
    machine_ = findMachine(MachineKind::cuda, reason);
    if (machine_ == nullptr) GTEST_SKIP() << reason;
  }
  void TearDown() override {
    if (machine_ != nullptr) machine_->dropPlans();
  }

  // Records begin with their number from 1 on, or with 0 where they are not kept.
  void expectKept(SluOrder order, std::uint32_t stride, std::uint32_t bytes) {
    SCOPED_TRACE(testing::Message() << stride << " bytes, " << bytes << " in all");
    const std::uint32_t words = stride / 4, count = bytes / stride;
    std::vector<std::uint32_t> input(std::size_t{count} * words), expected;
    for (std::uint32_t i = 0; i < count; ++i) {
      const auto record = input.begin() + static_cast<std::ptrdiff_t>(std::size_t{i} * words);
      std::generate(record, record + words, [&] { return random_.word(); });
      *record = random_.below(2) == 0 ? 0 : i + 1;
      if (*record != 0) expected.push_back(i);
    }
    const SluContext context = machine_->context();
    const CudaMemory records(context, input.size() * 4, GetParam()), kept(context, input.size() * 4, GetParam());
    const CudaMemory counts(context, sizeof(SluBucketCount), GetParam());
    check(cudaMemcpy(records.pointer, input.data(), input.size() * 4, cudaMemcpyDefault), "cudaMemcpy");
    check(cudaMemset(kept.pointer, 0xcd, input.size() * 4), "cudaMemset");

    PlanSpec plan = simplePlan(order, stride, count);
    plan.info.outputs = SLU_OUTPUT_RECORDS_BIT | SLU_OUTPUT_BUCKET_COUNTS_BIT;
    addBuckets(plan, 1, 1, count, 0);
    auto frame = SLU_INIT(FRAME_INFO, SluFrameInfo);
    frame.recordCount = count;
    frame.viewCount = 1;
    frame.records = {records.registered, 0};
    frame.keptRecords = {kept.registered, 0};
    frame.bucketCounts = {counts.registered, 0};
    require(context, sluEnqueueCompact(machine_->plan(plan), nullptr, &frame), "sluEnqueueCompact");
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");

    SluBucketCount foundCount{};
    std::vector<std::uint32_t> output(input.size()), found;
    check(cudaMemcpy(&foundCount, counts.pointer, sizeof(foundCount), cudaMemcpyDefault), "cudaMemcpy");
    check(cudaMemcpy(output.data(), kept.pointer, output.size() * 4, cudaMemcpyDefault), "cudaMemcpy");
    ASSERT_EQ(foundCount.demandedCount, expected.size());
    ASSERT_EQ(foundCount.keptCount, expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const std::uint32_t* record = &output[i * words];
      found.push_back(record[0] - 1);
      ASSERT_LT(found.back(), count) << "slot " << i;
      ASSERT_TRUE(std::equal(record, record + words, &input[std::size_t{found.back()} * words])) << "slot " << i;
    }
    if (order == SLU_ORDER_UNORDERED) std::sort(found.begin(), found.end());
    ASSERT_EQ(found, expected);
    machine_->dropPlans();
  }

 private:
  Random random_;
  testing::ScopedTrace seed_{__FILE__, __LINE__, describeSeed()};
  Machine* machine_ = nullptr;
};

constexpr const char* kNames[] = {"device", "pooled", "mapped", "pinned", "registered", "managed"};

INSTANTIATE_TEST_SUITE_P(, CudaMemoryKinds,
                         testing::Values(CudaMemoryKind::pooled, CudaMemoryKind::mapped, CudaMemoryKind::pinned,
                                         CudaMemoryKind::registered, CudaMemoryKind::managed),
                         [](const auto& kind) { return kNames[static_cast<int>(kind.param)]; });

TEST_P(CudaMemoryKinds, IsReadAndWrittenByEveryKindOfKernel) {
  for (const SluOrder order : kOrders) {
    for (const std::uint32_t stride : {4u, 8u, 12u, 16u, 20u, 64u, 96u}) {
      ASSERT_NO_FATAL_FAILURE(expectKept(order, stride, stride > 64 ? 32u << 20 : 1u << 20));
    }
  }
}

TEST_P(CudaMemoryKinds, PassesThroughAPipe) {
  for (const std::uint32_t stride : {8u, 12u, 20u, 28u, 36u}) {
    ASSERT_NO_FATAL_FAILURE(expectKept(SLU_ORDER_UNORDERED, stride, 70u << 20));
  }
}

}  // namespace
}  // namespace slu::test

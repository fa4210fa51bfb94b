// Custom predicates in the CUDA route's kernels, on the CPU.
#include <gtest/gtest.h>
#include <sluice/detail/kernels_hash.h>
#include <sluice/sluice_cuda.h>

#include <atomic>
#include <deque>
#include <set>

#include "../custom/custom_scene.h"
#include "plans.h"
#include "simt/cuda_on_cpu.h"
#include "simt_machine.h"
//
#include "kernels/device/entries/custom_kernels.cuh"

namespace slu::test {
namespace {

std::set<CudaKernel> kernelsWithPredicates;  // that ran

// What predicate.cuh does with nvcc's kernels.
template <typename Predicate>
int launchCustom(std::uint32_t kernel, std::uint32_t x, std::uint32_t y, const void* arguments, CUstream_st*) {
  const void* function = cuda::customKernel<Predicate>(static_cast<CudaKernel>(kernel));
  if (function == nullptr) throw std::logic_error("a kernel without a predicate");
  kernelsWithPredicates.insert(static_cast<CudaKernel>(kernel));
  const auto run = reinterpret_cast<void (*)(const cuda::Arguments)>(const_cast<void*>(function));
  const testing::AssertionResult result =
      simt::launch({.grid = {x, y}, .block = cuda::kThreads}, run, *static_cast<const cuda::Arguments*>(arguments));
  if (!result) throw std::runtime_error(result.message());
  return 0;
}

int blocksOnCpu(std::uint32_t, int* blocks) {
  *blocks = 1;
  return 0;
}

template <typename Predicate>
SluCudaPredicateInfo predicateOnCpu(const Predicate& predicate) {
  auto info = SLU_INIT(CUDA_PREDICATE_INFO, SluCudaPredicateInfo);
  info.version = sluGetVersion();
  info.kernelsHash = cuda::kKernelsHash;
  info.state = &predicate;
  info.stateSize = sizeof(predicate);
  info.launch = launchCustom<Predicate>;
  info.blocks = blocksOnCpu;
  info.computesKey = cuda::kComputesKey<Predicate> ? 1 : 0;
  return info;
}

class SimtCustom : public testing::Test {
 protected:
  template <typename Predicate>
  void expectAgreement(const Predicate& predicate) {
    const SluCudaPredicateInfo info = predicateOnCpu(predicate);
    for (const SluOrder order : kOrders) {
      const CustomScene scene =
          makeCustomScene(simplePlan(order, 8, 3000), &info, {{3000, 1, predicate, nullptr}}, random);
      EXPECT_TRUE(agreesOn(*machine, scene)) << describeSeed();
    }
    machine->dropPlans();  // they are found by the address of info
  }

  Random random;
  std::unique_ptr<Machine> machine = makeSimtMachine();
  std::deque<Keyed> weights;
  std::deque<SluCudaPredicateInfo> infos;
  CustomTrials trials{*machine,
                      [this](const Weighted& weighted, bool isKeyed) -> const void* {
                        const Keyed& keyed = weights.emplace_back(Keyed{weighted});
                        return &infos.emplace_back(isKeyed ? predicateOnCpu(keyed) : predicateOnCpu<Weighted>(keyed));
                      },
                      60};
};

TEST_F(SimtCustom, Sizes) { trials.sizes(); }
TEST_F(SimtCustom, Buckets) { trials.buckets(); }
TEST_F(SimtCustom, Culling) { trials.culling(); }
TEST_F(SimtCustom, BesideFlags) { trials.besideFlags(); }
TEST_F(SimtCustom, InPlace) { trials.inPlace(); }
TEST_F(SimtCustom, StatesOfFrames) { trials.states(); }
TEST_F(SimtCustom, Keys) { trials.keys(); }
TEST_F(SimtCustom, Rejects) { trials.rejects(); }
TEST_F(SimtCustom, Occlusion) { trials.occlusion(); }
TEST_F(SimtCustom, RandomPlans) { trials.randomPlans(); }

TEST_F(SimtCustom, StatesOfAnyShape) {
  expectAgreement(Thirds());
  expectAgreement(Aligned{1000.0, 0xfff});
}

TEST_F(SimtCustom, EveryKernelThatTakesOneRuns) {
  kernelsWithPredicates.clear();
  const Thirds thirds;
  const SluCudaPredicateInfo info = predicateOnCpu(thirds);
  for (const SluOrder order : kOrders) {
    const auto twice = makeSimtMachine({.mostDecisionBytes = 0, .mostListBytes = LaunchLimits{}.mostListBytes});
    for (const std::uint32_t bucketCount : {1u, 5u}) {
      // Boxes, whose candidates are listed where it does not matter why a record is dropped.
      for (const auto& [hasVolumes, tellsReasons] : {std::pair{false, true}, {true, true}, {true, false}}) {
        PlanSpec plan = simplePlan(order, 8, 3000);
        if (hasVolumes) {
          addCulling(plan, SLU_CULL_FRUSTUM_BIT, SLU_BOUNDS_PER_RECORD, 0, SLU_SHAPE_BOX);
          addOcclusion(plan);
        }
        if (!tellsReasons) plan.info.outputs &= ~SluFlags{SLU_OUTPUT_STATISTICS_BIT};
        addBuckets(plan, bucketCount, 1, 1000, 4);
        const CustomScene scene = makeCustomScene(plan, &info, {{3000, 1, thirds, nullptr}}, random);
        EXPECT_TRUE(agreesOn(*machine, scene));
        EXPECT_TRUE(agreesOn(*twice, scene));
        PlanSpec rejecting = plan;
        addRejects(rejecting, 0, 1000);
        EXPECT_TRUE(agreesOn(*machine, makeCustomScene(rejecting, &info, {{3000, 1, thirds, nullptr}}, random)));
        PlanSpec packed = plan;
        packBuckets(packed, 1000);
        EXPECT_TRUE(agreesOn(*twice, makeCustomScene(packed, &info, {{3000, 1, thirds, nullptr}}, random)));
        addDraws(plan, SLU_DRAW_INDEXED_INSTANCES, 20, 0, random);
        mergePlan(plan, 1000, 0);
        EXPECT_TRUE(agreesOn(*machine, makeCustomScene(plan, &info, {{3000, 1, thirds, nullptr}}, random)));
      }
    }
  }
#define SLU_NUMBER(name, ...) CudaKernel::name,
  EXPECT_EQ(kernelsWithPredicates,
            (std::set<CudaKernel>{SLU_CUDA_PREDICATE_KERNELS(SLU_NUMBER, ) SLU_CUDA_SCENE_KERNELS(
                SLU_NUMBER, ) SLU_CUDA_CANDIDATE_KERNELS(SLU_NUMBER, ) SLU_CUDA_REJECT_KERNELS(SLU_NUMBER, , )}));
#undef SLU_NUMBER
  machine->dropPlans();  // they are found by the address of info
}

// Existing records alone are asked about.
struct Recorder {
  std::vector<std::atomic<unsigned>>* calls;
  const unsigned char* first;
  unsigned stride;
  bool operator()(const void* record, unsigned index) const {
    if (record != first + std::size_t{index} * stride) throw std::logic_error("not the record's address");
    ++calls->at(index);
    return index % 2 == 0;
  }
};

TEST_F(SimtCustom, EachRecordIsAskedAboutAndNoOther) {
  for (const std::uint32_t count : {0u, 1u, 1023u, 1024u, 1025u}) {
    std::vector<std::atomic<unsigned>> calls(count);
    std::vector<std::uint32_t> records(count * 3u + 1u), kept(3000u);
    const Recorder recorder{&calls, reinterpret_cast<const unsigned char*>(records.data()), 12};
    const SluCudaPredicateInfo predicate = predicateOnCpu(recorder);
    PlanSpec spec = simplePlan(SLU_ORDER_UNORDERED, 12, 2000);
    spec.info.live = {SLU_LIVE_CUSTOM, 0, 0};
    spec.info.outputs = SLU_OUTPUT_INDICES_BIT;
    spec.info.pNext = &predicate;
    Buffer input, output;
    auto info = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
    info.size = records.size() * 4;
    info.hostPointer = records.data();
    ASSERT_EQ(sluCreateBuffer(machine->context(), &info, input.put()), SLU_SUCCESS);
    info.size = kept.size() * 4;
    info.hostPointer = kept.data();
    ASSERT_EQ(sluCreateBuffer(machine->context(), &info, output.put()), SLU_SUCCESS);
    auto frame = SLU_INIT(FRAME_INFO, SluFrameInfo);
    frame.recordCount = count;
    frame.viewCount = 1;
    frame.records = {input, 0};
    frame.indices = {output, 0};
    ASSERT_EQ(sluEnqueueCompact(machine->plan(spec), nullptr, &frame), SLU_SUCCESS)
        << sluGetErrorMessage(machine->context());
    for (std::uint32_t i = 0; i < count; ++i) EXPECT_GE(calls[i], 1u) << i << " of " << count;
    machine->dropPlans();
  }
}

}  // namespace
}  // namespace slu::test

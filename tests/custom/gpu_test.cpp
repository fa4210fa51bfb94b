// Custom predicates on a GPU: the functors of this program, and source that NVRTC compiles. Frames are captured into
// graphs.
#include <unistd.h>

#include <cstdio>
#include <deque>

#include "custom_scene.h"
#include "functors.h"
#include "machines.h"
#include "plans.h"
#include "sources.h"

namespace slu::test {
namespace {

class GpuPredicates : public testing::Test {
 protected:
  void SetUp() override {
    std::string reason;
    machine = findMachine(MachineKind::cuda, reason);
    if (machine == nullptr) GTEST_SKIP() << reason;
  }
  void TearDown() override {
    if (machine != nullptr) machine->dropPlans();
  }

  // predicate, which info describes, over records of 8 bytes.
  template <typename Predicate>
  void expectAgreement(const Predicate& predicate, const void* info) {
    for (const SluOrder order : kOrders) {
      const std::uint32_t count = random.between(20'000, 100'000);
      const CustomScene scene =
          makeCustomScene(simplePlan(order, 8, 100'000), info, {{count, 1, predicate, nullptr}}, random);
      EXPECT_TRUE(agreesOn(*machine, scene, 3)) << describeSeed();
    }
    machine->dropPlans();  // they are found by the address of info
  }

  Random random;
  Machine* machine = nullptr;
  std::deque<Keyed> weights;
};

class GpuFunctors : public GpuPredicates {
 protected:
  CustomTrials trials() {
    const auto chain = [this](const Weighted& weighted, bool isKeyed) -> const void* {
      const Keyed& keyed = weights.emplace_back(Keyed{weighted});
      return &infos_.emplace_back(isKeyed ? functorOf(keyed) : functorOf(static_cast<const Weighted&>(keyed)));
    };
    return CustomTrials(*machine, chain, 100);
  }

 private:
  std::deque<SluCudaPredicateInfo> infos_;
};

TEST_F(GpuFunctors, Sizes) { trials().sizes(); }
TEST_F(GpuFunctors, Buckets) { trials().buckets(); }
TEST_F(GpuFunctors, Culling) { trials().culling(); }
TEST_F(GpuFunctors, BesideFlags) { trials().besideFlags(); }
TEST_F(GpuFunctors, InPlace) { trials().inPlace(); }
TEST_F(GpuFunctors, StatesOfFrames) { trials().states(); }
TEST_F(GpuFunctors, Keys) { trials().keys(); }
TEST_F(GpuFunctors, Rejects) { trials().rejects(); }
TEST_F(GpuFunctors, Occlusion) { trials().occlusion(); }
TEST_F(GpuFunctors, RandomPlans) { trials().randomPlans(); }

TEST_F(GpuFunctors, StatesOfAnyShape) {
  const Thirds thirds;
  const SluCudaPredicateInfo ofThirds = functorOf(thirds);
  expectAgreement(thirds, &ofThirds);
  const Aligned aligned{1000.0, 0xfff};
  const SluCudaPredicateInfo ofAligned = functorOf(aligned);
  expectAgreement(aligned, &ofAligned);
}

template <typename Predicate>
SluCudaSourceInfo sourceInfo(const std::string& source, const Predicate* state) {
  auto info = SLU_INIT(CUDA_SOURCE_INFO, SluCudaSourceInfo);
  info.source = source.c_str();
  info.state = state;
  info.stateSize = state == nullptr ? 0 : sizeof(*state);
  return info;
}

class GpuSources : public GpuPredicates {
 protected:
  void SetUp() override {
    GpuPredicates::SetUp();
    if (machine == nullptr) return;
    const std::string thirds = sourceOf("Thirds");
    if (create(sourceInfo<Thirds>(thirds, nullptr)) == SLU_ERROR_ROUTE_UNAVAILABLE) {
      GTEST_SKIP() << sluGetErrorMessage(machine->context());
    }
  }

  // Into plan, where one is given.
  SluResult create(const SluCudaSourceInfo& source, SluPlan* plan = nullptr) {
    Plan dropped;
    PlanSpec spec = simplePlan(SLU_ORDER_UNORDERED, 8, 1000);
    spec.info.live = {SLU_LIVE_CUSTOM, 0, 0};
    spec.info.pNext = &source;
    const PlanArguments arguments(spec, SLU_ROUTE_CUDA);
    return sluCreatePlan(machine->context(), arguments.get(), plan ? plan : dropped.put());
  }

  CustomTrials trials() {
    const auto chain = [this](const Weighted& weighted, bool isKeyed) -> const void* {
      return &infos_.emplace_back(sourceInfo(isKeyed ? keyedSource_ : source_, &weights.emplace_back(Keyed{weighted})));
    };
    return CustomTrials(*machine, chain, 10);
  }

 private:
  const std::string source_ = sourceOf("Weighted");
  const std::string keyedSource_ = sourceOf("Keyed");
  std::deque<SluCudaSourceInfo> infos_;
};

TEST_F(GpuSources, Sizes) { trials().sizes(); }
TEST_F(GpuSources, Buckets) { trials().buckets(); }
TEST_F(GpuSources, Culling) { trials().culling(); }
TEST_F(GpuSources, BesideFlags) { trials().besideFlags(); }
TEST_F(GpuSources, InPlace) { trials().inPlace(); }
TEST_F(GpuSources, StatesOfFrames) { trials().states(); }
TEST_F(GpuSources, Keys) { trials().keys(); }
TEST_F(GpuSources, Rejects) { trials().rejects(); }
TEST_F(GpuSources, Occlusion) { trials().occlusion(); }
TEST_F(GpuSources, RandomPlans) { trials().randomPlans(); }

TEST_F(GpuSources, StatesOfAnyShape) {
  const std::string thirds = sourceOf("Thirds"), aligned = sourceOf("Aligned");
  const SluCudaSourceInfo ofThirds = sourceInfo<Thirds>(thirds, nullptr);
  expectAgreement(Thirds(), &ofThirds);
  const Aligned state{1000.0, 0xfff};
  const SluCudaSourceInfo ofAligned = sourceInfo(aligned, &state);
  expectAgreement(state, &ofAligned);
}

// With --time NVRTC writes a file whenever it compiles.
TEST_F(GpuSources, PlansThatAreAliveCompileOnce) {
  const std::string thirds = sourceOf("Thirds");
  const std::string path = testing::TempDir() + "sluice_times_" + std::to_string(getpid()) + ".csv";
  const std::string option = "--time=" + path;
  const char* const options[] = {option.c_str()};
  SluCudaSourceInfo info = sourceInfo<Thirds>(thirds, nullptr);
  info.options = options;
  info.optionCount = 1;
  const auto compiles = [&](Plan& plan) {
    EXPECT_EQ(create(info, plan.put()), SLU_SUCCESS) << sluGetErrorMessage(machine->context());
    return std::remove(path.c_str()) == 0;
  };
  Plan first, second;
  EXPECT_TRUE(compiles(first));
  EXPECT_FALSE(compiles(second));
  first.reset();
  second.reset();
  EXPECT_TRUE(compiles(first)) << "after the last plan";
}

// All plans are unordered and of the same kernels.
TEST_F(GpuSources, PlansThatShareOneOutliveEachOther) {
  const std::string thirds = sourceOf("Thirds");
  const SluCudaSourceInfo info = sourceInfo<Thirds>(thirds, nullptr);
  Plan first;
  ASSERT_EQ(create(info, first.put()), SLU_SUCCESS) << sluGetErrorMessage(machine->context());
  const CustomScene scene =
      makeCustomScene(simplePlan(SLU_ORDER_UNORDERED, 8, 100'000), &info, {{50'000, 1, Thirds(), nullptr}}, random);
  EXPECT_TRUE(agreesOn(*machine, scene)) << describeSeed();
  machine->dropPlans();  // the one that shares; the next one shares with the first as well
  EXPECT_TRUE(agreesOn(*machine, scene)) << describeSeed();
  first.reset();
  EXPECT_TRUE(agreesOn(*machine, scene, 3)) << describeSeed();
  machine->dropPlans();  // they are found by the address of info
}

TEST_F(GpuSources, OneThatDoesNotCompileIsRefusedWithItsLog) {
  const std::string broken = "struct SluPredicate {\n  nonsense\n};\n";
  EXPECT_EQ(create(sourceInfo<Thirds>(broken, nullptr)), SLU_ERROR_INVALID_ARGUMENT);
  const std::string message = sluGetErrorMessage(machine->context());
  EXPECT_EQ(message.find("plan.source: does not compile: plan.source("), 0u) << message;
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "nonsense", message);
}

// Machines are destroyed before the CUDA runtime is.
class LeftOvers : public testing::Environment {
 public:
  void TearDown() override { destroyMachines(); }
};
const testing::Environment* const kLeftOvers = testing::AddGlobalTestEnvironment(new LeftOvers);

}  // namespace
}  // namespace slu::test

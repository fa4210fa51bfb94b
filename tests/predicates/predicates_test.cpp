// Predicates in C++ on the cpu route.
#include "host_predicates.h"
#include "left_overs.h"
#include "machines.h"
#include "plans.h"

namespace slu::test {
namespace {

class HostPredicates : public testing::Test {
 protected:
  HostPredicates() {
    std::string reason;
    machine = findMachine(MachineKind::cpu, reason);
  }
  ~HostPredicates() override { machine->dropPlans(); }

  CustomTrials trials() {
    const auto chain = [this](const Weighted& weighted, bool isKeyed) -> const void* {
      return &infos_.emplace_back(hostPredicate(weights_.emplace_back(Keyed{weighted}), isKeyed));
    };
    return CustomTrials(*machine, chain, 60);
  }

  Machine* machine;

 private:
  std::deque<Keyed> weights_;
  std::deque<SluHostPredicateInfo> infos_;
};

TEST_F(HostPredicates, Sizes) { trials().sizes(); }
TEST_F(HostPredicates, Buckets) { trials().buckets(); }
TEST_F(HostPredicates, Culling) { trials().culling(); }
TEST_F(HostPredicates, BesideFlags) { trials().besideFlags(); }
TEST_F(HostPredicates, InPlace) { trials().inPlace(); }
TEST_F(HostPredicates, StatesOfFrames) { trials().states(); }
TEST_F(HostPredicates, Keys) { trials().keys(); }
TEST_F(HostPredicates, Rejects) { trials().rejects(); }
TEST_F(HostPredicates, Occlusion) { trials().occlusion(); }
TEST_F(HostPredicates, RandomPlans) { trials().randomPlans(); }

// Without a state the functions get none, and they get each record with its index.
TEST_F(HostPredicates, AreAskedOfEachRecord) {
  static const std::uint32_t records[5] = {10, 21, 32, 43, 54};
  auto info = SLU_INIT(HOST_PREDICATE_INFO, SluHostPredicateInfo);
  info.isLive = [](const void* state, const void* record, std::uint32_t index) -> SluBool32 {
    return state == nullptr && record == &records[index] && index % 2 == 0 ? 7 : 0;
  };
  PlanSpec spec = simplePlan(SLU_ORDER_STABLE, 4, 5);
  spec.info.live = {SLU_LIVE_CUSTOM, 0, 0};
  spec.info.outputs = SLU_OUTPUT_RECORDS_BIT;
  spec.info.pNext = &info;
  std::uint32_t kept[5] = {};
  Buffer input, output;
  auto buffer = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
  buffer.size = sizeof(records);
  buffer.hostPointer = const_cast<std::uint32_t*>(records);
  ASSERT_EQ(sluCreateBuffer(machine->context(), &buffer, input.put()), SLU_SUCCESS);
  buffer.hostPointer = kept;
  ASSERT_EQ(sluCreateBuffer(machine->context(), &buffer, output.put()), SLU_SUCCESS);
  auto frame = SLU_INIT(FRAME_INFO, SluFrameInfo);
  frame.recordCount = 5;
  frame.viewCount = 1;
  frame.records = {input, 0};
  frame.keptRecords = {output, 0};
  ASSERT_EQ(sluCompact(machine->plan(spec), &frame), SLU_SUCCESS) << sluGetErrorMessage(machine->context());
  EXPECT_EQ(std::vector(kept, kept + 5), (std::vector<std::uint32_t>{10, 32, 54, 0, 0}));
}

const testing::Environment* const kLeftOvers = testing::AddGlobalTestEnvironment(new LeftOvers);

}  // namespace
}  // namespace slu::test

// Each barrier, ballot, copy, arrival and wait of each kernel is taken away in turn: the executor must see that it is
// missing.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>

#include "kernel_plans.h"
#include "planted_kernels.h"
#include "trial.h"

namespace slu::test {
namespace {

// Functions of which one barrier goes unmissed in the scenes here, and why.
const std::map<std::string, const char*> kUnmissed = {
    {"awaitDemand", "it keeps one look apart from the next, and the first mostly finds all"},
    {"packBuckets", "it keeps one round apart from the next, and there are fewer buckets than threads"},
    {"reserveInOrder", "it orders global memory, which the executor does not check"},
    {"scanBuckets", "it keeps one round apart from the next, and there are fewer chunks than threads"},
    {"scatterChunk", "the next tile begins with a barrier, and publishView takes other memory"},
};

// What the executor says of the other calls: threads wait forever, meet on a word, or are ahead of what they wait for.
bool isForeseen(const std::string& name, const std::string& fault) {
  constexpr std::array kStuck = {"is stuck"};
  constexpr std::array kUnordered = {"race: ", "uninitialised: "};
  constexpr std::array kAhead = {"race: ", "uninitialised: ", "awaits phase", "arrives at a barrier where"};
  const auto saysOneOf = [&](const auto& parts) {
    return std::ranges::any_of(parts, [&](const char* part) { return fault.find(part) != std::string::npos; });
  };
  if (name == "arriveAt" || name == "arriveExpecting" || name == "copyBulk") return saysOneOf(kStuck);
  return name == "awaitPhase" ? saysOneOf(kAhead) : saysOneOf(kUnordered);
}

class PlantedKernel {
 public:
  PlantedKernel(const KernelPlan& plan, Random& random)
      : kernel_(plan.row.kernel),
        machine_(makeMachine(plan, [this](const auto& launch, const auto& arguments) { run(launch, arguments); })),
        scene_(makeScene(plan, *machine_, random)) {}

  // The calls that it makes, with all of them there.
  std::set<Call> callsOfControl() {
    std::set<Call> calls;
    planted_ = {nullptr, &calls};
    EXPECT_TRUE(agrees(*machine_, scene_));
    return calls;
  }

  // What the executor says; nothing when it misses nothing.
  std::string faultWithout(const Call& call) {
    planted_ = {&call, nullptr};
    fault_.clear();
    machine_->dropPlans();  // what a fault leaves in the scratch
    std::vector<Bytes> memories = scene_.memories;
    try {
      machine_->record(scene_)->execute(memories, 1);
    } catch (const std::runtime_error& error) {
      if (fault_.empty()) throw;
    }
    return fault_;
  }

 private:
  void run(const CudaLaunch& launch, const cuda::Arguments& arguments) {
    if (launch.kernel != kernel_) return launchOnCpu(launch, arguments);
    const testing::AssertionResult result = launchPlanted(launch, arguments, planted_);
    if (result) return;
    fault_ = result.message();
    throw std::runtime_error(fault_);
  }

  const CudaKernel kernel_;
  Planted planted_;
  std::string fault_;
  std::unique_ptr<Machine> machine_;
  Scene scene_;
};

// What the executor says without the call. A random scene may keep too little to miss it, so a few others are asked, too.
std::string faultInAnyScene(PlantedKernel& kernel, const KernelPlan& plan, const Call& call, Random& random) {
  constexpr int kMoreScenes = 4;
  std::string fault = kernel.faultWithout(call);
  for (int i = 0; i < kMoreScenes && fault.empty(); ++i) fault = PlantedKernel(plan, random).faultWithout(call);
  return fault;
}

TEST(SimtPlanted, EveryCallIsMissed) {
  const testing::ScopedTrace seed(__FILE__, __LINE__, describeSeed());
  Random random;
  std::set<std::string> unmissed;
  for (const KernelPlan& plan : kernelPlans()) {
    SCOPED_TRACE(plan.row.name);
    PlantedKernel kernel(plan, random);
    std::set<std::string> unmissedHere;
    for (const Call& call : kernel.callsOfControl()) {
      SCOPED_TRACE(call.file + ":" + std::to_string(call.line) + ": " + call.name + " in " + call.function);
      const std::string fault = faultInAnyScene(kernel, plan, call, random);
      if (call.name == "__ballot_sync") {
        EXPECT_PRED_FORMAT2(testing::IsSubstring, "is stuck in warp", fault);
      } else if (fault.empty()) {
        EXPECT_TRUE(kUnmissed.contains(call.function) && unmissedHere.insert(call.function).second)
            << "nobody misses it";
      } else {
        EXPECT_TRUE(isForeseen(call.name, fault)) << fault;
      }
    }
    unmissed.merge(unmissedHere);
  }
  for (const auto& [function, reason] : kUnmissed) {
    EXPECT_TRUE(unmissed.contains(function)) << function << " has no barrier of which to say: " << reason;
  }
}

}  // namespace
}  // namespace slu::test

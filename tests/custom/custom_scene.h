// Scenes of plans with a custom predicate, beside scenes that ask the CPU route for the same: there a stream of flags,
// which the predicate filled on the host, decides.
#pragma once

#include "predicates.h"
#include "random.h"
#include "trial.h"

namespace slu::test {

struct CustomFrame {
  std::uint32_t count;
  std::uint32_t viewCount;
  std::function<bool(const void* record, unsigned index)> predicate;
  const void* pNext;  // of the frame info
};

struct CustomScene {
  Scene reference;
  Scene custom;
};

// plan: its live test is replaced; if its second one is of flags, the predicate decides beside random ones. If isKeyed
// is set, its key is replaced, too. planNext: of the plan's create info, as for all that is chained it must outlive the
// scene.
CustomScene makeCustomScene(PlanSpec plan, const void* planNext, const std::vector<CustomFrame>& frames, Random& random,
                            bool isKeyed = false);

// Runs scene.custom on the machine and scene.reference on the CPU route.
testing::AssertionResult agreesOn(Machine& machine, const CustomScene& scene, std::uint32_t times = 1);

Weighted makeWeighted(std::uint32_t recordStride, Random& random);

// How a predicate gets into a plan: the struct to chain, which lives as long as the trials. The predicate is a Weighted
// or a Keyed of the same state.
using ChainWeighted = std::function<const void*(const Weighted&, bool isKeyed)>;

// What every way to bring a predicate must pass. planCount: how many plans a trial may create per order, since some
// take seconds.
class CustomTrials {
 public:
  CustomTrials(Machine& machine, ChainWeighted chain, int planCount)
      : machine_(machine), chain_(std::move(chain)), planCount_(planCount) {}

  void sizes();
  void buckets();
  void culling();
  void besideFlags();
  void inPlace();
  void states();  // that change from frame to frame
  void keys();    // that the predicate computes
  void rejects();
  void occlusion();
  void randomPlans();

 private:
  // One frame.
  testing::AssertionResult agreesOnPlan(const PlanSpec& plan, std::uint32_t count, std::uint32_t viewCount = 1,
                                        bool isKeyed = false);

  // As Contract::takes.
  bool takes(double share) { return !machine_.compilesPlans() || random_.samples(share); }

  Machine& machine_;
  const ChainWeighted chain_;
  const int planCount_;
  Random random_;
  testing::ScopedTrace seed_{__FILE__, __LINE__, describeSeed()};
};

}  // namespace slu::test

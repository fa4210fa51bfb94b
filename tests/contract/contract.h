// The fixture of the contract suite: every test runs once on each machine.
#pragma once

#include <gtest/gtest.h>

#include "inputs.h"
#include "machines.h"
#include "plans.h"
#include "scene_builder.h"
#include "trial.h"

namespace slu::test {

class Contract : public testing::TestWithParam<MachineKind> {
 protected:
  void SetUp() override;     // skips where the route is absent
  void TearDown() override;  // fails when the validation layer said anything

  Machine& machine() { return *machine_; }

  // The records that a workgroup takes at once, or a few hundred on the CPU, which has no tiles.
  std::uint32_t tileOf(const PlanSpec& plan);

  // The orders in turn, for tests of so many plans that their compilation is what takes time. Which order meets which
  // plan differs from seed to seed.
  SluOrder nextOrder() { return kOrders[turn_++ % 2]; }

  // Of many plans that are alike, whether this one runs: such a share of them where plans compile kernels, and all
  // elsewhere.
  bool takes(double share) { return !machine().compilesPlans() || random.samples(share); }

  // One scene of one frame over random input.
  testing::AssertionResult agreesOn(const PlanSpec& plan, std::uint32_t count, Pattern pattern,
                                    std::uint32_t viewCount = 1);

  Random random;

 private:
  testing::ScopedTrace seed_{__FILE__, __LINE__, describeSeed()};
  Machine* machine_ = nullptr;
  std::uint32_t turn_ = random.below(2);
};

}  // namespace slu::test

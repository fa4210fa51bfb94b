// Predicates as source: what tests of them share, in whichever language.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

#include "host_predicates.h"
#include "machines.h"
#include "plans.h"
#include "scene_builder.h"

namespace slu::test {

// A file of this folder.
inline std::string textOf(const std::string& name) {
  std::ifstream file(SLUICE_FOLDER "/" + name);
  return {std::istreambuf_iterator<char>(file), {}};
}

template <typename Info>
Info withState(Info info, const Keyed& keyed) {
  info.state = &keyed;
  info.stateSize = sizeof(keyed);
  return info;
}

class SourceTest : public testing::Test {
 protected:
  void useMachine(MachineKind kind) {
    std::string reason;
    machine = findMachine(kind, reason);
    if (machine == nullptr) GTEST_SKIP() << reason;
  }
  void TearDown() override {
    if (machine == nullptr) return;
    machine->dropPlans();
    EXPECT_EQ(takeMessages(), "");
  }

  // Into plan, where one is given. keyCount: above 1 the predicate computes the key.
  SluResult create(const void* chained, SluPlan* plan = nullptr, std::uint32_t keyCount = 1) {
    PlanSpec spec = simplePlan(SLU_ORDER_UNORDERED, 16, 1000);
    spec.info.live = {SLU_LIVE_CUSTOM, 0, 0};
    spec.info.pNext = chained;
    if (keyCount > 1) {
      addBuckets(spec, keyCount, 1, 1000, 0);
      spec.info.flags |= SLU_PLAN_CUSTOM_KEY_BIT;
    }
    Plan dropped;
    return sluCreatePlan(machine->context(), PlanArguments(spec, machine->route()).get(), plan ? plan : dropped.put());
  }
  std::string message() const { return sluGetErrorMessage(machine->context()); }

  // info: of brighter.glsl, without a state.
  template <typename Info>
  void readRecordsAndState(Info info) {
    struct State {
      float least;
      int number;
    } const state{0.25f, -5};
    info.state = &state;
    info.stateSize = sizeof(state);
    for (const std::uint32_t stride : {16u, 20u, 48u}) {
      const auto predicate = [&](const void* record, unsigned) {
        float brightness;
        std::memcpy(&brightness, static_cast<const char*>(record) + 12, sizeof(brightness));
        return brightness > state.least;
      };
      for (const SluOrder order : kOrders) {
        const CustomScene scene = makeCustomScene(simplePlan(order, stride, 4000), &info,
                                                  {{random.between(3000, 4000), 1, predicate, nullptr}}, random);
        EXPECT_TRUE(agreesOn(*machine, scene)) << stride;
        machine->dropPlans();  // they are found by the address of info
      }
    }
  }

  // A plan that chains the predicate in both languages runs on both routes, and both keep the same. info: of
  // weighted.glsl with its key, without a state.
  template <typename Info>
  void keepWhatThoseInCppKeep(const Info& info) {
    for (const std::uint32_t capacity : {20u, 400u}) {
      PlanSpec plan = simplePlan(SLU_ORDER_STABLE, 24, 9000);
      addBuckets(plan, 30, 1, capacity, 8);
      plan.info.key.shift = 3;
      plan.info.key.bits = 5;
      Keyed state{makeWeighted(24, random)};
      state.keyWord = 2;
      state.keyShift = 4;
      SluHostPredicateInfo inCpp = hostPredicate(state, true);
      Info inShader = withState(info, state);
      inCpp.pNext = &inShader;
      plan.info.live = {SLU_LIVE_CUSTOM, 0, 0};
      plan.info.pNext = &inCpp;
      plan.info.flags |= SLU_PLAN_CUSTOM_KEY_BIT;
      plan.info.key.offset = 0;
      Input input;
      input.count = 8000;
      input.records.resize(std::size_t{24} * 8000);
      random.fill(input.records);
      const Scene scene = makeScene(plan, input, 1, random);
      EXPECT_TRUE(agrees(*machine, scene)) << capacity;
      machine->dropPlans();  // they are found by the address of what is chained
      dropReferencePlans();
    }
  }

  Random random;
  Machine* machine = nullptr;
  testing::ScopedTrace seed{__FILE__, __LINE__, describeSeed()};
};

}  // namespace slu::test

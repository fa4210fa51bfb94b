// The inline route on a driver that has it, for thousands of frames, on a queue that draws and on one that does not.
// The contract suite runs there too, on the route alone and by turns with the Vulkan route in one command buffer.
#include <gtest/gtest.h>

#include "machines.h"
#include "plans.h"
#include "scene_builder.h"
#include "trial.h"

namespace slu::test {
namespace {

class InlineOnGpu : public testing::TestWithParam<MachineKind> {
 protected:
  void SetUp() override {
    std::string reason;
    machine = findMachine(GetParam(), reason);
    if (machine == nullptr) GTEST_SKIP() << reason;
  }
  void TearDown() override {
    if (machine == nullptr) return;
    machine->dropPlans();
    dropReferencePlans();
    destroyMachines();
    EXPECT_EQ(takeMessages(), "");
  }

  Random random;
  testing::ScopedTrace seed{__FILE__, __LINE__, describeSeed()};
  Machine* machine = nullptr;
};

TEST_P(InlineOnGpu, TenThousandFrames) {
  constexpr std::uint32_t kFrames = 10'000, kSubmission = 100;
  for (const SluOrder order : kOrders) {
    SceneBuilder builder(random);
    const std::uint32_t index = builder.addPlan(simplePlan(order, 16, 50'000));
    builder.addFrame(builder.makeFrame(index, makeInput(builder.plan(index), 50'000, Pattern::half, random)));
    const Scene scene = builder.finish();
    Trial trial(*machine, scene);
    std::vector<Bytes> memories = scene.memories;
    for (std::uint32_t frame = 0; frame < kFrames; frame += kSubmission) {
      ASSERT_TRUE(trial.run(memories, kSubmission)) << "from frame " << frame;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, InlineOnGpu, testing::Values(MachineKind::inlined, MachineKind::mixed),
                         [](const auto& instance) { return machineName(instance.param); });

}  // namespace
}  // namespace slu::test

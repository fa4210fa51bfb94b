// Contexts know nothing of each other.
#include "fixture.h"
#include "plans.h"
#include "scene_builder.h"
#include "trial.h"

namespace slu::test {
namespace {

// Two devices of two instances, in turn; one goes while the other works on.
TEST_F(VulkanTest, TwoContextsOnTwoDevices) {
  Random random;
  std::unique_ptr<Machine> machines[] = {makeVulkanMachine(), makeVulkanMachine()};
  std::vector<Scene> scenes;
  for (const SluOrder order : kOrders) {
    PlanSpec plan = simplePlan(order, 16, 5000);
    addBuckets(plan, 3, 1, 2000, 4);
    plan.info.key.bits = 2;
    scenes.push_back(makeScene(plan, makeInput(plan, 5000, Pattern::half, random), 1, random));
  }
  std::vector<std::unique_ptr<Trial>> trials;
  for (const auto& machine : machines) {
    for (const Scene& scene : scenes) trials.push_back(std::make_unique<Trial>(*machine, scene));  // two per machine
  }
  const auto runAll = [&] {
    for (std::size_t i = 0; i < trials.size(); ++i) {
      std::vector<Bytes> memories = scenes[i % scenes.size()].memories;
      ASSERT_TRUE(trials[i]->run(memories));
    }
  };
  for (int round = 0; round < 3; ++round) runAll();
  trials.erase(trials.begin(), trials.begin() + 2);
  machines[0].reset();
  runAll();
  trials.clear();
  machines[1].reset();
  dropReferencePlans();
}

// Two contexts on one device.
TEST_F(VulkanTest, BuffersOfOtherContextsAreRefused) {
  const Context contexts[] = {makeContext(), makeContext()};
  const PlanSpec spec = simplePlan(SLU_ORDER_UNORDERED, 4, 10);
  Plan plan;
  require(contexts[0], sluCreatePlan(contexts[0], PlanArguments(spec, SLU_ROUTE_VULKAN).get(), plan.put()),
          "sluCreatePlan");
  const VulkanBuffer memory(device(), 4096, allUsages(instance()), VulkanBuffer::Kind::mapped);
  Buffer buffers[2];
  for (int i = 0; i < 2; ++i) {
    require(contexts[i], registerBuffer(contexts[i], memory, buffers[i].put()), "sluCreateBuffer");
  }
  FrameSpec frame;
  frame.recordCount = 10;
  frame.records = {1, 0};
  frame.indices = {0, 256};
  frame.keptRecords = {0, 512};
  frame.statistics = {0, 768};
  frame.bucketCounts = {0, 1024};
  device().runOnce([&](VkCommandBuffer commands) {
    const FrameArguments arguments(frame, [&](std::uint32_t index) { return buffers[index].get(); });
    EXPECT_TRUE(failsWith(sluCmdCompact(plan, commands, arguments.get()), SLU_ERROR_INVALID_ARGUMENT, contexts[0],
                          "frame.records"));
  });
  EXPECT_STREQ(sluGetErrorMessage(contexts[1]), "");
}

}  // namespace
}  // namespace slu::test

// One small plan for each kernel of the CUDA route: what tests/sanitize runs under NVIDIA's checkers.
#include "contract.h"

namespace slu::test {
namespace {

// Frames of several tiles, of a part of one, and of none, twice: each leaves the plan's scratch to the next.
TEST_P(Contract, PlansOfEveryKernel) {
  const SluOrder next = nextOrder();  // where pipelines are compiled, one of the two
  for (const SluOrder order : kOrders) {
    if (machine().route() == SLU_ROUTE_VULKAN && order != next) continue;
    for (const PlanSpec& plan : plansOfEveryKernel(order, random)) {
      if (!takes(0.4)) continue;
      const std::uint32_t tile = std::min(tileOf(plan), plan.info.maxRecordCount / 3);
      SceneBuilder builder(random);
      const std::uint32_t index = builder.addPlan(plan);
      for (const std::uint32_t count : {2 * tile + random.below(tile), random.between(1, tile - 1), 0u}) {
        const Input input = makeInput(plan, count, Pattern::half, random);
        builder.addFrame(builder.makeFrame(index, input, plan.info.maxViewCount));
      }
      const Scene scene = builder.finish();
      std::vector<Bytes> memories = scene.memories;
      ASSERT_TRUE(Trial(machine(), scene).run(memories, 2)) << describe(plan);
    }
  }
}

}  // namespace
}  // namespace slu::test

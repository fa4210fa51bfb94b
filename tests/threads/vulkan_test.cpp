// Several threads record frames of different plans of the Vulkan route at once.
#include "recording.h"
#include "trial.h"

namespace slu::test {
namespace {

using VulkanThreads = RecordingThreads;
INSTANTIATE_TEST_SUITE_P(, VulkanThreads, testing::Bool(), contextsOf);

TEST_P(VulkanThreads, RecordDifferentPlans) {
  recordAtOnce(SLU_ROUTE_VULKAN, device().info());
  for (std::uint32_t i = 0; i < kThreads; ++i) {
    device().submit({hosts[i]->commands});
    std::vector<Bytes> actual = hosts[i]->contents();
    EXPECT_TRUE(agreesWithReference(works[i].scene, actual));
  }
}

}  // namespace
}  // namespace slu::test

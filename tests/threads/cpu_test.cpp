// Several threads run frames of different plans of the CPU route at once.
#include "trial.h"
#include "work.h"

namespace slu::test {
namespace {

class CpuThreads : public testing::TestWithParam<bool> {
 protected:
  testing::ScopedTrace seed{__FILE__, __LINE__, describeSeed()};
  Random random;
};
INSTANTIATE_TEST_SUITE_P(, CpuThreads, testing::Bool(), contextsOf);

Context createContext() {
  const auto info = SLU_INIT(CONTEXT_CREATE_INFO, SluContextCreateInfo);
  Context context;
  require(nullptr, sluCreateContext(&info, context.put(), nullptr), "sluCreateContext");
  return context;
}

// What a thread has on the context.
struct Host {
  Host(SluContext context, const Work& work)
      : memories(work.scene.memories), frames(context, memories), plan(work.createPlan(context, SLU_ROUTE_CPU)) {}

  std::vector<Bytes> memories;
  HostFrames frames;
  Plan plan;
};

TEST_P(CpuThreads, RunDifferentPlans) {
  const bool isShared = GetParam();
  const std::vector<Work> works = makeWorks(random);
  std::vector<Context> contexts(kThreads);
  std::vector<std::unique_ptr<Host>> hosts(kThreads);
  const auto open = [&](std::uint32_t thread) {
    Context& context = contexts[isShared ? 0 : thread];
    if (context.get() == nullptr) context = createContext();
    hosts[thread] = std::make_unique<Host>(context, works[thread]);
  };
  for (std::uint32_t i = 0; isShared && i < kThreads; ++i) open(i);
  runAtOnce([&](std::uint32_t thread, Lockstep& lockstep) {
    lockstep.wait();
    if (!isShared) open(thread);
    const SluContext context = contexts[isShared ? 0 : thread];
    const Host& host = *hosts[thread];
    host.frames.run(host.plan, works[thread].scene.frames[0], [&](SluPlan plan, const SluFrameInfo* frame) {
      Work::repeat(context, *frame, thread, lockstep, [&](const SluFrameInfo* info) { return sluCompact(plan, info); });
      return SLU_SUCCESS;
    });
  });
  for (std::uint32_t i = 0; i < kThreads; ++i) EXPECT_TRUE(agreesWithReference(works[i].scene, hosts[i]->memories));
}

}  // namespace
}  // namespace slu::test

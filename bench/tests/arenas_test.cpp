// Whole trials in the arenas that need no GPU: every competitor is right, and one that is not gets no number.
#include <gtest/gtest.h>

#include <chrono>

#include "arena/input_limit.h"
#include "base/failure.h"
#include "host/host_arena.h"
#include "program/trial.h"
#include "random.h"
#include "synthetic_input.h"
#include "workload/host_input.h"
#ifdef SLUICE_VULKAN
#include "vulkan/vulkan_arena.h"
#endif

namespace bench {
namespace {

using Arenas = std::vector<std::unique_ptr<Arena>>;

class ArenasTest : public testing::TestWithParam<ArenaId> {
 protected:
  void SetUp() override {
    try {
      arenas_.push_back(makeArena());
    } catch (const Failure& failure) {
      if (failure.cause() != Cause::NoDevice) throw;
      GTEST_SKIP() << failure.what();
    }
  }

  std::unique_ptr<Arena> makeArena() {
    const std::vector<PlanChoices> choices = {{random_.chance(0.5), WordTest::NonEmpty},
                                              {random_.chance(0.5), WordTest::Mask},
                                              {random_.chance(0.5), WordTest::Custom},
                                              {.statistics = random_.chance(0.5), .meshes = true}};
#ifdef SLUICE_VULKAN
    if (GetParam() == ArenaId::Vulkan) {
      constexpr SluFlags kBound = SLU_VULKAN_BOUND_BUFFERS_BIT;
      constexpr SluFlags kSeveral = SLU_VULKAN_SEVERAL_DISPATCHES_BIT;
      return makeVulkanArena(ArenaId::Vulkan, "",
                             makeVulkanCompetitors(choices, {kBound, kSeveral, kBound | kSeveral}));
    }
#endif
    return std::make_unique<HostArena>(makeHostCompetitors(choices));
  }

  TrialSettings settings() {
    TrialSettings settings;
    settings.seed = random_.word();
    settings.repetitionCount = 3;
    settings.warmUpSeconds = 0.0;
    return settings;
  }

  void expectMeasured(const WorkloadResult& result) {
    EXPECT_TRUE(result.refusals.empty()) << describe(result.refusals);
    for (const CompetitorResult& competitor : result.competitors) {
      EXPECT_EQ(competitor.arena, GetParam());
      if (competitor.status == Status::Refused) continue;
      EXPECT_EQ(competitor.status, Status::Measured)
          << competitor.competitor << ", " << describe(result.workload) << ": " << competitor.reason;
      ASSERT_EQ(competitor.samples.size(), 3u);
      for (const double sample : competitor.samples) EXPECT_GT(sample, 0) << competitor.competitor;
    }
  }

  // Returns whether a competitor is a shader that compacts.
  static bool isShader(const std::string& name) {
    return name == "vulkan-append" || name == "vulkan-bevy" || name == "vulkan-niagara";
  }

  // Sluice's plans of bounds and what runs the workload's own test take boxes.
  static void expectRefusesBoxesRightly(const WorkloadResult& result) {
    const auto endsWith = [](const std::string& text, const std::string& end) {
      return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
    };
    for (const CompetitorResult& competitor : result.competitors) {
      if (competitor.competitor == "cpu-parallel") continue;  // not with several buckets, nor without TBB
      const bool testsWord = endsWith(competitor.competitor, "-mask") || endsWith(competitor.competitor, "-custom");
      const bool refuses = testsWord || isShader(competitor.competitor);
      EXPECT_EQ(competitor.status == Status::Refused, refuses) << competitor.competitor << ": " << competitor.reason;
      if (testsWord) {
        EXPECT_EQ(competitor.reason, "it tests a word, and boxes decide here") << competitor.competitor;
      }
    }
  }

  static bool planTakes(const std::string& name, const Workload& workload) {
    const bool testsWord = name.find("-mask") != std::string::npos || name.find("-custom") != std::string::npos;
    return !testsWord || workload.predicate == Predicate::Word;
  }

  slu::test::Random random_;
  Arenas arenas_;

 private:
  testing::ScopedTrace trace_{__FILE__, __LINE__, slu::test::describeSeed()};
};

TEST_P(ArenasTest, RunsEveryKindOfWorkload) {
  for (const Order order : {Order::Unordered, Order::Stable})
    for (const Pattern pattern : {Pattern::Random, Pattern::Clustered, Pattern::Alternating})
      for (const uint32_t buckets : {1u, 7u})
        for (const Outputs outputs : {Outputs::Records, Outputs::Indices}) {
          if (!random_.samples(0.3)) continue;
          const Workload workload = {16, 5003, 30.0, pattern, buckets, order, outputs};
          const WorkloadResult result = runTrial(settings(), workload, arenas_);
          expectMeasured(result);
          for (const CompetitorResult& competitor : result.competitors) {
            bool refuses = competitor.competitor == "vulkan-append" && order == Order::Stable;
            refuses |= competitor.competitor == "cpu-parallel" && buckets > 1;
            refuses |= competitor.competitor == "vulkan-bevy" && (order == Order::Stable || buckets == 1);
            refuses |= competitor.competitor == "vulkan-niagara";
            if (!refuses && competitor.reason.find("built without") != std::string::npos) continue;
            EXPECT_EQ(competitor.status == Status::Refused, refuses) << competitor.competitor << competitor.reason;
          }
        }
}

TEST_P(ArenasTest, RunsEveryKindOfCulling) {
  const uint32_t certain = random_.below(8);
  uint32_t number = 0;
  for (const Order order : {Order::Unordered, Order::Stable})
    for (const uint32_t buckets : {1u, 64u})
      for (const Outputs outputs : {Outputs::Records, Outputs::Indices}) {
        if (number++ != certain && !random_.samples(0.15)) continue;
        Workload workload = {64, 5003, 30.0, Pattern::Random, buckets, order, outputs, Predicate::SphereBeside};
        expectMeasured(runTrial(settings(), workload, arenas_));
        workload.predicate = Predicate::BoxBeside;
        const WorkloadResult boxes = runTrial(settings(), workload, arenas_);
        expectMeasured(boxes);
        expectRefusesBoxesRightly(boxes);
        if (buckets == 1 && outputs == Outputs::Indices)
          expectMeasured(
              runTrial(settings(), {16, 5003, 30.0, Pattern::Random, 1, order, outputs, Predicate::Sphere}, arenas_));
      }
}

// The copies, the loop and Sluice's plans of bounds cull for several views; the others say why they do not.
TEST_P(ArenasTest, RunsSeveralViews) {
  for (const Predicate predicate : {Predicate::Sphere, Predicate::SphereBeside, Predicate::BoxBeside}) {
    Workload workload = {64, 2003, random_.pick({5.0, 40.0})};
    workload.bucketCount = random_.pick({1u, 7u});
    workload.order = random_.pick({Order::Unordered, Order::Stable});
    workload.outputs = random_.pick({Outputs::Records, Outputs::Indices});
    workload.predicate = predicate;
    workload.viewCount = random_.between(2, 16);
    const WorkloadResult result = runTrial(settings(), workload, arenas_);
    expectMeasured(result);
    const double expected = workload.viewCount * workload.survivalPercent / 100 * workload.recordCount;
    EXPECT_NEAR(static_cast<double>(result.keptCount), expected, expected / 2) << describe(workload);
    for (const CompetitorResult& competitor : result.competitors) {
      const bool hasOneView = competitor.competitor == "cpu-parallel" || isShader(competitor.competitor);
      const bool needsMeshes = competitor.competitor == "vulkan-bevy" || competitor.competitor == "vulkan-niagara";
      const bool testsWord = competitor.reason.find("it tests a word") == 0;
      EXPECT_EQ(competitor.status == Status::Refused, hasOneView || testsWord)
          << competitor.competitor << ", " << describe(workload) << ": " << competitor.reason;
      const bool isBuilt = competitor.reason.find("built without") == std::string::npos;
      if (hasOneView && !needsMeshes && isBuilt && workload.bucketCount == 1 && workload.order == Order::Unordered) {
        EXPECT_EQ(competitor.reason, "it culls for one view") << competitor.competitor;
      }
    }
  }
}

// Sluice takes every placement. A renderer's shader takes its own draws.
TEST_P(ArenasTest, RunsEveryPlacement) {
  const std::vector<Workload> workloads = test::placedWorkloads(random_, 5000);
  const uint32_t certain = random_.below(static_cast<uint32_t>(workloads.size()));
  for (uint32_t i = 0; i < workloads.size(); ++i) {
    if (i != certain && !random_.samples(GetParam() == ArenaId::Host ? 1.0 : 0.15)) continue;
    const Workload& workload = workloads[i];
    const WorkloadResult result = runTrial(settings(), workload, arenas_);
    expectMeasured(result);
    for (const CompetitorResult& competitor : result.competitors) {
      const std::string& name = competitor.competitor;
      const bool isUnordered = workload.order == Order::Unordered;
      const bool isReserved = workload.placement == Placement::Reserved;
      bool takes = name.find("copy") != std::string::npos || name == "memcpy";
      takes |= name.rfind("sluice", 0) == 0 && planTakes(name, workload);
      takes |= name == "vulkan-bevy" && isReserved && isUnordered;
      takes |= name == "vulkan-niagara" && workload.isMerged() && isUnordered;
      takes |=
          (name == "cpu-loop" || (name == "vulkan-append" && isUnordered)) && isReserved && workload.groupCount == 0;
      EXPECT_EQ(competitor.status == Status::Measured, takes)
          << name << ", " << describe(workload) << ": " << competitor.reason;
    }
  }
}

// Of more than 4,096 meshes records are drawn one by one, by a table.
TEST_P(ArenasTest, RunsManyMeshes) {
  Workload workload = {64, 3003, 30, Pattern::Random, 1u << 17, random_.pick({Order::Unordered, Order::Stable})};
  workload.outputs = Outputs::Indices;
  workload.placement = Placement::Merged;
  const WorkloadResult result = runTrial(settings(), workload, arenas_);
  expectMeasured(result);
  for (const CompetitorResult& competitor : result.competitors) {
    if (competitor.competitor.rfind("sluice", 0) != 0) continue;
    const bool hasMeshes = competitor.competitor.find("-meshes") != std::string::npos;
    EXPECT_EQ(competitor.status, hasMeshes ? Status::Measured : Status::Refused) << competitor.competitor;
    if (hasMeshes) continue;
    EXPECT_EQ(competitor.reason, "it has no mesh table, which draws of more than 4096 buckets need");
  }
}

TEST_P(ArenasTest, EveryoneIsRight) {
  const int count = slu::test::takesAll() ? 20 : 6;
  for (int i = 0; i < count; ++i) expectMeasured(runTrial(settings(), test::randomWorkload(random_, 20000), arenas_));
}

// Several chunks for the parallel loop, several threads for input and check.
TEST_P(ArenasTest, LargerOnesAreRight) {
  Workload workload;
  workload.recordCount = random_.between(200000, 300000);
  workload.order = random_.pick({Order::Unordered, Order::Stable});
  expectMeasured(runTrial(settings(), workload, arenas_));
}

// A sample takes at least as long by the host's clock as by the arena's. The host may have other work, so it may take
// longer.
TEST_P(ArenasTest, SamplesAreNoLongerThanTheyTook) {
  using Clock = std::chrono::steady_clock;
  const Workload workload = {4, 1u << 16};
  HostInput input(workload, random_.word());
  const TrialSettings chosen = settings();
  WorkloadResult result;
  const auto stage = arenas_.front()->prepare(chosen, input, result);
  const auto competitors = arenas_.front()->competitors();
  for (size_t i = 0; i < competitors.size(); ++i) {
    if (!competitors[i]->refusal(workload).empty()) continue;
    const auto entrant = stage->enter(i);
    for (int sample = 0; sample < 10; ++sample) {
      const Clock::time_point start = Clock::now();
      const double unit = entrant->sample() * entrant->frameCount();
      const double elapsed = std::chrono::duration<double, std::micro>(Clock::now() - start).count();
      EXPECT_LE(unit, elapsed * 1.01) << competitors[i]->name();
    }
  }
}

TEST_P(ArenasTest, HostCostsAreOfTheRoutesThatRecord) {
  const std::vector<HostCost> costs = arenas_.front()->hostCosts();
  EXPECT_EQ(costs.empty(), GetParam() == ArenaId::Host);
  for (const HostCost& cost : costs) {
    EXPECT_EQ(cost.competitor.rfind("sluice-", 0), 0u) << cost.competitor;
    ASSERT_FALSE(cost.samples.empty());
    for (const double sample : cost.samples) EXPECT_GT(sample, 0) << cost.competitor << ", " << describe(cost.workload);
  }
}

TEST_P(ArenasTest, KeepsTheNamed) {
  const std::string name = arenas_.front()->competitors().back()->name();
  arenas_.front()->keepOnly({name, "nonsense"});
  const WorkloadResult result = runTrial(settings(), {16, 1000}, arenas_);
  ASSERT_EQ(result.competitors.size(), 1u);
  EXPECT_EQ(result.competitors.front().competitor, name);
  expectMeasured(result);
}

TEST_P(ArenasTest, TooLargeIsRefused) {
  Workload workload;
  workload.recordBytes = 256;
  workload.recordCount = 1u << 31;
  const WorkloadResult result = runTrial(settings(), workload, arenas_);
  ASSERT_EQ(result.refusals.size(), 1u);
  EXPECT_NE(result.refusals[0].reason.find("16th of the memory"), std::string::npos) << result.refusals[0].reason;
  for (const CompetitorResult& competitor : result.competitors) EXPECT_EQ(competitor.status, Status::Refused);
  EXPECT_EQ(refusalOfAll(result), describe(result.refusals));
}

std::vector<ArenaId> arenasWithoutGpu() {
#ifdef SLUICE_VULKAN
  return {ArenaId::Host, ArenaId::Vulkan};
#else
  return {ArenaId::Host};
#endif
}

INSTANTIATE_TEST_SUITE_P(, ArenasTest, testing::ValuesIn(arenasWithoutGpu()),
                         [](const auto& instance) { return std::string(name(instance.param)); });

TEST(InputLimit, OfMemoryAndOfSuites) {
  constexpr uint64_t kMebibyte = 1u << 20;
  TrialSettings settings;
  Workload workload;
  workload.recordCount = 1u << 20;  // 4 MiB
  EXPECT_EQ(inputRefusal(settings, workload, 64 * kMebibyte, 1), "");
  EXPECT_NE(inputRefusal(settings, workload, 64 * kMebibyte - 1, 1).find("16th of the memory"), std::string::npos);
  settings.isSuite = true;
  EXPECT_EQ(inputRefusal(settings, workload, 64 * kMebibyte, 4 * kMebibyte), "");
  EXPECT_NE(inputRefusal(settings, workload, 64 * kMebibyte, 3 * kMebibyte).find("over 3 MiB"), std::string::npos);
}

// The spheres have 4 MiB. Eight views may keep 8 MiB of them.
TEST(InputLimit, OfWhatViewsKeep) {
  constexpr uint64_t kMebibyte = 1u << 20;
  Workload workload = {16, 1u << 18, 25, Pattern::Random, 1, Order::Unordered, Outputs::Indices, Predicate::Sphere, 4};
  EXPECT_EQ(inputRefusal({}, workload, 64 * kMebibyte, 1), "");
  workload.viewCount = 8;
  EXPECT_EQ(inputRefusal({}, workload, 128 * kMebibyte, 1), "");
  EXPECT_EQ(inputRefusal({}, workload, 128 * kMebibyte - 1, 1).find("outputs of 8 MiB: more than a 16th of the memory"),
            0u);
}

// A planted competitor goes wrong in one of these ways. The last view is that of three.
enum class Wrong { Nothing, LeavesOutFrames, DrawsTooMany, WritesBehindTheOutput, ChangesTheLastView };

Workload workloadFor(Wrong wrong) {
  if (wrong != Wrong::ChangesTheLastView) return {16, 5003};
  return {16, 5003, 30, Pattern::Random, 1, Order::Unordered, Outputs::Indices, Predicate::Sphere, 3};
}

// Returns where the last view's output begins.
uint64_t lastViewBytes(const Workload& workload, uint32_t bucketCapacity) {
  return uint64_t{workload.viewCount - 1} * workload.bucketCount * bucketCapacity * workload.elementBytes();
}

class WrongHost : public HostCompetitor {
 public:
  explicit WrongHost(Wrong wrong) : wrong_(wrong), loop_(makeHostLoop()) {}

  std::string name() const override { return "wrong"; }
  Role role() const override { return Role::Candidate; }
  std::string refusal(const Workload&) const override { return {}; }
  std::unique_ptr<PreparedHostCompetitor> prepare(const Workload& workload, const FrameSet& set,
                                                  uint32_t bucketCapacity) const override {
    auto* output = static_cast<uint32_t*>(set.output);
    auto* behind = output + outputBytesFor(workload, bucketCapacity) / 4 - 1;
    auto* lastView = output + lastViewBytes(workload, bucketCapacity) / 4;
    return std::make_unique<Frames>(wrong_, loop_->prepare(workload, set, bucketCapacity), behind, lastView);
  }

 private:
  class Frames : public PreparedHostCompetitor {
   public:
    Frames(Wrong wrong, std::unique_ptr<PreparedHostCompetitor> loop, uint32_t* behind, uint32_t* lastView)
        : wrong_(wrong), loop_(std::move(loop)), behind_(behind), lastView_(lastView) {}
    void run() override {
      if (wrong_ != Wrong::LeavesOutFrames) loop_->run();
      if (wrong_ == Wrong::WritesBehindTheOutput) *behind_ = 0;
      if (wrong_ == Wrong::ChangesTheLastView) lastView_[0] = lastView_[1];
    }
    void poison() override { loop_->poison(); }
    std::vector<DrawCommand> draws() const override {
      auto draws = loop_->draws();
      if (wrong_ == Wrong::DrawsTooMany) ++draws[0].instanceCount;
      return draws;
    }

   private:
    const Wrong wrong_;
    std::unique_ptr<PreparedHostCompetitor> loop_;
    uint32_t* behind_;
    uint32_t* lastView_;
  };

  const Wrong wrong_;
  std::unique_ptr<HostCompetitor> loop_;
};

void expectWrong(const Arenas& arenas, Wrong wrong) {
  TrialSettings settings;
  settings.repetitionCount = 3;
  settings.warmUpSeconds = 0.0;
  const WorkloadResult result = runTrial(settings, workloadFor(wrong), arenas);
  for (const CompetitorResult& competitor : result.competitors) {
    const bool isWrong = competitor.competitor == "wrong" && wrong != Wrong::Nothing;
    EXPECT_EQ(competitor.status, isWrong ? Status::Wrong : Status::Measured) << competitor.competitor;
    EXPECT_EQ(competitor.reason.empty(), !isWrong);
    if (wrong == Wrong::ChangesTheLastView && isWrong) {
      EXPECT_EQ(competitor.reason.find("view 2, bucket 0, element "), 0u) << competitor.reason;
      EXPECT_NE(competitor.reason.find("appears a second time"), std::string::npos) << competitor.reason;
    }
    EXPECT_EQ(competitor.samples.empty(), isWrong);
  }
}

constexpr Wrong kWrongs[] = {Wrong::Nothing, Wrong::LeavesOutFrames, Wrong::DrawsTooMany, Wrong::WritesBehindTheOutput,
                             Wrong::ChangesTheLastView};

TEST(HostArena, TheWrongGetNoNumber) {
  for (const Wrong wrong : kWrongs) {
    std::vector<std::unique_ptr<HostCompetitor>> competitors;
    competitors.push_back(makeHostCopy());
    competitors.push_back(std::make_unique<WrongHost>(wrong));
    Arenas arenas;
    arenas.push_back(std::make_unique<HostArena>(std::move(competitors)));
    expectWrong(arenas, wrong);
  }
}

// Needs memory that is not there.
class GreedyHost : public HostCompetitor {
 public:
  std::string name() const override { return "greedy"; }
  Role role() const override { return Role::Candidate; }
  std::string refusal(const Workload&) const override { return {}; }
  std::unique_ptr<PreparedHostCompetitor> prepare(const Workload&, const FrameSet&, uint32_t) const override {
    throw OutOfMemory("greedy: no memory is left");
  }
};

TEST(HostArena, WhoFindsNoMemoryLeavesTheOthersAlone) {
  std::vector<std::unique_ptr<HostCompetitor>> competitors;
  competitors.push_back(std::make_unique<GreedyHost>());
  competitors.push_back(makeHostLoop());
  Arenas arenas;
  arenas.push_back(std::make_unique<HostArena>(std::move(competitors)));
  TrialSettings settings;
  settings.repetitionCount = 2;
  settings.warmUpSeconds = 0.0;
  const WorkloadResult result = runTrial(settings, {16, 5003}, arenas);
  EXPECT_EQ(result.competitors[0].status, Status::Refused);
  EXPECT_EQ(result.competitors[0].reason, "greedy: no memory is left");
  EXPECT_EQ(result.competitors[1].status, Status::Measured);
}

#ifdef SLUICE_VULKAN

class WrongVulkan : public VulkanCompetitor {
 public:
  explicit WrongVulkan(Wrong wrong) : wrong_(wrong), sluice_(makeSluiceVulkan(SLU_ROUTE_VULKAN, 0, {})) {}

  std::string name() const override { return "wrong"; }
  Role role() const override { return Role::Candidate; }
  std::string refusal(const Workload&) const override { return {}; }
  std::unique_ptr<PreparedVulkanCompetitor> prepare(const VulkanDevice& device, const Workload& workload,
                                                    const VulkanFrame& frame) const override {
    return std::make_unique<Frames>(wrong_, sluice_->prepare(device, workload, frame), frame.output,
                                    lastViewBytes(workload, frame.bucketCapacity));
  }

 private:
  class Frames : public PreparedVulkanCompetitor {
   public:
    Frames(Wrong wrong, std::unique_ptr<PreparedVulkanCompetitor> sluice, const VulkanBuffer& output, uint64_t lastView)
        : wrong_(wrong), sluice_(std::move(sluice)), output_(output), lastView_(lastView) {}
    void record(VkCommandBuffer commands) override {
      if (wrong_ != Wrong::LeavesOutFrames) sluice_->record(commands);
      if (wrong_ == Wrong::WritesBehindTheOutput) vkCmdFillBuffer(commands, output_.get(), output_.bytes() - 4, 4, 0);
      if (wrong_ != Wrong::ChangesTheLastView) return;
      const VkBufferCopy secondToFirst{lastView_ + 4, lastView_, 4};
      frameBarrier(commands);
      vkCmdCopyBuffer(commands, output_.get(), output_.get(), 1, &secondToFirst);
    }
    void recordPoison(VkCommandBuffer commands) override { sluice_->recordPoison(commands); }
    std::vector<DrawCommand> draws() const override {
      auto draws = sluice_->draws();
      if (wrong_ == Wrong::DrawsTooMany) ++draws[0].instanceCount;
      return draws;
    }

   private:
    const Wrong wrong_;
    std::unique_ptr<PreparedVulkanCompetitor> sluice_;
    const VulkanBuffer& output_;
    const uint64_t lastView_;
  };

  const Wrong wrong_;
  std::unique_ptr<VulkanCompetitor> sluice_;
};

TEST(VulkanArena, TheWrongGetNoNumber) {
  for (const Wrong wrong : kWrongs) {
    std::vector<std::unique_ptr<VulkanCompetitor>> competitors;
    competitors.push_back(makeVulkanCopy());
    competitors.push_back(std::make_unique<WrongVulkan>(wrong));
    Arenas arenas;
    try {
      arenas.push_back(makeVulkanArena(ArenaId::Vulkan, "", std::move(competitors)));
    } catch (const Failure& failure) {
      if (failure.cause() != Cause::NoDevice) throw;
      GTEST_SKIP() << failure.what();
    }
    expectWrong(arenas, wrong);
  }
}

// On a device with one kind of queue, the arena of the other refuses; else the two are of different kinds.
TEST(VulkanArena, OfGraphicsIsAnotherQueue) {
  Devices devices;
  try {
    makeVulkanArena(ArenaId::Vulkan, "", {})->describe(devices);
    ASSERT_EQ(devices.vulkan.size(), 1u);
    makeVulkanArena(ArenaId::VulkanGraphics, "", {})->describe(devices);
  } catch (const Failure& failure) {
    if (devices.vulkan.empty() && failure.cause() == Cause::NoDevice) GTEST_SKIP() << failure.what();
    EXPECT_EQ(failure.cause(), Cause::NoDevice);
    EXPECT_NE(std::string(failure.what()).find("has one kind of queue for compute"), std::string::npos)
        << failure.what();
    return;
  }
  EXPECT_FALSE(devices.vulkan.at(ArenaId::Vulkan).queueDraws);
  EXPECT_TRUE(devices.vulkan.at(ArenaId::VulkanGraphics).queueDraws);
}

TEST(VulkanArena, NamesTheDevicesThatThereAre) {
  try {
    makeVulkanArena(ArenaId::Vulkan, "no such device", {});
    ADD_FAILURE() << "the device was found";
  } catch (const Failure& failure) {
    if (failure.cause() == Cause::NoDevice) GTEST_SKIP() << failure.what();
    EXPECT_EQ(failure.cause(), Cause::BadInput);
    EXPECT_NE(std::string(failure.what()).find("There are:\n0: "), std::string::npos) << failure.what();
  }
}

#endif

}  // namespace
}  // namespace bench

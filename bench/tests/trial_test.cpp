// Whole trials with few samples: every competitor is right, and one that is not gets no number.
#include "program/trial.h"

#include <set>

#include "arena/host_cost.h"
#include "competitors/all.h"
#include "cuda/cuda_arena.h"
#include "cuda/workload_buffers.h"
#include "gpu_fixture.h"
#include "literature/literature.h"
#include "occlusion/study.h"
#include "reduction/study.h"
#include "synthetic_input.h"

namespace bench {
namespace {

// CUB and Thrust run every size that they are built for; cub-tuned runs with some versions of CUB alone.
bool isPeer(const std::string& competitor) {
  return competitor == "cub" || competitor == "cub-flagged" || competitor == "cub-partition" ||
         competitor == "thrust-copy-if";
}

class TrialTest : public test::GpuTest {
 protected:
  TrialSettings settings() {
    TrialSettings settings;
    settings.seed = random_.word();
    settings.repetitionCount = 3;
    settings.warmUpSeconds = 0.001;
    return settings;
  }

  WorkloadResult run(const TrialSettings& settings, const Workload& workload,
                     std::vector<std::unique_ptr<Competitor>> competitors) {
    std::vector<std::unique_ptr<Arena>> arenas;
    arenas.push_back(std::make_unique<CudaArena>(gpu(), std::move(competitors)));
    return runTrial(settings, workload, arenas);
  }

  void expectMeasured(const WorkloadResult& result) {
    EXPECT_TRUE(result.refusals.empty()) << describe(result.refusals);
    for (const CompetitorResult& competitor : result.competitors) {
      if (competitor.status == Status::Refused) continue;
      EXPECT_EQ(competitor.status, Status::Measured)
          << competitor.competitor << ", " << describe(result.workload) << ": " << competitor.reason;
      ASSERT_EQ(competitor.samples.size(), 3u);
      for (const double sample : competitor.samples) EXPECT_GT(sample, 0);
    }
  }
};

TEST_F(TrialTest, EveryoneIsRight) {
  for (int i = 0; i < 30; ++i) {
    TrialSettings chosen = settings();
    chosen.mode = random_.pick({Mode::Graph, Mode::Stream});
    expectMeasured(
        run(chosen, test::randomWorkload(random_, 100000),
            makeCompetitors({0, {{random_.chance(0.5), WordTest::NonEmpty}, {random_.chance(0.5), WordTest::Mask}}})));
  }
}

TEST_F(TrialTest, CubRunsTheSizesItIsBuiltFor) {
  for (const uint32_t recordBytes : {4u, 8u, 12u, 16u, 24u, 32u, 48u, 64u, 96u, 128u}) {
    Workload workload;
    workload.recordBytes = recordBytes;
    workload.recordCount = random_.between(1, 200000);
    workload.order = Order::Stable;
    const WorkloadResult result = run(settings(), workload, makeCompetitors({}));
    expectMeasured(result);
    for (const CompetitorResult& competitor : result.competitors) {
      if (!isPeer(competitor.competitor)) continue;
      EXPECT_EQ(competitor.status, Status::Measured) << competitor.competitor << ": " << competitor.reason;
    }
  }
}

// Around the numbers of buckets with which a key takes one bit more, and sorting one pass more.
TEST_F(TrialTest, PeersOfBucketsAreRight) {
  for (const uint32_t bucketCount : {2u, 3u, 4u, 255u, 256u, 4095u, 4096u}) {
    Workload workload;
    workload.recordBytes = random_.pick({16u, 32u, 64u, 128u});
    workload.recordCount = random_.between(1, 300000);
    workload.bucketCount = bucketCount;
    workload.outputs = random_.pick({Outputs::Records, Outputs::Indices});
    for (const Order order : {Order::Unordered, Order::Stable}) {
      workload.order = order;
      const WorkloadResult result = run(settings(), workload, makeCompetitors({}));
      expectMeasured(result);
      std::set<std::string> measured;
      for (const CompetitorResult& competitor : result.competitors)
        if (competitor.status == Status::Measured && competitor.role == Role::Candidate)
          measured.insert(competitor.competitor);
      std::set<std::string> expected{"sluice", "cub-sort"};
      if (order == Order::Unordered) expected.insert({"atomics", "warp-match"});
      EXPECT_EQ(measured, expected) << describe(workload);
    }
  }
}

// Words in multiples of 65,536 are what all of it takes.
TEST_F(TrialTest, TheLiteratureIsRightAndTimedByPhase) {
  CompetitorList competitors;
  addLiterature(competitors);
  Workload workload;
  workload.recordCount = 65536 * random_.between(1, 100);
  const WorkloadResult result = run(settings(), workload, std::move(competitors));
  expectMeasured(result);
  size_t phased = 0;
  for (const CompetitorResult& competitor : result.competitors) {
    const bool drawsMeshes = competitor.competitor == "bevy" || competitor.competitor == "niagara";
    EXPECT_EQ(competitor.status, drawsMeshes ? Status::Refused : Status::Measured)
        << competitor.competitor << ": " << competitor.reason;
    if (competitor.phases.empty()) continue;
    ++phased;
    EXPECT_EQ(competitor.phases.size(), 3u);
    EXPECT_EQ(competitor.phases.front().name, "count");
    for (const PhaseResult& phase : competitor.phases) EXPECT_GT(phase.microseconds, 0) << competitor.competitor;
  }
  EXPECT_EQ(phased, 5u);  // sequences of four kinds, and block counts
}

TEST_F(TrialTest, EveryPlacementIsRight) {
  for (const Workload& workload : test::placedWorkloads(random_, 200000)) {
    const WorkloadResult result = run(settings(), workload, makeCompetitors({}));
    expectMeasured(result);
  }
}

TEST_F(TrialTest, ColdInputsTakeTurns) {
  TrialSettings cold = settings();
  cold.cold = true;
  Workload workload;
  workload.recordCount = static_cast<uint32_t>(gpu().cacheBytes / workload.recordBytes / 4);
  const WorkloadResult result = run(cold, workload, makeCompetitors({}));
  EXPECT_GT(2 * workload.inputBytes() * result.setCount, 4 * gpu().cacheBytes);
  EXPECT_EQ(result.residence, Residence::Cold);
  expectMeasured(result);
}

// Does nothing after the first `rightFrames` frames, or leaves out the draw.
class Idler : public Competitor {
 public:
  Idler(uint32_t rightFrames, bool drawsRight)
      : rightFrames_(rightFrames), drawsRight_(drawsRight), sluice_(makeSluice(0, {})) {}

  std::string name() const override { return "idler"; }
  Role role() const override { return Role::Candidate; }
  std::string refusal(const Workload&) const override { return {}; }
  std::unique_ptr<PreparedCompetitor> prepare(const Workload& workload, const FrameBuffers& buffers) const override {
    return std::make_unique<Frames>(*this, sluice_->prepare(workload, buffers));
  }

 private:
  class Frames : public PreparedCompetitor {
   public:
    Frames(const Idler& idler, std::unique_ptr<PreparedCompetitor> sluice)
        : idler_(idler), sluice_(std::move(sluice)) {}
    void enqueue(cudaStream_t stream, size_t set) override {
      if (frame_++ < idler_.rightFrames_) sluice_->enqueue(stream, set);
    }
    void poison(cudaStream_t stream) override { sluice_->poison(stream); }
    std::vector<DrawCommand> draws() const override {
      auto draws = sluice_->draws();
      if (!idler_.drawsRight_) draws[0].instanceCount += 1;
      return draws;
    }

   private:
    const Idler& idler_;
    std::unique_ptr<PreparedCompetitor> sluice_;
    uint32_t frame_ = 0;
  };

  const uint32_t rightFrames_;
  const bool drawsRight_;
  std::unique_ptr<Competitor> sluice_;
};

TEST_F(TrialTest, TheWrongGetNoNumber) {
  constexpr uint32_t kAlways = 0xffffffffu;
  // Stream mode verifies before anything else: frame 0. Then at least 3 samples follow before the second look.
  for (const auto& [rightFrames, drawsRight] : {std::pair{0u, true}, std::pair{2u, true}, std::pair{kAlways, false}}) {
    TrialSettings chosen = settings();
    chosen.mode = Mode::Stream;
    std::vector<std::unique_ptr<Competitor>> competitors = makeCompetitors({});
    competitors.push_back(std::make_unique<Idler>(rightFrames, drawsRight));
    WorkloadResult result = run(chosen, Workload(), std::move(competitors));
    const CompetitorResult idler = result.competitors.back();
    EXPECT_EQ(idler.status, Status::Wrong) << rightFrames;
    EXPECT_NE(idler.reason, "");
    EXPECT_TRUE(idler.samples.empty());
    result.competitors.pop_back();
    expectMeasured(result);
  }
}

TEST_F(TrialTest, TooLargeIsRefused) {
  Workload workload;
  workload.recordBytes = 256;
  workload.recordCount = 1u << 31;
  const WorkloadResult result = run(settings(), workload, makeCompetitors({}));
  ASSERT_EQ(result.refusals.size(), 1u);
  EXPECT_NE(result.refusals[0].reason.find("MiB of device memory"), std::string::npos) << result.refusals[0].reason;
  for (const CompetitorResult& competitor : result.competitors) EXPECT_EQ(competitor.status, Status::Refused);
}

TEST_F(TrialTest, ReductionsAreRight) {
  const std::vector<ReductionResult> reductions = studyReduction({20, 10, random_.word(), 3});
  EXPECT_EQ(reductions.size(), 3u * 2u * 3u);
  for (const ReductionResult& reduction : reductions) {
    EXPECT_EQ(reduction.wrong, "") << reduction.method << ", " << reduction.order << ", " << reduction.type;
    EXPECT_EQ(reduction.samples.size(), 3u);
  }
}

// Of Sluice six kinds of work, of the competitor five, and of both the three that read what the last frame saw once more.
TEST_F(TrialTest, OcclusionIsRight) {
  StreetSettings street;
  street.recordCount = random_.between(20'000, 40'000);
  street.width = random_.between(300, 700);
  street.height = random_.between(200, 400);
  street.order = random_.chance(0.5) ? RecordOrder::ByPlace : RecordOrder::Scattered;
  for (const Mode mode : {Mode::Graph, Mode::Stream}) {
    TrialSettings chosen = settings();
    chosen.mode = mode;
    const std::vector<OcclusionResult> results = studyOcclusion(0, chosen, {street});
    EXPECT_EQ(results.size(), 6u + 5 + 3 + 3);
    for (const OcclusionResult& result : results) {
      EXPECT_EQ(result.wrong, "") << result.method << ", " << result.work << ", " << result.last;
      EXPECT_EQ(result.samples.size(), chosen.repetitionCount);
      EXPECT_EQ(result.copySamples.size(), chosen.repetitionCount);
      EXPECT_GT(result.bytes, 0u);
      EXPECT_LE(result.showing, result.visible);
      EXPECT_LT(result.visible, result.inFrustum);
    }
  }
}

TEST_F(TrialTest, HostCostsArePositive) {
  const std::vector<HostCost> costs = CudaArena(gpu(), makeCompetitors({})).hostCosts();
  EXPECT_EQ(costs.size(), hostCostWorkloads().size());
  for (const HostCost& cost : costs) {
    ASSERT_FALSE(cost.samples.empty());
    EXPECT_GT(summarize(cost.samples).median, 0) << describe(cost.workload);
  }
}

}  // namespace
}  // namespace bench

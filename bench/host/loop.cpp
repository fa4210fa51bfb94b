// The loop that anyone would write first: one thread, view by view and record by record.
#include <algorithm>

#include "host/host_competitor.h"
#include "host/move_records.h"
#include "workload/live_test.h"

namespace bench {
namespace {

class LoopFrames : public PreparedHostCompetitor {
 public:
  LoopFrames(const Workload& workload, const FrameSet& set, uint32_t bucketCapacity)
      : workload_(workload), set_(set), bucketCapacity_(bucketCapacity), draws_(workload.allBucketCount()) {}

  void run() override {
    for (uint32_t bucket = 0; bucket < draws_.size(); ++bucket)
      draws_[bucket] = {kDrawVertexCount, 0, 0, bucket * bucketCapacity_};
    withRecordWords(workload_.recordBytes, [&](auto words) {
      for (uint32_t view = 0; view < workload_.viewCount; ++view) {
        DrawCommand* draws = &draws_[size_t{view} * workload_.bucketCount];
        withLiveTest(workload_, view, set_.input, [&](const auto& isLive) {
          if (workload_.bucketCount == 1)
            draws->instanceCount = moveToOne(words, isLive, draws->firstInstance);
          else
            moveToBuckets(words, isLive, draws);
        });
      }
    });
  }
  void poison() override { std::fill_n(reinterpret_cast<uint32_t*>(draws_.data()), 4 * draws_.size(), kPoisonWord); }
  std::vector<DrawCommand> draws() const override { return draws_; }

 private:
  const uint32_t* input() const { return static_cast<const uint32_t*>(set_.input); }
  uint32_t* output() const { return static_cast<uint32_t*>(set_.output); }

  template <typename Words, typename LiveTest>
  uint32_t moveToOne(Words words, const LiveTest& isLive, uint64_t first) {
    uint64_t kept = 0;
    moveRecords(words, workload_, isLive, input(), output(), 0, workload_.recordCount,
                [&](const uint32_t*) { return first + kept++; });
    return static_cast<uint32_t>(kept);
  }

  template <typename Words, typename LiveTest>
  void moveToBuckets(Words words, const LiveTest& isLive, DrawCommand* draws) {
    moveRecords(words, workload_, isLive, input(), output(), 0, workload_.recordCount, [&](const uint32_t* record) {
      DrawCommand& draw = draws[record[1]];
      return uint64_t{draw.firstInstance} + draw.instanceCount++;
    });
  }

  const Workload workload_;
  const FrameSet set_;
  const uint32_t bucketCapacity_;
  std::vector<DrawCommand> draws_;
};

class Loop : public HostCompetitor {
 public:
  std::string name() const override { return "cpu-loop"; }
  Role role() const override { return Role::Candidate; }
  std::string refusal(const Workload& workload) const override { return placementRefusal(workload); }
  std::unique_ptr<PreparedHostCompetitor> prepare(const Workload& workload, const FrameSet& set,
                                                  uint32_t bucketCapacity) const override {
    return std::make_unique<LoopFrames>(workload, set, bucketCapacity);
  }
};

}  // namespace

std::unique_ptr<HostCompetitor> makeHostLoop() { return std::make_unique<Loop>(); }

}  // namespace bench

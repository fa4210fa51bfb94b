// The compaction of textbooks, by the parallel algorithms of the standard library: count per chunk, scan the counts,
// move.
#include "host/host_competitor.h"

#ifdef BENCH_TBB
#include <algorithm>
#include <execution>
#include <numeric>

#include "base/threads.h"
#include "host/move_records.h"
#include "workload/live_test.h"
#endif

namespace bench {
namespace {

#ifdef BENCH_TBB

// Several chunks per thread, so that a late thread delays the others only briefly. Large chunks, so that taking one costs
// little.
constexpr uint32_t kChunksPerThread = 8;
constexpr uint32_t kLeastChunkRecords = 4096;

class ParallelFrames : public PreparedHostCompetitor {
 public:
  ParallelFrames(const Workload& workload, const FrameSet& set) : workload_(workload), set_(set) {
    const uint32_t most = (workload.recordCount + kLeastChunkRecords - 1) / kLeastChunkRecords;
    chunks_.resize(std::min(most, threadCount() * kChunksPerThread));
    std::iota(chunks_.begin(), chunks_.end(), 0u);
    starts_.resize(chunks_.size());
  }

  void run() override {
    withRecordWords(workload_.recordBytes, [&](auto words) {
      withLiveTest(workload_, 0, set_.input, [&](const auto& isLive) { compact(words, isLive); });
    });
  }
  void poison() override { draw_ = {kPoisonWord, kPoisonWord, kPoisonWord, kPoisonWord}; }
  std::vector<DrawCommand> draws() const override { return {draw_}; }

 private:
  uint64_t begin(uint32_t chunk) const { return uint64_t{workload_.recordCount} * chunk / chunks_.size(); }

  template <typename Words, typename LiveTest>
  void compact(Words words, const LiveTest& isLive) {
    std::transform(std::execution::par, chunks_.begin(), chunks_.end(), starts_.begin(),
                   [&](uint32_t chunk) { return count(isLive, chunk); });
    const uint64_t last = starts_.back();
    std::exclusive_scan(starts_.begin(), starts_.end(), starts_.begin(), uint64_t{0});
    draw_ = {kDrawVertexCount, static_cast<uint32_t>(starts_.back() + last), 0, 0};
    std::for_each(std::execution::par, chunks_.begin(), chunks_.end(), [&](uint32_t chunk) {
      uint64_t place = starts_[chunk];
      moveRecords(words, workload_, isLive, static_cast<const uint32_t*>(set_.input),
                  static_cast<uint32_t*>(set_.output), begin(chunk), begin(chunk + 1),
                  [&](const uint32_t*) { return place++; });
    });
  }

  template <typename LiveTest>
  uint64_t count(const LiveTest& isLive, uint32_t chunk) const {
    uint64_t kept = 0;
    for (uint64_t i = begin(chunk); i < begin(chunk + 1); ++i) kept += isLive(i) ? 1 : 0;
    return kept;
  }

  const Workload workload_;
  const FrameSet set_;
  std::vector<uint32_t> chunks_;  // their numbers
  std::vector<uint64_t> starts_;  // first the counts, then where each chunk's output begins
  DrawCommand draw_{};
};

#endif

class Parallel : public HostCompetitor {
 public:
  std::string name() const override { return "cpu-parallel"; }
  Role role() const override { return Role::Candidate; }
#ifdef BENCH_TBB
  std::string refusal(const Workload& workload) const override {
    return workload.bucketCount > 1 ? "its scan has one output" : viewRefusal(workload);
  }
  std::unique_ptr<PreparedHostCompetitor> prepare(const Workload& workload, const FrameSet& set,
                                                  uint32_t) const override {
    return std::make_unique<ParallelFrames>(workload, set);
  }
#else
  std::string refusal(const Workload&) const override { return "built without TBB (package libtbb-dev)"; }
  std::unique_ptr<PreparedHostCompetitor> prepare(const Workload&, const FrameSet&, uint32_t) const override {
    return nullptr;
  }
#endif
};

}  // namespace

std::unique_ptr<HostCompetitor> makeHostParallel() { return std::make_unique<Parallel>(); }

}  // namespace bench

// Sluice's CPU route through the public API.
#include <algorithm>

#include "arena/sluice_plan.h"
#include "host/host_competitor.h"

namespace bench {
namespace {

class SluiceCpuFrames : public PreparedHostCompetitor {
 public:
  SluiceCpuFrames(const PlanChoices& choices, const Workload& workload, const FrameSet& set, uint32_t bucketCapacity)
      : workload_(workload),
        choices_(choices),
        context_(makeSluiceContext(nullptr, SLU_ROUTE_CPU)),
        plan_(makeSluicePlan(context_, SLU_ROUTE_CPU, workload, bucketCapacity, choices)),
        meshWords_(meshWords(choices, workload)),
        draws_(workload.bucketCount) {
    const uint64_t outputBytes = uint64_t{bucketCapacity} * workload.bucketCount * workload.elementBytes();
    frame_ =
        makeSluiceFrame(choices, workload, bind(const_cast<void*>(set.input), workload.inputBytes()),
                        bind(set.output, outputBytes), bind(meshWords_.data(), meshWords_.size() * sizeof(uint32_t)));
    frame_.draws = bind(draws_.data(), draws_.size() * sizeof(DrawCommand));
    frame_.drawCounts = bind(&drawCount_, sizeof(drawCount_));
    if (choices_.statistics) frame_.statistics = bind(&statistics_, sizeof(statistics_));
  }

  void run() override { require(context_, sluCompact(plan_, &frame_), "sluCompact"); }

  void poison() override {
    std::fill_n(reinterpret_cast<uint32_t*>(draws_.data()), 4 * draws_.size(), kPoisonWord);
    drawCount_ = kPoisonWord;
    std::fill_n(reinterpret_cast<uint32_t*>(&statistics_), sizeof(statistics_) / 4, kPoisonWord);
    statistics_.overflow = 0;
  }

  std::vector<DrawCommand> draws() const override { return draws_; }

  std::optional<std::string> difference(const std::vector<uint32_t>& keptCounts) const override {
    return sluiceDifference(workload_, keptCounts, drawCount_, choices_.statistics ? &statistics_ : nullptr);
  }

 private:
  SluBinding bind(void* pointer, uint64_t bytes) {
    auto info = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
    info.size = bytes;
    info.hostPointer = pointer;
    slu::Buffer buffer;
    require(context_, sluCreateBuffer(context_, &info, buffer.put()), "sluCreateBuffer");
    registered_.push_back(std::move(buffer));
    return {registered_.back(), 0};
  }

  const Workload workload_;
  const PlanChoices choices_;
  slu::Context context_;
  slu::Plan plan_;
  std::vector<uint32_t> meshWords_;
  std::vector<DrawCommand> draws_;
  uint32_t drawCount_ = 0;
  SluStatistics statistics_{};
  std::vector<slu::Buffer> registered_;
  SluFrameInfo frame_;
};

class SluiceCpu : public HostCompetitor {
 public:
  explicit SluiceCpu(const PlanChoices& choices) : choices_(choices) {}

  std::string name() const override { return "sluice-cpu" + suffixOf(choices_); }
  Role role() const override { return Role::Candidate; }
  bool isSluice() const override { return true; }
  std::string refusal(const Workload& workload) const override { return planRefusal(choices_, workload); }
  std::unique_ptr<PreparedHostCompetitor> prepare(const Workload& workload, const FrameSet& set,
                                                  uint32_t bucketCapacity) const override {
    return std::make_unique<SluiceCpuFrames>(choices_, workload, set, bucketCapacity);
  }

 private:
  const PlanChoices choices_;
};

}  // namespace

std::unique_ptr<HostCompetitor> makeSluiceCpu(const PlanChoices& choices) {
  return std::make_unique<SluiceCpu>(choices);
}

}  // namespace bench

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
        context_(makeSluiceContext(nullptr, SLU_ROUTE_CPU)),
        plan_(makeSluicePlan(context_, SLU_ROUTE_CPU, workload, bucketCapacity, choices)),
        views_(sluiceViews(workload)),
        meshWords_(meshWords(choices, workload)),
        draws_(workload.drawPlaceCount()),
        drawCounts_(workload.drawCountCount()),
        statistics_(choices.statistics ? workload.viewCount : 0) {
    frame_ = makeSluiceFrame(choices, workload, views_, bind(const_cast<void*>(set.input), workload.inputBytes()),
                             bind(set.output, elementsBytesFor(workload, bucketCapacity)), bindAll(meshWords_));
    if (!workload.isMerged()) frame_.draws = bindAll(draws_);
    frame_.drawCounts = bindAll(drawCounts_);
    if (choices.statistics) frame_.statistics = bindAll(statistics_);
  }

  void run() override { require(context_, sluCompact(plan_, &frame_), "sluCompact"); }

  void poison() override {
    std::fill_n(reinterpret_cast<uint32_t*>(draws_.data()), 4 * draws_.size(), kPoisonWord);
    std::fill(drawCounts_.begin(), drawCounts_.end(), kPoisonWord);
    for (SluStatistics& statistics : statistics_) {
      std::fill_n(reinterpret_cast<uint32_t*>(&statistics), sizeof(statistics) / 4, kPoisonWord);
      statistics.overflow = 0;
    }
  }

  std::vector<DrawCommand> draws() const override { return draws_; }
  std::vector<uint32_t> drawCounts() const override { return drawCounts_; }

  std::optional<std::string> difference(const std::vector<uint32_t>& keptCounts) const override {
    return sluiceDifference(workload_, keptCounts, statistics_);
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
  template <typename Item>
  SluBinding bindAll(std::vector<Item>& items) {
    return bind(items.data(), items.size() * sizeof(Item));
  }

  const Workload workload_;
  slu::Context context_;
  slu::Plan plan_;
  const std::vector<SluView> views_;
  std::vector<uint32_t> meshWords_;
  std::vector<DrawCommand> draws_;
  std::vector<uint32_t> drawCounts_;
  std::vector<SluStatistics> statistics_;  // empty where the plan has none
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

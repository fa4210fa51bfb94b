#include "routes/rejecting_plan.h"

#include "plan/rejects.h"

namespace slu {
namespace {

// Rejects are listed first: the records of an in-place plan are still there, and the overflow flag that the list sets is
// kept by what publishes statistics after it. Both begin as any frame does, behind all that was recorded before.
class RejectingPlan final : public RoutePlan {
 public:
  // kept: null if the plan has nothing but its rejects.
  RejectingPlan(std::unique_ptr<RoutePlan> list, std::unique_ptr<RoutePlan> kept)
      : list_(std::move(list)), kept_(std::move(kept)) {}

  void run(const Frame& frame, void* target) override {
    Frame list = rejectsFrame(frame);
    if (kept_ == nullptr) return list_->run(list, target);
    Frame kept = frame;
    list.handoff.signal = 0;
    kept.handoff.wait = 0;
    if (frame.transient) {  // the list's data, and behind it that of the other
      const std::uint64_t bytes = list_->transientBytes(frame.viewCount);
      kept.transient.offset += bytes;
      kept.transient.address += bytes;
    }
    kept_->checkFrame(kept, target);
    list_->run(list, target);
    kept_->run(kept, target);
  }

  std::uint64_t tileRecords() const override { return kept_ != nullptr ? kept_->tileRecords() : list_->tileRecords(); }
  std::uint64_t scratchBytes() const override {
    return list_->scratchBytes() + (kept_ != nullptr ? kept_->scratchBytes() : 0);
  }
  std::uint64_t transientBytes(std::uint32_t viewCount) const override {
    return list_->transientBytes(viewCount) + (kept_ != nullptr ? kept_->transientBytes(viewCount) : 0);
  }

 private:
  const std::unique_ptr<RoutePlan> list_;
  const std::unique_ptr<RoutePlan> kept_;
};

}  // namespace

std::unique_ptr<RoutePlan> createPlan(Route& route, const PlanLayout& layout) {
  if (!hasRejects(layout)) return route.createPlan(layout);
  std::unique_ptr<RoutePlan> kept;
  if (keepsRecords(layout)) kept = route.createPlan(keptLayout(layout));
  return std::make_unique<RejectingPlan>(route.createPlan(rejectsLayout(layout)), std::move(kept));
}

}  // namespace slu

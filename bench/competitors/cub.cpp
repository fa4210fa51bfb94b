#include "competitors/cub.h"

#include <utility>

#include "base/failure.h"
#include "competitors/all.h"

namespace bench {
namespace {

using RecordSizes = std::integer_sequence<uint32_t, 4, 8, 12, 16, 24, 32, 48, 64, 96, 128>;

constexpr const char* kTunedLimits = ", and for nothing without CUB 3.0";

template <uint32_t... sizes>
CubPrepare findCubForRecords(CubCall call, uint32_t recordBytes, std::integer_sequence<uint32_t, sizes...>) {
  CubPrepare found = nullptr;
  ((recordBytes == sizes ? static_cast<void>(found = findCub<sizes>(call)) : void()), ...);
  return found;
}

CubPrepare findFor(CubCall call, const Workload& workload) {
  if (workload.predicate != Predicate::Word) return findCubCulled(call, workload.outputs, workload.recordBytes);
  if (workload.outputs == Outputs::Indices) return findCub<kCubIndices>(call);
  return findCubForRecords(call, workload.recordBytes, RecordSizes());
}

// All of them are stable and have one output.
class Cub : public Competitor {
 public:
  // limits: what a refusal adds.
  Cub(const char* name, CubCall call, Role role, const char* limits)
      : name_(name), call_(call), role_(role), limits_(limits) {}

  std::string name() const override { return name_; }
  Role role() const override { return role_; }
  std::string refusal(const Workload& workload) const override {
    if (workload.bucketCount > 1) return "it has one output";
    if (const std::string why = viewRefusal(workload); !why.empty()) return why;
    if (const std::string why = boundsRefusal(workload); !why.empty()) return why;
    if (findFor(call_, workload) != nullptr) return {};
    if (workload.predicate != Predicate::Word)
      return sentence("it is not built for culling ", describe(workload), limits_);
    if (workload.outputs == Outputs::Indices) return sentence("it is not built for indices", limits_);
    return sentence("it is not built for records of ", workload.recordBytes, " bytes", limits_);
  }
  std::unique_ptr<PreparedCompetitor> prepare(const Workload& workload, const FrameBuffers& buffers) const override {
    return findFor(call_, workload)(workload, buffers);
  }

 private:
  const char* const name_;
  const CubCall call_;
  const Role role_;
  const char* const limits_;
};

}  // namespace

std::unique_ptr<Competitor> makeCub() { return std::make_unique<Cub>("cub", CubCall::SelectIf, Role::Baseline, ""); }

std::unique_ptr<Competitor> makeCubTuned() {
  return std::make_unique<Cub>("cub-tuned", CubCall::SelectIfTuned, Role::Candidate, kTunedLimits);
}

std::unique_ptr<Competitor> makeCubFlagged() {
  return std::make_unique<Cub>("cub-flagged", CubCall::SelectFlagged, Role::Candidate, "");
}

std::unique_ptr<Competitor> makeCubFlaggedTuned() {
  return std::make_unique<Cub>("cub-flagged-tuned", CubCall::SelectFlaggedTuned, Role::Candidate, kTunedLimits);
}

std::unique_ptr<Competitor> makeCubPartition() {
  return std::make_unique<Cub>("cub-partition", CubCall::PartitionIf, Role::Candidate, "");
}

std::unique_ptr<Competitor> makeThrustCopyIf() {
  return std::make_unique<Cub>("thrust-copy-if", CubCall::CopyIf, Role::Candidate, "");
}

}  // namespace bench

// CUB's DeviceSelect::If with its default policy: stable, one output.
#include "competitors/all.h"
#include "competitors/cub_select.h"
#include "failure.h"

namespace bench {
namespace {

using Prepare = std::unique_ptr<PreparedCompetitor> (*)(const Workload&, const FrameBuffers&);

Prepare prepareFor(const Workload& workload) {
  if (workload.outputs == Outputs::Indices) return prepareCubIndices;
  switch (workload.recordBytes) {
    case 4:
      return prepareCubRecords<4>;
    case 16:
      return prepareCubRecords<16>;
    case 32:
      return prepareCubRecords<32>;
    case 64:
      return prepareCubRecords<64>;
    case 128:
      return prepareCubRecords<128>;
  }
  return nullptr;
}

class Cub : public Competitor {
 public:
  std::string name() const override { return "cub"; }
  Role role() const override { return Role::Baseline; }
  std::string refusal(const Workload& workload) const override {
    if (workload.bucketCount > 1) return "DeviceSelect has one output";
    if (prepareFor(workload) == nullptr)
      return sentence("DeviceSelect is not built for records of ", workload.recordBytes, " bytes");
    return {};
  }
  std::unique_ptr<PreparedCompetitor> prepare(const Workload& workload, const FrameBuffers& buffers) const override {
    return prepareFor(workload)(workload, buffers);
  }
};

}  // namespace

std::unique_ptr<Competitor> makeCub() { return std::make_unique<Cub>(); }

}  // namespace bench

// memcpy of the whole input.
#include <cstring>

#include "host/host_competitor.h"

namespace bench {
namespace {

class CopyFrames : public PreparedHostCompetitor {
 public:
  CopyFrames(uint64_t bytes, const FrameSet& set) : bytes_(bytes), set_(set) {}

  void run() override { std::memcpy(set_.output, set_.input, bytes_); }
  void poison() override {}
  std::vector<DrawCommand> draws() const override { return {}; }

 private:
  const uint64_t bytes_;
  const FrameSet set_;
};

class Copy : public HostCompetitor {
 public:
  std::string name() const override { return "memcpy"; }
  Role role() const override { return Role::Copy; }
  std::string refusal(const Workload&) const override { return {}; }
  std::unique_ptr<PreparedHostCompetitor> prepare(const Workload& workload, const FrameSet& set,
                                                  uint32_t) const override {
    return std::make_unique<CopyFrames>(workload.inputBytes(), set);
  }
};

}  // namespace

std::unique_ptr<HostCompetitor> makeHostCopy() { return std::make_unique<Copy>(); }

}  // namespace bench

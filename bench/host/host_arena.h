// The arena of host competitors, timed by the steady clock.
#pragma once

#include "arena/arena.h"
#include "host/host_competitor.h"

namespace bench {

HostDescription describeHost();

class HostArena : public ArenaOf<HostCompetitor> {
 public:
  explicit HostArena(std::vector<std::unique_ptr<HostCompetitor>> competitors);

  ArenaId id() const override { return ArenaId::Host; }
  void describe(Devices& devices) const override { devices.host = host_; }
  bool fallsAsleep() const override { return false; }
  std::string refusal(const TrialSettings& settings, const Workload& workload) override;
  std::unique_ptr<Stage> prepare(const TrialSettings& settings, HostInput& input, WorkloadResult& result) override;

 private:
  const HostDescription host_ = describeHost();
};

}  // namespace bench

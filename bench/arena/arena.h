// A place where competitors run. A trial asks every arena for its competitors on a workload, and they take turns.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arena/contestant.h"
#include "arena/results.h"
#include "arena/trial_settings.h"

namespace bench {

class HostInput;

// A competitor on the workload at hand.
class Entrant {
 public:
  virtual ~Entrant() = default;

  // Runs frames whose outputs were poisoned. Returns a sentence about what is wrong with the outputs, or nothing.
  virtual std::optional<std::string> difference() = 0;

  // Times a unit of frames. Returns microseconds per frame.
  virtual double sample() = 0;

  virtual uint32_t frameCount() const = 0;  // per sample

  // Times the parts of a frame one by one. Returns nothing for a frame of one part.
  virtual std::vector<PhaseResult> phases() { return {}; }
};

// An arena with the inputs and outputs of a workload.
class Stage {
 public:
  virtual ~Stage() = default;
  virtual uint64_t keptCount() const = 0;  // of the first input

  // competitor: the index of one of the arena's that does not refuse the workload. The stage outlives the result.
  // Throws OutOfMemory when the competitor needs more memory than is left.
  virtual std::unique_ptr<Entrant> enter(size_t competitor) = 0;
};

class Arena {
 public:
  virtual ~Arena() = default;

  virtual ArenaId id() const = 0;
  virtual void describe(Devices& devices) const = 0;

  virtual std::vector<const Contestant*> competitors() const = 0;
  // Drops the competitors that are not named.
  virtual void keepOnly(const std::vector<std::string>& names) = 0;

  // Returns whether clocks fall while nothing runs here. A turn then begins with a sample that does not count.
  virtual bool fallsAsleep() const = 0;

  // Says why no competitor here can run the workload; empty when one can.
  virtual std::string refusal(const TrialSettings& settings, const Workload& workload) = 0;

  // settings and input outlive the stage. Fills in the parts of result that are about the arena.
  virtual std::unique_ptr<Stage> prepare(const TrialSettings& settings, HostInput& input, WorkloadResult& result) = 0;

  // Measures what Sluice's frames cost the host. Returns nothing in an arena without this measurement.
  virtual std::vector<HostCost> hostCosts() { return {}; }
};

// The part that is the same in every arena: its list of competitors.
template <typename Competitor>
class ArenaOf : public Arena {
 public:
  std::vector<const Contestant*> competitors() const override {
    std::vector<const Contestant*> all;
    for (const auto& competitor : competitors_) all.push_back(competitor.get());
    return all;
  }
  void keepOnly(const std::vector<std::string>& names) override {
    std::erase_if(competitors_, [&](const auto& competitor) {
      return std::find(names.begin(), names.end(), competitor->name()) == names.end();
    });
  }

 protected:
  explicit ArenaOf(std::vector<std::unique_ptr<Competitor>> competitors) : competitors_(std::move(competitors)) {}

  std::vector<std::unique_ptr<Competitor>> competitors_;
};

}  // namespace bench

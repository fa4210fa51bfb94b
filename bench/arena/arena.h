// A place where competitors run. A trial asks every arena for its competitors on a workload, and measures them in
// turns.
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

  // Runs frames whose outputs were poisoned. What is wrong with what they left, as a sentence; nothing when all is
  // right.
  virtual std::optional<std::string> difference() = 0;

  // Times a unit of frames; microseconds per frame.
  virtual double sample() = 0;

  virtual uint32_t frameCount() const = 0;  // per sample

  // Times the parts of a frame one by one; nothing where it is one.
  virtual std::vector<PhaseResult> phases() { return {}; }
};

// An arena with the inputs and outputs of a workload.
class Stage {
 public:
  virtual ~Stage() = default;
  virtual uint64_t keptCount() const = 0;  // of the first input

  // competitor: of the arena's, one that does not refuse the workload. The stage outlives the result. Throws
  // OutOfMemory where the competitor needs more than is left.
  virtual std::unique_ptr<Entrant> enter(size_t competitor) = 0;
};

class Arena {
 public:
  virtual ~Arena() = default;

  virtual ArenaId id() const = 0;
  virtual void describe(Devices& devices) const = 0;

  virtual std::vector<const Contestant*> competitors() const = 0;
  // Lets the competitors go that the names do not name.
  virtual void keepOnly(const std::vector<std::string>& names) = 0;

  // Whether clocks fall while nothing runs here, so that a turn begins with a sample that does not count.
  virtual bool fallsAsleep() const = 0;

  // Why nothing here runs the workload; empty when it can.
  virtual std::string refusal(const TrialSettings& settings, const Workload& workload) = 0;

  // settings and input outlive the result. Fills in what result says about the arena.
  virtual std::unique_ptr<Stage> prepare(const TrialSettings& settings, HostInput& input, WorkloadResult& result) = 0;

  // What Sluice's frames cost the host, where the arena has such figures.
  virtual std::vector<HostCost> hostCosts() { return {}; }
};

// The part of an arena that is the same everywhere: its list.
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

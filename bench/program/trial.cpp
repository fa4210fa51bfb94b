#include "program/trial.h"

#include <chrono>
#include <cmath>

#include "base/failure.h"
#include "workload/host_input.h"

namespace bench {
namespace {

struct Turn {
  CompetitorResult* result;
  std::unique_ptr<Entrant> entrant;
  bool sleepy;  // its arena falls asleep while others have their turns
};

class Trial {
 public:
  Trial(const TrialSettings& settings, const Workload& workload, const std::vector<std::unique_ptr<Arena>>& arenas,
        WorkloadResult& result)
      : settings_(settings), result_(result), input_(workload, settings.seed) {
    for (const auto& arena : arenas) addResults(*arena);
    size_t first = 0;
    for (const auto& arena : arenas) {
      enterAll(*arena, first, arenas.size() > 1 && arena->fallsAsleep());
      first += arena->competitors().size();
    }
  }

  void run() {
    verifyAll();
    warmUp();
    for (uint32_t i = 0; i < settings_.repetitionCount; ++i)
      for (size_t turn = 0; turn < turns_.size(); ++turn) turns_[turn].result->samples.push_back(sample(turn));
    verifyAll();
    for (const Turn& turn : turns_) turn.result->phases = turn.entrant->phases();
  }

 private:
  void addResults(const Arena& arena) {
    for (const Contestant* competitor : arena.competitors()) {
      CompetitorResult result;
      result.competitor = competitor->name();
      result.arena = arena.id();
      result.role = competitor->role();
      result_.competitors.push_back(result);
    }
  }

  void enterAll(Arena& arena, size_t first, bool sleepy) {
    const auto competitors = arena.competitors();
    const Workload& workload = result_.workload;
    const std::string refusal = arena.refusal(settings_, workload);
    if (!refusal.empty()) result_.refusals.push_back({arena.id(), refusal});
    std::unique_ptr<Stage> stage;
    for (size_t i = 0; i < competitors.size(); ++i) {
      CompetitorResult& result = result_.competitors[first + i];
      result.reason = refusal.empty() ? competitors[i]->refusal(workload) : refusal;
      if (!result.reason.empty()) {
        result.status = Status::Refused;
        continue;
      }
      if (!stage) stage = arena.prepare(settings_, input_, result_);
      try {
        turns_.push_back({&result, stage->enter(i), sleepy});
        result.framesPerSample = turns_.back().entrant->frameCount();
      } catch (const OutOfMemory& failure) {
        result.status = Status::Refused;
        result.reason = failure.what();
      }
    }
    if (!stage) return;
    result_.keptCount = stage->keptCount();
    stages_.push_back(std::move(stage));
  }

  double sample(size_t index) {
    const Turn& turn = turns_[index];
    if (turn.sleepy && (index == 0 || turns_[index - 1].result->arena != turn.result->arena)) turn.entrant->sample();
    return turn.entrant->sample();
  }

  // A competitor whose output is wrong leaves without a number.
  void verifyAll() {
    for (Turn& turn : turns_) {
      const auto difference = turn.entrant->difference();
      if (!difference) continue;
      turn.result->status = Status::Wrong;
      turn.result->reason = *difference;
      turn.result->samples.clear();
    }
    std::erase_if(turns_, [](const Turn& turn) { return turn.result->status == Status::Wrong; });
  }

  // Runs until the clocks are stable: for warmUpSeconds, then until two rounds took the same time, at most kMostTimes
  // times warmUpSeconds.
  void warmUp() {
    constexpr double kSame = 0.02;
    constexpr double kMostTimes = 5.0;
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();
    double elapsed = 0;
    double previous = 0;
    double round = 0;
    while (!turns_.empty() && elapsed < settings_.warmUpSeconds * kMostTimes &&
           (elapsed < settings_.warmUpSeconds || std::abs(round - previous) > kSame * previous)) {
      previous = round;
      round = 0;
      for (size_t turn = 0; turn < turns_.size(); ++turn) round += sample(turn) * turns_[turn].entrant->frameCount();
      elapsed = std::chrono::duration<double>(Clock::now() - start).count();
    }
  }

  const TrialSettings& settings_;
  WorkloadResult& result_;
  HostInput input_;
  std::vector<std::unique_ptr<Stage>> stages_;  // outlive the turns
  std::vector<Turn> turns_;
};

}  // namespace

WorkloadResult runTrial(const TrialSettings& settings, const Workload& workload,
                        const std::vector<std::unique_ptr<Arena>>& arenas) {
  WorkloadResult result;
  result.workload = workload;
  Trial(settings, workload, arenas, result).run();
  return result;
}

}  // namespace bench

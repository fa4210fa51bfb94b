#include "report/rates.h"

#include <algorithm>

namespace bench {
namespace {

// The median of the fastest measured competitor among those that are wanted.
template <typename Wanted>
std::optional<double> bestMicroseconds(const WorkloadResult& result, const Wanted& isWanted) {
  std::optional<double> best;
  for (const CompetitorResult& competitor : result.competitors) {
    if (competitor.status != Status::Measured || !isWanted(competitor)) continue;
    const double median = summarize(competitor.samples).median;
    best = std::min(best.value_or(median), median);
  }
  return best;
}

// Bytes per microsecond are megabytes per second.
double rate(uint64_t bytes, double microseconds) { return static_cast<double>(bytes) / microseconds / 1000.0; }

}  // namespace

Rates ratesOf(const WorkloadResult& result, const CompetitorResult& competitor) {
  const uint64_t copiedBytes = 2 * result.workload.inputBytes();
  Rates rates{};
  rates.microseconds = summarize(competitor.samples);
  rates.bytes = isCopy(competitor.role) ? copiedBytes : trafficOf(result.workload, result.keptCount).bytes;
  rates.gigabytesPerSecond = rate(rates.bytes, rates.microseconds.median);
  const auto copies = [&](const CompetitorResult& other) {
    return isCopy(other.role) && other.arena == competitor.arena;
  };
  if (const auto copy = bestMicroseconds(result, copies))
    rates.ofCopy = rates.gigabytesPerSecond / rate(copiedBytes, *copy);
  const auto baselines = [](const CompetitorResult& other) { return other.role == Role::Baseline; };
  if (const auto baseline = bestMicroseconds(result, baselines); baseline && !isCopy(competitor.role))
    rates.ofBaseline = *baseline / rates.microseconds.median;
  return rates;
}

std::optional<double> timesOfOneView(const RunResult& run, const WorkloadResult& result,
                                     const CompetitorResult& competitor) {
  if (result.workload.viewCount == 1) return std::nullopt;
  Workload alone = result.workload;
  alone.viewCount = 1;
  for (const WorkloadResult& other : run.workloads) {
    if (describe(other.workload) != describe(alone)) continue;
    const auto same = [&](const CompetitorResult& found) {
      return found.competitor == competitor.competitor && found.arena == competitor.arena;
    };
    if (const auto one = bestMicroseconds(other, same)) return summarize(competitor.samples).median / *one;
  }
  return std::nullopt;
}

}  // namespace bench

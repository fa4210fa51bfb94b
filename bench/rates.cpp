#include "rates.h"

#include <algorithm>

namespace bench {
namespace {

// Median of the fastest competitor with the role, in an arena or in all.
std::optional<double> bestMicroseconds(const WorkloadResult& result, Role role, std::optional<ArenaId> arena = {}) {
  std::optional<double> best;
  for (const CompetitorResult& competitor : result.competitors) {
    if (competitor.role != role || competitor.status != Status::Measured) continue;
    if (competitor.arena != arena.value_or(competitor.arena)) continue;
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
  if (const auto copy = bestMicroseconds(result, Role::Copy, competitor.arena))
    rates.ofCopy = rates.gigabytesPerSecond / rate(copiedBytes, *copy);
  if (const auto baseline = bestMicroseconds(result, Role::Baseline); baseline && !isCopy(competitor.role))
    rates.ofBaseline = *baseline / rates.microseconds.median;
  return rates;
}

}  // namespace bench

#include "arena/summary.h"

#include <algorithm>
#include <cmath>

namespace bench {

double percentile(std::vector<double> samples, double fraction) {
  std::sort(samples.begin(), samples.end());
  const double position = fraction * static_cast<double>(samples.size() - 1);
  const auto below = static_cast<size_t>(position);
  const size_t above = std::min(below + 1, samples.size() - 1);
  return std::lerp(samples[below], samples[above], position - static_cast<double>(below));
}

Summary summarize(const std::vector<double>& samples) {
  return {percentile(samples, 0.5), percentile(samples, 0.1), percentile(samples, 0.9)};
}

}  // namespace bench

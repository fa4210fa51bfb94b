// Order statistics of a competitor's samples.
#pragma once

#include <vector>

namespace bench {

struct Summary {
  double median;
  double percentile10;
  double percentile90;
};

// Between the two nearest samples, weighted linearly. samples: at least one, in any order. fraction: 0 to 1.
double percentile(std::vector<double> samples, double fraction);

Summary summarize(const std::vector<double>& samples);

}  // namespace bench

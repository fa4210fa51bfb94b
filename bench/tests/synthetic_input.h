// Random workloads, and their inputs made on the host.
#pragma once

#include <vector>

#include "random.h"
#include "workload/input_recipe.h"

namespace bench::test {

// Every kind of workload, up to maxRecordCount records.
Workload randomWorkload(slu::test::Random& random, uint32_t maxRecordCount);

// Each placement, with groups where these are possible, in each order, by words or spheres.
std::vector<Workload> placedWorkloads(slu::test::Random& random, uint32_t maxRecordCount);

std::vector<uint32_t> makeInput(const Workload& workload, const InputRecipe& recipe);

// The elements of the range of the output that the bucket is in, counted through all views. keptCounts: per view and
// bucket.
struct KeptRange {
  size_t first;
  size_t count;  // of those that are kept, which stand at its begin
  size_t room;
};
KeptRange keptRange(const Workload& workload, const std::vector<uint32_t>& keptCounts, size_t bucket,
                    uint32_t bucketCapacity);

// Returns what a right competitor writes, with bucketCapacity elements per range. `behind` fills the rest.
std::vector<uint32_t> rightOutput(const Workload& workload, const std::vector<uint32_t>& input, uint32_t bucketCapacity,
                                  uint32_t behind);

}  // namespace bench::test

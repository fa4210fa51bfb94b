// Random workloads, and their inputs made on the host.
#pragma once

#include <vector>

#include "random.h"
#include "workload/input_recipe.h"

namespace bench::test {

// Every kind of workload, up to maxRecordCount records.
Workload randomWorkload(slu::test::Random& random, uint32_t maxRecordCount);

std::vector<uint32_t> makeInput(const Workload& workload, const InputRecipe& recipe);

// Returns what a right competitor writes, with bucketCapacity elements per bucket. `behind` fills the rest.
std::vector<uint32_t> rightOutput(const Workload& workload, const std::vector<uint32_t>& input, uint32_t bucketCapacity,
                                  uint32_t behind);

}  // namespace bench::test

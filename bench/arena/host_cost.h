// What a frame costs the host.
#pragma once

#include <chrono>

#include "arena/results.h"

namespace bench {

// Small ones, whose frames wait for nothing: words, and what a renderer culls, in both orders.
std::vector<Workload> hostCostWorkloads();

// A sample is the mean of a row of calls. row: makes a number of calls in a row, and returns how long they took.
template <typename Row>
HostCost measureHostCost(const std::string& competitor, ArenaId arena, const Workload& workload, const Row& row) {
  // Far fewer calls in a row than a stream queues, so that no call waits for the GPU.
  constexpr uint32_t kCallsInARow = 200;
  constexpr uint32_t kRows = 50;
  HostCost cost{competitor, arena, workload, kCallsInARow, {}};
  row(kCallsInARow);  // warms up
  for (uint32_t i = 0; i < kRows; ++i)
    cost.samples.push_back(std::chrono::duration<double, std::micro>(row(kCallsInARow)).count() / kCallsInARow);
  return cost;
}

}  // namespace bench

// Measures how much time a frame's call takes the host.
#pragma once

#include <chrono>

#include "arena/results.h"

namespace bench {

// The workloads are small, so that no call waits for the GPU: words, and records with spheres, in both orders.
std::vector<Workload> hostCostWorkloads();

// A sample is the mean of many calls in a row. row(n): makes n calls and returns how long they took.
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

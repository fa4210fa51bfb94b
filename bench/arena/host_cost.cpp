#include "arena/host_cost.h"

namespace bench {

std::vector<Workload> hostCostWorkloads() {
  std::vector<Workload> workloads;
  for (const Order order : {Order::Unordered, Order::Stable}) {
    workloads.push_back({4, 1u << 10, 50, Pattern::Random, 1, order, Outputs::Records, Predicate::Word});
    workloads.push_back({64, 1u << 10, 30, Pattern::Random, 64, order, Outputs::Records, Predicate::SphereBeside});
  }
  return workloads;
}

}  // namespace bench

// Workloads: by the name of a suite, or as the product of lists.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "workload/workload.h"

namespace bench {

// Each list holds at least one value.
struct WorkloadLists {
  std::vector<uint32_t> recordBytes = {4};
  std::vector<uint32_t> recordCounts = {1u << 20};
  std::vector<double> survivalPercents = {50.0};
  std::vector<Pattern> patterns = {Pattern::Random};
  std::vector<uint32_t> bucketCounts = {1};
  std::vector<Order> orders = {Order::Unordered, Order::Stable};
  std::vector<Outputs> outputs = {Outputs::Records};
  std::vector<Predicate> predicates = {Predicate::Word};
  std::vector<uint32_t> viewCounts = {1};
  std::vector<Placement> placements = {Placement::Reserved};
  std::vector<uint32_t> groupCounts = {0};
};

std::vector<Workload> product(const WorkloadLists& lists);

// Nothing for an unknown name.
std::optional<std::vector<Workload>> suite(const std::string& name);

std::vector<std::string> suiteNames();

}  // namespace bench

// Changes of the specimen's plan: such that are refused by name, and such that are just within the limits.
#pragma once

#include <sluice/sluice.h>

#include <ostream>
#include <span>
#include <vector>

namespace slu::test {

struct PlanCase {
  const char* name;
  const char* field;  // that the sentence names
  void (*spoil)(SluPlanCreateInfo& info, std::vector<SluBucket>& buckets);
  SluResult result = SLU_ERROR_INVALID_ARGUMENT;
};
std::span<const PlanCase> badPlans();

struct GoodPlan {
  const char* name;
  void (*change)(SluPlanCreateInfo& info, std::vector<SluBucket>& buckets);
};
std::span<const GoodPlan> goodPlans();

// GoogleTest prints them so.
inline std::ostream& operator<<(std::ostream& stream, const PlanCase& plan) { return stream << plan.name; }
inline std::ostream& operator<<(std::ostream& stream, const GoodPlan& plan) { return stream << plan.name; }

}  // namespace slu::test

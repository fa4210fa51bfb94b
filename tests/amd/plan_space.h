// A systematic choice of plans: what a plan says in ways that change its pipelines, in combinations.
#pragma once

#include <vector>

#include "random.h"
#include "scene.h"

namespace slu::test {

// Plans in which every `strength` properties meet in all combinations of their values, and no more than that asks for.
// Properties that exclude each other give way: a record of 8 bytes holds no bounds.
std::vector<PlanSpec> coveringPlans(std::uint32_t strength, Random& random);

// Plans for few to very many records of these strides, in both orders, with one bucket and with several, that test the
// record or flags. The strides 4, 16 and 64 are enough for every kernel.
std::vector<PlanSpec> plansOfStrides(const std::vector<std::uint32_t>& strides);

// Culled plans that have pipelines for all views at once.
std::vector<PlanSpec> plansOfSeveralViews();

// Plans whose further streams have elements of each size.
std::vector<PlanSpec> plansOfStreams();

}  // namespace slu::test

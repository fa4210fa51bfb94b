// A systematic choice of plans: what a plan says in ways that change its pipelines, in combinations.
#pragma once

#include <vector>

#include "random.h"
#include "scene.h"

namespace slu::test {

// Plans in which every `strength` properties meet in all combinations of their values, and no more than that asks for.
// Properties that exclude each other give way: a record of 8 bytes holds no sphere.
std::vector<PlanSpec> coveringPlans(std::uint32_t strength, Random& random);

// Plans of records of every size, in both orders, of few to very many records, which decide for themselves or by flags.
std::vector<PlanSpec> plansOfEveryStride();

}  // namespace slu::test

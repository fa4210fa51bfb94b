// A plan for each of the CUDA route's kernels, and frames for it.
#pragma once

#include "scene_builder.h"
#include "simt_machine.h"

namespace slu::test {

// A plan that chooses the kernel.
struct KernelPlan {
  const KernelRow& row;
  PlanSpec plan;
  SimtOptions options;
};

// By the table of the kernels: of the plans that suit a row, the first that chooses its kernel. A kernel without one is
// missing.
std::vector<KernelPlan> kernelPlans();

// A machine that takes the plan, and so few blocks that they take several tiles of the scene's second frame. The first
// one keeps all that it can: kernels that adapt go the other way in the second. The third is a tile that keeps few.
std::unique_ptr<Machine> makeMachine(const KernelPlan& asked, decltype(SimtOptions::launch) launch);
Scene makeScene(const KernelPlan& asked, Machine& machine, Random& random);

}  // namespace slu::test

// A plan for each of the CUDA route's kernels, and frames for it.
#pragma once

#include "scene_builder.h"
#include "simt_machine.h"

namespace slu::test {

// What decides whether a record is kept.
enum class Decider { record, flags, spheres };

// A plan that chooses the kernel.
struct KernelPlan {
  CudaKernel kernel;
  SluOrder order;
  Decider decider = Decider::record;
  std::uint32_t stride = 8;
  std::uint32_t bucketCount = 1;
  std::uint32_t recordCount = 20'000;  // at most
  SharedMemory sharedMemory = SharedMemory::ample;
};

std::vector<KernelPlan> kernelPlans();
const char* nameOf(CudaKernel kernel);

// A machine that takes the plan, and so few blocks that they take several tiles of the scene's second frame. The first
// one keeps all that it can: kernels that adapt go the other way in the second. The third is a tile that keeps few.
std::unique_ptr<Machine> makeMachine(const KernelPlan& plan, decltype(SimtOptions::launch) launch);
Scene makeScene(const KernelPlan& plan, Machine& machine, Random& random);

}  // namespace slu::test

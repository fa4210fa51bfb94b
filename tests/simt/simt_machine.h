// The CUDA route's own kernels and schedule on the CPU, on host memory, as the CUDA route of a context.
#pragma once

#include <memory>

#include "machine.h"

namespace slu::test {

// residentBlocks: of each kernel; 0: one, two and three, plan by plan.
std::unique_ptr<Machine> makeSimtMachine(std::uint32_t residentBlocks = 0);

}  // namespace slu::test

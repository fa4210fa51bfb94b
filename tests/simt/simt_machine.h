// The CUDA route's own kernels and schedule on the CPU, on host memory, as the CUDA route of a context.
#pragma once

#include <memory>

#include "machine.h"

namespace slu::test {

std::unique_ptr<Machine> makeSimtMachine();

}  // namespace slu::test

// The CUDA route's own kernels and schedule on the CPU: plans of the CPU route whose frames simt executes.
#pragma once

#include <memory>

#include "machine.h"

namespace slu::test {

std::unique_ptr<Machine> makeSimtMachine();

}  // namespace slu::test

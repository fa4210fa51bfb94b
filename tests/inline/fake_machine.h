// The inline route of a context whose driver is the fake.
#pragma once

#include "fake_kernels.h"
#include "machine.h"

namespace slu::test {

// Throws Unavailable where the Vulkan device's addresses are not the CPU's.
std::unique_ptr<Machine> makeFakeMachine(const FakeDriver& driver = {});

}  // namespace slu::test

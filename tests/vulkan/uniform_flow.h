// Which barriers of a kernel stand in control flow that a compiler cannot prove uniform, and by which atomic operations a
// workgroup may learn that it is the last one.
#pragma once

#include <string>
#include <vector>

#include "spirv.h"

namespace slu::test {

// The names of the functions, from main on, that lead to a control barrier in flow that is not provably uniform: a branch
// or a loop's end depends on what an invocation has read from a storage buffer or from shared memory, on an atomic or a
// subgroup operation, or on its number. What is uniform: constants, uniform buffers, the number of the workgroup, and how
// many workgroups and subgroups there are.
std::vector<std::string> barriersInVaryingFlow(Words module);

// How many comparisons for equality, with what is no constant, depend on the result of an atomic operation on a buffer.
// Who counts arrivals compares like that; who takes a place in the output does not.
std::size_t comparisonsOfArrivals(Words module);

}  // namespace slu::test

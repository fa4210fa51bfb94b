// Spheres that lie on the boundary of one test, a unit in the last place to either side of it included, so that a route
// that contracts a product and a sum, or adds in another order, decides some of them differently.
#pragma once

#include "inputs.h"

namespace slu::test {

enum class Boundary { frustum, nearest, farthest, size, lod };
constexpr Boundary kBoundaries[] = {Boundary::frustum, Boundary::nearest, Boundary::farthest, Boundary::size,
                                    Boundary::lod};

struct BoundaryCase {
  PlanSpec plan;
  Input input;
  SluView view{};
};

// One view and `count` records whose spheres reach the world through transformFlags.
BoundaryCase makeBoundaryCase(Boundary boundary, SluFlags transformFlags, SluOrder order, std::uint32_t count,
                              Random& random);

}  // namespace slu::test

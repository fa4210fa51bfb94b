// Bounds that lie on the boundary of one test, a unit in the last place to either side of it included, so that a route
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

// Bounds and how they reach the world. Transforms that are not empty have a position or are a matrix.
struct Motion {
  SluFlags transformFlags = 0;
  SluBoundsShape shape = SLU_SHAPE_SPHERE;
  SluMatrixForm form = SLU_MATRIX_ROWS;
};

// One view and `count` records that hold bounds and what moves them.
BoundaryCase makeBoundaryCase(Boundary boundary, const Motion& motion, SluOrder order, std::uint32_t count,
                              Random& random);

}  // namespace slu::test

// Builds the buildings of the city. A seed decides the shape. The level of detail, 0 to 3, decides how much of it is
// built.
#pragma once

#include "scenes/city/mesh_builder.h"

namespace demo {

// Units are metres. A building stands on y = 0 with its front towards +z, within its plot, centered at the origin.
TriangleMesh buildTower(uint32_t seed, uint32_t lod);       // 24 by 24
TriangleMesh buildApartments(uint32_t seed, uint32_t lod);  // 15 by 13
TriangleMesh buildHouse(uint32_t seed, uint32_t lod);       // 11 by 10
TriangleMesh buildHall(uint32_t seed, uint32_t lod);        // 44 by 20

}  // namespace demo

// Particles in the cells of a grid, as a particle simulation adds them up in every step.
#pragma once

#include <cstdint>
#include <vector>

namespace bench {

// Says in which order particles lie in memory.
enum class KeyOrder {
  Random,   // none
  Ordered,  // by their cell
  Shifted,  // by their cell in a grid that has moved since by a part of a cell in each direction
};
constexpr KeyOrder kKeyOrders[] = {KeyOrder::Random, KeyOrder::Ordered, KeyOrder::Shifted};

const char* name(KeyOrder order);

struct Particles {
  uint32_t cellCount;               // of a cube of cells that repeats itself
  std::vector<uint32_t> keys;       // each particle's cell
  std::vector<int8_t> values;       // whole numbers so small that a cell's sum is exact in float, in any order
  std::vector<int32_t> sumOfCells;  // what must come out
};

// cellsPerEdge: 1 to 1000.
Particles makeParticles(KeyOrder order, uint32_t cellsPerEdge, uint32_t particleCount, uint32_t seed);

}  // namespace bench

#include "reduction/particles.h"

#include <array>
#include <numeric>
#include <random>

namespace bench {
namespace {

constexpr int kLargestValue = 8;

using Position = std::array<float, 3>;  // in cells

uint32_t cellOf(const Position& position, const Position& shift, uint32_t cellsPerEdge) {
  uint32_t cell = 0;
  for (size_t axis = 3; axis-- > 0;) {
    const auto coordinate = static_cast<uint32_t>(position[axis] + shift[axis]);
    cell = cell * cellsPerEdge + coordinate % cellsPerEdge;
  }
  return cell;
}

// Sorts by cell, by counting (Seward 1954).
std::vector<Position> sorted(const std::vector<Position>& positions, uint32_t cellsPerEdge) {
  const auto cell = [&](const Position& position) { return cellOf(position, {}, cellsPerEdge); };
  std::vector<uint32_t> places(size_t{cellsPerEdge} * cellsPerEdge * cellsPerEdge);
  for (const Position& position : positions) ++places[cell(position)];
  std::exclusive_scan(places.begin(), places.end(), places.begin(), 0u);
  std::vector<Position> inOrder(positions.size());
  for (const Position& position : positions) inOrder[places[cell(position)]++] = position;
  return inOrder;
}

}  // namespace

const char* name(KeyOrder order) {
  switch (order) {
    case KeyOrder::Random:
      return "random";
    case KeyOrder::Ordered:
      return "ordered";
    case KeyOrder::Shifted:
      return "shifted";
  }
  return "unknown";
}

Particles makeParticles(KeyOrder order, uint32_t cellsPerEdge, uint32_t particleCount, uint32_t seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> coordinate(0.0f, static_cast<float>(cellsPerEdge));
  std::uniform_real_distribution<float> part(0.0f, 1.0f);
  std::uniform_int_distribution<int> value(-kLargestValue, kLargestValue);

  std::vector<Position> positions(particleCount);
  for (Position& position : positions)
    for (float& axis : position) axis = coordinate(random);
  if (order != KeyOrder::Random) positions = sorted(positions, cellsPerEdge);
  Position shift{};
  if (order == KeyOrder::Shifted) shift = {part(random), part(random), part(random)};

  Particles particles;
  particles.cellCount = cellsPerEdge * cellsPerEdge * cellsPerEdge;
  particles.sumOfCells.resize(particles.cellCount);
  particles.keys.reserve(particleCount);
  particles.values.reserve(particleCount);
  for (const Position& position : positions) {
    particles.keys.push_back(cellOf(position, shift, cellsPerEdge));
    particles.values.push_back(static_cast<int8_t>(value(random)));
    particles.sumOfCells[particles.keys.back()] += particles.values.back();
  }
  return particles;
}

}  // namespace bench

#include "pyramid_cases.h"

#include <cstring>

#include "floats.h"

namespace slu::test {

std::string describe(const PyramidCase& pyramid) {
  return std::to_string(pyramid.width) + " x " + std::to_string(pyramid.height) + ", " +
         std::to_string(pyramid.layerCount) + " layers" + (pyramid.isReversed ? ", reversed" : "");
}

std::vector<PyramidCase> pyramidCases() {
  std::vector<PyramidCase> cases;
  const std::pair<std::uint32_t, std::uint32_t> sizes[] = {
      {1, 1},    {1, 2},    {2, 1},     {2, 2},     {3, 3},     {1, 77},    {130, 1},  {5, 4},
      {63, 64},  {64, 64},  {65, 63},   {127, 65},  {128, 128}, {129, 127}, {255, 31}, {257, 66},
      {511, 33}, {513, 17}, {1023, 40}, {1025, 65}, {300, 200}, {4097, 3},  {2, 4160}, {8200, 65}};
  for (const auto& [width, height] : sizes) {
    for (const bool isReversed : {false, true}) cases.push_back({width, height, 1, isReversed});
  }
  for (const std::uint32_t layerCount : {2u, 6u, 16u}) {
    cases.push_back({97, 70, layerCount, false});
    cases.push_back({64, 1, layerCount, true});
  }
  cases.push_back({4161, 67, 3, true});
  return cases;
}

float goodDepth(Random& random) {
  if (random.chance(0.98)) return random.uniform(0.0f, 1.0f);
  return random.pick<float>({0.0f, 1.0f, 1e-40f, 1e-45f, 0x1p-126f, 1.0f - 0x1p-24f, 0x1p-24f});
}

float anyDepth(Random& random) {
  if (random.chance(0.997)) return goodDepth(random);
  if (random.chance(0.2)) {
    const std::uint32_t bits = random.word();
    float value;
    std::memcpy(&value, &bits, sizeof(value));
    return value;
  }
  return random.pick<float>({kNan, -kNan, kInfinity, -kInfinity, -0.0f, -1e-45f, -0.5f, 1.0f + 0x1p-23f, 2.0f, 1e30f});
}

}  // namespace slu::test

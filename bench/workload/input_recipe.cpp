#include "workload/input_recipe.h"

namespace bench {
namespace {

// Newton's iteration doubles the correct low bits: 3 at first, as odd * odd = 1 modulo 8.
uint32_t inverseOfOdd(uint32_t value) {
  uint32_t inverse = value;
  for (int i = 0; i < 4; ++i) inverse *= 2 - value * inverse;
  return inverse;
}

}  // namespace

InputRecipe makeRecipe(const Workload& workload, uint32_t seed) {
  InputRecipe recipe{};
  recipe.seed = seed;
  recipe.factor = mix(seed + 0x9e3779b9u) | 1u;
  recipe.factorInverse = inverseOfOdd(recipe.factor);
  recipe.recordCount = workload.recordCount;
  recipe.recordWords = workload.recordBytes / 4;
  recipe.bucketCount = workload.bucketCount;
  recipe.pattern = workload.pattern;
  recipe.predicate = workload.predicate;
  recipe.windows = viewWindows(workload);
  recipe.boundsAt = workload.boundsOffset() / 4;
  recipe.boundsWords = workload.boundsBytes() / 4;
  recipe.boundsStrideWords = workload.boundsStride() / 4;
  return recipe;
}

}  // namespace bench

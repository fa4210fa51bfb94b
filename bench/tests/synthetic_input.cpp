#include "synthetic_input.h"

#include <algorithm>

#include "judge/reference.h"
#include "workload/frame.h"

namespace bench::test {

Workload randomWorkload(slu::test::Random& random, uint32_t maxRecordCount) {
  Workload workload;
  workload.recordBytes = 4 * random.between(1, 64);
  workload.recordCount = random.between(1, maxRecordCount);
  workload.survivalPercent = random.pick<double>({0.0, 1.0, 50.0, 99.0, 100.0});
  workload.pattern = random.pick({Pattern::Random, Pattern::Clustered, Pattern::Alternating});
  workload.bucketCount = workload.recordBytes < 8 || random.chance(0.5) ? 1 : random.between(2, 100);
  workload.order = random.pick({Order::Unordered, Order::Stable});
  workload.outputs = random.pick({Outputs::Records, Outputs::Indices});
  workload.predicate =
      random.pick({Predicate::Word, Predicate::Word, Predicate::Sphere, Predicate::SphereBeside, Predicate::BoxBeside});
  if (workload.predicate == Predicate::Word) return workload;
  workload.recordBytes = 16 * random.between(1, 16);
  workload.viewCount = random.chance(0.5) ? 1 : random.between(2, 16);
  if (workload.predicate == Predicate::Sphere && workload.recordBytes == kSphereBytes) {
    workload.bucketCount = 1;
    workload.outputs = Outputs::Indices;
  }
  return workload;
}

std::vector<uint32_t> makeInput(const Workload& workload, const InputRecipe& recipe) {
  std::vector<uint32_t> input;
  input.reserve(workload.inputBytes() / 4);
  for (uint64_t position = 0; position < workload.inputBytes() / 4; ++position)
    input.push_back(recipe.inputWord(position));
  return input;
}

std::vector<uint32_t> rightOutput(const Workload& workload, const std::vector<uint32_t>& input, uint32_t bucketCapacity,
                                  uint32_t behind) {
  const uint32_t recordWords = workload.recordBytes / 4;
  const uint32_t elementWords = workload.elementBytes() / 4;
  std::vector<uint32_t> output(elementsBytesFor(workload, bucketCapacity) / 4, behind);
  const auto buckets = referenceIndices(workload, input);
  for (size_t bucket = 0; bucket < buckets.size(); ++bucket) {
    auto element = output.begin() + static_cast<ptrdiff_t>(bucket * bucketCapacity * elementWords);
    for (const uint32_t index : buckets[bucket]) {
      const auto record = input.begin() + static_cast<ptrdiff_t>(size_t{index} * recordWords);
      if (workload.outputs == Outputs::Indices)
        *element = index;
      else
        std::copy(record, record + elementWords, element);
      element += elementWords;
    }
  }
  return output;
}

}  // namespace bench::test

#include "synthetic_input.h"

#include <algorithm>
#include <utility>

#include "judge/reference.h"
#include "workload/frame.h"

namespace bench::test {

namespace {

// Buckets of one view may be packed or merged, and their draws may have groups.
void place(Workload& workload, slu::test::Random& random) {
  if (workload.bucketCount == 1 || workload.viewCount > 1) return;
  workload.placement = random.pick({Placement::Reserved, Placement::Packed, Placement::Merged});
  if (workload.isMerged()) workload.outputs = Outputs::Indices;
  if (!workload.isMerged() && random.chance(0.3)) workload.groupCount = random.between(1, workload.bucketCount);
}

}  // namespace

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
  if (workload.predicate == Predicate::Word) {
    place(workload, random);
    return workload;
  }
  workload.recordBytes = 16 * random.between(1, 16);
  workload.viewCount = random.chance(0.5) ? 1 : random.between(2, 16);
  if (workload.predicate == Predicate::Sphere && workload.recordBytes == kSphereBytes) {
    workload.bucketCount = 1;
    workload.outputs = Outputs::Indices;
  }
  place(workload, random);
  return workload;
}

std::vector<Workload> placedWorkloads(slu::test::Random& random, uint32_t maxRecordCount) {
  std::vector<Workload> workloads;
  for (const Placement placement : {Placement::Reserved, Placement::Packed, Placement::Merged}) {
    for (const bool hasGroups : {false, true}) {
      if (hasGroups && placement == Placement::Merged) continue;
      for (const Order order : {Order::Unordered, Order::Stable}) {
        Workload workload = {64, random.between(1, maxRecordCount), 30, Pattern::Random, random.between(2, 100), order};
        workload.outputs =
            placement == Placement::Merged ? Outputs::Indices : random.pick({Outputs::Records, Outputs::Indices});
        workload.predicate = random.pick({Predicate::Word, Predicate::SphereBeside});
        workload.placement = placement;
        if (hasGroups) workload.groupCount = random.between(1, workload.bucketCount);
        workloads.push_back(workload);
      }
    }
  }
  return workloads;
}

KeptRange keptRange(const Workload& workload, const std::vector<uint32_t>& keptCounts, size_t bucket,
                    uint32_t bucketCapacity) {
  if (workload.placement == Placement::Reserved) return {bucket * bucketCapacity, keptCounts[bucket], bucketCapacity};
  const std::vector<uint32_t> firsts = packedFirsts(keptCounts);
  if (workload.isMerged()) return {0, firsts.back(), bucketCapacity};
  const bool isLast = bucket + 1 == keptCounts.size();
  return {firsts[bucket], keptCounts[bucket], isLast ? bucketCapacity - firsts[bucket] : keptCounts[bucket]};
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
  std::vector<uint32_t> counts;
  for (const auto& indices : buckets) counts.push_back(static_cast<uint32_t>(indices.size()));
  std::vector<std::pair<uint32_t, uint32_t>> merged;  // indices and buckets
  for (uint32_t bucket = 0; bucket < buckets.size(); ++bucket) {
    const size_t first = keptRange(workload, counts, bucket, bucketCapacity).first;
    auto element = output.begin() + static_cast<ptrdiff_t>(first * elementWords);
    for (const uint32_t index : buckets[bucket]) {
      const auto record = input.begin() + static_cast<ptrdiff_t>(size_t{index} * recordWords);
      if (workload.isMerged())
        merged.emplace_back(index, bucket);
      else if (workload.outputs == Outputs::Indices)
        *element = index;
      else
        std::copy(record, record + elementWords, element);
      if (!workload.isMerged()) element += elementWords;
    }
  }
  std::sort(merged.begin(), merged.end());
  auto element = output.begin();
  for (const auto& [index, bucket] : merged) {
    for (const uint32_t word : {index, 36u, 1u, 36 * bucket, 0u}) *element++ = word;
  }
  return output;
}

}  // namespace bench::test

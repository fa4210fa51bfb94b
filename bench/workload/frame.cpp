#include "workload/frame.h"

#include <algorithm>

#include "base/failure.h"

namespace bench {

std::optional<std::string> drawsDifference(const std::vector<uint32_t>& keptCounts, uint32_t bucketCapacity,
                                           const std::vector<DrawCommand>& draws) {
  if (draws.size() != keptCounts.size())
    return sentence("there are ", draws.size(), " draws for ", keptCounts.size(), " buckets");
  for (uint32_t bucket = 0; bucket < keptCounts.size(); ++bucket) {
    const DrawCommand& draw = draws[bucket];
    const uint32_t firstInstance = bucket * bucketCapacity;
    if (draw.vertexCount != kDrawVertexCount || draw.instanceCount != keptCounts[bucket] || draw.firstVertex != 0 ||
        draw.firstInstance != firstInstance)
      return sentence("draw ", bucket, " is (", draw.vertexCount, ", ", draw.instanceCount, ", ", draw.firstVertex,
                      ", ", draw.firstInstance, "), expected (", kDrawVertexCount, ", ", keptCounts[bucket], ", 0, ",
                      firstInstance, ")");
  }
  return std::nullopt;
}

uint32_t bucketCapacityFor(const Workload& workload, const std::vector<std::vector<uint32_t>>& keptCounts) {
  if (workload.allBucketCount() == 1) return workload.recordCount;
  uint32_t most = 1;
  for (const auto& counts : keptCounts) most = std::max(most, *std::max_element(counts.begin(), counts.end()));
  return most;
}

uint64_t elementsBytesFor(const Workload& workload, uint32_t bucketCapacity) {
  return uint64_t{bucketCapacity} * workload.allBucketCount() * workload.elementBytes();
}

uint64_t outputBytesFor(const Workload& workload, uint32_t bucketCapacity) {
  const uint64_t copyBytes = (workload.inputBytes() + 15) / 16 * 16;
  return std::max(copyBytes, elementsBytesFor(workload, bucketCapacity)) + kCanaryBytes;
}

std::string bucketText(uint32_t viewCount, uint32_t bucketCount, uint64_t bucket) {
  const std::string ofView = sentence("bucket ", bucket % bucketCount);
  return viewCount == 1 ? ofView : sentence("view ", bucket / bucketCount, ", ", ofView);
}

std::optional<std::string> outcomeDifference(const FrameOutcome& outcome, const std::vector<uint32_t>& keptCounts,
                                             uint32_t bucketCapacity) {
  if (auto difference = drawsDifference(keptCounts, bucketCapacity, outcome.draws())) return difference;
  return outcome.difference(keptCounts);
}

}  // namespace bench

#include "workload/frame.h"

#include <algorithm>

#include "base/failure.h"

namespace bench {
namespace {

// Of each view, or of each group, which leaves out empty buckets.
std::vector<uint32_t> expectedDrawCounts(const Workload& workload, const std::vector<uint32_t>& keptCounts) {
  std::vector<uint32_t> counts(workload.drawCountCount());
  for (uint32_t bucket = 0; bucket < keptCounts.size(); ++bucket) {
    const uint32_t drawn = keptCounts[bucket] != 0 ? 1 : 0;
    if (workload.groupCount != 0)
      counts[bucket / workload.groupBuckets()] += drawn;
    else
      counts[bucket / workload.bucketCount] += workload.isMerged() ? keptCounts[bucket] : 1;
  }
  return counts;
}

std::optional<std::string> drawCountsDifference(const Workload& workload, const std::vector<uint32_t>& expected,
                                                const std::vector<uint32_t>& found) {
  const bool areNeeded = workload.groupCount != 0 || workload.isMerged();
  if (found.empty() && !areNeeded) return std::nullopt;
  if (found.size() != expected.size())
    return sentence("there are ", found.size(), " draw counts, expected ", expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    if (found[i] == expected[i]) continue;
    const char* what = workload.groupCount != 0 ? "group " : "view ";
    return sentence(expected.size() > 1 ? sentence(what, i, ": ") : "", "the draw count is ", found[i], ", expected ",
                    expected[i]);
  }
  return std::nullopt;
}

// Of all buckets; with groups of those that keep something.
std::vector<DrawCommand> expectedDraws(const Workload& workload, const std::vector<uint32_t>& keptCounts,
                                       uint32_t bucketCapacity) {
  const std::vector<uint32_t> firsts = packedFirsts(keptCounts);
  std::vector<DrawCommand> draws;
  for (uint32_t bucket = 0; bucket < keptCounts.size(); ++bucket) {
    if (workload.groupCount != 0 && keptCounts[bucket] == 0) continue;
    const bool isPacked = workload.placement == Placement::Packed;
    draws.push_back({kDrawVertexCount, keptCounts[bucket], 0, isPacked ? firsts[bucket] : bucket * bucketCapacity});
  }
  return draws;
}

// Both have the same size. firstPlace: of the first draw.
std::optional<std::string> firstDrawDifference(uint32_t firstPlace, const std::vector<DrawCommand>& expected,
                                               const std::vector<DrawCommand>& found) {
  for (uint32_t i = 0; i < expected.size(); ++i) {
    const DrawCommand &wanted = expected[i], &draw = found[i];
    if (draw.vertexCount != wanted.vertexCount || draw.instanceCount != wanted.instanceCount ||
        draw.firstVertex != wanted.firstVertex || draw.firstInstance != wanted.firstInstance)
      return sentence("draw ", firstPlace + i, " is (", draw.vertexCount, ", ", draw.instanceCount, ", ",
                      draw.firstVertex, ", ", draw.firstInstance, "), expected (", wanted.vertexCount, ", ",
                      wanted.instanceCount, ", ", wanted.firstVertex, ", ", wanted.firstInstance, ")");
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> drawsDifference(const Workload& workload, const std::vector<uint32_t>& keptCounts,
                                           uint32_t bucketCapacity, const std::vector<DrawCommand>& draws,
                                           const std::vector<uint32_t>& drawCounts) {
  if (auto difference = drawCountsDifference(workload, expectedDrawCounts(workload, keptCounts), drawCounts))
    return difference;
  if (workload.isMerged()) return std::nullopt;  // they are the output's elements
  if (draws.size() != workload.drawPlaceCount())
    return sentence("there are ", draws.size(), " draws for ", workload.drawPlaceCount(), " places");
  const std::vector<DrawCommand> expected = expectedDraws(workload, keptCounts, bucketCapacity);
  if (workload.groupCount == 0) return firstDrawDifference(0, expected, draws);
  // The draws of a group, in any order.
  const auto isBefore = [](const DrawCommand& a, const DrawCommand& b) { return a.firstInstance < b.firstInstance; };
  auto next = expected.begin();
  for (uint32_t group = 0; group < workload.groupCount; ++group) {
    const uint32_t place = group * workload.groupBuckets();
    const auto first = draws.begin() + place;
    std::vector<DrawCommand> found(first, first + drawCounts[group]);
    std::sort(found.begin(), found.end(), isBefore);
    const std::vector<DrawCommand> ofGroup(next, next + drawCounts[group]);
    if (auto difference = firstDrawDifference(place, ofGroup, found))
      return sentence("group ", group, ", sorted: ", *difference);
    next += drawCounts[group];
  }
  return std::nullopt;
}

uint32_t bucketCapacityFor(const Workload& workload, const std::vector<std::vector<uint32_t>>& keptCounts) {
  if (workload.rangeCount() == 1) return workload.recordCount;
  uint32_t most = 1;
  for (const auto& counts : keptCounts) most = std::max(most, *std::max_element(counts.begin(), counts.end()));
  return most;
}

std::vector<uint32_t> packedFirsts(const std::vector<uint32_t>& keptCounts) {
  std::vector<uint32_t> firsts = {0};
  for (const uint32_t count : keptCounts) firsts.push_back(firsts.back() + count);
  return firsts;
}

uint64_t elementsBytesFor(const Workload& workload, uint32_t bucketCapacity) {
  return uint64_t{bucketCapacity} * workload.rangeCount() * workload.elementBytes();
}

uint64_t outputBytesFor(const Workload& workload, uint32_t bucketCapacity) {
  const uint64_t copyBytes = (workload.inputBytes() + 15) / 16 * 16;
  return std::max(copyBytes, elementsBytesFor(workload, bucketCapacity)) + kCanaryBytes;
}

std::string bucketText(uint32_t viewCount, uint32_t bucketCount, uint64_t bucket) {
  const std::string ofView = sentence("bucket ", bucket % bucketCount);
  return viewCount == 1 ? ofView : sentence("view ", bucket / bucketCount, ", ", ofView);
}

std::optional<std::string> outcomeDifference(const Workload& workload, const FrameOutcome& outcome,
                                             const std::vector<uint32_t>& keptCounts, uint32_t bucketCapacity) {
  if (auto difference = drawsDifference(workload, keptCounts, bucketCapacity, outcome.draws(), outcome.drawCounts()))
    return difference;
  return outcome.difference(keptCounts);
}

}  // namespace bench

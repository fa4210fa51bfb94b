#include "verify/draw_check.h"

#include "base/failure.h"
#include "verify/value_at.h"

namespace demo {
namespace {

// Returns the commands of the buckets of a view that kept something. firstInstance is the bucket's place among the
// outputs, which starts at firstOutput and ends where the next view's starts.
std::vector<VkDrawIndexedIndirectCommand> expectedDraws(const CompactionRequest& request,
                                                        const PerChannel<std::span<std::byte>>& copies, size_t view,
                                                        uint32_t& firstOutput) {
  const SluMeshes& table = request.plan.meshes;
  const size_t bucketCount = request.buckets.size(), lodCount = bucketCount / frameMeshCount(request.plan);
  std::vector<VkDrawIndexedIndirectCommand> draws;
  for (size_t bucket = 0; bucket < bucketCount; ++bucket) {
    const auto count =
        valueAt<SluBucketCount>(copies[Channel::BucketCounts], (view * bucketCount + bucket) * sizeof(SluBucketCount));
    const size_t lod = bucket / lodCount * table.stride + bucket % lodCount * table.lodStride;
    const auto number = [&](uint32_t offset) { return valueAt<uint32_t>(copies[Channel::Meshes], lod + offset); };
    if (count.keptCount)
      draws.push_back({number(table.elementCountOffset), count.keptCount, number(table.firstElementOffset),
                       static_cast<int32_t>(number(table.vertexOffsetOffset)), firstOutput});
    firstOutput += request.buckets[bucket].capacity;
  }
  return draws;
}

void checkView(const CompactionRequest& request, const PerChannel<std::span<std::byte>>& copies, size_t view,
               const std::vector<VkDrawIndexedIndirectCommand>& expected, std::vector<std::string>& differences) {
  const auto drawCount = valueAt<uint32_t>(copies[Channel::DrawCounts], view * sizeof(uint32_t));
  if (drawCount != expected.size()) {
    differences.push_back(
        sentence("view ", view, ": ", drawCount, " draws where ", expected.size(), " buckets kept something"));
    return;
  }
  for (size_t draw = 0; draw < expected.size(); ++draw) {
    const auto actual = valueAt<VkDrawIndexedIndirectCommand>(
        copies[Channel::Draws], (view * request.buckets.size() + draw) * request.plan.draws.stride);
    if (std::memcmp(&actual, &expected[draw], sizeof(actual)) == 0) continue;
    differences.push_back(sentence("view ", view, ", draw ", draw, ": ", actual.indexCount, " indices from ",
                                   actual.firstIndex, " for ", actual.instanceCount,
                                   " instances, where the table and the counts have ", expected[draw].indexCount,
                                   " from ", expected[draw].firstIndex, " for ", expected[draw].instanceCount));
    return;
  }
}

}  // namespace

std::vector<std::string> checkDraws(const CompactionRequest& request, const PerChannel<std::span<std::byte>>& copies) {
  std::vector<std::string> differences;
  if (!request.plan.meshes.stride) return differences;
  uint32_t firstOutput = 0;
  for (uint32_t view = 0; view < request.plan.maxViewCount; ++view)
    checkView(request, copies, view, expectedDraws(request, copies, view, firstOutput), differences);
  return differences;
}

}  // namespace demo

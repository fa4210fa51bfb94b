#include "verify/draw_check.h"

#include "base/failure.h"
#include "verify/value_at.h"

namespace demo {
namespace {

// Returns the commands of the buckets that kept something. firstInstance is the bucket's place among the outputs.
std::vector<VkDrawIndexedIndirectCommand> expectedDraws(const CompactionRequest& request,
                                                        const PerChannel<std::span<std::byte>>& copies) {
  const SluMeshes& table = request.plan.meshes;
  const size_t lodCount = request.buckets.size() / frameMeshCount(request.plan);
  std::vector<VkDrawIndexedIndirectCommand> draws;
  uint32_t firstOutput = 0;
  for (size_t bucket = 0; bucket < request.buckets.size(); ++bucket) {
    const auto count = valueAt<SluBucketCount>(copies[Channel::BucketCounts], bucket * sizeof(SluBucketCount));
    const size_t lod = bucket / lodCount * table.stride + bucket % lodCount * table.lodStride;
    const auto number = [&](uint32_t offset) { return valueAt<uint32_t>(copies[Channel::Meshes], lod + offset); };
    if (count.keptCount)
      draws.push_back({number(table.elementCountOffset), count.keptCount, number(table.firstElementOffset),
                       static_cast<int32_t>(number(table.vertexOffsetOffset)), firstOutput});
    firstOutput += request.buckets[bucket].capacity;
  }
  return draws;
}

}  // namespace

std::vector<std::string> checkDraws(const CompactionRequest& request, const PerChannel<std::span<std::byte>>& copies) {
  if (!request.plan.meshes.stride) return {};
  std::vector<std::string> differences;
  const std::vector<VkDrawIndexedIndirectCommand> expected = expectedDraws(request, copies);
  const auto drawCount = valueAt<uint32_t>(copies[Channel::DrawCounts], 0);
  if (drawCount != expected.size())
    differences.push_back(sentence("draws: ", drawCount, " where ", expected.size(), " buckets kept something"));
  for (size_t draw = 0; draw < expected.size() && differences.empty(); ++draw) {
    const auto actual = valueAt<VkDrawIndexedIndirectCommand>(copies[Channel::Draws], draw * request.plan.draws.stride);
    if (std::memcmp(&actual, &expected[draw], sizeof(actual)) != 0)
      differences.push_back(sentence("draw ", draw, ": ", actual.indexCount, " indices from ", actual.firstIndex,
                                     " for ", actual.instanceCount, " instances, where the table and the counts have ",
                                     expected[draw].indexCount, " from ", expected[draw].firstIndex, " for ",
                                     expected[draw].instanceCount));
  }
  return differences;
}

}  // namespace demo

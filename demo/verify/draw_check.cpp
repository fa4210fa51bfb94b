#include "verify/draw_check.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/failure.h"
#include "verify/value_at.h"

namespace demo {
namespace {

using Commands = std::vector<VkDrawIndexedIndirectCommand>;

std::vector<SluBucketCount> countsOf(const CompactionRequest& request, const PerChannel<std::span<std::byte>>& copies,
                                     uint32_t view) {
  const size_t bytes = request.buckets.size() * sizeof(SluBucketCount);
  std::vector<SluBucketCount> counts(request.buckets.size());
  std::memcpy(counts.data(), copies[Channel::BucketCounts].subspan(view * bytes, bytes).data(), bytes);
  return counts;
}

// Returns the commands of the buckets of a view that kept something, by group. firstInstance is the bucket's place among
// the outputs.
std::vector<Commands> expectedDraws(const CompactionRequest& request, const PerChannel<std::span<std::byte>>& copies,
                                    uint32_t view) {
  const SluMeshes& table = request.plan.meshes;
  const size_t bucketCount = request.buckets.size(), lodCount = bucketCount / frameMeshCount(request.plan);
  std::vector<Commands> draws(std::max(request.plan.groups.count, 1u));
  const std::vector<SluBucketCount> counts = countsOf(request, copies, view);
  const std::vector<uint64_t> firstOutput = firstOutputs(request, request.buckets, counts, view);
  for (size_t bucket = 0; bucket < bucketCount; ++bucket) {
    const size_t mesh = bucket / lodCount * table.stride, lod = mesh + bucket % lodCount * table.lodStride;
    const auto number = [&](uint32_t offset) { return valueAt<uint32_t>(copies[Channel::Meshes], lod + offset); };
    if (!counts[bucket].keptCount) continue;
    const uint32_t group = request.plan.groups.count
                               ? valueAt<uint32_t>(copies[Channel::Meshes], mesh + request.plan.groups.meshOffset)
                               : 0;
    draws.at(group).push_back({number(table.elementCountOffset), counts[bucket].keptCount,
                               number(table.firstElementOffset), static_cast<int32_t>(number(table.vertexOffsetOffset)),
                               static_cast<uint32_t>(firstOutput[bucket])});
  }
  return draws;
}

// place counts groups through all views.
void checkGroup(const CompactionRequest& request, const PerChannel<std::span<std::byte>>& copies, size_t place,
                const std::string& name, const Commands& expected, std::vector<std::string>& differences) {
  const auto drawCount = valueAt<uint32_t>(copies[Channel::DrawCounts], place * sizeof(uint32_t));
  const SluGroups& groups = request.plan.groups;
  const size_t first = place * (groups.count ? groups.drawCapacity : request.buckets.size());
  if (drawCount != expected.size()) {
    differences.push_back(sentence(name, ": ", drawCount, " draws where ", expected.size(), " buckets kept something"));
    return;
  }
  for (size_t draw = 0; draw < expected.size(); ++draw) {
    const auto actual =
        valueAt<VkDrawIndexedIndirectCommand>(copies[Channel::Draws], (first + draw) * request.plan.draws.stride);
    if (std::memcmp(&actual, &expected[draw], sizeof(actual)) == 0) continue;
    differences.push_back(sentence(name, ", draw ", draw, ": ", actual.indexCount, " indices from ", actual.firstIndex,
                                   " for ", actual.instanceCount, " instances, where the table and the counts have ",
                                   expected[draw].indexCount, " from ", expected[draw].firstIndex, " for ",
                                   expected[draw].instanceCount));
    return;
  }
}

// Each command has the workgroups for what its bucket kept, behind the bucket's first output.
void checkWorkgroups(const CompactionRequest& request, const PerChannel<std::span<std::byte>>& copies, uint32_t view,
                     std::vector<std::string>& differences) {
  constexpr uint32_t kMostAcross = 65535;
  const std::vector<SluBucketCount> counts = countsOf(request, copies, view);
  const std::vector<uint64_t> firstOutput = firstOutputs(request, request.buckets, counts, view);
  for (size_t bucket = 0; bucket < counts.size(); ++bucket) {
    const uint32_t perGroup = request.buckets[bucket].draw.elementCount;
    const uint32_t groups = (counts[bucket].keptCount + perGroup - 1) / perGroup;
    const uint32_t down = std::max((groups + kMostAcross - 1) / kMostAcross, 1u);
    const std::array<uint32_t, 4> expected = {static_cast<uint32_t>(firstOutput[bucket]), (groups + down - 1) / down,
                                              down, 1};
    const size_t place = view * counts.size() + bucket;
    const auto actual = valueAt<std::array<uint32_t, 4>>(copies[Channel::Draws], place * request.plan.draws.stride);
    if (actual == expected) continue;
    differences.push_back(sentence("view ", view, ", bucket ", bucket, ": ", actual[1], " x ", actual[2],
                                   " workgroups from output ", actual[0], ", where the counts have ", expected[1],
                                   " x ", expected[2], " from ", expected[0]));
    return;
  }
}

// Each command is that of a cluster, for the record whose number it has. No record has two.
void checkMerged(const CompactionRequest& request, const PerChannel<std::span<std::byte>>& copies, uint32_t view,
                 std::vector<std::string>& differences) {
  const SluPlanCreateInfo& plan = request.plan;
  const auto drawCount = valueAt<uint32_t>(copies[Channel::DrawCounts], view * sizeof(uint32_t));
  const auto statistics = valueAt<SluStatistics>(copies[Channel::Statistics], view * sizeof(SluStatistics));
  if (drawCount != statistics.keptCount)
    differences.push_back(sentence("view ", view, ": ", drawCount, " draws of ", statistics.keptCount, " records"));
  std::vector<bool> isDrawn(plan.maxRecordCount);
  for (uint32_t draw = 0; draw < std::min(drawCount, plan.capacity); ++draw) {
    const size_t place = size_t{view} * plan.capacity + draw;
    const auto actual = valueAt<VkDrawIndexedIndirectCommand>(copies[Channel::Draws], place * plan.draws.stride);
    const uint32_t record = actual.firstInstance;
    if (record >= plan.maxRecordCount || isDrawn[record]) {
      differences.push_back(sentence("view ", view, ", draw ", draw, ": record ", record, " is ",
                                     record < plan.maxRecordCount ? "drawn twice" : "not there"));
      return;
    }
    isDrawn[record] = true;
    const size_t key =
        valueAt<uint32_t>(copies[Channel::Records], size_t{record} * plan.recordStride + plan.key.offset);
    const auto number = [&](uint32_t offset) {
      return valueAt<uint32_t>(copies[Channel::Meshes], key * plan.meshes.stride + offset);
    };
    const VkDrawIndexedIndirectCommand expected = {
        number(plan.meshes.elementCountOffset), 1, number(plan.meshes.firstElementOffset),
        static_cast<int32_t>(number(plan.meshes.vertexOffsetOffset)), record};
    if (std::memcmp(&actual, &expected, sizeof(actual)) == 0) continue;
    differences.push_back(sentence("view ", view, ", draw ", draw, ": ", actual.indexCount, " indices from ",
                                   actual.firstIndex, ", where cluster ", key, " has ", expected.indexCount, " from ",
                                   expected.firstIndex));
    return;
  }
}

}  // namespace

std::vector<std::string> checkDraws(const CompactionRequest& request, const PerChannel<std::span<std::byte>>& copies) {
  std::vector<std::string> differences;
  for (uint32_t view = 0; request.plan.draws.type == SLU_DRAW_WORKGROUPS && view < request.plan.maxViewCount; ++view)
    checkWorkgroups(request, copies, view, differences);
  for (uint32_t view = 0; isMerged(request) && view < request.plan.maxViewCount; ++view)
    checkMerged(request, copies, view, differences);
  if (!request.plan.meshes.stride || isMerged(request)) return differences;
  for (uint32_t view = 0; view < request.plan.maxViewCount; ++view) {
    const std::vector<Commands> expected = expectedDraws(request, copies, view);
    for (size_t group = 0; group < expected.size(); ++group) {
      const std::string name = request.plan.groups.count ? sentence("view ", view, ", ", request.groups.names[group])
                                                         : sentence("view ", view);
      checkGroup(request, copies, view * expected.size() + group, name, expected[group], differences);
    }
  }
  return differences;
}

}  // namespace demo

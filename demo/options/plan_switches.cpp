#include "options/plan_switches.h"

#include <algorithm>
#include <cmath>

#include "base/failure.h"
#include "frame/compaction.h"

namespace demo {
namespace {

// Keeps a bucket for each mesh and level of detail that is left. With one mesh its buckets hold all records.
void chooseBuckets(CompactionRequest& request, const CompactionRequest& scene, double capacityScale) {
  const uint32_t sceneLods = std::max(scene.plan.key.lodCount, 1u), lods = std::max(request.plan.key.lodCount, 1u);
  const uint32_t sceneMeshes = std::max(scene.plan.key.keyCount, 1u), meshes = std::max(request.plan.key.keyCount, 1u);
  request.buckets.clear();
  request.sufficientCapacities.assign(size_t{meshes} * lods, 0);
  request.bucketTriangles.clear();
  for (uint32_t mesh = 0; mesh < sceneMeshes; ++mesh) {
    for (uint32_t lod = 0; lod < lods; ++lod) {
      const size_t from = size_t{mesh} * sceneLods + lod;
      if (mesh < meshes) request.buckets.push_back(scene.buckets[from]);
      if (mesh < meshes && !scene.bucketTriangles.empty())
        request.bucketTriangles.push_back(scene.bucketTriangles[from]);
      request.sufficientCapacities[size_t{mesh % meshes} * lods + lod] += scene.sufficientCapacities[from];
    }
  }
  if (meshes == 1) std::ranges::fill(request.sufficientCapacities, scene.plan.maxRecordCount);
  for (size_t bucket = 0; bucket < request.buckets.size(); ++bucket)
    request.buckets[bucket].capacity =
        static_cast<uint32_t>(std::floor(request.sufficientCapacities[bucket] * capacityScale));
}

// All records share one room, whatever their buckets are.
void chooseRoom(CompactionRequest& request, double capacityScale) {
  const uint32_t sufficient = request.sufficientCapacities.front();
  request.plan.capacity = std::max(static_cast<uint32_t>(std::floor(sufficient * capacityScale)), 1u);
  request.buckets.front().capacity = request.plan.capacity;
}

// Instead of room for each bucket there is room for all records, whatever their buckets are.
void pack(CompactionRequest& request, double capacityScale) {
  if (request.buckets.size() < 2) return;
  SluPlanCreateInfo& plan = request.plan;
  plan.placement = SLU_PLACEMENT_PACKED;
  plan.capacity = std::max(static_cast<uint32_t>(std::floor(plan.maxRecordCount * capacityScale)), 1u);
  for (SluBucket& bucket : request.buckets) bucket.capacity = 0;
}

// A group has room for the draws of all its meshes.
void group(CompactionRequest& request) {
  const DrawGroups& groups = request.groups;
  if (groups.names.size() < 2 || request.buckets.size() < 2) return;
  SluPlanCreateInfo& plan = request.plan;
  const uint32_t meshes = std::max(plan.key.keyCount, 1u), lods = std::max(plan.key.lodCount, 1u);
  plan.groups.count = static_cast<uint32_t>(groups.names.size());
  plan.groups.meshOffset = groups.meshOffset;
  for (uint32_t each = 0; each < plan.groups.count; ++each) {
    const auto ofGroup = std::count(groups.ofMeshes.begin(), groups.ofMeshes.begin() + meshes, each);
    plan.groups.drawCapacity = std::max(plan.groups.drawCapacity, static_cast<uint32_t>(ofGroup) * lods);
  }
}

// The draws become task workgroups. No table of meshes describes these, so the bounds are read by key.
void drawMeshTasks(CompactionRequest& request) {
  if (!request.taskRecords || !request.meshShaderRefusal.empty()) return;
  SluPlanCreateInfo& plan = request.plan;
  if (plan.bounds.source == SLU_BOUNDS_IN_MESH) {
    plan.bounds.source = SLU_BOUNDS_PER_KEY;
    plan.bounds.stride = plan.meshes.stride;
  }
  plan.meshes = {};
  plan.outputs &= ~SluFlags{SLU_OUTPUT_DRAW_COUNTS_BIT};
  plan.draws = {SLU_DRAW_WORKGROUPS, sizeof(uint32_t) + sizeof(VkDrawMeshTasksIndirectCommandEXT),
                SLU_DRAWS_FIRST_IN_FRONT_BIT};
  for (SluBucket& bucket : request.buckets) bucket.draw.elementCount = request.taskRecords;
}

// Of four records, three are seen.
bool isSeen(uint32_t index) { return index * 2654435761u >> 30 != 0; }

// Every bit of a seen record's element may be the one that is set.
std::vector<uint32_t> flagsFor(SluLiveTest test, uint32_t recordCount) {
  const uint32_t bits = test == SLU_LIVE_FLAG_BITS ? 1 : test == SLU_LIVE_FLAG_BYTES ? 8 : 32, perWord = 32 / bits;
  std::vector<uint32_t> words((size_t{recordCount} + perWord - 1) / perWord);
  for (uint32_t index = 0; index < recordCount; ++index)
    if (isSeen(index)) words[index / perWord] |= 1u << (index % perWord * bits + index / 7 % bits);
  return words;
}

void hide(CompactionRequest& request, SluLiveTest test) {
  SluPlanCreateInfo& plan = request.plan;
  if (test == SLU_LIVE_ALWAYS) return;
  if (test != SLU_LIVE_MASK_EQUAL) {
    SluLive& live = plan.live.test == SLU_LIVE_ALWAYS ? plan.live : plan.secondLive;
    live.test = test;
    request.flags = flagsFor(test, plan.maxRecordCount);
    return;
  }
  if (!request.seedOffset)
    failInput("--hide mask: the scene's records have no seed to compare bits of; hide by bits, bytes or words");
  plan.live = {SLU_LIVE_MASK_EQUAL, *request.seedOffset, 0};
  plan.liveMask = 0x90;  // two bits, and one of their four values
  plan.liveValue = 0x80;
}

}  // namespace

std::string testNames(SluFlags tests) {
  std::string names;
  for (const TestName& test : kTestNames)
    if (tests & test.bit) names += (names.empty() ? "" : ", ") + std::string(test.name);
  return names.empty() ? "none" : names;
}

CompactionRequest applySwitches(const CompactionRequest& scene, const PlanSwitches& switches, double capacityScale) {
  CompactionRequest request = scene;
  SluPlanCreateInfo& plan = request.plan;
  plan.cullFlags &= switches.tests;
  plan.key.lodCount = std::min(plan.key.lodCount, switches.lodCount);
  if (plan.key.lodCount < scene.plan.key.lodCount) {  // resident are those that the scene's levels need
    plan.meshes.parts &= ~SluFlags{SLU_MESH_LOD_MASK_BIT};
    plan.meshes.lodMaskOffset = 0;
  }
  if (request.isOpaque && switches.occlusion != OcclusionMode::Off) {
    plan.cullFlags |= SLU_CULL_OCCLUSION_BIT;
    request.stepCount = switches.occlusion == OcclusionMode::Two ? kMostSteps : 1;
  }
  if (switches.isOneMesh && !isMerged(request)) plan.key.keyCount = std::min(plan.key.keyCount, 1u);
  request.viewDependent = plan.cullFlags || plan.key.lodCount > 1;
  if (!request.viewDependent) {
    plan.bounds = {};
    plan.indices = {};
  }
  if (!testsCones(request)) plan.cones = {};
  if (isMerged(request))
    chooseRoom(request, capacityScale);
  else
    chooseBuckets(request, scene, capacityScale);
  if (switches.drawsMeshTasks) drawMeshTasks(request);
  if (switches.isPacked) pack(request, capacityScale);
  if (switches.hasGroups) group(request);
  hide(request, switches.hiding);
  return request;
}

}  // namespace demo

#include "options/plan_switches.h"

#include <algorithm>
#include <cmath>

#include "frame/compaction.h"

namespace demo {
namespace {

// Keeps a bucket for each mesh and level of detail that is left. With one mesh its buckets hold all records.
void chooseBuckets(CompactionRequest& request, const CompactionRequest& scene, double capacityScale) {
  const uint32_t sceneLods = std::max(scene.plan.key.lodCount, 1u), lods = std::max(request.plan.key.lodCount, 1u);
  const uint32_t sceneMeshes = std::max(scene.plan.key.keyCount, 1u), meshes = std::max(request.plan.key.keyCount, 1u);
  request.buckets.clear();
  request.sufficientCapacities.assign(size_t{meshes} * lods, 0);
  for (uint32_t mesh = 0; mesh < sceneMeshes; ++mesh) {
    for (uint32_t lod = 0; lod < lods; ++lod) {
      const size_t from = size_t{mesh} * sceneLods + lod;
      if (mesh < meshes) request.buckets.push_back(scene.buckets[from]);
      request.sufficientCapacities[size_t{mesh % meshes} * lods + lod] += scene.sufficientCapacities[from];
    }
  }
  for (size_t bucket = 0; bucket < request.buckets.size(); ++bucket)
    request.buckets[bucket].capacity =
        static_cast<uint32_t>(std::floor(request.sufficientCapacities[bucket] * capacityScale));
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
  if (switches.isOneMesh) plan.key.keyCount = std::min(plan.key.keyCount, 1u);
  request.viewDependent = plan.cullFlags || plan.key.lodCount > 1;
  if (!request.viewDependent) plan.bounds = {};
  chooseBuckets(request, scene, capacityScale);
  return request;
}

}  // namespace demo

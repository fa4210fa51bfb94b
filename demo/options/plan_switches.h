// Holds what the user changes about the plan that a scene asks for.
#pragma once

#include <sluice/sluice.h>

#include <string>

namespace demo {

struct CompactionRequest;

constexpr SluFlags kAllTests = SLU_CULL_DISTANCE_BIT | SLU_CULL_FRUSTUM_BIT | SLU_CULL_SIZE_BIT;

struct TestName {
  SluFlags bit;
  const char* name;
};
constexpr TestName kTestNames[] = {
    {SLU_CULL_DISTANCE_BIT, "distance"}, {SLU_CULL_FRUSTUM_BIT, "frustum"}, {SLU_CULL_SIZE_BIT, "size"}};

struct PlanSwitches {
  SluFlags tests = kAllTests;        // of those that the scene has
  uint32_t lodCount = SLU_MAX_LODS;  // at most
  bool isOneMesh = false;            // all records are drawn as the first mesh, into one bucket per level of detail
  bool operator==(const PlanSwitches&) const = default;
};

// Returns "distance, size", or "none".
std::string testNames(SluFlags tests);

// Returns the scene's request with fewer tests, levels of detail and meshes. Its capacities are capacityScale of what
// always suffices.
CompactionRequest applySwitches(const CompactionRequest& scene, const PlanSwitches& switches, double capacityScale);

}  // namespace demo

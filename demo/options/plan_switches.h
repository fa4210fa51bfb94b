// Holds what the user changes about the plan that a scene asks for.
#pragma once

#include <sluice/sluice.h>

#include <string>

#include "frame/occlusion_mode.h"

namespace demo {

struct CompactionRequest;

constexpr SluFlags kAllTests = SLU_CULL_DISTANCE_BIT | SLU_CULL_FRUSTUM_BIT | SLU_CULL_SIZE_BIT | SLU_CULL_CONE_BIT;

struct TestName {
  SluFlags bit;
  const char* name;
};
constexpr TestName kTestNames[] = {{SLU_CULL_DISTANCE_BIT, "distance"},
                                   {SLU_CULL_FRUSTUM_BIT, "frustum"},
                                   {SLU_CULL_SIZE_BIT, "size"},
                                   {SLU_CULL_CONE_BIT, "cone"}};

struct PlanSwitches {
  SluFlags tests = kAllTests;            // of those that the scene has
  uint32_t lodCount = SLU_MAX_LODS;      // at most
  bool isOneMesh = false;                // all records are drawn as the first mesh, into one bucket per level of detail
  SluLiveTest hiding = SLU_LIVE_ALWAYS;  // what hides some of the records: a mask, or flags; none by default
  bool isPacked = false;                 // buckets lie one behind the other, if there are several
  bool hasGroups = false;                // draws come by state of the pipeline, if the scene has several
  OcclusionMode occlusion = OcclusionMode::Off;  // if nothing of the scene depends on the order of draws
  bool drawsMeshTasks = false;                   // mesh shaders draw, if the scene can be drawn so
  bool operator==(const PlanSwitches&) const = default;
};

// Returns what --placement calls it.
inline const char* placementName(bool isPacked) { return isPacked ? "packed" : "reserved"; }

inline const char* drawName(bool drawsMeshTasks) { return drawsMeshTasks ? "mesh" : "indirect"; }

struct HidingName {
  SluLiveTest test;
  const char* name;
};
constexpr HidingName kHidingNames[] = {{SLU_LIVE_MASK_EQUAL, "mask"},
                                       {SLU_LIVE_FLAG_BITS, "bits"},
                                       {SLU_LIVE_FLAG_BYTES, "bytes"},
                                       {SLU_LIVE_FLAG_WORDS, "words"}};

// Returns "distance, size", or "none".
std::string testNames(SluFlags tests);

// Returns the scene's request with fewer tests, levels of detail and meshes, with a test that hides records, and with the
// placement and the groups of the switches. Its capacities are capacityScale of what always suffices; packed buckets
// have room for a record at least. Throws Failure (Cause::BadInput) when a mask is to hide records
// that have no seed.
CompactionRequest applySwitches(const CompactionRequest& scene, const PlanSwitches& switches, double capacityScale);

}  // namespace demo

// Each route is a row. Nothing else in src/api or src/plan names a route, except for the verbs.
#pragma once

#include <memory>
#include <span>

#include "plan/predicate_checks.h"
#include "routes/route.h"

struct SluVulkanRequirements;

namespace slu {

struct HostDevices;
struct PhysicalDevice;

struct RouteRow {
  SluRoute route;
  const char* name;
  const char* verb;            // runs its plans
  SluFlags verbBit;            // of context.hostFlags: the host calls the verb; 0 when every host may
  const char* targetName;      // of the verb's target, which must not be null; null if it may be, or there is none
  const char* whyNotAttached;  // why a frame cannot use a buffer that the route did not attach

  // Structs that the route reads in the chain of a plan, of a frame and of a buffer.
  std::span<const SluStructureType> planChain, frameChain, bufferChain;

  // Makes the route for the host's devices; null if the build does not have the route. If it fails with a result that
  // is a reason, the context does without the route. Else the context fails.
  std::unique_ptr<Route> (*make)(const HostDevices& devices);
  bool (*isReason)(SluResult result);

  // Tells what the route needs of a physical device; null if it needs no Vulkan device, or is not built. needsBallots
  // is false if subgroups are emulated.
  SluVulkanRequirements (*requirements)(const PhysicalDevice& device, bool needsBallots);

  const char* buildVerb;  // builds its pyramids
  // Structs that the route reads in the chain of a pyramid and of a build.
  std::span<const SluStructureType> pyramidChain = {}, buildChain = {};

  PredicateStructs predicates() const { return {name, planChain}; }
};

// All routes, in the order in which SLU_ROUTE_AUTO prefers them.
std::span<const RouteRow> routeRows();

// Returns the row of any route but SLU_ROUTE_AUTO.
const RouteRow& rowOf(SluRoute route);

}  // namespace slu

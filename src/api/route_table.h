// The routes that there are, a row for each. Nothing else in src/api or src/plan names one, but for the verbs that are
// a route's own.
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
  bool needsTarget;            // the verb's target must not be null
  const char* whyNotAttached;  // why a frame cannot use a buffer that the route did not attach

  // Structs that the route reads in the chain of a plan, of a frame and of a buffer.
  std::span<const SluStructureType> planChain, frameChain, bufferChain;

  // What makes the route for the host's devices, null when the build has none, and whether that failing with such a
  // result is a reason to do without the route, or else fails the context.
  std::unique_ptr<Route> (*make)(const HostDevices& devices);
  bool (*isReason)(SluResult result);

  // What the route needs of a physical device; null when it needs no Vulkan device, or the build has none of it.
  // needsBallots: false where subgroups are emulated.
  SluVulkanRequirements (*requirements)(const PhysicalDevice& device, bool needsBallots);

  PredicateStructs predicates() const { return {name, planChain}; }
};

// All routes, in the order in which SLU_ROUTE_AUTO prefers them.
std::span<const RouteRow> routeRows();

// route: any but SLU_ROUTE_AUTO.
const RouteRow& rowOf(SluRoute route);

}  // namespace slu

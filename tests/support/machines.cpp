#include "machines.h"

#include <array>
#include <optional>

#ifdef SLUICE_VULKAN
#include "vulkan_host.h"
#endif

namespace slu::test {
namespace {

struct Found {
  std::unique_ptr<Machine> machine;
  std::string reason;
};

std::array<std::optional<Found>, SLU_ROUTE_COUNT>& allFound() {
  static std::array<std::optional<Found>, SLU_ROUTE_COUNT> found;
  return found;
}

SluRouteInfo routeInfo(SluContext context, SluRoute route) {
  auto info = SLU_INIT(ROUTE_INFO, SluRouteInfo);
  require(context, sluGetRouteInfo(context, route, &info), "sluGetRouteInfo");
  return info;
}

// A machine whose context knows most about the routes.
Machine& bestMachine() {
  std::string reason;
#ifdef SLUICE_VULKAN
  if (Machine* machine = findMachine(SLU_ROUTE_VULKAN, reason)) return *machine;
#endif
  return *findMachine(SLU_ROUTE_CPU, reason);
}

#ifdef SLUICE_VULKAN
Found findVulkan() {
  Found found;
  try {
    found.machine = makeVulkanMachine();
  } catch (const Unavailable& unavailable) {
    return {nullptr, unavailable.what()};
  }
  const SluRouteInfo info = routeInfo(found.machine->context(), SLU_ROUTE_VULKAN);
  if (info.available == 0) return {nullptr, info.reason};
  return found;
}
#endif

#ifdef SLUICE_CUDA
Found findCuda() {
  try {
    return {makeCudaMachine(), ""};
  } catch (const Unavailable& unavailable) {
    return {nullptr, unavailable.what()};
  }
}
#endif

Found find(SluRoute route) {
  if (route == SLU_ROUTE_CPU) return {makeCpuMachine(), ""};
#ifdef SLUICE_VULKAN
  if (route == SLU_ROUTE_VULKAN) return findVulkan();
#endif
#ifdef SLUICE_CUDA
  if (route == SLU_ROUTE_CUDA) return findCuda();
#endif
  const SluRouteInfo info = routeInfo(bestMachine().context(), route);
  if (info.available != 0) throw std::runtime_error("this suite has no machine for a route that is available");
  return {nullptr, info.reason};
}

}  // namespace

Machine* findMachine(SluRoute route, std::string& reason) {
  std::optional<Found>& found = allFound()[route];
  if (!found) found = find(route);
  reason = found->reason;
  return found->machine.get();
}

void destroyMachines() {
  for (std::optional<Found>& found : allFound()) found.reset();
}

std::string takeMessages() {
  std::string text;
#ifdef SLUICE_VULKAN
  for (const std::string& message : takeValidationMessages()) text += message + "\n";
#endif
  return text;
}

}  // namespace slu::test

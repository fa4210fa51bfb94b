#include "machines.h"

#include <array>
#include <iterator>
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

std::array<std::optional<Found>, std::size(kMachineKinds)>& allFound() {
  static std::array<std::optional<Found>, std::size(kMachineKinds)> found;
  return found;
}

std::array<std::unique_ptr<Machine> (*)(), std::size(kMachineKinds)>& substitutes() {
  static std::array<std::unique_ptr<Machine> (*)(), std::size(kMachineKinds)> makes{};
  return makes;
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
  if (Machine* machine = findMachine(MachineKind::vulkan, reason)) return *machine;
#endif
  return *findMachine(MachineKind::cpu, reason);
}

#ifdef SLUICE_VULKAN
Found findVulkan(std::unique_ptr<Machine> (*make)()) {
  Found found;
  try {
    found.machine = make();
  } catch (const Unavailable& unavailable) {
    return {nullptr, unavailable.what()};
  }
  const SluRouteInfo info = routeInfo(found.machine->context(), found.machine->route());
  if (info.available == 0) return {nullptr, info.reason};
  return found;
}
#endif

Found findOther(std::unique_ptr<Machine> (*make)()) {
  try {
    return {make(), ""};
  } catch (const Unavailable& unavailable) {
    return {nullptr, unavailable.what()};
  }
}

SluRoute routeOf(MachineKind kind) {
  switch (kind) {
    case MachineKind::cpu:
      return SLU_ROUTE_CPU;
    case MachineKind::vulkan:
    case MachineKind::vulkanBound:
    case MachineKind::vulkanDispatches:
      return SLU_ROUTE_VULKAN;
    case MachineKind::inlined:
    case MachineKind::mixed:
      return SLU_ROUTE_INLINE;
    case MachineKind::d3d12:
      return SLU_ROUTE_D3D12;
    default:
      return SLU_ROUTE_CUDA;
  }
}

Found find(MachineKind kind) {
  if (const auto make = substitutes()[static_cast<std::size_t>(kind)]) return findOther(make);
  if (kind == MachineKind::cpu) return {makeCpuMachine(), ""};
#ifdef SLUICE_VULKAN
  if (kind == MachineKind::vulkan) return findVulkan(makeVulkanMachine);
  if (kind == MachineKind::vulkanBound) return findVulkan(makeBoundMachine);
  if (kind == MachineKind::vulkanDispatches) return findVulkan(makeDispatchesMachine);
  if (kind == MachineKind::inlined) return findVulkan(makeInlineMachine);
  if (kind == MachineKind::mixed) return findVulkan(makeMixedMachine);
#endif
#ifdef SLUICE_D3D12
  if (kind == MachineKind::d3d12) return findOther(makeD3D12Machine);
#endif
#ifdef SLUICE_CUDA
  if (kind == MachineKind::cuda) return findOther(makeCudaMachine);
  if (kind == MachineKind::cudaVulkan) return findOther(makeCudaVulkanMachine);
#endif
  const SluRouteInfo info = routeInfo(bestMachine().context(), routeOf(kind));
  if (info.available != 0) throw std::runtime_error("this suite has no machine for a route that is available");
  return {nullptr, info.reason};
}

}  // namespace

std::string machineName(MachineKind kind) {
  const std::string route = sluGetRouteName(routeOf(kind));
  if (kind == MachineKind::vulkanBound) return route + "_bound";
  if (kind == MachineKind::vulkanDispatches) return route + "_dispatches";
  return kind == MachineKind::cudaVulkan || kind == MachineKind::mixed ? route + "_vulkan" : route;
}

void substituteMachine(MachineKind kind, std::unique_ptr<Machine> (*make)()) {
  substitutes()[static_cast<std::size_t>(kind)] = make;
}

Machine* findMachine(MachineKind kind, std::string& reason) {
  std::optional<Found>& found = allFound()[static_cast<std::size_t>(kind)];
  if (!found) found = find(kind);
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
  for (const std::optional<Found>& found : allFound()) {
    if (found && found->machine) text += found->machine->takeMessages();
  }
  return text;
}

}  // namespace slu::test

#include <cstddef>

#include "api/host_devices.h"
#include "api/objects.h"
#include "api/route_table.h"
#include "base/structs.h"
#ifdef SLUICE_VULKAN
#include "base/host_device.h"
#endif

namespace slu {
namespace {

bool callsVerbOf(const ContextState& state, const RouteRow& row) {
  return state.hostFlags == 0 || row.verbBit == 0 || (state.hostFlags & row.verbBit) != 0;
}

HostDevices readDevices(const SluContextCreateInfo& info) {
  HostDevices devices;
  devices.hostFlags = info.hostFlags;
  [[maybe_unused]] const void* pNext = info.pNext;
#ifdef SLUICE_VULKAN
  constexpr SluStructureType kVulkan = SLU_STRUCTURE_TYPE_VULKAN_DEVICE_INFO;
  if (const auto* chained = findInChain<SluVulkanDeviceInfo>(pNext, kVulkan)) {
    devices.vulkan = readStruct(chained, kVulkan, offsetof(SluVulkanDeviceInfo, enabledFeatures), "vulkanDevice");
    checkHostDevice(*devices.vulkan);
  }
#endif
#ifdef SLUICE_CUDA
  constexpr SluStructureType kCuda = SLU_STRUCTURE_TYPE_CUDA_DEVICE_INFO;
  if (const auto* chained = findInChain<SluCudaDeviceInfo>(pNext, kCuda)) {
    devices.cuda = readStruct(chained, kCuda, sizeof(SluCudaDeviceInfo), "cudaDevice");
  }
#endif
#ifdef SLUICE_D3D12
  constexpr SluStructureType kD3D12 = SLU_STRUCTURE_TYPE_D3D12_DEVICE_INFO;
  if (const auto* chained = findInChain<SluD3D12DeviceInfo>(pNext, kD3D12)) {
    devices.d3d12 = readStruct(chained, kD3D12, sizeof(SluD3D12DeviceInfo), "d3d12Device");
  }
#endif
  return devices;
}

// Returns whether indirect draws of the host's device ignore firstInstance; false if it is not known.
bool lacksFirstInstance([[maybe_unused]] const HostDevices& devices) {
#ifdef SLUICE_VULKAN
  return devices.vulkan && enabledFeatures(*devices.vulkan).core.drawIndirectFirstInstance == VK_FALSE;
#else
  return false;
#endif
}

void probe(const RouteRow& row, const HostDevices& devices, ContextState& state) {
  if (row.make == nullptr) {
    const std::string reason = std::string("this build of the library has no ") + row.name + " route";
    return state.refuse(row.route, SLU_ERROR_ROUTE_UNAVAILABLE, reason.c_str());
  }
  try {
    state.routes[row.route] = row.make(devices);
  } catch (const Error& error) {
    if (!row.isReason(error.result())) throw;
    state.refuse(row.route, error.result(), error.what());
  }
}

}  // namespace

bool ContextState::mayPick(SluRoute route) const {
  return routes[route] != nullptr && callsVerbOf(*this, rowOf(route));
}

SluRoute ContextState::resolve(SluRoute route) const {
  if (route != SLU_ROUTE_AUTO) return route;
  for (const RouteRow& row : routeRows()) {
    if (mayPick(row.route)) return row.route;
  }
  return routeRows().back().route;
}

void ContextState::refuse(SluRoute route, SluResult result, const char* reason) {
  refusals[route] = result;
  reasons[route] = reason;
}

std::string ContextState::reason(SluRoute route) const {
  if (route != SLU_ROUTE_AUTO) return reasons[route];
  std::string sentences;
  for (const RouteRow& row : routeRows()) {
    if (mayPick(row.route)) break;
    if (!sentences.empty()) sentences += "; ";
    sentences += row.name;
    sentences += ": ";
    if (callsVerbOf(*this, row)) {
      sentences += reasons[row.route];
    } else {
      sentences += std::string("the host does not call ") + row.verb + " (context.hostFlags)";
    }
  }
  return sentences;
}

void ContextState::checkDrawNeeds(SluFlags drawNeeds) const {
  if (!lacksFirstInstance || (drawNeeds & SLU_DRAW_NEEDS_FIRST_INSTANCE_BIT) == 0) return;
  fail(SLU_ERROR_MISSING_FEATURE,
       "plan.draws: its commands have a firstInstance that is not 0, and the device was created without "
       "drawIndirectFirstInstance; enable that feature (sluGetVulkanRequirements asks for it where the device has it), "
       "or create a plan per bucket and view, or set SLU_DRAWS_AS_DATA_BIT in plan.draws.flags if no indirect draw "
       "reads the commands");
}

void ContextState::report(SluLogSeverity severity, const char* sentence) const noexcept {
  if (log != nullptr) log(logUserData, severity, sentence);
}

void ContextState::logRoutes() const {
  for (const RouteRow& row : routeRows()) {
    const std::string line =
        std::string("route ") + row.name +
        (routes[row.route] ? ": available" + routes[row.route]->remark() : ": not available: " + reasons[row.route]);
    report(SLU_LOG_INFO, line.c_str());
  }
}

std::shared_ptr<ContextState> makeContextState(const SluContextCreateInfo& info) {
  checkChain(info.pNext,
             {SLU_STRUCTURE_TYPE_VULKAN_DEVICE_INFO, SLU_STRUCTURE_TYPE_CUDA_DEVICE_INFO,
              SLU_STRUCTURE_TYPE_D3D12_DEVICE_INFO},
             "context");
  checkFlags(info.hostFlags, SLU_HOST_RECORDS_BIT | SLU_HOST_ENQUEUES_BIT | SLU_HOST_RECORDS_D3D12_BIT,
             "context.hostFlags");
  auto state = std::make_shared<ContextState>();
  state->log = info.log;
  state->logUserData = info.logUserData;
  state->hostFlags = info.hostFlags;
  const HostDevices devices = readDevices(info);
  state->lacksFirstInstance = lacksFirstInstance(devices);
  for (const RouteRow& row : routeRows()) probe(row, devices, *state);
  state->logRoutes();
  return state;
}

}  // namespace slu

#include <array>
#include <cstddef>
#include <optional>

#include "api/objects.h"
#include "api/structs.h"
#include "routes/cpu/cpu_route.h"
#ifdef SLUICE_VULKAN
#include <sluice/sluice_vulkan.h>

#include "base/host_device.h"
#include "routes/vulkan/vulkan_route.h"
#endif
#ifdef SLUICE_CUDA
#include <sluice/sluice_cuda.h>

#include "routes/cuda/cuda_route.h"
#include "routes/inline/inline_route.h"
#endif

namespace slu {
namespace {

// The CPU route is the last resort of every host.
bool callsVerbOf(const ContextState& state, SluRoute route) {
  const SluFlags verbs = state.hostFlags & (SLU_HOST_RECORDS_BIT | SLU_HOST_ENQUEUES_BIT);
  if (verbs == 0 || route == SLU_ROUTE_CPU) return true;
  return (verbs & (route == SLU_ROUTE_CUDA ? SLU_HOST_ENQUEUES_BIT : SLU_HOST_RECORDS_BIT)) != 0;
}

// The devices that the host chained, read and checked before any route looks at them.
struct HostDevices {
#ifdef SLUICE_VULKAN
  std::optional<SluVulkanDeviceInfo> vulkan;
#endif
#ifdef SLUICE_CUDA
  std::optional<SluCudaDeviceInfo> cuda;
#endif
};

HostDevices readDevices([[maybe_unused]] const void* pNext) {
  HostDevices devices;
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
  return devices;
}

void probeVulkan([[maybe_unused]] const HostDevices& devices, ContextState& state) {
#ifdef SLUICE_VULKAN
  if (!devices.vulkan) {
    return state.refuse(SLU_ROUTE_VULKAN, SLU_ERROR_ROUTE_UNAVAILABLE,
                        "no SluVulkanDeviceInfo was chained to SluContextCreateInfo");
  }
  state.lacksFirstInstance = enabledFeatures(*devices.vulkan).core.drawIndirectFirstInstance == VK_FALSE;
  try {
    state.routes[SLU_ROUTE_VULKAN] = makeVulkanRoute(*devices.vulkan);
  } catch (const Error& error) {  // a device that lacks something is a reason, not a failure
    if (error.result() != SLU_ERROR_MISSING_FEATURE) throw;
    state.refuse(SLU_ROUTE_VULKAN, error.result(), error.what());
  }
#else
  state.refuse(SLU_ROUTE_VULKAN, SLU_ERROR_ROUTE_UNAVAILABLE, "this build of the library has no Vulkan route");
#endif
}

void probeCuda([[maybe_unused]] const HostDevices& devices, ContextState& state) {
#ifdef SLUICE_CUDA
  const auto& [vulkan, cuda] = devices;
  if (!vulkan && !cuda) {
    return state.refuse(SLU_ROUTE_CUDA, SLU_ERROR_ROUTE_UNAVAILABLE,
                        "neither SluCudaDeviceInfo nor SluVulkanDeviceInfo was chained to SluContextCreateInfo");
  }
  try {
    state.routes[SLU_ROUTE_CUDA] = vulkan ? makeCudaRoute(*vulkan, cuda ? &*cuda : nullptr) : makeCudaRoute(*cuda);
  } catch (const Error& error) {  // a host that has other routes goes on without a CUDA that is missing or broken
    if (error.result() == SLU_ERROR_INVALID_ARGUMENT || error.result() == SLU_ERROR_OUT_OF_HOST_MEMORY) throw;
    state.refuse(SLU_ROUTE_CUDA, error.result(), error.what());
  }
#else
  state.refuse(SLU_ROUTE_CUDA, SLU_ERROR_ROUTE_UNAVAILABLE, "this build of the library has no CUDA route");
#endif
}

void probeInline([[maybe_unused]] const HostDevices& devices, ContextState& state) {
#ifdef SLUICE_CUDA
  if (!devices.vulkan) {
    return state.refuse(SLU_ROUTE_INLINE, SLU_ERROR_ROUTE_UNAVAILABLE,
                        "no SluVulkanDeviceInfo was chained to SluContextCreateInfo");
  }
  try {
    state.routes[SLU_ROUTE_INLINE] = makeInlineRoute(*devices.vulkan);
  } catch (const Error& error) {  // a driver that fails here costs the host nothing but this route
    state.refuse(SLU_ROUTE_INLINE, error.result(), error.what());
  }
#else
  state.refuse(SLU_ROUTE_INLINE, SLU_ERROR_ROUTE_UNAVAILABLE, "this build of the library has no inline route");
#endif
}

}  // namespace

const char* verbOf(SluRoute route) {
  switch (route) {
    case SLU_ROUTE_CPU:
      return "sluCompact";
    case SLU_ROUTE_VULKAN:
    case SLU_ROUTE_INLINE:
      return "sluCmdCompact";
    default:
      return "sluEnqueueCompact";
  }
}

bool ContextState::mayPick(SluRoute route) const { return routes[route] != nullptr && callsVerbOf(*this, route); }

SluRoute ContextState::resolve(SluRoute route) const {
  if (route != SLU_ROUTE_AUTO) return route;
  for (const SluRoute candidate : kPreference) {
    if (mayPick(candidate)) return candidate;
  }
  return SLU_ROUTE_CPU;
}

void ContextState::refuse(SluRoute route, SluResult result, const char* reason) {
  refusals[route] = result;
  reasons[route] = reason;
}

std::string ContextState::reason(SluRoute route) const {
  if (route != SLU_ROUTE_AUTO) return reasons[route];
  std::string sentences;
  for (const SluRoute candidate : kPreference) {
    if (mayPick(candidate)) break;
    if (!sentences.empty()) sentences += "; ";
    sentences += sluGetRouteName(candidate);
    sentences += ": ";
    if (callsVerbOf(*this, candidate)) {
      sentences += reasons[candidate];
    } else {
      sentences += std::string("the host does not call ") + verbOf(candidate) + " (context.hostFlags)";
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
       "reads "
       "the commands");
}

void ContextState::report(SluLogSeverity severity, const char* sentence) const noexcept {
  if (log != nullptr) log(logUserData, severity, sentence);
}

void ContextState::logRoutes() const {
  for (const SluRoute route : kPreference) {
    const std::string line = std::string("route ") + sluGetRouteName(route) +
                             (routes[route] ? ": available" : ": not available: ") + reasons[route];
    report(SLU_LOG_INFO, line.c_str());
  }
}

std::shared_ptr<ContextState> makeContextState(const SluContextCreateInfo& info) {
  checkChain(info.pNext, {SLU_STRUCTURE_TYPE_VULKAN_DEVICE_INFO, SLU_STRUCTURE_TYPE_CUDA_DEVICE_INFO}, "context");
  checkFlags(info.hostFlags, SLU_HOST_RECORDS_BIT | SLU_HOST_ENQUEUES_BIT, "context.hostFlags");
  auto state = std::make_shared<ContextState>();
  state->log = info.log;
  state->logUserData = info.logUserData;
  state->hostFlags = info.hostFlags;
  state->routes[SLU_ROUTE_CPU] = makeCpuRoute();
  const HostDevices devices = readDevices(info.pNext);
  probeVulkan(devices, *state);
  probeCuda(devices, *state);
  probeInline(devices, *state);
  state->logRoutes();
  return state;
}

}  // namespace slu

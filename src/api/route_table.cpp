#include "api/route_table.h"

#include <algorithm>
#include <array>

#include "api/host_devices.h"
#include "base/error.h"
#include "routes/cpu/cpu_route.h"
#ifdef SLUICE_VULKAN
#include "routes/vulkan/vulkan_route.h"
#include "routes/vulkan_host/requirements.h"
#endif
#ifdef SLUICE_D3D12
#include "routes/d3d12/d3d12_route.h"
#endif
#ifdef SLUICE_CUDA
#include "routes/cuda/cuda_route.h"
#include "routes/cuda/vulkan_requirements.h"
#include "routes/inline/inline_requirements.h"
#include "routes/inline/inline_route.h"
#endif

namespace slu {
namespace {

constexpr SluStructureType kVulkanBuffers[] = {SLU_STRUCTURE_TYPE_VULKAN_BUFFER_INFO,
                                               SLU_STRUCTURE_TYPE_VULKAN_ALLOCATE_INFO};
constexpr SluStructureType kCudaBuffers[] = {
    SLU_STRUCTURE_TYPE_VULKAN_BUFFER_INFO, SLU_STRUCTURE_TYPE_VULKAN_ALLOCATE_INFO,
    SLU_STRUCTURE_TYPE_VULKAN_MEMORY_INFO, SLU_STRUCTURE_TYPE_MEMORY_FD_INFO,
    SLU_STRUCTURE_TYPE_CUDA_BUFFER_INFO,   SLU_STRUCTURE_TYPE_D3D12_BUFFER_INFO,
    SLU_STRUCTURE_TYPE_D3D12_MEMORY_INFO};
constexpr SluStructureType kD3D12Buffers[] = {SLU_STRUCTURE_TYPE_D3D12_BUFFER_INFO};
constexpr SluStructureType kCpuPlans[] = {SLU_STRUCTURE_TYPE_HOST_PREDICATE_INFO};
constexpr SluStructureType kVulkanPlans[] = {SLU_STRUCTURE_TYPE_GLSL_SOURCE_INFO,
                                             SLU_STRUCTURE_TYPE_SPIRV_PREDICATE_INFO};
constexpr SluStructureType kD3D12Plans[] = {SLU_STRUCTURE_TYPE_HLSL_SOURCE_INFO};
constexpr SluStructureType kCudaPlans[] = {SLU_STRUCTURE_TYPE_CUDA_PREDICATE_INFO, SLU_STRUCTURE_TYPE_CUDA_SOURCE_INFO};
constexpr SluStructureType kInlinePlans[] = {SLU_STRUCTURE_TYPE_CUDA_SOURCE_INFO};
constexpr SluStructureType kCudaFrames[] = {SLU_STRUCTURE_TYPE_HANDOFF_INFO, SLU_STRUCTURE_TYPE_PREDICATE_STATE,
                                            SLU_STRUCTURE_TYPE_OCCLUSION_INFO};
constexpr SluStructureType kFrames[] = {SLU_STRUCTURE_TYPE_PREDICATE_STATE, SLU_STRUCTURE_TYPE_OCCLUSION_INFO};

constexpr SluStructureType kVulkanPyramids[] = {SLU_STRUCTURE_TYPE_VULKAN_PYRAMID_INFO};
constexpr SluStructureType kVulkanBuilds[] = {SLU_STRUCTURE_TYPE_VULKAN_DEPTH_INFO};
constexpr SluStructureType kD3D12Pyramids[] = {SLU_STRUCTURE_TYPE_D3D12_PYRAMID_INFO};
constexpr SluStructureType kD3D12Builds[] = {SLU_STRUCTURE_TYPE_D3D12_DEPTH_INFO};

constexpr const char* kNoMemory = "it was created without memory, or a usage, that the route can use";

std::unique_ptr<Route> makeCpu(const HostDevices&) { return makeCpuRoute(); }

// That a device lacks something is a reason to do without the route.
bool isLack(SluResult result) { return result == SLU_ERROR_MISSING_FEATURE || result == SLU_ERROR_ROUTE_UNAVAILABLE; }

// A host that has other routes does without CUDA if it is missing or broken.
[[maybe_unused]] bool isBrokenCuda(SluResult result) {
  return result != SLU_ERROR_INVALID_ARGUMENT && result != SLU_ERROR_OUT_OF_HOST_MEMORY;
}

// If the driver fails here, the host loses this route only.
[[maybe_unused]] bool isAnything(SluResult) { return true; }

#ifdef SLUICE_VULKAN

const SluVulkanDeviceInfo& needVulkan(const HostDevices& devices) {
  if (!devices.vulkan) {
    fail(SLU_ERROR_ROUTE_UNAVAILABLE, "no SluVulkanDeviceInfo was chained to SluContextCreateInfo");
  }
  return *devices.vulkan;
}

std::unique_ptr<Route> makeVulkan(const HostDevices& devices) { return makeVulkanRoute(needVulkan(devices)); }

SluVulkanRequirements requireVulkan(const PhysicalDevice& device, bool needsBallots) {
  const InstanceFunctions functions(device.getInstanceProcAddr, device.instance);
  checkPhysicalDevice(functions, device.handle, needsBallots);
  return vulkanRequirements(functions, device.handle);
}

#else
constexpr std::nullptr_t makeVulkan = nullptr, requireVulkan = nullptr;
#endif

#ifdef SLUICE_CUDA

#ifdef SLUICE_D3D12

// Most hosts of Direct3D 12 have nothing to do with CUDA, and their device does not tell.
void needEnqueues(const HostDevices& devices) {
  if (devices.cuda || (devices.hostFlags & SLU_HOST_ENQUEUES_BIT) != 0) return;
  fail(SLU_ERROR_ROUTE_UNAVAILABLE,
       "the host of an SluD3D12DeviceInfo does not say that it uses CUDA; set SLU_HOST_ENQUEUES_BIT in "
       "context.hostFlags, or chain an SluCudaDeviceInfo");
}

#endif

std::unique_ptr<Route> makeCuda(const HostDevices& devices) {
  const SluCudaDeviceInfo* cuda = devices.cuda ? &*devices.cuda : nullptr;
  if (devices.vulkan) return makeCudaRoute(*devices.vulkan, cuda);
#ifdef SLUICE_D3D12
  if (devices.d3d12) {
    needEnqueues(devices);
    return makeCudaRoute(*devices.d3d12, cuda);
  }
#endif
  if (cuda == nullptr) {
    fail(SLU_ERROR_ROUTE_UNAVAILABLE,
         "no device was chained to SluContextCreateInfo: SluCudaDeviceInfo, SluVulkanDeviceInfo or SluD3D12DeviceInfo");
  }
  return makeCudaRoute(*cuda);
}

SluVulkanRequirements requireCuda(const PhysicalDevice& device, bool) {
  checkCudaPhysicalDevice(device.getInstanceProcAddr, device.instance, device.handle);
  return cudaRequirements(InstanceFunctions(device.getInstanceProcAddr, device.instance), device.handle);
}

std::unique_ptr<Route> makeInline(const HostDevices& devices) { return makeInlineRoute(needVulkan(devices)); }

// Includes what the Vulkan route needs, because that route is used if the inline route is refused.
SluVulkanRequirements requireInline(const PhysicalDevice& device, bool) {
  const InstanceFunctions functions(device.getInstanceProcAddr, device.instance);
  checkPhysicalDevice(functions, device.handle, true);
  return inlineRequirements(functions, device.handle);
}

#else
constexpr std::nullptr_t makeCuda = nullptr, requireCuda = nullptr, makeInline = nullptr, requireInline = nullptr;
#endif

#ifdef SLUICE_D3D12

std::unique_ptr<Route> makeD3D12(const HostDevices& devices) {
  if (!devices.d3d12) {
    fail(SLU_ERROR_ROUTE_UNAVAILABLE, "no SluD3D12DeviceInfo was chained to SluContextCreateInfo");
  }
  return makeD3D12Route(*devices.d3d12);
}

#else
constexpr std::nullptr_t makeD3D12 = nullptr;
#endif

// The CUDA route's kernels are faster than the Vulkan route's, and its hand-off costs more than they save, also where
// the host draws a frame later; see docs/performance.md. The CPU route is the last resort of every host.
constexpr std::array<RouteRow, SLU_ROUTE_COUNT - 1> kRows = {{
    {SLU_ROUTE_INLINE, "inline", "sluCmdCompact", SLU_HOST_RECORDS_BIT, "commandBuffer", kNoMemory, kInlinePlans,
     kFrames, kVulkanBuffers, makeInline, isAnything, requireInline, "sluCmdBuildPyramid", kVulkanPyramids,
     kVulkanBuilds},
    {SLU_ROUTE_VULKAN, "vulkan", "sluCmdCompact", SLU_HOST_RECORDS_BIT, "commandBuffer", kNoMemory, kVulkanPlans,
     kFrames, kVulkanBuffers, makeVulkan, isLack, requireVulkan, "sluCmdBuildPyramid", kVulkanPyramids, kVulkanBuilds},
    {SLU_ROUTE_D3D12, "d3d12", "sluCmdCompactD3D12", SLU_HOST_RECORDS_D3D12_BIT, "commandList",
     "it was created without an SluD3D12BufferInfo", kD3D12Plans, kFrames, kD3D12Buffers, makeD3D12, isLack, nullptr,
     "sluCmdBuildPyramidD3D12", kD3D12Pyramids, kD3D12Builds},
    {SLU_ROUTE_CUDA, "cuda", "sluEnqueueCompact", SLU_HOST_ENQUEUES_BIT, nullptr, kNoMemory, kCudaPlans, kCudaFrames,
     kCudaBuffers, makeCuda, isBrokenCuda, requireCuda, "sluEnqueueBuildPyramid"},
    {SLU_ROUTE_CPU,
     "cpu",
     "sluCompact",
     0,
     nullptr,
     "it was created without a hostPointer",
     kCpuPlans,
     kFrames,
     {},
     makeCpu,
     isLack,
     nullptr,
     "sluBuildPyramid"},
}};

}  // namespace

std::span<const RouteRow> routeRows() { return kRows; }

const RouteRow& rowOf(SluRoute route) { return *std::ranges::find(kRows, route, &RouteRow::route); }

}  // namespace slu

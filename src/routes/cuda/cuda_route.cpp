#include "routes/cuda/cuda_route.h"

#include "base/cuda_error.h"
#include "base/structs.h"
#include "interop/device_match.h"
#include "kernels/plan_kernels.h"
#include "routes/cuda/cuda_plan.h"
#include "routes/cuda/cuda_pyramid.h"
#include "routes/cuda/device_pointer.h"
#include "routes/cuda/shared_buffer.h"
#include "routes/cuda/vulkan_requirements.h"
#ifdef SLUICE_D3D12
#include "routes/cuda/d3d12_link.h"
#endif

namespace slu {
namespace {

// A buffer at a device address that the host gives.
class PointerBuffer final : public RouteBuffer {
 public:
  explicit PointerBuffer(VkBuffer handle) : handle_(handle) {}
  std::uint64_t vulkanBuffer() const override { return reinterpret_cast<std::uint64_t>(handle_); }

 private:
  VkBuffer handle_;  // null if the host gives none
};

class CudaRoute final : public Route {
 public:
  // makeLink(context) returns null if the host uses CUDA alone.
  template <typename MakeLink>
  CudaRoute(std::unique_ptr<const CudaContext> context, const MakeLink& makeLink)
      : context_(std::move(context)), kernels_(*context_), link_(makeLink(*context_)) {}

  std::unique_ptr<Allocation> allocate(const SluBufferCreateInfo& info) override {
    return link_ ? link_->allocate(info) : nullptr;
  }
  bool sharesAllocations() const override { return true; }
  std::unique_ptr<RouteBuffer> attachBuffer(const SluBufferCreateInfo& info) override;
  void checkUse(const RouteBuffer&, Use, const char*) const override {}
  std::unique_ptr<RoutePlan> createPlan(const PlanLayout& layout) override {
    return makeCudaPlan(kernels_, link_ ? &link_->timelineEnds() : nullptr, layout);
  }
  std::unique_ptr<RoutePyramid> createPyramid(const PyramidLayout& layout, const void*) override {
    return makeCudaPyramid(kernels_, layout);
  }
  HandoffValues checkHandoff(const void* chained, void* target) const override {
    const auto handoff = readStruct(static_cast<const SluHandoffInfo*>(chained), SLU_STRUCTURE_TYPE_HANDOFF_INFO,
                                    sizeof(SluHandoffInfo), "handoff");
    require(link_ != nullptr || (handoff.waitValue == 0 && handoff.signalValue == 0),
            "frame.pNext: SluHandoffInfo needs a context that was created with an SluVulkanDeviceInfo or an "
            "SluD3D12DeviceInfo");
    return link_ ? link_->handoff().check(handoff, static_cast<CUstream>(target)) : HandoffValues{};
  }
  Handoff* handoff() override { return link_ ? &link_->handoff() : nullptr; }
  VulkanHandoff* vulkanHandoff() override { return vulkan(); }
  D3D12Handoff* d3d12Handoff() override { return link_ ? link_->d3d12() : nullptr; }

 private:
  VulkanLink* vulkan() const { return link_ ? link_->vulkan() : nullptr; }

  const std::unique_ptr<const CudaContext> context_;
  SharedKernels kernels_;
  const std::unique_ptr<GraphicsLink> link_;  // null if the host uses CUDA alone
};

std::unique_ptr<RouteBuffer> CudaRoute::attachBuffer(const SluBufferCreateInfo& info) {
  const auto* chained = findInChain<SluCudaBufferInfo>(info.pNext, SLU_STRUCTURE_TYPE_CUDA_BUFFER_INFO);
  if (chained == nullptr) {
    auto foreign = attachMemoryFd(info, *context_, vulkan());
    return foreign || !link_ ? std::move(foreign) : link_->attachBuffer(info);
  }
  const auto read = readStruct(chained, SLU_STRUCTURE_TYPE_CUDA_BUFFER_INFO, sizeof(*chained), "cudaBuffer");
  require(read.devicePointer != nullptr, "cudaBuffer.devicePointer: is null");
  auto buffer = std::make_unique<PointerBuffer>(readHandle(info, vulkan()));
  buffer->address = checkDevicePointer(*context_, read.devicePointer, info.size);
  return buffer;
}

}  // namespace

std::unique_ptr<Route> makeCudaRoute(const SluCudaDeviceInfo& info) {
  const CudaFunctions functions = findCudaFunctions();
  int count = 0;
  check(functions.cuDeviceGetCount(&count), "cuDeviceGetCount");
  require(info.device >= 0 && info.device < count, "cudaDevice.device: is ", info.device, ", CUDA sees ", count,
          " devices");
  return makeCudaRoute(std::make_unique<const CudaContext>(info.device, functions), nullptr);
}

std::unique_ptr<Route> makeCudaRoute(const SluVulkanDeviceInfo& vulkan, const SluCudaDeviceInfo* cuda) {
  checkCudaEnabled(vulkan);
  const InstanceFunctions functions(vulkan.getInstanceProcAddr, vulkan.instance);
  const CudaFunctions cudaFunctions = findCudaFunctions();
  const int device = findCudaDevice(cudaFunctions, functions, vulkan.physicalDevice);
  require(cuda == nullptr || cuda->device == device, "cudaDevice.device: is ", cuda == nullptr ? 0 : cuda->device,
          ", and vulkanDevice.physicalDevice, ", vulkanIdentity(functions, vulkan.physicalDevice).name,
          ", is CUDA's device ", device);
  return makeCudaRoute(std::make_unique<const CudaContext>(device, cudaFunctions), &vulkan);
}

std::unique_ptr<Route> makeCudaRoute(std::unique_ptr<const CudaContext> context, const SluVulkanDeviceInfo* vulkan) {
  return std::make_unique<CudaRoute>(std::move(context), [&](const CudaContext& made) {
    return vulkan ? std::make_unique<VulkanLink>(*vulkan, made) : nullptr;
  });
}

#ifdef SLUICE_D3D12

std::unique_ptr<Route> makeCudaRoute(const SluD3D12DeviceInfo& d3d12, const SluCudaDeviceInfo* cuda) {
  return makeCudaRoute(findCudaFunctions(), d3d12, cuda);
}

std::unique_ptr<Route> makeCudaRoute(const CudaFunctions& functions, const SluD3D12DeviceInfo& d3d12,
                                     const SluCudaDeviceInfo* cuda) {
  const int device = findCudaDevice(functions, *d3d12.device);
  require(cuda == nullptr || cuda->device == device, "cudaDevice.device: is ", cuda == nullptr ? 0 : cuda->device,
          ", and d3d12Device.device is CUDA's device ", device);
  return std::make_unique<CudaRoute>(
      std::make_unique<const CudaContext>(device, functions),
      [&](const CudaContext& made) { return std::make_unique<D3D12Link>(d3d12.device, made); });
}

#endif

}  // namespace slu

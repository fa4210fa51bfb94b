#include "cuda/cuda_route.h"

#include "api/structs.h"
#include "cuda/cuda_plan.h"
#include "interop/cuda_error.h"

namespace slu {
namespace {

class CudaRoute final : public Route {
 public:
  explicit CudaRoute(int device) : context_(device) {}

  std::unique_ptr<RouteBuffer> attachBuffer(const SluBufferCreateInfo& info) override;
  void checkUse(const RouteBuffer&, Use, const char*) const override {}
  std::unique_ptr<RoutePlan> createPlan(const PlanLayout& layout) override { return makeCudaPlan(context_, layout); }

 private:
  const CudaContext context_;
};

std::unique_ptr<RouteBuffer> CudaRoute::attachBuffer(const SluBufferCreateInfo& info) {
  const auto* chained = findInChain<SluCudaBufferInfo>(info.pNext, SLU_STRUCTURE_TYPE_CUDA_BUFFER_INFO);
  if (chained == nullptr) return nullptr;
  const auto read = readStruct(chained, SLU_STRUCTURE_TYPE_CUDA_BUFFER_INFO, sizeof(*chained), "cudaBuffer");
  require(read.devicePointer != nullptr, "cudaBuffer.devicePointer: is null");
  auto buffer = std::make_unique<RouteBuffer>();
  buffer->address = reinterpret_cast<std::uintptr_t>(read.devicePointer);
  require(buffer->address % 4 == 0, "cudaBuffer.devicePointer: is ", read.devicePointer, ", must be aligned to 4");

  const CudaScope scope(context_);
  cudaPointerAttributes attributes{};
  check(cudaPointerGetAttributes(&attributes, read.devicePointer), "cudaPointerGetAttributes");
  require(attributes.devicePointer != nullptr, "cudaBuffer.devicePointer: is ", read.devicePointer,
          ", which no kernel can access: it is ordinary host memory");
  require(attributes.type != cudaMemoryTypeDevice || attributes.device == context_.device(),
          "cudaBuffer.devicePointer: belongs to device ", attributes.device, ", the context's is ", context_.device());
  buffer->address = reinterpret_cast<std::uintptr_t>(attributes.devicePointer);
  return buffer;
}

}  // namespace

std::unique_ptr<Route> makeCudaRoute(const SluCudaDeviceInfo& info) {
  requireCudaDriver();
  int count = 0;
  check(cudaGetDeviceCount(&count), "cudaGetDeviceCount");
  require(info.device >= 0 && info.device < count, "cudaDevice.device: is ", info.device, ", CUDA sees ", count,
          " devices");
  return std::make_unique<CudaRoute>(info.device);
}

}  // namespace slu

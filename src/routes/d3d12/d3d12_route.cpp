#include "routes/d3d12/d3d12_route.h"

#include "routes/d3d12/d3d12_buffer.h"
#include "routes/d3d12/d3d12_plan.h"
#include "routes/d3d12/d3d12_pyramid.h"
#include "routes/d3d12/dxc.h"
#include "routes/d3d12/fxc.h"
#include "routes/d3d12_host/buffer_info.h"

namespace slu {
namespace {

constexpr std::uint64_t kFrameAlignment = 256;  // D3D12_CONSTANT_BUFFER_DATA_PLACEMENT_ALIGNMENT

std::span<const std::byte> storedShaders(const SluD3D12DeviceInfo& info) {
  require(info.shaders != nullptr || info.shadersSize == 0, "d3d12Device.shaders: is null, and shadersSize is ",
          info.shadersSize, "; give both or neither");
  require(info.shaders == nullptr || info.shadersSize != 0,
          "d3d12Device.shadersSize: is 0, and shaders is given; give both or neither");
  return {static_cast<const std::byte*>(info.shaders), info.shadersSize};
}

std::unique_ptr<HlslCompiler> makeCompiler(const SluD3D12DeviceInfo& info) {
  if (info.shaderModel != 6) return std::make_unique<Fxc>();
  return std::make_unique<Dxc>(reinterpret_cast<Dxc::CreateInstance>(info.dxcCreateInstance));
}

class D3D12Route final : public Route {
 public:
  explicit D3D12Route(const SluD3D12DeviceInfo& info)
      : device_(info), pipelines_(device_, storedShaders(info), [&] { return makeCompiler(info); }) {}

  const D3D12Pipelines& pipelines() const { return pipelines_; }

  std::unique_ptr<RouteBuffer> attachBuffer(const SluBufferCreateInfo& info) override {
    const auto given = readD3D12Buffer(info);
    if (!given) return nullptr;
    auto buffer = std::make_unique<D3D12Buffer>();
    buffer->resource = ComPtr<ID3D12Resource>::share(given->resource);
    buffer->offset = given->offset;
    buffer->address = given->resource->GetGPUVirtualAddress() + given->offset;
    buffer->mapped = static_cast<std::byte*>(info.hostPointer);
    buffer->allowsUavs = (given->desc.Flags & D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS) != 0;
    D3D12_HEAP_PROPERTIES heap{};  // reserved resources have none, and the call fails
    const bool hasHeap = SUCCEEDED(given->resource->GetHeapProperties(&heap, nullptr));
    buffer->isInUploadHeap = hasHeap && heap.Type == D3D12_HEAP_TYPE_UPLOAD;
    return buffer;
  }

  void checkUse(const RouteBuffer& used, Use use, const char* field) const override {
    const auto& buffer = static_cast<const D3D12Buffer&>(used);
    if (use == Use::output || use == Use::drawArguments) {
      require(buffer.allowsUavs, field,
              ": is written, and its resource was created without D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS; "
              "create it with that flag, in no upload heap");
    }
    if (use != Use::transient) return;
    require(
        buffer.mapped != nullptr, field,
        ": the buffer was created without a hostPointer, where the frame's data is written; map its resource, which "
        "is in an upload heap, first");
    require(buffer.address % kFrameAlignment == 0, field, ": the buffer begins at d3d12Buffer.offset ", buffer.offset,
            ", must be a multiple of ", kFrameAlignment);
  }

  std::unique_ptr<RoutePlan> createPlan(const PlanLayout& layout) override {
    return makeD3D12Plan(device_, pipelines_, layout);
  }

  std::unique_ptr<RoutePyramid> createPyramid(const PyramidLayout& layout, const void* chain) override {
    return makeD3D12Pyramid(device_, pipelines_.store(), layout, chain);
  }

  std::string remark() const override { return ", by shader model " + std::to_string(device_.shaderModel()); }

 private:
  const D3D12Device device_;
  D3D12Pipelines pipelines_;
};

}  // namespace

std::unique_ptr<Route> makeD3D12Route(const SluD3D12DeviceInfo& info) { return std::make_unique<D3D12Route>(info); }

std::vector<std::byte> saveShaders(const Route& route) {
  return static_cast<const D3D12Route&>(route).pipelines().store().save();
}

}  // namespace slu

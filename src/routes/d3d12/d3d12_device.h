// The host's device with what plans share: the root signature, and how resources and pipeline states are made.
#pragma once

#include <sluice/sluice_d3d12.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/com.h"
#include "routes/d3d12/hlsl/registers.h"

namespace slu {

// Returns a parameter that is a descriptor of the register with that number.
D3D12_ROOT_PARAMETER rootDescriptor(D3D12_ROOT_PARAMETER_TYPE type, UINT number);

// Parameters of the root signature. Each register is a root descriptor, so that shaders need no descriptor heap.
enum RootParameter : UINT {
  kRootDispatch,  // root constants: the first view, and the number of workgroups
  kRootPlan,      // CBV: the plan's uniforms
  kRootFrame,     // CBV: the frame's data
  kRootView,      // CBV: the view that the dispatch is for
  kRootSrvs,      // in the order of their numbers
  kRootUavs = kRootSrvs + SLU_REGISTER_SRV_COUNT,
  kRootCount = kRootUavs + SLU_REGISTER_UAV_COUNT
};

// Whether kernels write the binding.
constexpr bool isWritten(std::uint32_t binding) { return kHlslRegisters[binding].view == HlslView::uav; }

// Returns the root parameter of a binding.
constexpr UINT rootOf(std::uint32_t binding) {
  return (isWritten(binding) ? kRootUavs : kRootSrvs) + kHlslRegisters[binding].number;
}

// Of a root descriptor: words are numbered in 32 bits, and their bytes are, too, in shader model 5.
inline constexpr std::uint64_t kMostBindingBytes = 0xffffffff;

// A buffer of the library's own, which is zero at first. Mapped ones are in an upload heap.
struct GpuBuffer {
  enum class Kind { deviceLocal, upload };

  ComPtr<ID3D12Resource> resource;
  D3D12_GPU_VIRTUAL_ADDRESS address = 0;
  std::byte* mapped = nullptr;
  std::uint64_t size = 0;
};

class D3D12Device {
 public:
  explicit D3D12Device(const SluD3D12DeviceInfo& info);

  ID3D12Device* get() const { return device_.get(); }
  D3D12_COMMAND_LIST_TYPE listType() const { return listType_; }
  std::uint32_t shaderModel() const { return shaderModel_; }                   // 5 or 6
  ID3D12RootSignature* rootSignature() const { return rootSignature_.get(); }  // of frames

  // Throws unless the list is of the type that the host has named, and the device is there.
  void checkList(ID3D12GraphicsCommandList* list) const;

  ComPtr<ID3D12RootSignature> makeRootSignature(std::span<const D3D12_ROOT_PARAMETER> parameters,
                                                const wchar_t* name) const;
  GpuBuffer makeBuffer(std::uint64_t size, GpuBuffer::Kind kind, const wchar_t* name) const;
  ComPtr<ID3D12PipelineState> makePipeline(ID3D12RootSignature* signature, std::span<const std::byte> shader,
                                           const wchar_t* name) const;

 private:
  const ComPtr<ID3D12Device> device_;
  const D3D12_COMMAND_LIST_TYPE listType_;
  const std::uint32_t shaderModel_;
  ComPtr<ID3D12RootSignature> rootSignature_;
};

}  // namespace slu

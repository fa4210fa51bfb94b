// Connects the CUDA route to the host's ID3D12Device: memory that both use, and the two timelines.
#pragma once

#include "interop/d3d12_imports.h"
#include "routes/cuda/graphics_link.h"
#include "routes/d3d12_handoff.h"
#include "routes/d3d12_host/buffer_info.h"

namespace slu {

class D3D12Link final : public GraphicsLink, public D3D12Handoff {
 public:
  // context is for the CUDA device that is the ID3D12Device's GPU, and outlives the link. The device is not null.
  D3D12Link(ID3D12Device* device, const CudaContext& context);

  SluD3D12Fences fences() const override;
  HandoffValues check(const SluHandoffInfo& handoff, CUstream_st* stream) const override;
  void enqueue(const HandoffValues& values, CUstream_st* stream) override;

  Handoff& handoff() override { return *this; }
  TimelineEnds& timelineEnds() override { return timelines_; }
  D3D12Handoff* d3d12() override { return this; }
  std::unique_ptr<RouteBuffer> attachBuffer(const SluBufferCreateInfo& info) override;

 private:
  std::shared_ptr<const ImportedMemory> importResource(ID3D12Resource& resource);
  std::shared_ptr<const ImportedMemory> importHeap(const SluD3D12MemoryInfo& memory, const D3D12Part& part);

  const CudaContext& context_;
  const ComPtr<ID3D12Device> device_;
  ImportedObjects memories_;
  FenceTimelines timelines_;
};

}  // namespace slu

// A depth texture of the host's, with depths that a pass has drawn.
#pragma once

#include <functional>

#include "d3d12_host.h"

namespace slu::test {

struct DepthTextureInfo {
  UINT width = 1, height = 1;
  UINT layerCount = 1;
  UINT samples = 1;
  bool hasStencil = false;
  D3D12_SRV_DIMENSION view = D3D12_SRV_DIMENSION_TEXTURE2D;
};

// Of a sample of a pixel of a slice, from 0 to 1.
using SampleAt = std::function<float(UINT layer, UINT x, UINT y, UINT sample)>;

// Whether the runtime reads descriptor tables. That of Wine 8 ignores them on some Vulkan devices, but not with the layer
// of tests/drivers/descriptor_indexing.c. Wine does not pass on which layers there are.
bool readsDescriptorTables();

// Its resource is in NON_PIXEL_SHADER_RESOURCE together with DEPTH_READ. Its view is in a heap of its own.
class DepthTexture {
 public:
  DepthTexture(D3D12Host& host, const DepthTextureInfo& info, const SampleAt& sampleAt);

  ID3D12DescriptorHeap* heap() const { return views_.get(); }
  std::uint64_t view() const { return view_.ptr; }

 private:
  void makeViews(D3D12Host& host, const DepthTextureInfo& info);
  void draw(D3D12Host& host, const DepthTextureInfo& info, const SampleAt& sampleAt);

  Com<ID3D12Resource> texture_;
  Com<ID3D12DescriptorHeap> targets_;  // a depth view per slice
  Com<ID3D12DescriptorHeap> views_;
  D3D12_GPU_DESCRIPTOR_HANDLE view_{};
};

}  // namespace slu::test

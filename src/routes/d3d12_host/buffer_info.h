// What the host says of its resources, checked once for each route of a Direct3D 12 host.
#pragma once

#include <sluice/sluice_d3d12.h>

#include <optional>

#include "base/d3d12_calls.h"

namespace slu {

struct D3D12Part {
  ID3D12Resource* resource;  // the host's, a buffer
  std::uint64_t offset;
  D3D12_RESOURCE_DESC desc;  // of the resource
};

// Returns none if info chains no SluD3D12BufferInfo. Throws unless info.size bytes lie in the resource.
std::optional<D3D12Part> readD3D12Buffer(const SluBufferCreateInfo& info);

}  // namespace slu

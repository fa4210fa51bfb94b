// A part of a resource of the host's.
#pragma once

#include "base/com.h"
#include "routes/route.h"

namespace slu {

// Its address is that of the part.
struct D3D12Buffer final : RouteBuffer {
  ComPtr<ID3D12Resource> resource;
  std::uint64_t offset = 0;
  std::byte* mapped = nullptr;  // by the host; null if it is not
  bool allowsUavs = false;
  bool isInUploadHeap = false;
};

}  // namespace slu
